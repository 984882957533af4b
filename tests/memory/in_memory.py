"""A store of memories without files: small, for tests, and honest enough for the contract of ``memory.base``."""

from itertools import count as counter

from holdfast.ground.clock import iso
from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.words import fold, split_words
from holdfast.memory.files import portable
from holdfast.memory.index.records import make_record
from holdfast.memory.model import rights
from holdfast.memory.model.access import may_read, owners
from holdfast.memory.model.attention import attention
from holdfast.memory.model.card import Hit
from holdfast.memory.model.evidence import CONFIRMED, SAID, Evidence
from holdfast.memory.model.ids import file_name, new_id, owned, place_of, scope_of
from holdfast.memory.model.importing import import_arrivals
from holdfast.memory.model.layout import ARCHIVE, CURRENT, FORGOTTEN, SHARED, STATES, write_place
from holdfast.memory.model.lookup import count_cards, pick
from holdfast.memory.model.results import Listing
from holdfast.memory.model.sectors import sector_relevance
from holdfast.memory.model.stored import Gone, Stored
from holdfast.memory.model.validation import ending, fit_changes, make_entry, strengthening, usual_fields

FILTERS = ("agent", "sector", "tier", "type", "storage", "session")


class Shelf:
    """The entries of a project by path, whoever reads them, and (id, session) -> time of each access."""

    def __init__(self):
        self.entries = {}
        self.accesses = {}
        self.versions = counter(1)


