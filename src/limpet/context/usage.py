"""Measures how full the window is, by the best figure there is, and says which one that was, and what may then
speak."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LARGE_WINDOW = 1_000_000
# No figure is larger; what a damaged file says beyond it would not even divide.
MOST = 10**12
NAMES = ("FRESH", "MODERATE", "DEPLETED", "CRITICAL")


class UsageFigures(Value):
    """All that is known of how full the window is. Tokens, bytes of the transcript, None where nobody told.

    ``status_used``, ``status_window``, ``status_size``: the host's own report, and the transcript's size then.
    ``transcript_used``, ``transcript_at``: the last answer's usage, and the byte at which its line begins.
    ``void_before``: the byte before which all figures are void, because a compaction is there.
    ``begun``: whether nothing can be in use yet, or a transcript would say so.
    """

    status_used: int | None = None
    status_window: int | None = None
    status_size: int = 0
    payload_used: int | None = None
    transcript_used: int | None = None
    transcript_at: int = 0
    void_before: int = 0
    model: str = ""
    prompts: int = 0
    begun: bool = False


class WindowUsage(Value):
    """How full the window is, in tokens; ``remaining``: percent, 0 to 100. ``source``: host, payload, transcript,
    start, estimate, or assumed where somebody asked for it."""

    used: int
    window: int
    remaining: float
    source: str


def measure(figures: UsageFigures, settings: dict[str, Any]) -> WindowUsage:
    """By decision 3: the host's figure, the transcript's, or prompt count x average tokens."""
    used, source = _used(figures, settings)
    used = min(used, MOST)
    window = figures.status_window or _window_of_model(figures.model, settings)
    window = min(max(window, LARGE_WINDOW) if used > window else window, MOST)
    remaining = max(0.0, 100.0 - 100.0 * used / window)
    return WindowUsage(used=used, window=window, remaining=round(remaining, 1), source=source)


def bracket_of(remaining: float, settings: dict[str, Any]) -> str:
    """``remaining`` is percent of the window (chati.dev V7.1 section 3.1)."""
    floors = settings["brackets"]
    return next((name for name in NAMES[:3] if remaining >= floors[name]), "CRITICAL")


def active_layers(bracket: str, executor: str, settings: dict[str, Any]) -> tuple[str, ...]:
    """Return the layers that a bracket and an executor both allow; what the user typed (L7) always speaks."""
    allowed = settings["executors"].get(executor, settings["executors"]["agent"])["layers"]
    return tuple(layer for layer in settings["layers"][bracket] if layer in allowed or layer == "L7")


def memory_level(bracket: str, executor: str, settings: dict[str, Any]) -> str:
    """Return none, relevant, metadata, chunks or full (chati.dev V7.1, Context Engine and memory layer)."""
    wants = settings["executors"].get(executor, settings["executors"]["agent"])["memory"]
    return str(settings["memory"][bracket]) if wants else "none"


def _used(figures: UsageFigures, settings: dict[str, Any]) -> tuple[int, str]:
    if figures.payload_used is not None:
        return figures.payload_used, "payload"
    status_holds = figures.status_used is not None and figures.status_size > figures.void_before
    newer = figures.transcript_used is not None and figures.transcript_at >= figures.status_size
    if status_holds and not newer:
        return figures.status_used or 0, "host"
    if figures.transcript_used is not None:
        return figures.transcript_used, "transcript"
    if figures.begun:
        return 0, "start"
    return figures.prompts * int(settings["tokens_per_prompt"]), "estimate"


def _window_of_model(model: str, settings: dict[str, Any]) -> int:
    if model.endswith("[1m]"):
        return LARGE_WINDOW
    names = sorted((name for name in settings["windows"] if model.startswith(name)), key=len, reverse=True)
    return int(settings["windows"][names[0]] if names else settings["window"])
