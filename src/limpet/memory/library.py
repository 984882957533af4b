"""The one interface of every door to the memories: every reading and every change goes through here. Its reading half
is ``catalogue``, which says what may be seen; ``rights`` says what may be changed. Every method raises LimpetError
where it cannot do what it says; what may not be seen is answered exactly like what is not there. What one rare method
alone needs is imported there: an agent opens memories often."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Mapping
from math import inf
from typing import Any

from limpet.ground.clock import Clock, iso, seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor
from limpet.ground.recording import record
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.trust.consent import root_of
from limpet.memory.catalogue import ALL, Catalogue
from limpet.memory.files import store
from limpet.memory.files.evidence import CHANGED, NO_EVIDENCE, STRENGTHENED, read_own_evidence
from limpet.memory.index import sync
from limpet.memory.model import rights
from limpet.memory.model.attention import first_tier
from limpet.memory.model.entry import BRANCH, SECTOR_OF, STATED_TYPES, Card, MemoryEntry
from limpet.memory.model.ids import count_cards, new_id, proposed
from limpet.memory.model.layout import ARCHIVE, CURRENT, SHARED, STATES, TEAM, Reader, personal_home, read_place
from limpet.memory.model.results import CONFIRMED, Imported, MemoryEvidence, MemoryProblem, Refreshed, Stored
from limpet.memory.model.validation import redacted, strengthening
from limpet.memory.upkeep import Cleaned, UpkeepContext, UpkeepDone

KEPT = (CURRENT, ARCHIVE)
NO_CONTEXT = UpkeepContext()
SEARCH = "full-text search by SQLite"


class Library(Catalogue):
    """The memories of a project in files, as ``reader`` may use them. ``shared``: the ``.limpet`` of the project's main
    worktree, or the place of the person's own memories. ``step`` returns the step of the work under way, "" for none;
    ``branch`` the one on which is worked, "" for one that all work comes to. A
    ``key`` is an entry's id, one that it had elsewhere, a beginning of the id or of its last part that fits no other,
    or its path. A ``why`` stands in the audit log."""

    def __init__(
        self,
        shared: str,
        settings: dict[str, Any],
        reader: Reader,
        clock: Clock,
        actor: Actor,
        step: Callable[[], str] = str,
        branch: Callable[[], str] = str,
    ) -> None:
        super().__init__(shared, settings, reader, clock)
        self.retention, self.writer, self.session = actor.retention, actor.writer, actor.session
        self._actor = actor
        self._step, self._branch = step, branch
        self._counted: set[str] = set()

    def show(self, key: str, count: bool = True) -> Stored:
        """An access counts once a session; an agent gets the entry without secrets."""
        stored = self.find(key)
        if count and stored.entry.id not in self._counted:
            self._counted.add(stored.entry.id)
            self._record_use(store.ACCESSED, [stored.entry.id])
        if self.reader.person:
            return stored
        return self.handed(stored.replace(entry=redacted(stored.entry, self._secrets())))

    def confirm(self, ids: Iterable[str], why: str = "", how: str = CONFIRMED) -> None:
        """Record that the conversation confirmed these entries, or ``applied`` them, which is use."""
        self._record_use(store.CONFIRMED, ids, why, how=how, step=self._step())

    def add(self, fields: Mapping[str, object], owner: str = "", why: str = "") -> Stored:
        """Without ``owner`` the fields ``scope`` and ``agent`` say whose it is."""
        self._refuse_writing()
        rights.refuse_wishes(self.reader, fields)
        if branch := self._branch():
            fields = {**fields, "tags": (*_texts(fields.get("tags")), f"{BRANCH}{branch}")}

        def settle(entry: MemoryEntry) -> tuple[str, str]:
            whose = owner or self._owner(entry)
            rights.refuse_owner(self.reader, whose)
            first = first_tier(entry.confidence, entry.sector, whose)
            return whose, entry.tier if fields.get("tier") else first

        return store.add_file(self.shared, {**self._usual(fields), **fields}, settle, self._acting(why))

    def edit(self, key: str, changes: Mapping[str, object], why: str = "") -> Stored:
        said = sorted({"scope", "storage"} & changes.keys())
        if said:
            raise LimpetError(f"The folder decides {said[0]}", "", "Run: limpet memory edit")
        return self._change(key, lambda _: changes, CHANGED, why)

    def pin(self, key: str, pinned: bool = True, why: str = "") -> Stored:
        rights.refuse_agents(self.reader, "pin or unpin a memory")
        return self._change(key, lambda _: {"pinned": pinned}, CHANGED, why)

    def strengthen(self, key: str, evidence: Iterable[MemoryEvidence], why: str = "") -> Stored:
        """Each new piece raises count and confidence, or lowers confidence where it ``contradicted``."""
        step, found = self.settings["confidence"]["step"], tuple(evidence)
        return self._change(key, lambda entry: strengthening(entry, found, step), STRENGTHENED, why)

    def supersede(self, key: str, fields: Mapping[str, object], why: str = "") -> Stored:
        """The entry that holds no longer stays readable and says until when."""
        old = self.find(key)
        rights.refuse_removal(self.reader, old.entry, key)
        usual = {"storage": old.entry.storage, "supersedes": (old.entry.id,)}
        new = self.add({**usual, **fields}, old.place.owner, why)
        until = old.entry.valid_until or new.entry.valid_from or new.entry.created_at
        ends = {"superseded_by": new.entry.id, "valid_until": until}
        self._change(old.path, lambda _: ends, store.SUPERSEDED, why)
        return new

    def move(self, key: str, owner: str = "", storage: str = "", why: str = "") -> Stored:
        self._refuse_writing()
        rights.refuse_wishes(self.reader, {"storage": storage})

        def act(path: str) -> Stored:
            stored = store.read_entry(self.shared, path)
            rights.refuse_removal(self.reader, stored.entry, key)
            to = owner or stored.place.owner
            if stored.place.owner == TEAM:
                raise LimpetError("Memory is shared with the team", key, f"First run: limpet memory share --undo {key}")
            rights.refuse_owner(self.reader, to)
            return store.move_file(self.shared, path, to, storage or stored.place.storage, self._acting(why))

        return self.on_path(key, act)

    def share(self, key: str, by: str, why: str = "") -> Stored:
        """Give the entry to the team: git keeps it from then on; ``by`` is who shares it."""

        def act(path: str) -> Stored:
            stored = store.read_entry(self.shared, path)
            rights.refuse_sharing(self.reader, stored.entry, stored.place, key)
            return store.share_file(self.shared, path, by, self._acting(why))

        return self.on_path(key, act)

    def unshare(self, key: str, why: str = "") -> Stored:
        rights.refuse_agents(self.reader, "take a memory back from the team")

        def act(path: str) -> Stored:
            place = store.read_entry(self.shared, path).place
            if place.owner != TEAM:
                raise LimpetError("Memory is not shared with the team", key)
            nobody = {"shared_by": "", "shared_at": ""}
            return store.move_file(self.shared, path, SHARED, place.storage, self._acting(why), nobody)

        return self.on_path(key, act)

    def archive(self, key: str, why: str = "") -> str:
        return self._put_away(key, store.archive_file, why)

    def forget(self, key: str, why: str = "") -> str:
        """Put the entry away, until that is undone or ``undo_days`` are over; return its new path."""
        return self._put_away(key, store.forget_file, why)

    def erase(self, key: str, why: str = "") -> None:
        """Delete the entry for good, wherever it lies, and what the index and its copies held of it."""
        rights.refuse_agents(self.reader, "erase a memory for good")
        store.purge(self.shared, self.forget(key, why), self._acting(why))
        self.refresh(anew=True)

    def undo(self, key: str, why: str = "") -> str:
        rights.refuse_agents(self.reader, "restore a memory")
        return self._put_away(key, store.restore, why)

    def stats(self) -> dict[str, object]:
        """Count by state, owner, type, sector, tier and storage; ``unread`` is there where that is not all of them."""
        known = self.list(ALL)
        asked = len(self.proposed(known.cards))
        counts = {**count_cards(known.cards), "proposed": asked, "problems": len(known.problems), "search": [SEARCH]}
        return {**counts, "unread": known.unread} if known.unread else counts

    def proposed(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Those that what was heard on this machine proposes as durable."""
        least = self.settings["durable_evidence"]
        claimed = proposed(cards, least)
        heard = read_own_evidence(self.shared) if claimed else {}
        return tuple(card for card in claimed if heard.get(card.id, NO_EVIDENCE).times >= least)

    def refresh(self, whole: bool = False, anew: bool = False, progress: sync.Progress | None = None) -> Refreshed:
        """Bring the index up to date with the files, as every reading method does by itself: for as long as a command
        may take, or with ``whole`` to the end; with ``anew`` make it from the files again. An agent is told of no file:
        that would count what it may not see."""
        seconds, told = inf if whole or anew else self.seconds, progress if self.reader.person else None
        return self.witness(sync.refresh_index(self.shared, self.settings, self.clock.now(), told, seconds, anew))

    def export(self, target: str, form: str = "json", with_index: bool = False) -> int:
        """Write what is current or archived to the new file ``target``, in one of ``portable.FORMATS``; return how many
        entries. ``with_index`` adds ``index.json``, in the archive or beside the file."""
        from limpet.memory.files import portable

        entries = list(self.entries(KEPT))
        portable.export_entries(target, form, with_index, entries, self.files(KEPT), self._secrets())
        return len(entries)

    def import_(self, source: str, why: str = "", but: Container[str] = ()) -> Imported:
        """``but``: ids that are left out."""
        from limpet.memory.files import portable

        rights.refuse_agents(self.reader, "import memories")
        found, problems = portable.read_arrivals(source, iso(self.clock.now()))
        arrivals = [one for one in found if one.entry.id not in but]
        actor = self._acting(why or f"imported from {os.path.basename(source)}")

        def add(arrival: portable.Arrival) -> MemoryEntry:
            place = arrival.place
            rights.refuse_owner(self.reader, place.owner)
            fields = {**arrival.entry.__dict__, "storage": place.storage}

            def settle(made: MemoryEntry) -> tuple[str, str]:
                return place.owner, made.tier

            return store.add_file(self.shared, fields, settle, actor, place.state, arrival.text).entry

        known = (stored.entry for stored in self.entries(STATES))
        result = portable.import_arrivals(arrivals, known, add, lambda: new_id(self.clock.now()))
        return result.replace(problems=(*problems, *result.problems))

    def verify(self) -> tuple[MemoryProblem, ...]:
        """Return all that is wrong with the files, and where the index says something else than they do."""
        from limpet.memory.files.verify import verify_all

        problems = [*self.strays(), *verify_all(self.files(STATES))]
        broken = {problem.path for problem in problems}
        indexed = {card.path for card in self.list(ALL, whole=True).cards}
        there = set(self.paths(STATES))
        hint = "Run: limpet memory upkeep --rebuild"
        lost = [MemoryProblem(path, 0, "Missing from the index", hint) for path in sorted(there - indexed - broken)]
        gone = [
            MemoryProblem(path, 0, "In the index, but the file is missing", hint) for path in sorted(indexed - there)
        ]
        return (*problems, *lost, *gone)

    def clean(self, dry_run: bool = False, known: UpkeepContext = NO_CONTEXT) -> Cleaned:
        from limpet.memory.upkeep import carry_out_upkeep, plan_actions

        rights.refuse_agents(self.reader, "clean up the memories")
        # What git keeps for the team is nobody's to tidy: a clone would differ by who opened what.
        with self.at_once():
            cards = [card for card in self.list(ALL).cards if card.owner != TEAM]
            known = known.replace(uncounted=self.uncounted())
        actor = self._acting()
        actions = plan_actions(self.shared, cards, self.settings, actor.now, known)
        planned = (UpkeepDone(action) for action in actions)
        done = planned if dry_run else carry_out_upkeep(self.shared, actions, cards, actor)
        return Cleaned(done=tuple(done), drafts=tuple(store.sweep(self.shared, dry_run, actor.now)))

    def _refuse_writing(self) -> None:
        if self.shared == personal_home():
            rights.refuse_agents(self.reader, rights.PERSONAL)

    def _change(self, key: str, changes: Callable[[MemoryEntry], Mapping[str, object]], kind: str, why: str) -> Stored:
        self._refuse_writing()

        def allowed(entry: MemoryEntry) -> Mapping[str, object]:
            wanted = changes(entry)
            rights.refuse_change(self.reader, entry, key, wanted)
            return wanted

        def act(path: str) -> Stored:
            rights.refuse_team(self.reader, read_place(path), key)
            return store.change(self.shared, path, allowed, self._acting(why), kind)

        return self.on_path(key, act)

    def _put_away(self, key: str, put: Callable[[str, str, Actor], str], why: str) -> str:
        self._refuse_writing()

        def act(path: str) -> str:
            rights.refuse_team(self.reader, read_place(path), key)
            if not self.reader.person:
                rights.refuse_removal(self.reader, store.read_entry(self.shared, path).entry, key)
            return put(self.shared, path, self._acting(why))

        return self.on_path(key, act)

    def _record_use(self, kind: str, ids: Iterable[str], why: str = "", **told: str) -> None:
        """The log counts uses: no entry is written for being read. Outside of a conversation a day is like one."""
        session = self.session or f"{self.writer} {iso(self.clock.now())[:10]}"
        record(self.shared, self._acting(why).replace(session=session), kind, {"ids": list(ids), **told})

    def _secrets(self) -> frozenset[str]:
        return read_secrets(root_of(self.shared))

    def _usual(self, fields: Mapping[str, object]) -> dict[str, object]:
        kind, source, now = str(fields.get("type", "")), rights.owner_name_of(self.reader), self.clock.now()
        at = iso(seconds_of(fields.get("created_at")) or now)
        told = self.reader.person or kind in STATED_TYPES
        return {
            "id": new_id(now),
            "created_at": iso(now),
            "sector": SECTOR_OF.get(kind, MemoryEntry.defaults["sector"]),
            "confidence": self.settings["confidence"]["told" if told else "inferred"],
            "agent": self.reader.agent,
            "source": source,
            "session": self.session,
            "evidence": (MemoryEvidence(at=at, by=source, conversation=self.session, step=self._step()),),
        }

    def _owner(self, entry: MemoryEntry) -> str:
        if entry.scope == "shared":
            return SHARED
        owner = entry.agent or self.reader.agent
        if not owner:
            raise LimpetError("A private memory needs an agent", "", "Add --agent NAME.")
        return owner

    def _acting(self, why: str = "") -> Actor:
        return self._actor.replace(now=self.clock.now(), agent=self.reader.agent, why=why)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, (list, tuple)) else ()
