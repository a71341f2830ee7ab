"""Reads the tensors of any run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from . import _tree
from ._leaves import numpy_value, torch_value
from ._memory import SharedMemory
from ._process import Sidecar
from ._tell import warn
from ._version import VERSION
from .checkpoints import _size
from .errors import CairnError


def load(
    run: str | os.PathLike[str],
    step: int | str | None = None,
    *,
    only: str | Iterable[str] | None = None,
    library: str | None = None,
    device: Any = None,
) -> dict[str, Any]:
    """The tensors of a checkpoint by their names. The run is only read, also while a training writes it.

    ::

        model.load_state_dict(cairn.load("runs/first", "best", only="weights"))

    :param step: a step, ``"best"``, ``"latest"``; None is the latest
    :param only: what the names begin with, or ``"weights"`` for weights and buffers, which a model's ``state_dict`` has
    :param library: ``"torch"`` or ``"numpy"``; PyTorch if it is installed, else NumPy
    :param device: where PyTorch shall have the tensors
    """
    chosen = library or _installed()
    weights = only == "weights"
    prefixes = [] if only is None or weights else [only] if isinstance(only, str) else list(only)
    restored, memory, sidecar = _read(run, step, prefixes, ["weight", "buffer"] if weights else [])
    try:
        tensors = {}
        for name, dtype, shape, _, offset in restored["tensors"]:
            content = memory.view(offset, _size(dtype, shape))
            if chosen == "torch":
                value = torch_value("", dtype, shape, content)
                tensors[name] = value.to(device) if device is not None and str(device) != "cpu" else value.clone()
            else:
                import numpy

                tensors[name] = numpy_value(numpy, "", dtype, shape, content).copy()
        return tensors
    finally:
        sidecar.let_go()
        memory.close()


def load_state(run: str | os.PathLike[str], step: int | str | None = None) -> dict[str, Any]:
    """The whole state that Python saved, as plain dictionaries, lists and tensors: by the names of its parts, with
    ``"step"`` and ``"metrics"``."""
    restored, memory, sidecar = _read(run, step, [], [])
    try:
        attributes = restored["attributes"]
        saved = attributes.get("python")
        if not isinstance(saved, dict):
            raise CairnError(f"{run} was not written by Python: read its tensors with cairn.load")
        places = {each[0]: each for each in restored["tensors"]}

        def read(name: str) -> tuple[str, list[int], memoryview]:
            _, dtype, shape, _, offset = places[name]
            return dtype, shape, memory.view(offset, _size(dtype, shape))

        state = {name: _tree.unflatten(tree, read) for name, tree in saved["parts"].items()}
        metrics = {
            key: each for key, each in attributes.items() if isinstance(each, float) and not key.startswith("cairn.")
        }
        return {**state, "step": restored["step"], "metrics": metrics}
    finally:
        sidecar.let_go()
        memory.close()


def _installed() -> str:
    for name in ("torch", "numpy"):
        try:
            __import__(name)
            return name
        except ImportError:
            continue
    raise CairnError("cairn.load gives tensors of PyTorch or NumPy, and none is installed; use cairn.load_state")


def _read(
    run: str | os.PathLike[str], step: int | str | None, only: list[str], roles: list[str]
) -> tuple[dict[str, Any], SharedMemory, Sidecar]:
    memory = SharedMemory()
    hello = {
        "mode": "read", "run": os.fspath(run), "every": "auto", "codec": "lossless", "keep": "all", "threads": 2,
        "version": VERSION, "checkpoint": "latest" if step is None else str(step), "only": only,
        "roles": roles,
    }  # fmt: skip
    try:
        sidecar = Sidecar(memory.descriptor, hello)
    except BaseException:
        memory.close()
        raise
    try:
        while True:
            message = sidecar.poll(None)
            assert message is not None
            if message["type"] == "restored":
                memory.adopt()
                sidecar.wait(None)
                return message, memory, sidecar
            if message["type"] == "refused":
                raise CairnError(str(message["text"]))
            if message["type"] == "told":
                warn(f"{os.fspath(run)}: {message['text']}")
    except BaseException:
        sidecar.let_go()
        memory.close()
        raise
