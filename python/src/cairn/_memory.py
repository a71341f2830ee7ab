"""The memory that a training shares with its sidecar, and copies into it outside of the interpreter's lock.

The memory is a file without a name: it is gone when both processes are, however they end. Copies are made by two
functions of the C library, called through ctypes, which releases the lock for the whole call: ``memmove`` for large
tensors, and ``pwritev`` for up to a thousand small ones at once. See docs/adr/0050-python-without-a-compiler.md.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
from typing import Any

from .errors import CairnError

ALIGNMENT = 64
_PIECE = 16 << 20
_LARGE = 256 << 10
_MOST_VECTORS = 1000
_MOST_BYTES = 64 << 20

_libc = ctypes.CDLL(None, use_errno=True)
_libc.pwritev.restype = ctypes.c_ssize_t
_libc.pwritev.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64]
_memmove = ctypes.memmove


class _Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def aligned(offset: int) -> int:
    return (offset + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


def address_of(buffer: Any) -> int:
    """The address of a buffer that owns memory, writable or not."""
    view = _PyBuffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(buffer), ctypes.byref(view), 0)
    try:
        return view.buf or 0
    finally:
        ctypes.pythonapi.PyBuffer_Release(ctypes.byref(view))


class _PyBuffer(ctypes.Structure):
    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    ]


class SharedMemory:
    """Memory of a growing size. Not thread-safe, except that pieces are copied on another thread."""

    def __init__(self) -> None:
        self.descriptor = os.memfd_create("cairn")
        self.size = 0
        self._map: mmap.mmap | None = None
        self._address = 0

    def require(self, size: int) -> None:
        """Makes room for so many bytes, now: a page that is missing later would end the process.

        :raises CairnError: if there is not so much memory
        """
        if size <= self.size:
            return
        left = free_memory()
        if left is not None and size - self.size > left:
            raise CairnError(_no_room(size, f"the machine has {_mega(left)} left"))
        try:
            os.posix_fallocate(self.descriptor, 0, size)
        except OSError as e:
            raise CairnError(_no_room(size, e.strerror or str(e))) from None
        self._attach(size)

    def adopt(self) -> None:
        """Sees what the sidecar has made of the memory."""
        size = os.fstat(self.descriptor).st_size
        if size > self.size:
            self._attach(size)

    def _attach(self, size: int) -> None:
        # The old mapping goes when nothing looks into it any more.
        self._map = mmap.mmap(self.descriptor, size)
        self._address = address_of(self._map)
        self.size = size

    def view(self, offset: int, size: int) -> memoryview:
        """These bytes, which a later save overwrites."""
        if self._map is None:
            return memoryview(b"")
        return memoryview(self._map)[offset : offset + size]

    def copy(self, pieces: list[tuple[int, int, int]]) -> None:
        """Copies pieces of ``(address, bytes, offset)``, which are in the order of their offsets."""
        small: list[tuple[int, int, int]] = []
        for address, size, offset in pieces:
            if size >= _LARGE:
                for start in range(0, size, _PIECE):
                    _memmove(self._address + offset + start, address + start, min(_PIECE, size - start))
            elif size:
                small.append((address, size, offset))
        self._write(small)

    def _write(self, pieces: list[tuple[int, int, int]]) -> None:
        """Writes runs of pieces that follow each other but for the gaps of their alignment."""
        zeros = ctypes.create_string_buffer(ALIGNMENT)
        gap = ctypes.addressof(zeros)
        run: list[tuple[int, int]] = []
        start = end = 0
        for address, size, offset in pieces:
            if run and (not 0 <= offset - end < ALIGNMENT or len(run) >= _MOST_VECTORS or end - start > _MOST_BYTES):
                self._write_run(run, start, end)
                run = []
            if not run:
                start = end = offset
            if offset > end:
                run.append((gap, offset - end))
            run.append((address, size))
            end = offset + size
        if run:
            self._write_run(run, start, end)

    def _write_run(self, run: list[tuple[int, int]], start: int, end: int) -> None:
        vectors = (_Vector * len(run))(*run)
        written = _libc.pwritev(self.descriptor, ctypes.addressof(vectors), len(run), start)
        if written != end - start:
            code = ctypes.get_errno() if written < 0 else errno.ENOSPC
            raise CairnError(_no_room(end, os.strerror(code)))

    def close(self) -> None:
        """Gives the memory back. The sidecar keeps what it still has to commit."""
        self._map = None
        self.size = 0
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def free_memory() -> int | None:
    """The bytes that this process could still take, of the machine and of its container; None if unknown."""
    left = None
    try:
        with open("/proc/meminfo") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    left = int(line.split()[1]) << 10
        with open("/sys/fs/cgroup/memory.max") as maximum, open("/sys/fs/cgroup/memory.current") as current:
            most = maximum.read().strip()
            if most != "max":
                used = int(current.read())
                left = min(left, int(most) - used) if left is not None else int(most) - used
    except (OSError, ValueError):
        pass
    return left


def _mega(size: int) -> str:
    return f"{size / 1e6:.0f} MB"


def _no_room(size: int, why: str) -> str:
    return f"no shared memory for the state of {_mega(size)}: {why}; use a machine with more memory, or a smaller state"
