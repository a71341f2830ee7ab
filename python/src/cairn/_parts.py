"""The parts of a training's state: how each is read and set, and what its tensors are for."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from typing import Any

from . import _tree
from ._leaves import torch_value, value_of
from .errors import CairnError

_FIRST = {"exp_avg", "momentum_buffer", "grad_avg", "exp_inf", "mu", "trace", "m"}
_SECOND = {"exp_avg_sq", "max_exp_avg_sq", "square_avg", "sum", "nu", "v"}

#: Roles whose tensors only an update changes: they may be copied beside the next forward and backward pass.
CHANGED_BY_UPDATES = {"weight", "first-moment", "second-moment", "optimizer"}

MODEL = "model"
RANDOM = "random"
DATA = "data"


def roles(name: str, value: Any) -> Callable[[str], str]:
    """What each tensor of a part is for, by its path."""
    torch = sys.modules.get("torch")
    if name == RANDOM:
        return lambda path: "rng"
    if name == DATA:
        return lambda path: "cursor"
    if torch is not None and isinstance(value, torch.nn.Module):
        prefix = prefix_of(name)
        weights = {prefix + each for each, _ in value.named_parameters(remove_duplicate=False)}
        return lambda path: "weight" if path in weights else "buffer"
    if torch is not None and isinstance(value, torch.optim.Optimizer):
        return lambda path: _moment(path, "optimizer")
    if hasattr(value, "state_dict"):
        return lambda path: "buffer"
    return lambda path: _moment(path, "weight")


def _moment(path: str, other: str) -> str:
    words = set(path.split(".")[-3:])
    return "first-moment" if words & _FIRST else "second-moment" if words & _SECOND else other


def prefix_of(name: str) -> str:
    """What the names of a part's tensors begin with. Those of the model are its own names, as exports have them."""
    return "" if name == MODEL else name + "."


def tree_of(name: str, value: Any, tensors: _tree.Tensors) -> Any:
    """The tree of a part, with its tensors added to the others."""
    if name == RANDOM:
        state = random_states()
    elif hasattr(value, "state_dict"):
        state = value.state_dict()
    else:
        state = value
    return _tree.flatten(state, "" if name == MODEL else name, tensors)


def set_part(name: str, value: Any, tree: Any, read: _tree.Reader) -> Any:
    """Gives a part the values of a checkpoint. Returns the part: another object if it cannot be changed in place.

    :raises CairnError: if they do not fit
    """
    torch = sys.modules.get("torch")
    if name == RANDOM:
        set_random_states(_tree.unflatten(tree, read))
        return None
    try:
        if torch is not None and isinstance(value, torch.nn.Module):
            # It copies: no need for another copy before.
            value.load_state_dict(_tree.unflatten(tree, read, None, _look))
            return value
        if hasattr(value, "load_state_dict"):
            value.load_state_dict(_tree.unflatten(tree, read))
            return value
        return _in_place(value, _tree.unflatten(tree, read, value), name)
    except CairnError:
        raise
    except (RuntimeError, ValueError, KeyError, TypeError, AttributeError) as e:
        why = " ".join(str(e).split())
        raise CairnError(
            f"the checkpoint does not fit '{name}': {why}; continue with the program that wrote it, or choose another run"
        ) from e


def _look(kind: str, extra: str, dtype: str, shape: list[int], memory: memoryview) -> Any:
    if kind == "torch":
        return torch_value(extra, dtype, shape, memory)
    return value_of(kind, extra, dtype, shape, memory)


def _in_place(old: Any, new: Any, path: str) -> Any:
    """The new value, in the old one's containers and arrays where these can be changed."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [key for key in old if key not in new]:
            del old[key]
        for key, each in new.items():
            old[key] = _in_place(old.get(key), each, f"{path}.{key}")
        return old
    if isinstance(old, list) and isinstance(new, list):
        merged = [_in_place(old[i] if i < len(old) else None, each, f"{path}.{i}") for i, each in enumerate(new)]
        old[:] = merged
        return old
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None and isinstance(old, tensorflow.Variable):
        _require_shape(tuple(old.shape), tuple(new.shape), path)
        old.assign(new)
        return old
    if numpy is not None and isinstance(old, numpy.ndarray) and isinstance(new, numpy.ndarray):
        _require_shape(old.shape, new.shape, path)
        if old.dtype == new.dtype and old.flags.writeable:
            old[...] = new
            return old
    if torch is not None and isinstance(old, torch.Tensor) and isinstance(new, torch.Tensor):
        _require_shape(tuple(old.shape), tuple(new.shape), path)
        if old.dtype == new.dtype:
            with torch.no_grad():
                old.copy_(new)
            return old
    if type(old) is type(new) and hasattr(old, "typecode") and len(old) == len(new):
        old[:] = new
        return old
    if isinstance(old, bytearray) and isinstance(new, bytearray):
        old[:] = new
        return old
    return new


def _require_shape(old: tuple[int, ...], new: tuple[int, ...], path: str) -> None:
    if old != new:
        raise CairnError(
            f"the checkpoint does not fit '{path}': it has the shape {new}, the state {old}; "
            "continue with the program that wrote it, or choose another run"
        )


def random_states() -> dict[str, Any]:
    """The states of the random generators of Python and of the libraries that the program uses."""
    states: dict[str, Any] = {"python": random.getstate()}
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        states["numpy"] = numpy.random.get_state(legacy=True)
    torch = sys.modules.get("torch")
    if torch is not None:
        states["torch"] = torch.get_rng_state()
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            states["torch.cuda"] = torch.cuda.get_rng_state_all()
    return states


def set_random_states(states: Mapping[str, Any]) -> None:
    random.setstate(states["python"])
    if "numpy" in states:
        import numpy

        numpy.random.set_state(states["numpy"])
    if "torch" in states:
        import torch

        torch.set_rng_state(states["torch"])
        if "torch.cuda" in states and torch.cuda.is_available():
            torch.cuda.set_rng_state_all(states["torch.cuda"])
