"""What every store of revisions does, whatever keeps it: a repository, a team's server, and a plain dictionary, which
says how little that is."""

import hashlib
import time
from contextlib import suppress

import pytest

from limpet.learning.model import KnowledgeEntry, KnowledgeEvidence, Observation
from limpet.sharing.git_remote import GitRemote
from limpet.sharing.http_remote import HttpRemote
from limpet.sharing.knowledge import knowledge_in, observation_in, say_knowledge, say_observation
from limpet.sharing.mark import MARK, write_mark
from limpet.sharing.revision import Revision, Said, decode, encode, read_name
from limpet.sharing.transport import PUT, Moved, StoreDeed, Unreached

from ..homes import bare_repository
from ..memories import entry_text
from ..team_servers import database, postgres, server  # noqa: F401

KINDS = ("dictionary", "repository", "server")
PROJECT = "example.com/acme/shop"
ANN, BOB = "a" * 16, "b" * 16


class DictionaryRemote:
    """``kept``: name -> bytes, and ``deeds``, which all that share the store hold."""

    vouches = False

    def __init__(self, kept, deeds):
        self.kept, self.listed, self.deeds = kept, {}, deeds

    def revision(self):
        self.listed = {name: self.checksum(raw) for name, raw in self.kept.items()}
        return str(len(self.kept)) if self.kept else ""

    def list(self):
        return self.listed

    def get(self, names):
        return {name: self.kept[name] for name in names if name in self.listed}

    def put(self, contents, upon, anew=False):
        if upon != (str(len(self.kept)) if self.kept else ""):
            raise Moved("Another machine wrote meanwhile")
        self.kept.update(contents)
        writers = sorted({place[0] for place in map(read_name, contents) if place})
        self.deeds.append(StoreDeed(len(self.deeds) + 1, time.time(), PUT, max(contents), person=", ".join(writers)))
        return self.revision()

    def audit(self, before=0, most=100):
        return [each for each in reversed(self.deeds) if not before or each.place < before][:most]

    def writer(self):
        return frozenset(place[0] for place in map(read_name, self.listed) if place)

    def tombstone(self, names):
        return False

    def checksum(self, raw):
        return hashlib.sha256(raw).hexdigest()


class Stores:
    """``open``: another machine's look at the same store, each with a folder of its own."""

    def __init__(self, kind, folder, request):
        self.kind, self.folder, self.number = kind, folder, 0
        if kind == "dictionary":
            self.kept, self.deeds = {}, []
        elif kind == "repository":
            self.address = bare_repository(folder / "remote.git")
        else:
            self.server = request.getfixturevalue("server")

    def open(self, person="ann", *scopes):
        self.number += 1
        folder = self.folder / str(self.number)
        if self.kind == "dictionary":
            return DictionaryRemote(self.kept, self.deeds)
        if self.kind == "repository":
            return GitRemote(str(folder / "copy.git"), self.address)
        remote = HttpRemote(
            self.server.url, self.server.token("acme", person, *scopes), PROJECT, str(folder / "listed")
        )
        remote.ask("POST", "/v1/projects")
        return remote


@pytest.fixture(params=KINDS)
def stores(request, tmp_path):
    return Stores(request.param, tmp_path, request)


def chain(writer, numbers, previous=""):
    """Names and bytes of revisions that a writer wrote one after another."""
    found = {}
    for number in numbers:
        entry = f"mem-2026-11-29-{writer[:2]}{number:06d}"
        said = Said("current", "team/durable", entry_text(entry, f"Title {number} of {writer[0]}"))
        made = Revision(PROJECT, entry, said, writer, number, f"{entry}.md", previous)
        found[made.name], previous = encode(made), made.id
    return found, previous


def begin(remote, contents):
    assert remote.revision() == ""
    return remote.put({MARK: write_mark(1, None), **contents}, "")


def names_in(remote):
    remote.revision()
    return {name for name in remote.list() if name != MARK}


def test_an_empty_store_has_nothing(stores):
    remote = stores.open()
    assert (remote.revision(), dict(remote.list()), remote.writer()) == ("", {}, frozenset())


def test_what_is_put_is_listed_and_given_out_to_every_machine(stores):
    first, (contents, _) = stores.open(), chain(ANN, (1, 2, 3))
    tip = begin(first, contents)
    second = stores.open("bob")
    assert second.revision() == tip
    assert {name for name in second.list() if name != MARK} == set(contents)
    given = second.get([MARK, *contents])
    assert {name: raw for name, raw in given.items() if name != MARK} == contents
    assert given[MARK] == write_mark(1, None)
    assert all(second.list()[name] == first.checksum(raw) for name, raw in contents.items())
    assert second.writer() == {ANN}


