"""A thread that copies tensors beside the training, one job after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Copier:
    """Runs at most one job at a time. The thread starts with the first job, and ends with the process."""

    def __init__(self) -> None:
        self._idle = threading.Event()
        self._idle.set()
        self._wanted = threading.Semaphore(0)
        self._job: Callable[[], None] | None = None
        self._thread: threading.Thread | None = None

    def start(self, job: Callable[[], None]) -> None:
        """Runs the job on the thread; the one before must be over. A job reports its own failures."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="cairn-copy", daemon=True)
            self._thread.start()
        self._idle.clear()
        self._job = job
        self._wanted.release()

    def is_idle(self) -> bool:
        return self._idle.is_set()

    def wait(self) -> None:
        """Waits until no job runs."""
        self._idle.wait()

    def _run(self) -> None:
        while True:
            self._wanted.acquire()
            job, self._job = self._job, None
            try:
                if job is not None:
                    job()
            finally:
                del job
                self._idle.set()
