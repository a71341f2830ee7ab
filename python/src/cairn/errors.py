"""What a training is told when something does not work: one line with problem, cause and cure."""


class CairnError(Exception):
    """A checkpoint cannot be read or written. The message is one line with problem, cause and cure."""


class UnsupportedStateError(CairnError):
    """The state has something that no checkpoint can hold."""


class SidecarError(CairnError):
    """The saving process cannot be started, or has ended."""


class Stopped(Exception):
    """The training was asked to stop, and its state was saved at the end of a step.

    Raised only where ``stop="raise"`` was asked for; otherwise the process ends with exit code 75.
    """

    def __init__(self, step: int, notice: str, saved: bool) -> None:
        super().__init__(f"stopped by {notice} at step {step}, {'saved' if saved else 'NOT saved'}")
        self.step = step
        self.notice = notice
        self.saved = saved
