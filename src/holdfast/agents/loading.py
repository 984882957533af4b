"""Loads what an activation needs, all at once, and waits for each tier no longer than its time (ADR-001 C1, C2).

Clock and waiting are given, so that a test shows what is there at a deadline without sleeping.
"""

from __future__ import annotations

from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Protocol

    from holdfast.ground.clock import Clock

    class Collector(Protocol):
        """Starts loaders and collects what they bring."""

        def start(self, loaders: Sequence[Loader]) -> None:
            """Start all loaders, each on its own, and return at once."""

        def collect(self, seconds: float) -> Loaded | None:
            """Return the next result, None if none comes within ``seconds``."""


TIERS = ("critical", "high", "best_effort", "optional")
"""In the order in which they are waited for."""

FULL, PARTIAL, FALLBACK = "full", "partial", "fallback"
LOADED, FAILED, LATE = "loaded", "failed", "late"


class Loader(Value):
    """One thing to load.

    ``name``: what the answer calls it where it does not come.
    ``tier``: one of ``TIERS``.
    ``load``: returns it; may take for ever, and may raise anything.
    """

    name: str
    tier: str
    load: Callable[[], Any]


class Loaded(Value):
    """What became of a loader.

    ``status``: ``LOADED``, ``FAILED`` or ``LATE``.
    ``value``: what it returned, None unless loaded.
    ``ms``: how long it took, as far as it was waited for.
    ``why``: what went wrong, "" where nothing did.
    """

    name: str
    status: str
    value: Any = None
    ms: float = 0.0
    why: str = ""


class Loading(Value):
    """What came in time.

    ``quality``: ``FULL``, ``PARTIAL`` where something is missing, ``FALLBACK`` where something critical is.
    ``results``: by name, in the order of the loaders.
    """

    quality: str
    results: dict[str, Loaded]

    def value(self, name: str) -> Any:
        """Return what the loader of this name brought, None for nothing."""
        found = self.results.get(name)
        return found.value if found else None

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of what did not come."""
        return tuple(name for name, found in self.results.items() if found.status != LOADED)


def load_all(loaders: Sequence[Loader], budgets: Mapping[str, float], clock: Clock, collector: Collector) -> Loading:
    """Return what the loaders bring in time.

    A tier is waited for until its own number of seconds has passed since the start, but never less than ``floor``, and
    nothing is waited for beyond the clock's deadline. What comes while another tier is waited for counts too. Critical
    things that are late are waited for until the deadline: without them there is little to say.

    ``budgets``: seconds by tier, and ``floor``.
    """
    began = clock.timer()
    results: dict[str, Loaded] = {}
    collector.start(loaders)
    for tier in TIERS:
        end = max(began + budgets[tier], clock.timer() + budgets["floor"])
        _collect(tier, loaders, results, collector, clock.replace(deadline=min(end, clock.deadline)))
    _collect(TIERS[0], loaders, results, collector, clock)
    waited = (clock.timer() - began) * 1000
    every = {one.name: results.get(one.name) or Loaded(one.name, LATE, ms=waited) for one in loaders}
    return Loading(quality=_quality(loaders, every), results=every)


def run(loader: Loader, timer: Callable[[], float]) -> Loaded:
    """Return what a loader brings; whatever it raises is its failure."""
    began = timer()
    try:
        value, status, why = loader.load(), LOADED, ""
    except Exception as error:
        value, status, why = None, FAILED, str(error) or type(error).__name__
    return Loaded(loader.name, status, value, (timer() - began) * 1000, why)


def _collect(
    tier: str, loaders: Sequence[Loader], results: dict[str, Loaded], collector: Collector, clock: Clock
) -> None:
    """Add to the results what comes, until the tier is complete or the clock's deadline is over."""
    wanted = {one.name for one in loaders if one.tier == tier}
    while wanted - results.keys():
        found = collector.collect(clock.left())
        if found is None:
            return
        results[found.name] = found


def _quality(loaders: Sequence[Loader], results: Mapping[str, Loaded]) -> str:
    lost = {one.tier for one in loaders if results[one.name].status != LOADED}
    if TIERS[0] in lost:
        return FALLBACK
    return PARTIAL if lost else FULL
