"""The command ``cairn`` of the wheel: the program in Java, without its training engines."""

from __future__ import annotations

import os
import shutil
import sys

from . import _home
from .errors import CairnError


def main() -> int:
    """Becomes the program. Returns only if it cannot."""
    size = shutil.get_terminal_size()
    terminal = "true" if sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb" else "false"
    try:
        command = [
            _home.java(),
            *_home.FLAGS,
            "-cp",
            _home.class_path(),
            f"-Dcairn.terminal={terminal}",
            f"-Dcairn.columns={size.columns}",
            f"-Dcairn.rows={size.lines}",
            "-Dcairn.launcher=cairn",
            "dev.cairn.app.Main",
            *sys.argv[1:],
        ]
        os.execv(command[0], command)
    except CairnError as e:
        print(f"cairn: {e}", file=sys.stderr)
    except OSError as e:
        print(f"cairn: {e.filename or 'java'} does not start: {e.strerror}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
