"""Actions of maintenance, and the context in which they are decided: what ``planning`` and ``maintenance`` share."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.ground.values import Value


class _Reasoned(Value):
    """What is done to one entry, and why."""

    id: str
    reason: str


class FoldAccess(Value):
    """Write these figures into the entry: the accesses in the log, ``last_accessed`` in seconds since 1970, and the
    tier of now."""

    id: str
    access_count: int
    last_accessed: float
    tier: str


class FileSession(Value):
    """Write the conversation's digest if it lacks one, then move these session entries to ``daily``."""

    session: str
    ids: tuple[str, ...]
    reason: str


class Expire(_Reasoned):
    """Archive the entry, whose own date has passed."""


class Share(_Reasoned):
    """Move the private entry to ``shared``: it proved true."""


class Archive(_Reasoned):
    """Archive the entry: nobody ever used it, and there are enough others."""


class Restore(Value):
    """Bring the archived file (path from ``memories/``) back."""

    path: str
    reason: str


class Propose(_Reasoned):
    """Propose to a person that the entry become durable."""


class Purge(Value):
    """Remove the forgotten file (path from ``memories/``) permanently: the time to have it back is over."""

    path: str
    reason: str


Action = FoldAccess | FileSession | Expire | Share | Archive | Restore | Propose | Purge
ORDER = (FoldAccess, FileSession, Expire, Share, Archive, Restore, Propose, Purge)


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


class Access(Value):
    """An entry was opened or confirmed in a conversation.

    ``at``, ``last``: the first and the last time, in seconds since 1970; ``last`` is 0 for one access.
    """

    id: str
    session: str
    at: float
    last: float = 0.0


class UpkeepContext(Value):
    """Facts that maintenance needs beside the cards. Times are seconds since 1970.

    ``ended``: conversations that are over.
    ``last_active``: conversation -> its last event; of an unknown one its newest entry or access counts.
    ``accesses``: what the log tells, in any order, those folded in already too.
    ``passed``: agent -> when its work passed a gate.
    ``proposed``: ids that a person was asked about.
    ``forgotten``: path from ``memories/`` -> when.
    ``aged``: paths from ``memories/`` of what was last archived for its age.
    ``steady``: from when on the clock is known to have run without a jump; time before does not count towards a purge.
    ``jumped``: when the clock was last seen to jump, 0 for never; what time ended before waits.
    """

    ended: frozenset[str] = frozenset()
    last_active: Mapping[str, float] = {}
    accesses: tuple[Access, ...] = ()
    passed: Mapping[str, float] = {}
    proposed: frozenset[str] = frozenset()
    forgotten: Mapping[str, float] = {}
    aged: frozenset[str] = frozenset()
    steady: float = 0.0
    jumped: float = 0.0
