"""A PyTorch data loader that continues in the middle of an epoch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class _Drawn:
    """The batches of one epoch but for the first few, which are drawn and not loaded."""

    def __init__(self, batches: Iterator[Any], skip: int) -> None:
        self._batches = batches
        self._skip = skip

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        self.draw()
        return next(self._batches)

    def draw(self) -> None:
        """Draws what is skipped."""
        while self._skip:
            self._skip -= 1
            next(self._batches, None)


class _Rest:
    """A sampler of batches whose next epoch may begin later."""

    def __init__(self, batches: Any) -> None:
        self.batches = batches
        self.skip = 0
        self.drawn: _Drawn | None = None

    def __iter__(self) -> Iterator[Any]:
        self.drawn = _Drawn(iter(self.batches), self.skip)
        self.skip = 0
        return self.drawn

    def __len__(self) -> int:
        return len(self.batches)


class Loader:
    """A ``torch.utils.data.DataLoader`` over a dataset with indices, and the place in it.

    ::

        loader = cairn.Loader(DataLoader(dataset, batch_size=64, shuffle=True))
        for epoch in range(loader.epoch, epochs):
            for x, y in loader:
                ...

    After a restore the epoch that was interrupted goes on with the batch that follows, in the same order. Random
    numbers that the dataset itself draws are the same without workers; with workers, which have generators of their
    own, they may differ after a restore.
    """

    def __init__(self, loader: Any) -> None:
        from torch.utils.data import DataLoader, IterableDataset

        if isinstance(loader.dataset, IterableDataset) or loader.batch_sampler is None:
            raise TypeError("cairn.Loader needs a dataset with indices, in batches; others know their place themselves")
        self._generator = loader.generator or getattr(loader.sampler, "generator", None)
        self._rest = _Rest(loader.batch_sampler)
        workers: dict[str, Any] = {}
        if loader.num_workers > 0:
            workers = {
                "prefetch_factor": loader.prefetch_factor,
                "persistent_workers": loader.persistent_workers,
                "multiprocessing_context": loader.multiprocessing_context,
            }
        self.loader = DataLoader(
            loader.dataset,
            batch_sampler=self._rest,
            num_workers=loader.num_workers,
            collate_fn=loader.collate_fn,
            pin_memory=loader.pin_memory,
            timeout=loader.timeout,
            worker_init_fn=loader.worker_init_fn,
            generator=loader.generator,
            **workers,
        )
        #: The epoch that runs, or comes next, counted from 0.
        self.epoch = 0
        #: How many batches of it were handed out.
        self.batch = 0
        self._start: dict[str, Any] | None = None
        self._resumed = False

    def __len__(self) -> int:
        return len(self.loader)

    def __iter__(self) -> Iterator[Any]:
        for each in self._resumed_batches() if self._resumed else self._all_batches():
            self.batch += 1
            yield each
        self.epoch += 1
        self.batch = 0
        self._start = None

    def _all_batches(self) -> Iterator[Any]:
        self._start = self._states()
        self.batch = 0
        return iter(self.loader)

    def _resumed_batches(self) -> Iterator[Any]:
        """The order is drawn as at the start of the epoch, and all else as at the checkpoint."""
        self._resumed = False
        if self.batch >= len(self):
            return iter(())
        now = self._states()
        assert self._start is not None
        self._set(self._start)
        self._rest.skip = self.batch
        batches = iter(self.loader)
        assert self._rest.drawn is not None
        self._rest.drawn.draw()
        self._set(now)
        return batches

    def state_dict(self) -> dict[str, Any]:
        """The place: the epoch, the batch, and the random states that the epoch began with."""
        state = {"epoch": self.epoch, "batch": self.batch, "start": self._start}
        if self._generator is not None:
            state["generator"] = self._generator.get_state()
        return state

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.epoch, self.batch, self._start = state["epoch"], state["batch"], state["start"]
        self._resumed = self._start is not None and self.batch > 0
        if self._generator is not None and "generator" in state:
            self._generator.set_state(state["generator"])

    def _states(self) -> dict[str, Any]:
        import torch

        states = {"torch": torch.get_rng_state()}
        if self._generator is not None:
            states["generator"] = self._generator.get_state()
        return states

    def _set(self, states: dict[str, Any]) -> None:
        import torch

        torch.set_rng_state(states["torch"])
        if self._generator is not None:
            self._generator.set_state(states["generator"])