class InMemory:
    """``MemoryStore`` over a shelf."""

    def __init__(self, shelf, settings, reader, writer, clock, session=""):
        self.shelf = shelf
        self.settings = settings
        self.reader = reader
        self.writer = writer
        self.clock = clock
        self.session = session

    def list(self, query):
        found = [card for card in self._cards(query.states or STATES) if self._fits(card, query)]
        newest = sorted(found, key=lambda card: (-card.created, card.path))
        return Listing(cards=tuple(newest[: query.limit]))

    def search(self, query):
        wanted = set(split_words(fold(query.text)))
        hits = []
        for card in self.list(query.replace(limit=len(self.shelf.entries))).cards:
            entry = self.shelf.entries[card.path].entry
            met = len(wanted.intersection(split_words(fold(f"{entry.title} {entry.body}"))))
            if met:
                relevance = met / len(wanted)
                hits.append(self._hit(card, met, relevance))
        best = self._best(hits, query.limit)
        return Listing(cards=tuple(hit.card for hit in best), hits=best)

    def hottest(self, limit):
        cards = [card for card in self._cards((CURRENT,)) if self._holds(card)]
        agent = self.reader.agent
        hits = [self._hit(card, 0.0, sector_relevance(card.sector, agent, self.settings)) for card in cards]
        return self._best(hits, limit)

    def show(self, key, count=True):
        stored = self._find(key)
        if count:
            session = self.session or f"{self.writer} {iso(self.clock.now())[:10]}"
            self.shelf.accesses.setdefault((stored.entry.id, session), self.clock.now())
        return stored

    def add(self, fields, owner="", why=""):
        rights.refuse_wishes(self.reader, fields)
        usual = usual_fields(str(fields.get("type", "")), self.reader.person, self.settings, self.clock.now())
        source, evidence = rights.name_of(self.reader), (self._origin(SAID),)
        who = {"agent": self.reader.agent, "source": source, "session": self.session, "evidence": evidence}
        entry = make_entry({**usual, **who, **fields})
        if not owner:
            owner = SHARED if entry.scope == "shared" else entry.agent or self.reader.agent
        if not owner:
            raise HoldfastError("A private memory needs an agent")
        rights.refuse_owner(self.reader, owner)
        return self._put(entry, place_of(entry, owner))

    def edit(self, key, changes, why="", expected=None):
        if {"scope", "storage"} & changes.keys():
            raise HoldfastError("The folder decides", hint="Run: holdfast memory move")
        return self._change(key, lambda entry: changes, expected)

    def pin(self, key, pinned=True, why=""):
        rights.refuse_agents(self.reader, "pin or unpin a memory")
        return self._change(key, lambda entry: {"pinned": pinned})

    def strengthen(self, key, evidence=(), why=""):
        found, step = tuple(evidence) or (self._origin(CONFIRMED),), self.settings["confidence"]["step"]
        return self._change(key, lambda entry: strengthening(entry, found, step))

    def supersede(self, key, fields, why=""):
        old = self._find(key)
        rights.refuse_removal(self.reader, old.entry, key)
        usual = {"storage": old.entry.storage, "supersedes": (old.entry.id,)}
        new = self.add({**usual, **fields}, old.place.owner)
        self._change(old.path, lambda entry: ending(entry, new.entry))
        return new

    def move(self, key, owner="", storage="", why=""):
        rights.refuse_wishes(self.reader, {"storage": storage})
        old = self._find(key)
        rights.refuse_removal(self.reader, old.entry, key)
        owner = owner or old.place.owner
        rights.refuse_owner(self.reader, owner)
        entry = old.entry.replace(storage=storage or old.place.storage, **owned(old.entry, owner))
        del self.shelf.entries[old.path]
        return self._put(entry, place_of(entry, owner, old.place.state))

    def archive(self, key, why=""):
        return self._set_state(key, ARCHIVE)

    def forget(self, key, why=""):
        return self._set_state(key, FORGOTTEN)

    def undo(self, key, why=""):
        rights.refuse_agents(self.reader, "restore a memory")
        if self._find(key).place.state == CURRENT:
            raise HoldfastError("Memory is neither archived nor forgotten", key)
        return self._set_state(key, CURRENT)

    def stats(self):
        return {**count_cards(self._cards(STATES)), "proposed": 0, "problems": 0, "search": []}

    def proposed(self, cards):
        return ()  # nothing here proposes

    def export(self, target, form="json", with_index=False):
        kept = [stored for stored in self._seen() if stored.place.state != FORGOTTEN]
        portable.export(target, "json", False, kept, (), ())
        return len(kept)

    def import_(self, source, why=""):
        rights.refuse_agents(self.reader, "import memories")
        arrivals, _ = portable.read_arrivals(source)
        known = [stored.entry for stored in self._seen()]
        return import_arrivals(arrivals, known, self._arrive, lambda: new_id(self.clock.now()))

    def _origin(self, how):
        return Evidence(iso(self.clock.now()), how, rights.name_of(self.reader), self.session)

    def _arrive(self, arrival):
        entry, place = arrival.entry.replace(storage=arrival.place.storage), arrival.place
        return self._put(entry, place_of(entry, place.owner, place.state)).entry

    def _seen(self):
        for stored in list(self.shelf.entries.values()):
            hidden = stored.place.state == FORGOTTEN and not self.reader.person
            if may_read(self.reader, stored.place.owner) and not hidden:
                yield stored

    def _cards(self, states):
        return [self._card(stored) for stored in self._seen() if stored.place.state in states]

    def _card(self, stored):
        card = make_record(stored.path, stored.place, stored.entry).card
        times = [time for (entry, _), time in self.shelf.accesses.items() if entry == card.id]
        return card.replace(accesses=card.accesses + len(times), last_accessed=max(times, default=card.last_accessed))

    def _fits(self, card, query):
        allowed = owners(self.reader)
        asked = query.owners or allowed
        return (
            (asked is None or card.owner in asked)
            and all(getattr(query, name) in ("", getattr(card, name)) for name in FILTERS)
            and (not query.tag or query.tag in card.tags)
            and (not query.since or card.created >= query.since)
            and (not query.until or card.created <= query.until)
            and (not query.valid or self._holds(card))
        )

    def _holds(self, card):
        now = self.clock.now()
        return not card.superseded_by and not 0 < card.expires <= now and not 0 < card.valid_until <= now

    def _hit(self, card, score, relevance):
        return Hit(card, score, relevance, attention(card, relevance, self.clock.now(), self.settings))

    def _best(self, hits, limit):
        return tuple(sorted(hits, key=lambda hit: (-hit.attention, -hit.card.created, hit.card.path))[:limit])

    def _find(self, key):
        seen = {stored.path: stored for stored in self._seen()}
        card = None if "/" in key else pick([self._card(stored) for stored in seen.values()], key)
        path = card.path if card else key
        if path not in seen:
            raise Gone(key)
        return seen[path]

    def _put(self, entry, place):
        entry = entry.replace(scope=scope_of(place.owner), storage=place.storage)
        path = write_place(place, file_name(entry))
        stored = Stored(entry=entry, path=path, place=place, stamp=(next(self.shelf.versions), 0, 0))
        self.shelf.entries[path] = stored
        return stored

    def _change(self, key, changes, expected=None):
        old = self._find(key)
        if expected is not None and old.stamp != expected:
            raise HoldfastError("Memory was changed in the meantime", key)
        wanted = changes(old.entry)
        rights.refuse_change(self.reader, old.entry, key, wanted)
        return self._put_at(old, old.entry.replace(**fit_changes(old.entry, wanted)))

    def _put_at(self, old, entry):
        stored = old.replace(entry=entry, stamp=(next(self.shelf.versions), 0, 0))
        self.shelf.entries[old.path] = stored
        return stored

    def _set_state(self, key, state):
        old = self._find(key)
        rights.refuse_removal(self.reader, old.entry, key)
        del self.shelf.entries[old.path]
        return self._put(old.entry, old.place.replace(state=state)).path
