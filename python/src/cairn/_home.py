"""Where Java and Cairn's jars are: inside of the wheel, or where the environment says (for Cairn's own tests)."""

from __future__ import annotations

import glob
import os
import sys

from .errors import SidecarError

_HERE = os.path.dirname(os.path.abspath(__file__))

#: Flags that every process of Cairn has: tensors are off the heap, and a JVM must not talk on standard output.
FLAGS = [
    "-XX:+UseSerialGC",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
    "-Xlog:disable",
    "-Xlog:all=warning,aot*=off,cds*=off:stderr",
    "-XX:+DisplayVMOutputToStderr",
]


def java() -> str:
    """The Java program: the wheel's, or that of ``CAIRN_JAVA``."""
    given = os.environ.get("CAIRN_JAVA")
    path = given or os.path.join(_HERE, "_runtime", "bin", "java")
    if not os.path.exists(path):
        cure = "set CAIRN_JAVA to a java of version 25" if given else "install the wheel, which has one"
        raise SidecarError(f"no Java at {path}: this package has no runtime; {cure}")
    return path


def class_path() -> str:
    """The jars: the wheel's, or those of ``CAIRN_CLASS_PATH``."""
    given = os.environ.get("CAIRN_CLASS_PATH")
    if given:
        return given
    jars = sorted(glob.glob(os.path.join(_HERE, "_jars", "*.jar")))
    if not jars:
        raise SidecarError(f"no jars in {_HERE}/_jars: this package is not whole; install the wheel again")
    return os.pathsep.join(jars)


def require_linux() -> None:
    if not sys.platform.startswith("linux") or not hasattr(os, "memfd_create"):
        raise SidecarError("saving from Python needs Linux: its shared memory is a file without a name (memfd)")
