"""The usage of the context window as a transcript's end shows it, in one shape for all hosts."""

from __future__ import annotations

from limpet.ground.values import Value


class Reading(Value):
    """The usage at the end of a transcript.

    ``used``: tokens of the newest answer; None if unknown, or void after a compaction.
    ``model``: that answer's model, None likewise.
    ``window``: the tokens that the window holds, as the host told with that answer; None for a host that does not.
    ``at``: the byte at which that answer's line begins, None likewise.
    ``boundary``: the byte at which the newest compaction's line begins; None where an answer before the last one came
    after it, and for some hosts where any did.
    ``size``: the file's bytes, 0 where it cannot be read.
    """

    used: int | None = None
    model: str | None = None
    boundary: int | None = None
    at: int | None = None
    size: int = 0
    window: int | None = None