def test_knowledge_and_observations_go_as_memories_do(stores):
    pieces = (KnowledgeEvidence("S-1", "OB-001", "create"), KnowledgeEvidence("S-2", "OB-001", "reinforce"))
    entry = KnowledgeEntry(kind="principle", id="PR-001", text="Use pnpm in every package", evidence=pieces)
    seen = Observation("S-1", "OB-001", "discovery", "npm left two lock files", importance=8)
    first, contents, previous = stores.open(), dict[str, bytes](), ""
    told = ((say_knowledge(entry), "knowledge"), (say_observation(seen), "observations"))
    for number, ((name, file, text), folder) in enumerate(told, start=1):
        made = Revision(PROJECT, name, Said("current", folder, text), ANN, number, file, previous)
        contents[made.name], previous = encode(made), made.id
    begin(first, contents)
    second = stores.open("bob")
    second.revision()
    given = second.get(list(contents))
    learned, observed = (decode(given[name]) for name in contents)
    assert (knowledge_in(learned), observation_in(observed)) == (entry, seen)


def test_what_is_not_there_is_left_out(stores):
    remote, (contents, _) = stores.open(), chain(ANN, (1,))
    begin(remote, contents)
    assert set(remote.get([*contents, "w/" + "c" * 16 + "/0/1"])) - {MARK} == set(contents)


def test_whoever_knows_an_older_state_is_sent_back_and_nothing_of_it_is_kept(stores):
    first, second = stores.open(), stores.open("bob")
    contents, last = chain(ANN, (1,))
    tip = begin(first, contents)
    second.revision()
    more, _ = chain(ANN, (2,), last)
    first.put(more, tip)
    others, _ = chain(BOB, (1,))
    with pytest.raises(Moved):
        second.put(others, tip)
    assert names_in(stores.open()) == {*contents, *more}
    second.put(others, second.revision())
    assert names_in(stores.open()) == {*contents, *more, *others}


def test_a_lost_answer_makes_nothing_twice_and_hides_nothing_of_others(stores):
    """The machine sends again what it believes unsent, while another one wrote."""
    first, second = stores.open(), stores.open("bob")
    (contents, last), (others, _) = chain(ANN, (1,)), chain(BOB, (1,))
    tip = begin(first, contents)
    more, _ = chain(ANN, (2,), last)
    lost = stores.open()
    lost.revision()
    first.put(more, tip)
    second.put(others, second.revision())
    with suppress(Moved):
        lost.put(more, tip)
    assert names_in(lost) == names_in(stores.open()) == {*contents, *more, *others}


def test_more_than_one_request_holds_goes_whole(stores):
    remote, (contents, _) = stores.open(), chain(ANN, range(1, 1202))
    begin(remote, contents)
    assert names_in(stores.open()) == set(contents)


def test_a_look_again_costs_only_what_is_new(stores):
    first, second = stores.open(), stores.open("bob")
    contents, last = chain(ANN, (1, 2))
    tip = begin(first, contents)
    second.revision()
    more, _ = chain(ANN, (3,), last)
    first.put(more, tip)
    assert names_in(second) == {*contents, *more}


def test_who_put_what_and_when_is_noted_page_by_page_without_a_text(stores):
    start = time.time() - 5
    remote = stores.open("ann", "read", "write", "admin")
    (contents, last), (others, _) = chain(ANN, (1, 2)), chain(BOB, (1,))
    begin(remote, contents)
    more, _ = chain(ANN, (3,), last)
    remote.put(more, remote.revision())
    other = stores.open("bob")
    other.put(others, other.revision())

    remote.revision()
    deeds = [each for each in remote.audit() if each.deed == PUT]
    people = ["bob", "ann", "ann"] if stores.kind == "server" else [BOB, ANN, ANN]
    assert [each.person for each in deeds] == people
    assert all(start < each.at < time.time() + 5 for each in deeds)
    assert not any("Title" in repr(each) for each in deeds)
    pages, before = [], 0
    while page := remote.audit(before, 2):
        assert len(page) <= 2
        pages += page
        before = page[-1].place
    assert pages == list(remote.audit())
    assert [each.place for each in pages] == sorted({each.place for each in pages}, reverse=True)


@pytest.mark.parametrize("kind", ("repository", "server"))
def test_a_store_that_is_gone_is_told_from_one_that_refuses(tmp_path, kind):
    folder = str(tmp_path / "copy")
    remote = GitRemote(folder, str(tmp_path / "nothing")) if kind == "repository" else None
    remote = remote or HttpRemote("http://127.0.0.1:9", "", PROJECT, folder)
    with pytest.raises(Unreached):
        remote.revision()
