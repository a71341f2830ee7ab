"""States of any nesting as named tensors and a tree of plain values, and back.

Plain values stay as they are. A value that a checkpoint's attributes cannot hold is a map with the key ``$``, which
tells what it is: a tensor by its name, a tuple, a dictionary whose keys are no sorted texts, a long list of numbers.
"""

from __future__ import annotations

import array
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from ._leaves import Leaf, leaf_of, value_of
from .errors import UnsupportedStateError

_TAG = "$"
_LONG_LIST = 256
_LONG_BYTES = 4096
_LONGEST_TEXT = 1 << 16
_DEEPEST = 80

Tensors = dict[str, Leaf]


def flatten(value: Any, path: str, tensors: Tensors, depth: int = 0) -> Any:
    """The tree of a value. Its tensors are added under names that begin with the path.

    :raises UnsupportedStateError: if something cannot be stored; the message names it
    """
    if depth > _DEEPEST:
        raise UnsupportedStateError(f"{path} is nested deeper than {_DEEPEST} levels; make the state flatter")
    kind = type(value)
    if value is None or kind is bool or kind is float:
        return value
    if kind is int:
        return value if -(1 << 63) <= value < 1 << 63 else {_TAG: "int", "v": str(value)}
    if kind is str:
        if not _is_text(value):
            raise UnsupportedStateError(f"{path} has an unpaired surrogate, which is no text; store it as bytes")
        if len(value) <= _LONGEST_TEXT:
            return value
        return _packed("text", value.encode("utf-8"), path, tensors)
    if kind is bytes:
        return value if len(value) <= _LONG_BYTES else _packed("bytes", value, path, tensors)
    if kind is complex:
        return {_TAG: "complex", "v": [value.real, value.imag]}
    leaf = leaf_of(value, path)
    if leaf is not None:
        return _tensor(leaf, path, tensors)
    if isinstance(value, Mapping):
        return _mapping(value, path, tensors, depth)
    if isinstance(value, (list, tuple)):
        if len(value) > _LONG_LIST:
            numbers = _numbers(value, path, tensors)
            if numbers is not None:
                return numbers
        items = [flatten(each, f"{path}.{i}", tensors, depth + 1) for i, each in enumerate(value)]
        return items if isinstance(value, list) else {_TAG: "tuple", "v": items}
    if isinstance(value, (set, frozenset)):
        return {_TAG: "set", "v": [flatten(each, f"{path}.{i}", tensors, depth + 1) for i, each in enumerate(value)]}
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.dtype):
        return {_TAG: "torch.dtype", "v": str(value).removeprefix("torch.")}
    if torch is not None and isinstance(value, torch.device):
        return {_TAG: "torch.device", "v": str(value)}
    if isinstance(value, (int, float, str)):  # subclasses, such as enumerations of numbers
        return flatten(_base(value), path, tensors, depth + 1)
    raise UnsupportedStateError(
        f"{path} is a {kind.__module__}.{kind.__qualname__}, and only plain values and tensors are stored, "
        "so that reading never runs code; leave it out of the state, or give it a state_dict()"
    )


def _is_text(value: str) -> bool:
    try:
        value.encode("utf-8")
        return True
    except UnicodeEncodeError:
        return False


def _base(value: Any) -> Any:
    return str.__str__(value) if isinstance(value, str) else float(value) if isinstance(value, float) else int(value)


def _tensor(leaf: Leaf, path: str, tensors: Tensors) -> dict[str, Any]:
    if path in tensors:
        raise UnsupportedStateError(f"two tensors of the state have the name {path}; rename one")
    tensors[path] = leaf
    tree = {_TAG: leaf.kind, "t": path}
    if leaf.extra:
        tree["x"] = leaf.extra
    return tree


def _packed(kind: str, content: bytes, path: str, tensors: Tensors) -> dict[str, Any]:
    leaf = leaf_of(bytearray(content), path)
    assert leaf is not None
    leaf.kind, leaf.live = kind, False
    return _tensor(leaf, path, tensors)


def _numbers(value: Any, path: str, tensors: Tensors) -> dict[str, Any] | None:
    first = type(value[0])
    if first not in (int, float) or any(type(each) is not first for each in value):
        return None
    try:
        leaf = leaf_of(array.array("q" if first is int else "d", value), path)
    except OverflowError:
        return None
    assert leaf is not None
    leaf.kind, leaf.live = ("ints" if first is int else "floats"), False
    leaf.extra = "tuple" if isinstance(value, tuple) else ""
    return _tensor(leaf, path, tensors)


def _mapping(value: Any, path: str, tensors: Tensors, depth: int) -> Any:
    keys = list(value)
    plain = all(type(key) is str and 0 < len(key) <= 500 and _is_text(key) for key in keys)
    values = [flatten(value[key], f"{path}.{key}" if path else str(key), tensors, depth + 1) for key in keys]
    ordered = isinstance(value, OrderedDict)
    if plain and not ordered and _TAG not in value and keys == sorted(keys):
        return dict(zip(keys, values))
    names = [flatten(key, f"{path}.key", tensors, depth + 1) for key in keys]
    return {_TAG: "odict" if ordered else "dict", "k": names, "v": values}


Reader = Callable[[str], "tuple[str, list[int], memoryview]"]


def unflatten(tree: Any, read: Reader, like: Any = None, view: Callable[..., Any] = value_of) -> Any:
    """The value of a tree.

    :param read: gives type, shape and bytes of a tensor by its name
    :param like: a value of the same form, for classes that the tree does not tell, such as named tuples
    :param view: makes a tensor; a copy of its bytes if not told otherwise
    """
    if isinstance(tree, list):
        likes = like if isinstance(like, list) and len(like) == len(tree) else [None] * len(tree)
        return [unflatten(each, read, model, view) for each, model in zip(tree, likes)]
    if not isinstance(tree, dict):
        return tree
    kind = tree.get(_TAG)
    if kind is None:
        return {key: unflatten(each, read, _at(like, key), view) for key, each in tree.items()}
    if "t" in tree:
        dtype, shape, memory = read(tree["t"])
        if kind == "text":
            return bytes(memory).decode("utf-8")
        return view(kind, tree.get("x", ""), dtype, shape, memory)
    content = tree["v"]
    if kind == "int":
        return int(content)
    if kind == "complex":
        return complex(*content)
    if kind == "tuple":
        likes = like if isinstance(like, tuple) and len(like) == len(content) else [None] * len(content)
        items = [unflatten(each, read, model, view) for each, model in zip(content, likes)]
        return type(like)(*items) if hasattr(like, "_fields") and len(like) == len(items) else tuple(items)
    if kind == "set":
        return {unflatten(each, read, None, view) for each in content}
    if kind in ("dict", "odict"):
        pairs = [(unflatten(key, read, None, view), each) for key, each in zip(tree["k"], content)]
        made = [(key, unflatten(each, read, _at(like, key), view)) for key, each in pairs]
        return OrderedDict(made) if kind == "odict" else dict(made)
    if kind in ("torch.dtype", "torch.device"):
        import torch

        return torch.device(content) if kind == "torch.device" else getattr(torch, content)
    raise UnsupportedStateError(f"the checkpoint has a value of kind {kind!r}, which this version does not know")


def _at(like: Any, key: Any) -> Any:
    return like.get(key) if isinstance(like, Mapping) else None
