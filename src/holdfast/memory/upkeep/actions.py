"""What maintenance can do to entries, and what it must know to decide so: the words between ``upkeep``, which decides,
and who does it."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.ground.values import Value


class FoldAccess(Value):
    """Write these figures into the entry: the accesses that events tell of, ``last_accessed`` in seconds since 1970."""

    id: str
    access_count: int
    last_accessed: float


class FileSession(Value):
    """Write the conversation's digest if it lacks one, then move these session entries to ``daily``."""

    session: str
    ids: tuple[str, ...]
    reason: str


class Expire(Value):
    """Archive the entry, whose own date has passed."""

    id: str
    reason: str


class Share(Value):
    """Move the private entry to ``shared``: what it says proved true."""

    id: str
    reason: str


class Archive(Value):
    """Archive the entry: nobody needs it any more."""

    id: str
    reason: str


class Retier(Value):
    """Write the tier into the entry, and the reason into the audit log."""

    id: str
    tier: str
    reason: str


class Propose(Value):
    """Propose to a person that the entry become durable."""

    id: str
    reason: str


class Purge(Value):
    """Remove the forgotten file (path from ``memories/``) for good: the time to have it back is over."""

    path: str
    reason: str


Action = FoldAccess | FileSession | Expire | Share | Archive | Retier | Propose | Purge
ORDER = (FoldAccess, FileSession, Expire, Share, Archive, Retier, Propose, Purge)


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
    """An entry was injected or opened in a conversation: first ``at`` that moment, and perhaps again until ``last``, in
    seconds since 1970."""

    id: str
    session: str
    at: float
    last: float = 0.0


class UpkeepContext(Value):
    """What the cards do not tell.

    ``ended``: conversations that are over; ``last_active``: conversation -> its last event (of one that nobody knows,
    its newest entry or access counts); ``accesses``: what the events tell, in any order, those folded in already too;
    ``passed``: agent -> when its work passed a gate; ``proposed``: ids that a person was asked about; ``forgotten``:
    path from ``memories/`` -> when. Moments in seconds since 1970.
    """

    ended: frozenset[str] = frozenset()
    last_active: Mapping[str, float] = {}
    accesses: tuple[Access, ...] = ()
    passed: Mapping[str, float] = {}
    proposed: frozenset[str] = frozenset()
    forgotten: Mapping[str, float] = {}
