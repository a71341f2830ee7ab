"""Saves a training while it runs, and continues it after a failure."""

from __future__ import annotations

import atexit
import logging
import os
import re
import sys
import time
import weakref
from collections.abc import Mapping
from typing import Any

from . import _parts
from ._copier import Copier
from ._memory import SharedMemory, aligned
from ._notice import EXIT_CODE, Notices
from ._process import Sidecar
from ._tell import tell, warn
from ._tree import Tensors
from ._version import VERSION
from .errors import CairnError, SidecarError, Stopped

_ATTRIBUTE = "python"
_FORM = 1
#: A save that is due waits so long for the one before, in seconds; all these waits take at most a twentieth of the time.
_PATIENCE = 0.5
_REPORT_EVERY = 0.005
_LONGEST_PAUSE = 60.0
_EXIT_PATIENCE = 60.0

_open: weakref.WeakSet[Checkpoints] = weakref.WeakSet()


class Checkpoints:
    """Saves the checkpoints of one run, and continues the run from them.

    ::

        with cairn.Checkpoints("runs/first", model=model, optimizer=optimizer, scheduler=scheduler) as ck:
            step = ck.restore()
            while step < steps:
                ...                    # forward and backward pass
                ck.before_update()
                optimizer.step()
                scheduler.step()
                step += 1
                ck.after_step(step)

    The parts of the state are named by their keywords. A part is an object with ``state_dict`` and
    ``load_state_dict``, or any nesting of dictionaries, lists, tuples, plain values and tensors of PyTorch, NumPy, JAX
    or TensorFlow. The states of the random generators of Python, NumPy and PyTorch are always part of it.

    A second process encodes and writes. The training waits while buffers and random states are copied; weights and
    the optimizer's state are copied during the next forward and backward pass if updates are announced by
    :meth:`before_update`, and before :meth:`after_step` returns otherwise. A failed save is told in one line and does
    not end the training. All methods are for the thread of the training.

    :param run: the folder of the run, or ``s3://bucket/prefix``
    :param every: ``"auto"`` for the interval that wastes the least time, a number of steps, or a time such as ``"30s"``
    :param codec: ``"lossless"``, ``"full"``, or a lossy codec such as ``"lossy"``; see ``cairn train --help``
    :param keep: which checkpoints to keep; see ``cairn train --help``
    :param data: the place in the data: anything with ``state_dict`` and ``load_state_dict``
    :param stop: what to do after SIGTERM or SIGUSR1 and an exact save: ``"exit"`` with code 75, or ``"raise"``
        :class:`Stopped`
    :param threads: how many threads encode
    """

    def __init__(
        self,
        run: str | os.PathLike[str],
        *,
        every: str | int = "auto",
        codec: str = "lossless",
        keep: str = "latest:5,every:1h,best:1",
        data: Any = None,
        stop: str = "exit",
        threads: int = 2,
        **parts: Any,
    ) -> None:
        if not parts:
            raise CairnError("there is nothing to save: name the parts of the state, such as model=model")
        if _parts.RANDOM in parts:
            raise CairnError("'random' is the name of the random states, which are always saved; rename that part")
        if stop not in ("exit", "raise"):
            raise CairnError(f"stop={stop!r} is neither 'exit' nor 'raise'")
        _require_one_process()
        self.run = os.fspath(run)
        self.state: dict[str, Any] = dict(parts)
        if data is not None:
            self.state[_parts.DATA] = data
        self.state[_parts.RANDOM] = None
        #: The last step that was made, restored or saved.
        self.step = 0
        #: Numbers of the run, such as the loss, that every checkpoint has with it.
        self.metrics: dict[str, float] = {}
        self._every = every if isinstance(every, int) and not isinstance(every, bool) else None
        self._stop = stop
        self._hello = {
            "mode": "train", "run": self.run, "every": str(every), "codec": codec, "keep": keep, "threads": threads,
            "version": VERSION,
        }  # fmt: skip
        self._memory = SharedMemory()
        self._copier = Copier()
        self._sidecar: Sidecar | None = None
        self._ready = False
        self._layout: list[Any] | None = None
        self._saving: int | None = None
        self._saved_exactly = -1
        self._last_outcome: str | None = None
        self._due = False
        self._announced = False
        self._updating = False
        self._not_before = 0.0
        self._pause = 1.0
        self._told_failure = ""
        self._waiting_since: float | None = None
        self._waited = 0.0
        self._total_waited = self._patience_spent = 0.0
        self._counts = {"committed": 0, "failed": 0, "skipped": 0}
        self._began = self._last_step_at = self._last_report = time.perf_counter()
        self._unreported = 0
        self._unreported_seconds = 0.0
        self._closed = False
        self._foreign = False
        try:
            self._sidecar = Sidecar(self._memory.descriptor, self._hello)
            self._expect("welcome")
        except BaseException:
            self._let_go()
            raise
        self._ready = True
        self._notices = Notices()
        _open.add(self)

    # -- the loop -----------------------------------------------------------------------------------------------------

    def restore(self) -> int:
        """Gives the state the values of the newest good checkpoint, and returns its step: 0 for a new run.

        :raises CairnError: if there are checkpoints and none is good, or if they do not fit
        """
        self._require_open()
        assert self._sidecar is not None
        self._sidecar.send({"type": "restore"})
        answer = self._expect("restored", "empty")
        self._began = self._last_step_at = time.perf_counter()
        if answer["type"] == "empty":
            return 0
        self._memory.adopt()
        self._set(answer)
        self.step = int(answer["step"])
        self._saved_exactly = self.step
        return self.step

    def before_update(self) -> None:
        """Announces that the optimizer is about to change the state. Waits for a copy that still reads it."""
        if self._foreign or self._closed:
            return
        self._announced = True
        self._wait_for_copy()
        self._updating = True

    def after_step(self, step: int | None = None) -> None:
        """Tells that a step was made. Saves if a save is due, and honours notices to stop.

        :param step: its number, counted from 1; one more than the last if not given
        :raises Stopped: after a notice, with ``stop="raise"``
        :raises SystemExit: after a notice, otherwise, with code 75
        """
        if self._foreign or self._closed:
            return
        self._wait_for_copy()
        self.step = self.step + 1 if step is None else int(step)
        self._updating = False
        overlapped, self._announced = self._announced, False
        now = time.perf_counter()
        self._note_step(now)
        self._hear()
        if self._notices.received is not None:
            self._stop_now(self._notices.received)
        if self._is_due(now):
            if self._saving is not None and not self._waits_for_save():
                self._counts["skipped"] += 1
                count = self._counts["skipped"]
                if count & (count - 1) == 0:
                    warn(f"save of step {self.step} skipped: the save of step {self._saving} is still running")
                return
            if self._ready:
                self._save(overlapped, exact=False)

    def save_now(self) -> bool:
        """Saves the last step, bit for bit with any codec, and waits until that is over.

        :return: whether the step is saved; a save that fails is told in one line and does not raise
        """
        if self._foreign:
            return False
        self._require_open()
        self._wait_for_copy()
        self._settle(None)
        if self._saved_exactly == self.step and self._saved_exactly > 0:
            return True
        self._revive(time.perf_counter() + _LONGEST_PAUSE)
        deadline = time.monotonic() + _EXIT_PATIENCE
        while self._sidecar is not None and not self._ready and time.monotonic() < deadline:
            self._hear(0.1)
        if not self._ready:
            warn(f"step {self.step} is not saved: the saving process does not start")
            return False
        if not self._save(False, exact=True):
            return False
        self._settle(None)
        return self._saved_exactly == self.step

    def log(self, **metrics: float) -> None:
        """Notes numbers of the run, such as ``loss=0.3``. Every later checkpoint has them, and `best` chooses by them."""
        for name, value in metrics.items():
            self.metrics[name] = float(value)

    def statistics(self) -> dict[str, float]:
        """How many saves were committed, failed and skipped, and how many seconds the training waited for them."""
        return {**self._counts, "waited": self._total_waited}

    # -- the end ------------------------------------------------------------------------------------------------------

    def __enter__(self) -> Checkpoints:
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self.close(save=kind is None)

    def close(self, save: bool = True) -> None:
        """Saves the last step if it is not saved yet, waits for that, and gives up the run."""
        self._end(save, None)

    def _end(self, save: bool, patience: float | None) -> None:
        if self._closed or self._foreign:
            return
        try:
            self._copier.wait()
            if save and self.step > 0 and not self._updating and self._saved_exactly != self.step:
                self.save_now()
            self._settle(patience)
            if self._sidecar is not None and self._saving is None:
                self._sidecar.send({"type": "close"})
                while self._sidecar.poll(patience) not in (None, {"type": "closed"}):
                    pass
                self._sidecar.wait(patience)
            elif self._saving is not None:
                tell(f"the save of step {self._saving} is still written; the saving process ends by itself")
        except CairnError as e:
            warn(str(e))
        finally:
            self._closed = True
            self._notices.close()
            self._let_go()
            _open.discard(self)

    def _let_go(self) -> None:
        if self._sidecar is not None:
            self._sidecar.let_go()
            self._sidecar = None
        self._ready = False
        self._memory.close()

    def _forget(self) -> None:
        """In a process that was forked: this run belongs to the parent."""
        self._foreign = True
        if hasattr(self, "_notices"):
            self._notices.close()  # a worker must end when it is told to
        self._let_go()

    # -- saving -------------------------------------------------------------------------------------------------------

    def _is_due(self, now: float) -> bool:
        if now < self._not_before:
            return False
        self._revive(now)
        if self._every is not None:
            return self.step % self._every == 0 or (self._due and self._saving is None)
        return self._due

    def _save(self, overlapped: bool, exact: bool) -> bool:
        """Copies the state and hands it to the sidecar. Whether that was possible."""
        assert self._sidecar is not None
        self._sidecar.give_way()
        start = time.perf_counter()
        self._due = False
        try:
            tensors: Tensors = {}
            roles: dict[str, str] = {}
            trees = {}
            for name, part in self.state.items():
                before = set(tensors)
                trees[name] = _parts.tree_of(name, part, tensors)
                role = _parts.roles(name, part)
                roles.update((path, role(path)) for path in tensors if path not in before)
            now, later, layout, size = _placed(tensors, roles)
            self._memory.require(size)
            attributes = {**self.metrics, _ATTRIBUTE: {"form": _FORM, "parts": trees}}
            message = {"type": "save", "step": self.step, "attributes": attributes, "exact": exact}
            self._memory.copy(now)
            if layout != self._layout:
                self._sidecar.send({"type": "layout", "size": size, "tensors": layout})
                self._layout = layout
        except SidecarError as e:
            self._lost(e)
            return False
        except CairnError as e:
            self._failed(self.step, str(e))
            return False
        self._saving = self.step
        self._last_outcome = None
        sidecar = self._sidecar

        def finish() -> None:
            # On its own thread, so that a save is complete without any doing of the training.
            try:
                self._memory.copy(later)
                message["waited"] = self._waited_until_now(synchronous)
                sidecar.send(message)
            except SidecarError:
                pass  # the training notices when it listens
            except CairnError as e:
                self._last_outcome = str(e)
            tensors.clear()

        synchronous = time.perf_counter() - start
        if overlapped and not exact:
            self._waited = synchronous
            self._total_waited += synchronous
            self._copier.start(finish)
        else:
            finish()
            self._total_waited += time.perf_counter() - start
        self._saved_exactly = -1
        return True

    def _waited_until_now(self, synchronous: float) -> float:
        since = self._waiting_since
        return synchronous + (time.perf_counter() - since if since is not None else 0.0)

    def _wait_for_copy(self) -> None:
        if self._copier.is_idle():
            return
        self._waiting_since = time.perf_counter()
        self._copier.wait()
        self._total_waited += time.perf_counter() - self._waiting_since
        self._waiting_since = None

    def _waits_for_save(self) -> bool:
        """Whether the save before is over, after a little patience if saves are counted in steps."""
        if self._every is None:
            return False
        budget = 2 + (time.perf_counter() - self._began) / 20 - self._patience_spent
        start = time.perf_counter()
        self._settle(max(0.0, min(_PATIENCE, budget)))
        waited = time.perf_counter() - start
        self._patience_spent += waited
        self._total_waited += waited
        return self._saving is None

    def _settle(self, patience: float | None) -> None:
        """Waits until no save runs, or so long."""
        end = None if patience is None else time.monotonic() + patience
        self._hear()
        while self._saving is not None and (end is None or time.monotonic() < end):
            self._hear(1.0 if end is None else max(0.0, end - time.monotonic()))

    # -- the sidecar --------------------------------------------------------------------------------------------------

    def _expect(self, *types: str) -> dict[str, Any]:
        """Waits for a message of one of these types, at the start of a training."""
        assert self._sidecar is not None
        while True:
            message = self._sidecar.poll(None)
            assert message is not None
            if message["type"] in types:
                return message
            if message["type"] == "refused":
                raise CairnError(str(message["text"]))
            self._take(message)

    def _hear(self, timeout: float = 0.0) -> None:
        """Takes all messages that have come, after waiting so long for the first."""
        if self._last_outcome is not None and self._saving is not None and self._copier.is_idle():
            step, self._saving = self._saving, None
            self._failed(step, self._last_outcome)
        if self._sidecar is None:
            self._saving = None
            return
        try:
            message = self._sidecar.poll(timeout)
            while message is not None:
                self._take(message)
                if self._sidecar is None:
                    return
                message = self._sidecar.poll(0.0)
        except SidecarError as e:
            self._lost(e)

    def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "due":
            self._due = self._due or self._every is None
        elif kind == "saved":
            self._saving = None
            self._counts["committed"] += 1
            self._saved_exactly = int(message["step"])
            self._told_failure = ""
            self._pause = 1.0
        elif kind == "failed":
            self._saving = None
            self._failed(int(message["step"]), str(message["text"]))
        elif kind == "told":
            warn(f"{self.run}: {message['text']}")
        elif kind == "welcome" and not self._ready and self._sidecar is not None:
            self._sidecar.send({"type": "continue"})
        elif kind == "continued":
            self._ready = self._due = True
        elif kind == "refused":
            self._lost(SidecarError(f"the saving process gives up: {message['text']}"))

    def _failed(self, step: int, why: str) -> None:
        self._counts["failed"] += 1
        self._due = True
        self._put_off()
        key = re.sub(r"[0-9a-f]{8,}", "", why)  # names of files differ
        if key != self._told_failure:
            self._told_failure = key
            warn(f"save of step {step} failed: {why}; the training goes on")

    def _lost(self, error: SidecarError) -> None:
        if self._sidecar is not None:
            self._sidecar.let_go()
        self._sidecar = None
        self._ready = False
        self._layout = None
        self._due = True
        if self._saving is not None:
            self._counts["failed"] += 1
            self._saving = None
        self._put_off()
        if str(error) != self._told_failure:
            self._told_failure = str(error)
            warn(f"{error}; the training goes on, and a new one starts soon")

    def _put_off(self) -> None:
        """No other attempt for a while, which is longer each time."""
        self._not_before = time.perf_counter() + self._pause
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def _revive(self, now: float) -> None:
        """Starts a new sidecar in the place of one that has ended."""
        if self._sidecar is not None or now < self._not_before:
            return
        try:
            self._copier.wait()
            self._sidecar = Sidecar(self._memory.descriptor, self._hello)
        except SidecarError as e:
            self._lost(e)

    def _note_step(self, now: float) -> None:
        """Tells the sidecar how long steps take, for it decides when the next save is due."""
        self._unreported += 1
        self._unreported_seconds += now - self._last_step_at
        self._last_step_at = now
        if now - self._last_report < _REPORT_EVERY or self._sidecar is None or not self._ready:
            return
        each = self._unreported_seconds / self._unreported
        message = {
            "type": "steps", "step": self.step, "count": self._unreported, "each": each,
            "beside": self._saving is not None,
        }  # fmt: skip
        self._unreported, self._unreported_seconds, self._last_report = 0, 0.0, now
        try:
            self._sidecar.offer(message)
        except SidecarError as e:
            self._lost(e)

    # -- other --------------------------------------------------------------------------------------------------------

    def _set(self, restored: Mapping[str, Any]) -> None:
        attributes = restored["attributes"]
        saved = attributes.get(_ATTRIBUTE)
        if not isinstance(saved, dict) or saved.get("form") != _FORM:
            raise CairnError(
                f"the checkpoint of {self.run} was not written by this package; read its tensors with cairn.load, "
                "or choose another run"
            )
        trees = saved["parts"]
        missing = sorted(set(self.state) - set(trees))
        extra = sorted(set(trees) - set(self.state))
        if missing or extra:
            raise CairnError(
                f"the checkpoint of {self.run} has {_names(extra)} and not {_names(missing)}: give the same parts as when "
                "it was saved, or choose another run"
            )
        places = {each[0]: each for each in restored["tensors"]}

        def read(name: str) -> tuple[str, list[int], memoryview]:
            _, dtype, shape, _, offset = places[name]
            return dtype, shape, self._memory.view(offset, _size(dtype, shape))

        # The random states last: to load other parts may draw numbers.
        for name in [*(each for each in self.state if each != _parts.RANDOM), _parts.RANDOM]:
            self.state[name] = _parts.set_part(name, self.state[name], trees[name], read)
        self.metrics = {
            key: value
            for key, value in attributes.items()
            if isinstance(value, float) and not key.startswith("cairn.")
        }

    def _stop_now(self, notice: str) -> None:
        saved = self.save_now()
        tell(
            f"stopped by {notice} at step {self.step}, "
            + ("saved; the same command goes on from here" if saved else "NOT saved; see above")
        )
        self.close(save=False)
        if self._stop == "raise":
            raise Stopped(self.step, notice, saved)
        raise SystemExit(EXIT_CODE)

    def _require_open(self) -> None:
        if self._closed:
            raise CairnError(f"{self.run} is closed; make another Checkpoints and restore it")


