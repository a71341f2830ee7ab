"""One line for a PyTorch loop: saves by the optimizer's own hooks."""

from __future__ import annotations

import os
from typing import Any

from ._tell import tell, warn
from .checkpoints import Checkpoints
from .errors import CairnError


class Attachment(Checkpoints):
    """The checkpoints of a loop that calls nothing itself. :attr:`step` is the number of updates so far."""

    def __init__(self, run: str | os.PathLike[str], optimizer: Any, **settings: Any) -> None:
        super().__init__(run, optimizer=optimizer, **settings)
        self._hooks: list[Any] = []
        try:
            self.restore()
        except BaseException:
            self.close(save=False)
            raise
        self._hooks.append(optimizer.register_step_pre_hook(lambda *_: self.before_update()))
        self._hooks.append(optimizer.register_step_post_hook(lambda *_: self.after_step()))

    def _end(self, save: bool, patience: float | None) -> None:
        for hook in self._hooks:
            hook.remove()
        self._hooks = []
        super()._end(save, patience)


def attach(model: Any, optimizer: Any, run: str | os.PathLike[str], *, data: Any = None, **settings: Any) -> Attachment:
    """Restores the newest good checkpoint of the run, and saves from then on by itself.

    ::

        ck = cairn.attach(model, optimizer, run="runs/first", data=loader)
        for epoch in range(loader.epoch, epochs):
            for x, y in loader:
                ...

    A step is one ``optimizer.step()``. What the loop does after it and before the next batch, such as a scheduler's
    step, is not in the checkpoint: use :class:`Checkpoints` for such loops.

    :param data: what knows the place in the data, such as ``cairn.Loader(loader)``
    :param settings: as of :class:`Checkpoints`
    """
    if not hasattr(optimizer, "register_step_post_hook"):
        raise CairnError(
            f"{type(optimizer).__name__} has no hooks for steps: give an optimizer of torch.optim, or use cairn.Checkpoints"
        )
    if hasattr(getattr(optimizer, "step", None), "_wrapped_by_lr_sched"):
        raise CairnError(
            "the optimizer has a learning rate scheduler, whose step comes after the optimizer's: use cairn.Checkpoints "
            "with scheduler=…, and call after_step after it"
        )
    attachment = Attachment(run, optimizer, model=model, data=data, **settings)
    if attachment.step > 0:
        tell(f"{attachment.run}: goes on from step {attachment.step}")
    if data is None:
        warn("the place in the data is not saved; give data=cairn.Loader(loader), or anything with a state_dict")
    return attachment
