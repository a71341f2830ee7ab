"""The bytes of messages between a training and its sidecar; docs/SIDECAR.md is the law."""

from __future__ import annotations

import struct
from typing import Any

_LONG = struct.Struct("<cq")
_DOUBLE = struct.Struct("<cd")
_LENGTH = struct.Struct("<cI")
_MIN, _MAX = -(1 << 63), (1 << 63) - 1


def encode(value: Any) -> bytes:
    out = bytearray()
    _write(value, out)
    return bytes(out)


def frame(message: dict[str, Any]) -> bytes:
    """A message with its length before it, as it goes through the socket."""
    body = encode(message)
    return struct.pack("<I", len(body)) + body


def _write(value: Any, out: bytearray) -> None:
    if value is None:
        out += b"N"
    elif value is True:
        out += b"T"
    elif value is False:
        out += b"F"
    elif isinstance(value, int):
        if not _MIN <= value <= _MAX:
            raise ValueError(f"{value} has more than 64 bits")
        out += _LONG.pack(b"I", value)
    elif isinstance(value, float):
        out += _DOUBLE.pack(b"D", value)
    elif isinstance(value, str):
        text = value.encode("utf-8")
        out += _LENGTH.pack(b"S", len(text))
        out += text
    elif isinstance(value, (bytes, bytearray)):
        out += _LENGTH.pack(b"B", len(value))
        out += value
    elif isinstance(value, (list, tuple)):
        out += _LENGTH.pack(b"L", len(value))
        for each in value:
            _write(each, out)
    elif isinstance(value, dict):
        out += _LENGTH.pack(b"M", len(value))
        for key, each in value.items():
            _write(str(key), out)
            _write(each, out)
    else:
        raise TypeError(f"no message holds a {type(value).__name__}")


def decode(body: bytes) -> Any:
    value, end = _read(memoryview(body), 0)
    if end != len(body):
        raise ValueError("a message goes on after its end")
    return value


def _read(body: memoryview, at: int) -> tuple[Any, int]:
    kind = body[at : at + 1].tobytes()
    at += 1
    if kind == b"N":
        return None, at
    if kind == b"T":
        return True, at
    if kind == b"F":
        return False, at
    if kind == b"I":
        return int.from_bytes(body[at : at + 8], "little", signed=True), at + 8
    if kind == b"D":
        return struct.unpack_from("<d", body, at)[0], at + 8
    size = int.from_bytes(body[at : at + 4], "little")
    at += 4
    if kind in (b"S", b"B"):
        content = body[at : at + size].tobytes()
        return (content.decode("utf-8") if kind == b"S" else content), at + size
    if kind == b"L":
        values = []
        for _ in range(size):
            value, at = _read(body, at)
            values.append(value)
        return values, at
    if kind == b"M":
        mapping = {}
        for _ in range(size):
            key, at = _read(body, at)
            mapping[key], at = _read(body, at)
        return mapping, at
    raise ValueError(f"unknown type of value: {kind!r}")