_ITEM = {"8": 1, "16": 2, "32": 4, "64": 8}


def _size(dtype: str, shape: list[int]) -> int:
    if dtype in ("bool",) or dtype.startswith("float8"):
        size = 1
    elif dtype == "complex64":
        size = 8
    else:
        size = _ITEM[dtype.lstrip("abcdefghijklmnopqrstuvwxyz")]
    for each in shape:
        size *= each
    return size


def _placed(tensors: Tensors, roles: dict[str, str]) -> tuple[list[Any], list[Any], list[Any], int]:
    """Where each tensor goes: what to copy at once, what later, the layout, and its size. Tensors that are the same
    memory have one place."""
    now: list[tuple[int, int, int]] = []
    later: list[tuple[int, int, int]] = []
    layout: list[Any] = []
    places: dict[Any, int] = {}
    end = 0
    for name, leaf in tensors.items():
        role = roles[name]
        key = (leaf.address, leaf.size, leaf.dtype, tuple(leaf.shape), role)
        offset = places.get(key) if leaf.size else None
        if offset is None:
            offset = places[key] = end
            end = aligned(end + leaf.size)
            (later if leaf.live and role in _parts.CHANGED_BY_UPDATES else now).append((leaf.address, leaf.size, offset))
        layout.append([name, leaf.dtype, leaf.shape, role, offset])
    return now, later, layout, end


def _names(parts: list[str]) -> str:
    return ", ".join(parts) if parts else "nothing else"


def _require_one_process() -> None:
    distributed = sys.modules.get("torch.distributed")
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        if distributed.get_world_size() > 1:
            raise CairnError(
                f"this training has {distributed.get_world_size()} processes, and only one process is supported yet; "
                "save from it with torch.distributed.checkpoint"
            )


def _in_child() -> None:
    for each in list(_open):
        each._forget()
    _open.clear()


def _at_exit() -> None:
    failed = getattr(sys, "last_exc", None) is not None or getattr(sys, "last_type", None) is not None
    for each in list(_open):
        each._end(not failed, _EXIT_PATIENCE)


os.register_at_fork(after_in_child=_in_child)
atexit.register(_at_exit)
logging.getLogger("cairn").setLevel(logging.INFO)
