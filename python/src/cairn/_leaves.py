"""Tensors of every library as addresses and bytes, and back. Libraries are found, never imported."""

from __future__ import annotations

import array
import sys
from dataclasses import dataclass
from typing import Any

from ._memory import address_of
from .errors import UnsupportedStateError

#: Types of arrays of the standard library, by their letters.
_ARRAYS = {
    "b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32", "I": "uint32",
    "l": "int64", "L": "uint64", "q": "int64", "Q": "uint64", "f": "float32", "d": "float64",
}  # fmt: skip

_TYPES = {
    "float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool", "uint64",
    "uint32", "uint16", "complex64", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz",
    "float8_e8m0fnu",
}  # fmt: skip


@dataclass
class Leaf:
    """The bytes of one tensor, row by row.

    ``owner`` keeps them alive. ``live`` tells whether they are the training's own, which an update changes.
    """

    kind: str
    dtype: str
    shape: list[int]
    address: int
    size: int
    owner: Any
    live: bool
    extra: str = ""


def leaf_of(value: Any, path: str) -> Leaf | None:
    """The tensor that a value is; None if it is none.

    :raises UnsupportedStateError: if it is a tensor that cannot be stored
    """
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return _torch(torch, value, path)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        return _numpy(numpy, value, path, "scalar" if isinstance(value, numpy.generic) else "numpy")
    jax = sys.modules.get("jax")
    if jax is not None and numpy is not None and isinstance(value, jax.Array):
        if not value.is_fully_addressable:
            raise UnsupportedStateError(
                f"{path} is spread over several processes; a state of several processes is not supported yet"
            )
        leaf = _numpy(numpy, numpy.asarray(value), path, "jax")
        leaf.live = False  # Nothing changes an array of JAX, and the owner keeps it.
        return leaf
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None and numpy is not None and isinstance(value, (tensorflow.Tensor, tensorflow.Variable)):
        leaf = _numpy(numpy, numpy.array(value.numpy()), path, "tensorflow")
        leaf.live = False
        return leaf
    if isinstance(value, array.array):
        return Leaf(
            "array", _ARRAYS[value.typecode], [len(value)], value.buffer_info()[0], len(value) * value.itemsize,
            value, True, value.typecode,
        )  # fmt: skip
    if isinstance(value, bytearray):
        return Leaf("bytearray", "uint8", [len(value)], address_of(value), len(value), value, True)
    return None


def _torch(torch: Any, tensor: Any, path: str) -> Leaf:
    kind = type(tensor).__name__
    if kind == "DTensor":
        raise UnsupportedStateError(f"{path} is a DTensor; a state of several processes is not supported yet")
    if tensor.layout is not torch.strided:
        raise UnsupportedStateError(f"{path} is sparse; store {path}.to_dense(), or its indices() and values()")
    if tensor.is_quantized:
        raise UnsupportedStateError(f"{path} is quantized; store {path}.int_repr(), and its scale and zero point")
    if tensor.device.type == "meta":
        raise UnsupportedStateError(f"{path} has no values: it is on the device 'meta'; move it with to_empty() first")
    plain = tensor.detach()
    live = True
    if plain.is_conj() or plain.is_neg() or plain.device.type != "cpu" or not plain.is_contiguous():
        plain = plain.resolve_conj().resolve_neg().cpu().contiguous()
        live = False
    dtype = str(plain.dtype).removeprefix("torch.")
    shape = list(plain.shape)
    extra = ""
    if dtype == "complex128":
        plain, dtype, shape, extra = torch.view_as_real(plain), "float64", [*shape, 2], "complex128"
    if dtype not in _TYPES:
        raise UnsupportedStateError(f"{path} has the type {dtype}, which no checkpoint can hold; convert it first")
    return Leaf("torch", dtype, shape, plain.data_ptr(), plain.numel() * plain.element_size(), plain, live, extra)


def _numpy(numpy: Any, value: Any, path: str, kind: str) -> Leaf:
    live = isinstance(value, numpy.ndarray)
    plain = numpy.asarray(value)
    if not plain.flags["C_CONTIGUOUS"] or not plain.dtype.isnative:
        plain = numpy.array(plain, dtype=plain.dtype.newbyteorder("="), order="C")
        live = False
    dtype = plain.dtype.name
    shape = list(plain.shape)
    extra = ""
    if dtype == "complex128":
        plain, dtype, extra = plain.reshape(-1).view("float64"), "float64", "complex128"
        shape = [*shape, 2]
    if dtype not in _TYPES:
        raise UnsupportedStateError(f"{path} has the type {dtype}, which no checkpoint can hold; convert it first")
    return Leaf(kind, dtype, shape, plain.ctypes.data, plain.nbytes, plain, live, extra)


def value_of(kind: str, extra: str, dtype: str, shape: list[int], memory: memoryview) -> Any:
    """A tensor of its own with these bytes, of the library that it came from."""
    if kind == "array":
        values = array.array(extra)
        values.frombytes(memory)
        return values
    if kind == "bytearray":
        return bytearray(memory)
    if kind == "bytes":
        return bytes(memory)
    if kind == "ints" or kind == "floats":
        values = array.array("q" if kind == "ints" else "d")
        values.frombytes(memory)
        return tuple(values) if extra == "tuple" else values.tolist()
    if kind == "torch":
        return torch_value(extra, dtype, shape, memory).clone()
    numpy = _numpy_module(kind)
    plain = numpy_value(numpy, extra, dtype, shape, memory).copy()
    if kind == "scalar":
        return plain[()]
    if kind == "jax":
        import jax.numpy

        return jax.numpy.asarray(plain)
    if kind == "tensorflow":
        import tensorflow

        return tensorflow.constant(plain)
    return plain


def torch_value(extra: str, dtype: str, shape: list[int], memory: memoryview) -> Any:
    """A tensor of PyTorch that looks at these bytes."""
    import torch

    kind = getattr(torch, dtype)
    if not len(memory):
        plain = torch.empty(shape, dtype=kind)
    else:
        plain = torch.frombuffer(memory, dtype=kind).reshape(shape)
    return torch.view_as_complex(plain) if extra == "complex128" else plain


def numpy_value(numpy: Any, extra: str, dtype: str, shape: list[int], memory: memoryview) -> Any:
    """An array of NumPy that looks at these bytes."""
    try:
        kind = numpy.dtype(dtype)
    except TypeError:
        import ml_dtypes  # which made the array, for it is no type of NumPy

        kind = numpy.dtype(getattr(ml_dtypes, dtype))
    plain = numpy.frombuffer(memory, dtype=kind).reshape(shape)
    return plain.view("complex128").reshape(shape[:-1]) if extra == "complex128" else plain


def _numpy_module(kind: str) -> Any:
    try:
        import numpy
    except ImportError:
        raise UnsupportedStateError(f"the checkpoint has arrays of {kind}, but NumPy is not installed") from None
    return numpy
