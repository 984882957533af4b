"""The usage of the context window as a transcript's end shows it, in one shape for all hosts."""

from __future__ import annotations

from holdfast.ground.values import Value


class Reading(Value):
    """The usage at the end of a transcript.

    ``used``: tokens of the newest answer; None if unknown, or void after a compaction.
    ``model``: that answer's model, None likewise.
    ``at``: the byte at which that answer's line begins, None likewise.
    ``boundary``: the byte at which the newest compaction's line begins, None unless it came after that answer.
    ``size``: the file's bytes, 0 where it cannot be read.
    ``window``: the tokens of that model's window, None where the transcript does not tell.
    """

    used: int | None = None
    model: str | None = None
    boundary: int | None = None
    at: int | None = None
    size: int = 0
    window: int | None = None
