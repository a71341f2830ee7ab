"""How the package speaks to people: the logger "cairn" if the program listens to it, standard error otherwise."""

from __future__ import annotations

import logging
import sys

_LOG = logging.getLogger("cairn")


def tell(line: str, level: int = logging.INFO) -> None:
    """One line for the user. Never fails: a closed stream is no reason to end a training."""
    if _LOG.hasHandlers():
        _LOG.log(level, "%s", line)
        return
    try:
        print("cairn: " + line, file=sys.stderr, flush=True)
    except (OSError, ValueError, AttributeError):
        pass


def warn(line: str) -> None:
    """One line about something that needs attention."""
    tell(line, logging.WARNING)
