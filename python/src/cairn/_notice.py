"""Notices that the process shall end: signals are noted here and honoured at the end of a step."""

from __future__ import annotations

import signal
import threading
from typing import Any

#: The exit code of a training that was asked to stop and has saved its state: "try again later".
EXIT_CODE = 75

_SIGNALS = (signal.SIGTERM, signal.SIGUSR1)


class Notices:
    """The first signal since it was made. A handler that the program has set itself stays."""

    def __init__(self) -> None:
        self.received: str | None = None
        self._previous: dict[signal.Signals, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for each in _SIGNALS:
                if signal.getsignal(each) == signal.SIG_DFL:
                    self._previous[each] = signal.signal(each, self._note)

    def _note(self, number: int, frame: Any) -> None:
        # Nothing else: this may interrupt anything, also an update of the weights.
        self.received = self.received or signal.Signals(number).name

    def close(self) -> None:
        """Gives the signals back."""
        if threading.current_thread() is not threading.main_thread():
            return
        for each, previous in self._previous.items():
            if signal.getsignal(each) == self._note:
                signal.signal(each, previous)
        self._previous = {}
