"""Actions of maintenance, and the context in which they are decided: what ``planning`` and ``maintenance`` share."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.ground.values import Value


class _Reasoned(Value):
    """What is done to one entry, and why."""

    id: str
    reason: str


class FoldAccess(Value):
    """Write into the entry what is known of its accesses, ``last_accessed`` in seconds since 1970, and the tier of
    now."""

    id: str
    access_count: int
    last_accessed: float
    tier: str


class FileSession(Value):
    """Move the session entries of a conversation to ``daily``."""

    session: str
    ids: tuple[str, ...]
    reason: str


class Share(_Reasoned):
    """Move the private entry to ``shared``: it proved true."""


class Archive(_Reasoned):
    """Archive the entry: its own date has passed, or nobody ever used it and there are enough others."""


class Restore(Value):
    """Bring the archived file (path from ``memories/``) back."""

    path: str
    reason: str


class Purge(Value):
    """Remove the forgotten file (path from ``memories/``) permanently: the time to have it back is over."""

    path: str
    reason: str


Action = FoldAccess | FileSession | Share | Archive | Restore | Purge
ORDER = (FoldAccess, FileSession, Share, Archive, Restore, Purge)


class Done(Value):
    """An action that was carried out, or planned in a dry run.

    ``problem`` tells why it could not be done; "" where it was.
    """

    action: Action
    problem: str = ""


class Cleaned(Value):
    """The outcome of maintenance, or of its dry run.

    ``drafts`` are the full paths of left-over drafts that were removed.
    """

    done: tuple[Done, ...]
    drafts: tuple[str, ...]


class UpkeepContext(Value):
    """Facts that maintenance needs beside the cards. Times are seconds since 1970.

    ``ended``: conversations that are over.
    ``last_active``: conversation -> its last event; of an unknown one its newest entry counts.
    ``uncounted``: paths from ``memories/`` of entries whose own file lacks accesses that the log knows.
    ``passed``: agent -> when its work passed a gate.
    ``forgotten``: path from ``memories/`` -> when.
    ``aged``: paths from ``memories/`` of what was last archived for its age.
    ``steady``: from when on the clock is known to have run without a jump; time before does not count towards a purge.
    ``jumped``: when the clock was last seen to jump, 0 for never; what time ended before waits.
    """

    ended: frozenset[str] = frozenset()
    last_active: Mapping[str, float] = {}
    uncounted: frozenset[str] = frozenset()
    passed: Mapping[str, float] = {}
    forgotten: Mapping[str, float] = {}
    aged: frozenset[str] = frozenset()
    steady: float = 0.0
    jumped: float = 0.0
