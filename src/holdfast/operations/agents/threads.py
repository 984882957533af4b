"""Runs loaders in threads that nobody has to wait for: one that never ends does not keep the process."""

from __future__ import annotations

import _thread
from _queue import Empty, SimpleQueue  # ``queue`` itself imports ``threading``, which is not needed

from holdfast.agents.loading import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.agents.loading import Loaded, Loader


class Threads:
    """Starts each loader in a thread of its own and collects what they bring, in the order in which it comes."""

    def __init__(self, timer: Callable[[], float]) -> None:
        self._timer = timer
        self._results: SimpleQueue[Loaded] = SimpleQueue()

    def start(self, loaders: Sequence[Loader]) -> None:
        """Start all loaders. Where the machine gives no thread, a loader runs at once."""
        for loader in loaders:
            try:
                _thread.start_new_thread(self._run, (loader,))
            except RuntimeError:
                self._run(loader)

    def collect(self, seconds: float) -> Loaded | None:
        """Return the next result, None if none comes within ``seconds``."""
        try:
            return self._results.get(timeout=seconds) if seconds > 0 else self._results.get_nowait()
        except Empty:
            return None

    def _run(self, loader: Loader) -> None:
        self._results.put(run(loader, self._timer))
