"""The interface of every store of memories; ``Library`` is the one that keeps them in files of the project.

Bringing an index up to date, checking files and daily maintenance concern that one alone, and are no part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.clock import Clock
    from holdfast.ground.storage.files import Stamp
    from holdfast.memory.model.access import Reader
    from holdfast.memory.model.card import Card, Hit, Query
    from holdfast.memory.model.evidence import Evidence
    from holdfast.memory.model.results import Imported, Listing
    from holdfast.memory.model.stored import Stored


class MemoryStore(Protocol):
    """The memories of one project, as one reader may use them.

    ``tests/memory/test_contract.py`` checks these promises for every store:

    - An agent sees what is shared and its own; a person sees all. What was forgotten is a person's only.
    - What may not be seen is answered exactly like what is not there.
    - What a person wrote, pinned or made durable no agent changes.
    - Nothing holds a secret of a known form.

    A ``key`` is an id, an id that the entry had elsewhere, a beginning of the id or of its last part that fits no other
    entry, or a path. A ``why`` is for the audit log. Methods raise HoldfastError where they cannot do what they say;
    then nothing was changed.
    """

    @property
    def reader(self) -> Reader:
        """Return whose view this is."""

    @property
    def writer(self) -> str:
        """Return the door's name in the audit log."""

    @property
    def session(self) -> str:
        """Return the conversation that calls, "" outside of one."""

    @property
    def settings(self) -> dict[str, Any]:
        """Return the configuration's section ``memory``."""

    @property
    def clock(self) -> Clock:
        """Return the clock by which entries age."""

    def list(self, query: Query) -> Listing:
        """Return the cards that the query's filters leave, newest first; its text is not looked at."""

    def search(self, query: Query) -> Listing:
        """Return the cards that the words of ``query.text`` find, best first."""

    def hottest(self, limit: int) -> tuple[Hit, ...]:
        """Return the current entries of most attention for this reader now."""

    def show(self, key: str, count: bool = True) -> Stored:
        """Return the entry; with ``count`` that is an access, which counts once a session."""

    def add(self, fields: Mapping[str, object], owner: str = "", why: str = "") -> Stored:
        """Return a new entry of these fields of ``Entry``; without ``owner`` their ``scope`` and ``agent`` name it."""

    def edit(self, key: str, changes: Mapping[str, object], why: str = "", expected: Stamp | None = None) -> Stored:
        """Return the entry with these fields changed.

        With ``expected``, the ``stamp`` that was shown, it raises where somebody changed the entry since.
        """

    def pin(self, key: str, pinned: bool = True, why: str = "") -> Stored:
        """Return the entry pinned, so that it does not fade, or unpinned."""

    def strengthen(self, key: str, evidence: Iterable[Evidence] = (), why: str = "") -> Stored:
        """Return the entry with the evidence that it does not hold yet, without any with the caller's confirmation: it
        raises count and confidence, or lowers confidence where it ``contradicted``."""

    def supersede(self, key: str, fields: Mapping[str, object], why: str = "") -> Stored:
        """Return a new entry in the place of one that no longer holds, and stays readable."""

    def move(self, key: str, owner: str = "", storage: str = "", why: str = "") -> Stored:
        """Return the entry given to another owner, or to another storage class."""

    def archive(self, key: str, why: str = "") -> str:
        """Put the entry out of sight; return its new path."""

    def forget(self, key: str, why: str = "") -> str:
        """Delete the entry so that it can be brought back for some days; return its new path."""

    def undo(self, key: str, why: str = "") -> str:
        """Bring back what was archived or forgotten; return its new path."""

    def stats(self) -> dict[str, object]:
        """Return the numbers of memories by state, owner, type, sector, tier and storage."""

    def proposed(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Return those of the cards that wait for a person to make them durable."""

    def export(self, target: str, form: str = "json", with_index: bool = False) -> int:
        """Write what is current or archived to the new file ``target``; return the number of entries."""

    def import_(self, source: str, why: str = "") -> Imported:
        """Take in an export, a Markdown file or a folder of them, once however often it comes."""
