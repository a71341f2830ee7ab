"""One sidecar process and the socket to it."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import tempfile
import threading
import time
from typing import Any

from . import _home, _wire
from .errors import SidecarError

PROTOCOL = 1
_MAIN = "dev.cairn.sidecar.Main"
#: Less of the cores than the training: it gets a ninth of the time of a training thread on the same core.
_NICENESS = 10


def _start_ticks() -> str:
    with open("/proc/self/stat") as stat:
        text = stat.read()
    return text[text.rindex(")") + 2 :].split()[19]


class Sidecar:
    """A running sidecar. Sending is for any thread, reading for one."""

    def __init__(self, memory: int, hello: dict[str, Any]) -> None:
        _home.require_linux()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket = ours
        self._sending = threading.Lock()
        self._received = bytearray()
        # Without a name: what it says when it dies is read here, and nothing stays behind.
        self._errors = tempfile.TemporaryFile()
        command = [
            _home.java(),
            *_home.FLAGS,
            "-XX:ErrorFile=/dev/null",
            "-cp",
            _home.class_path(),
            _MAIN,
            str(memory),
            str(os.getpid()),
            _start_ticks(),
        ]
        try:
            self.process = subprocess.Popen(
                command,
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=(memory,),
                start_new_session=True,
            )
        except OSError as e:
            ours.close()
            raise SidecarError(f"the saving process does not start: {command[0]}: {e.strerror}") from None
        finally:
            theirs.close()
        self._gives_way = False
        self.send({"type": "hello", "protocol": PROTOCOL, **hello})

    def give_way(self) -> None:
        """From now on the training goes first. Starting and restoring were as fast as possible."""
        if self._gives_way:
            return
        self._gives_way = True
        try:
            for thread in os.listdir(f"/proc/{self.process.pid}/task"):
                os.setpriority(os.PRIO_PROCESS, int(thread), _NICENESS)
        except OSError:
            pass

    def send(self, message: dict[str, Any]) -> None:
        """Sends a whole message, or none.

        :raises SidecarError: if the process has ended
        """
        frame = _wire.frame(message)
        with self._sending:
            try:
                self._socket.sendall(frame)
            except OSError:
                raise SidecarError("the saving process has ended" + self.last_words()) from None

    def offer(self, message: dict[str, Any]) -> None:
        """Sends a message that may be lost: never waits for a sidecar that does not read.

        :raises SidecarError: if the process has ended
        """
        frame = _wire.frame(message)
        with self._sending:
            try:
                sent = self._socket.send(frame, socket.MSG_DONTWAIT)
                if sent < len(frame):
                    self._socket.sendall(frame[sent:])
            except BlockingIOError:
                pass
            except OSError:
                raise SidecarError("the saving process has ended" + self.last_words()) from None

    def poll(self, timeout: float | None = 0.0) -> dict[str, Any] | None:
        """The next message, if there is one within this time; None waits for ever.

        :raises SidecarError: if the process has ended
        """
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            message = self._next()
            if message is not None:
                return message
            if timeout == 0:
                flags = socket.MSG_DONTWAIT
            else:
                left = None if end is None else end - time.monotonic()
                if left is not None and left <= 0:
                    return None
                waiting = select.poll()  # select() knows no descriptor above 1023
                waiting.register(self._socket, select.POLLIN)
                if not waiting.poll(None if left is None else left * 1000):
                    return None
                flags = socket.MSG_DONTWAIT
            try:
                received = self._socket.recv(1 << 16, flags)
            except BlockingIOError:
                if timeout == 0:
                    return None
                continue
            except OSError:
                received = b""
            if not received:
                raise SidecarError("the saving process has ended" + self.last_words())
            self._received += received

    def _next(self) -> dict[str, Any] | None:
        if len(self._received) < 4:
            return None
        size = int.from_bytes(self._received[:4], "little")
        if len(self._received) < 4 + size:
            return None
        body = bytes(self._received[4 : 4 + size])
        del self._received[: 4 + size]
        message: dict[str, Any] = _wire.decode(body)
        return message

    def last_words(self) -> str:
        """What it said when it died, and how, for a message."""
        try:
            code = self.process.wait(5)
            self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(0, self._errors.tell() - 4096))
            lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return ""
        how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        return f" ({how}{': ' + lines[0].strip() if lines else ''})"

    def wait(self, timeout: float | None) -> bool:
        """Whether it has ended within this time."""
        try:
            self.process.wait(timeout)
            return True
        except subprocess.TimeoutExpired:
            return False

    def let_go(self) -> None:
        """Closes this end. The sidecar commits what it has, and ends by itself."""
        for each in (self._socket, self._errors):
            try:
                each.close()
            except OSError:
                pass
        if self.process.poll() is None:
            self.process.returncode = 0  # Popen would warn that it still runs
