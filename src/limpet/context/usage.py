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
# Who told the window's size, beside the host and its settings: the model's name, or more in use than that one holds.
MODEL, GROWTH, NOBODY = "model", "growth", "nobody"
# What a client puts behind a model's name that has the large window.
MARK = "[1m]"


class UsageFigures(Value):
    """All that is known of how full the window is. Tokens, bytes of the transcript, None where nobody told.

    ``status_used``, ``status_window``, ``status_size``: the host's own report, and the transcript's size then.
    ``set_window``, ``grown_window``: the window by the client's settings, and where more was in use with this model.
    ``transcript_used``, ``transcript_at``: the last answer's usage, and the byte at which its line begins.
    ``void_before``: the byte before which all figures are void, because a compaction is there.
    ``begun``: whether nothing can be in use yet, or a transcript would say so.
    """

    status_used: int | None = None
    status_window: int | None = None
    status_size: int = 0
    set_window: int = 0
    grown_window: int = 0
    payload_used: int | None = None
    transcript_used: int | None = None
    transcript_at: int = 0
    void_before: int = 0
    model: str = ""
    prompts: int = 0
    begun: bool = False


class WindowUsage(Value):
    """How full the window is, in tokens; ``remaining``: percent, 0 to 100. ``source``: host, payload, transcript,
    start, estimate, or assumed where somebody asked for it; ``told_by``: who told the window."""

    used: int
    window: int
    remaining: float
    source: str
    told_by: str = NOBODY


def measure(figures: UsageFigures, settings: dict[str, Any]) -> WindowUsage:
    """By decision 3: the host's figure, the transcript's, or prompt count x average tokens."""
    used, source = _used(figures, settings)
    used = min(used, MOST)
    window, told_by = _window(figures, settings)
    if used > window:
        window, told_by = max(window, LARGE_WINDOW), GROWTH
    window = min(window, MOST)
    remaining = max(0.0, 100.0 - 100.0 * used / window)
    return WindowUsage(used=used, window=window, remaining=round(remaining, 1), source=source, told_by=told_by)


def is_guessed(usage: dict[str, Any] | None) -> bool:
    """Whether tokens are in use of a window whose size nobody told."""
    return usage is not None and usage["used"] > 0 and usage["told_by"] == NOBODY


def plain_model(name: str) -> str:
    """Return ``claude-sonnet-4`` of ``us.anthropic.claude-sonnet-4-v1:0`` and ``vertex/claude-sonnet-4@default``."""
    plain = name.lower().removesuffix(MARK).rpartition("/")[2].rpartition("anthropic.")[2]
    plain = plain.partition("@")[0].partition(":")[0]
    return plain[:-3] if plain[-3:-1] == "-v" else plain


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


def _window(figures: UsageFigures, settings: dict[str, Any]) -> tuple[int, str]:
    """Of a model that nobody knows the window is no small one: rules and memories fall silent where it seems full."""
    marked = LARGE_WINDOW if figures.model.lower().endswith(MARK) else 0
    known = (figures.status_window, "host"), (figures.set_window, "settings"), (figures.grown_window, GROWTH)
    for window, told_by in (*known, (marked, MODEL)):
        if window:
            return window, told_by
    plain = plain_model(figures.model)
    names = [name for name in settings["windows"] if plain.startswith(name) or figures.model.startswith(name)]
    return (int(settings["windows"][max(names, key=len)]), MODEL) if names else (int(settings["window"]), NOBODY)
