"""Loads what an activation needs, part after part, each in the time of its tier (ADR-001 C1, C2). The clock is given,
so that a test shows what is there at a deadline without sleeping."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from limpet.ground.clock import Clock

CRITICAL = "critical"
FULL, PARTIAL, FALLBACK = "full", "partial", "fallback"
LOADED, FAILED, LATE = "loaded", "failed", "late"


class Loader(Value):
    """One thing to load.

    ``name``: what the answer calls it where it does not come.
    ``tier``: critical, high, best_effort or optional, in the order in which they are loaded.
    ``load``: returns it, never None. It may raise anything; what waits for others waits until the clock's deadline.
    """

    name: str
    tier: str
    load: Callable[[Clock], Any]


class Loaded(Value):
    """What became of a loader.

    ``status``: ``LOADED``, ``FAILED``, or ``LATE`` where its time was over.
    ``value``: what it returned, late or not; None for nothing.
    ``ms``: how long it took.
    """

    status: str
    value: Any = None
    ms: float = 0.0


class Loading(Value):
    """What came.

    ``quality``: ``FULL``, ``PARTIAL`` where something is missing, ``FALLBACK`` where something critical is.
    ``results``: by name, in the order of the loaders.
    """

    quality: str
    results: dict[str, Loaded]

    def value(self, name: str) -> Any:
        """Return what the loader of this name brought, None for nothing."""
        return self.results[name].value

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(name for name, found in self.results.items() if found.value is None)


def load_all(loaders: Sequence[Loader], budgets: Mapping[str, float], clock: Clock) -> Loading:
    """Return what the loaders, which are given in the order of their tiers, bring in time.

    A part's time lasts until its tier's number of seconds has passed since the start, but never less than ``floor``,
    and never beyond ``total``. What is critical is loaded in any case: without it there is little to say.

    ``budgets``: seconds by tier, ``floor`` and ``total``.
    """
    began = clock.timer()
    results = {}
    for loader in loaders:
        end = max(began + budgets[loader.tier], clock.timer() + budgets["floor"])
        results[loader.name] = _load(loader, clock.replace(deadline=min(end, began + budgets["total"])))
    lost = {loader.tier for loader in loaders if results[loader.name].value is None}
    return Loading(quality=FALLBACK if CRITICAL in lost else PARTIAL if lost else FULL, results=results)


def _load(loader: Loader, clock: Clock) -> Loaded:
    """Return what a loader brings; whatever it raises costs itself only."""
    if loader.tier != CRITICAL and not clock.left():
        return Loaded(LATE)
    began, value = clock.timer(), None
    try:
        value = loader.load(clock)
        status = LOADED if clock.left() else LATE
    except TimeoutError:
        status = LATE
    except Exception:
        status = FAILED
    return Loaded(status, value, (clock.timer() - began) * 1000)
