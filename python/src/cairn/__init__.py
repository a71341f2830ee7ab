"""Keeps training runs alive: saves the state of a training while it runs, and continues it after a failure.

For a PyTorch loop one line is enough::

    ck = cairn.attach(model, optimizer, run="runs/first", data=loader)

:class:`Checkpoints` is for all other loops; :func:`load` reads the tensors of any run.
"""

from ._attach import Attachment, attach
from ._data import Loader
from ._load import load, load_state
from ._version import VERSION as __version__
from .checkpoints import Checkpoints
from .errors import CairnError, SidecarError, Stopped, UnsupportedStateError

__all__ = [
    "Attachment",
    "CairnError",
    "Checkpoints",
    "Loader",
    "SidecarError",
    "Stopped",
    "UnsupportedStateError",
    "__version__",
    "attach",
    "load",
    "load_state",
]
