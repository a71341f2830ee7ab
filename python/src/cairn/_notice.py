"""Notices that the process shall end: a signal, a file that appears, a deadline. Honoured at the end of a step."""

from __future__ import annotations

import os
import signal
import threading
import time
from datetime import datetime, timezone
from typing import Any

from .errors import CairnError

#: The exit code of a training that was asked to stop and has saved its state: "try again later".
EXIT_CODE = 75

_SIGNALS = (signal.SIGTERM, signal.SIGUSR1)
_LOOK_EVERY = 0.5
#: Time for the last save before anything is known of saves and steps, in seconds.
_LEAST_GRACE = 10.0


class Notices:
    """The first notice since it was made. A handler of signals that the program has set itself stays.

    :param file: a notice when it appears, or is touched again
    :param deadline: when the process will be ended: a datetime, or a text such as ``2026-11-15T12:00:00Z``
    :param grace: how many seconds before the deadline to stop; three times the longest save and twice the longest step
        if not given
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | None = None,
        deadline: str | datetime | None = None,
        grace: float | None = None,
    ) -> None:
        self._deadline = _deadline(deadline)
        self._file = file
        self._touched = self._time_of_file()
        self._grace = grace
        self._look_at = 0.0
        self._received: str | None = None
        self._previous: dict[signal.Signals, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for each in _SIGNALS:
                if signal.getsignal(each) == signal.SIG_DFL:
                    self._previous[each] = signal.signal(each, self._note)

    def received(self, longest_save: float, longest_step: float) -> str | None:
        """What asked the training to stop; None if nothing has."""
        if self._received is None and self._deadline is not None:
            usual = max(_LEAST_GRACE, 3 * longest_save + 2 * longest_step)
            if time.time() >= self._deadline - (usual if self._grace is None else self._grace):
                self._received = "its deadline"
        if self._received is None and self._file is not None and time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + _LOOK_EVERY
            now = self._time_of_file()
            if now is not None and now != self._touched:
                self._received = f"the file {os.fspath(self._file)}"
        return self._received

    def _time_of_file(self) -> int | None:
        try:
            return None if self._file is None else os.stat(self._file).st_mtime_ns
        except OSError:
            return None

    def _note(self, number: int, frame: Any) -> None:
        # Nothing else: this may interrupt anything, also an update of the weights.
        self._received = self._received or signal.Signals(number).name

    def close(self) -> None:
        """Gives the signals back."""
        if threading.current_thread() is not threading.main_thread():
            return
        for each, previous in self._previous.items():
            if signal.getsignal(each) == self._note:
                signal.signal(each, previous)
        self._previous = {}


def _deadline(given: str | datetime | None) -> float | None:
    """Seconds since 1970; that of a job of Slurm if none is given."""
    if given is None:
        end = os.environ.get("SLURM_JOB_END_TIME", "")
        return float(end) if end.isdigit() else None
    try:
        time_of_day = datetime.fromisoformat(given.replace("Z", "+00:00")) if isinstance(given, str) else given
    except ValueError:
        raise CairnError(f"deadline={given!r} is no time; give one such as '2026-11-15T12:00:00Z'") from None
    if time_of_day.tzinfo is None:
        time_of_day = time_of_day.astimezone()
    return time_of_day.astimezone(timezone.utc).timestamp()
