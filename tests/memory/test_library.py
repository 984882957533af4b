"""Memories in files: what becomes of the files, the index and the log."""

import json
import os
import tarfile

import pytest

from limpet.ground.errors import LimpetError
from limpet.memory.index.database import database_path
from limpet.memory.model import validation
from limpet.memory.model.entry import Query
from limpet.memory.model.layout import WHOLE_STORE
from limpet.memory.model.results import MemoryEvidence
from limpet.memory.upkeep import FileSession, Purge, UpkeepContext

from ..event_log import logged
from ..places import private_path
from .stores import ARCHITECT, DAY, DEV, SECRET, World, titles, told

BROKEN = "---\nid: [\n"
PAGE = 4096


@pytest.fixture
def world(tmp_path):
    """A ``.limpet`` folder without memories."""
    return World(tmp_path)


def test_an_id_that_two_agents_numbered_alike_names_ones_own(world):
    text = "---\nid: mem-2026-02-12-001\ntype: lesson\nagent: {0}\ncreated_at: 2026-02-12T00:00:00Z\n---\n\n# Of {0}\n"
    for agent in ("architect", "dev"):
        world.write(f"{agent}/durable/one.md", text.format(agent))
    assert world.of(DEV).show("mem-2026-02-12-001").entry.title == "Of dev"
    assert world.of(ARCHITECT).show("mem-2026-02-12-001").entry.title == "Of architect"


def test_outside_of_a_conversation_a_day_is_like_one(world):
    """The log names the entry, and the conversation where there is one."""
    entry = world.add().entry
    for session in ("", "", "abc"):
        world.of(session=session).show(entry.id)
    accesses = {event["session"]: event["data"] for event in logged(world.shared, "memory.access")}
    assert accesses == {session: {"ids": [entry.id]} for session in ("tests 2026-11-18", "abc")}


def test_an_agent_does_not_get_a_secret_that_a_person_typed_into_a_file(world):
    entry = world.add()
    world.write(entry.path, world.read(entry.path) + f"\n{SECRET}\n")
    assert SECRET in world.of(WHOLE_STORE).show(entry.entry.id).entry.body
    assert SECRET not in world.of(DEV).show(entry.entry.id).entry.body


def test_more_evidence_overrules_nobody(world):
    entry = world.add().entry
    after = world.of(DEV).strengthen(entry.id, [MemoryEvidence("2030-01-02T10:00:00Z")], "said again").entry
    assert (after.evidence_count, after.confidence) == (2, 0.85)
    assert [event["why"] for event in logged(world.shared, "memory.strengthened")] == ["said again"]


def test_an_entry_goes_to_an_agent_as_that_agents_own(world):
    moved = world.of().move(world.add(reader=ARCHITECT).entry.id, owner="dev")
    assert moved.entry.agent == "dev"
    assert world.of().verify() == ()


def test_a_broken_file_is_told_of_and_can_be_forgotten_by_its_path(world):
    world.write("shared/durable/broken.md", BROKEN)
    world.add()
    listing = world.of().list(Query())
    assert (titles(listing), [problem.path for problem in listing.problems]) == (["JWT"], ["shared/durable/broken.md"])
    world.of().forget("shared/durable/broken.md")
    assert world.read("forgotten/shared/durable/broken.md") == BROKEN


def test_an_agent_is_not_told_of_anothers_broken_files(world):
    world.write("architect/durable/broken.md", BROKEN)
    world.write("stray.md", BROKEN)
    assert world.of(DEV).list(Query()).problems == ()
    assert world.of(DEV).verify() == ()
    assert {problem.path for problem in world.of().verify()} == {"architect/durable/broken.md", "stray.md"}


@pytest.mark.skipif(os.name == "nt", reason="POSIX links")
def test_links_and_strays_are_reported(world, tmp_path):
    entry = world.add()
    os.symlink(tmp_path, world.path("dev"))
    world.write("shared/durable/notes.txt", "mine")
    found = {problem.path: problem.what for problem in world.of().verify()}
    assert found.keys() == {"dev", "shared/durable/notes.txt"}
    assert "Symlink" in found["dev"]
    assert world.of().show(entry.entry.id) == entry


@pytest.mark.parametrize(("form", "name"), [("json", "out.json"), ("md-tar", "out.tar")])
def test_what_was_exported_comes_in_elsewhere_once(world, tmp_path, form, name):
    entries = [
        world.add("one", tags=("a",)),
        world.add("two", owner="dev", storage="durable"),
        world.add("three", storage="session", session="s1"),
    ]
    world.of().archive(entries[0].entry.id)
    target = str(tmp_path / name)
    assert world.of().export(target, form) == 3
    other = world.elsewhere()
    assert len(other.of().import_(target).added) == 3
    again = other.of().import_(target)
    assert (again.added, again.renamed, again.known, again.problems) == ((), (), 3, ())
    for entry in entries:
        assert other.of().show(entry.entry.id).entry == entry.entry
    assert titles(other.of().list(Query(states=("archive",)))) == ["one"]
    assert titles(other.of(ARCHITECT).list(Query())) == ["three"]
    assert other.of().verify() == ()


def test_another_text_with_a_known_id_is_found_by_both_ids_for_good(world, tmp_path):
    """It comes in once, and the old id leads to it when the first entry is gone."""
    entry = world.add()
    target = str(tmp_path / "out.json")
    world.of().export(target)
    world.of().edit(entry.entry.id, {"body": "Changed since."})
    ((old, new),) = world.of().import_(target).renamed
    again = world.of().import_(target)
    assert (again.added, again.renamed, again.known) == ((), (), 1)
    world.of().forget(old)
    world.now += 31 * DAY
    world.of().clean()
    assert world.of().show(old).entry.id == new


def test_an_export_holds_no_secret_and_replaces_no_file(world, tmp_path):
    entry = world.add()
    world.write(entry.path, world.read(entry.path) + f"\n{SECRET}\n")
    for form in ("json", "md-tar"):
        target = tmp_path / form
        world.of().export(str(target), form)
        assert SECRET.encode() not in target.read_bytes()
        assert "File already exists" in told(lambda to=str(target), form=form: world.of().export(to, form))


def test_an_agents_export_holds_what_it_may_see(world, tmp_path):
    """With a table of contents where it is asked for."""
    entry = world.add("devs", owner="dev")
    world.add("architects", owner="architect")
    world.of(DEV).export(str(tmp_path / "a.tar"), "md-tar", with_index=True)
    with tarfile.open(tmp_path / "a.tar") as tar:
        assert [name.partition("/")[0] for name in tar.getnames()] == ["dev", "index.json"]
    world.of(DEV).export(str(tmp_path / "all.json"), with_index=True)
    (row,) = json.loads((tmp_path / "index.json").read_text())["memories"]
    assert (row["id"], row["path"], "body" in row) == (entry.entry.id, entry.path, False)


def test_a_hostile_archive_writes_nothing_outside(world, tmp_path):
    target = tmp_path / "bad.tar"
    with tarfile.open(target, "w") as tar:
        link = tarfile.TarInfo("shared/durable/link.md")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
        for name in ("../../out.md", "/abs/durable/x.md", "archive/../durable/y.md"):
            tar.addfile(tarfile.TarInfo(name))
    result = world.of().import_(str(target))
    assert (result.added, len(result.problems)) == ((), 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".limpet", "bad.tar"]


def test_an_archive_that_breaks_off_is_refused_whole(world, tmp_path):
    """A header that is cut reads like the archive's end, and what follows it would be missing without a word."""
    for title in ("one", "two"):
        world.add(title)
    world.of().export(str(tmp_path / "all.tar"), "md-tar")
    raw = (tmp_path / "all.tar").read_bytes()
    (tmp_path / "cut.tar").write_bytes(raw[: 1024 + 100])
    other = world.elsewhere()
    assert "Damaged archive" in told(lambda: other.of().import_(str(tmp_path / "cut.tar")))
    assert other.of().import_(str(tmp_path / "all.tar")).added


@pytest.mark.parametrize("name", ["all.tar", "memories"])
def test_markdown_comes_in_with_every_byte_that_is_no_secret(world, tmp_path, name):
    """Comments, keys of people's own, their order and line ends; a second project holds the same files."""
    path = "shared/durable/2026-11-21-by-hand-00000001.md"
    text = (
        "\ufeff---\n# a note\nmine: {a: 1}\nid: mem-2026-11-21-00000001   # keep\ntype: decision\n"
        f"created_at: 2026-11-21\ntags: one, two\n# {SECRET}\n---\n\nBy hand\n\nAs it is.   \n"
    ).replace("\n", "\r\n")
    world.write(path, text)
    world.add("By a command", owner="dev")
    source = private_path(world, "memories")
    if name == "all.tar":
        source = str(tmp_path / name)
        world.of().export(source, "md-tar")
    other = world.elsewhere()
    other.of().import_(source)
    with open(other.path(path), encoding="utf-8", newline="") as file:
        assert file.read() == text.replace(SECRET, "[redacted:github-token]")
    mine = world.of(DEV).list(Query(owners=("dev",))).cards[0].path
    assert other.read(mine) == world.read(mine)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *((text, "") for text in ("", "[]", "{}", '{"format": "limpet-memories"}', "[" * 100_000)),
        ('{"format": "limpet-memories", "version": 2, "entries": []}', "Update Limpet"),
    ],
)
def test_what_is_no_export_is_refused(world, tmp_path, text, why):
    """Also that of a newer version."""
    (tmp_path / "x.json").write_text(text)
    assert why in told(lambda: world.of().import_(str(tmp_path / "x.json")))


def test_bad_entries_of_an_export_are_named_and_the_others_come_in(world, tmp_path):
    good = {"id": "mem-2026-01-01-00000001", "type": "lesson", "title": "x" * 200, "created_at": "2026-01-01T00:00:00Z"}
    entries = [7, {"id": "x"}, {**good, "path": "../x.md"}, {**good, "id": "mem-2026-01-01-00000002", "type": "odd"}]
    (tmp_path / "x.json").write_text(json.dumps({"format": "limpet-memories", "entries": entries}))
    result = world.of().import_(str(tmp_path / "x.json"))
    assert (result.added, len(result.problems)) == (("mem-2026-01-01-00000001",), 3)
    assert "x" * 200 in world.of().show("mem-2026-01-01-00000001").entry.body


def test_a_folder_of_markdown_comes_in(world, tmp_path):
    text = (
        "---\nid: mem-2026-02-12-001\ntype: procedural\nagent: dev\ncreated_at: 2026-02-10T10:15:00Z\n---\n\n# Of old\n"
    )
    (tmp_path / "old" / "dev" / "durable").mkdir(parents=True)
    (tmp_path / "old" / "dev" / "durable" / "a.md").write_text(text)
    assert world.of().import_(str(tmp_path / "old")).added == ("mem-2026-02-12-001",)
    assert world.of(DEV).show("mem-2026-02-12-001").place.owner == "dev"


def test_only_a_person_cleans(world):
    assert "Only a person" in told(lambda: world.of(DEV).clean())


def test_a_session_that_is_over_is_filed(world):
    world.add(storage="session", session="s1", reader=DEV)
    done = world.of().clean(known=UpkeepContext(ended=frozenset({"s1"}))).done
    assert [type(each.action) for each in done if isinstance(each.action, FileSession)] == [FileSession]
    (card,) = world.of().list(Query()).cards
    assert card.storage == "daily"


def test_what_was_forgotten_is_gone_after_its_days_and_not_before(world):
    """A dry run changes nothing."""
    path = world.of().forget(world.add().entry.id)
    world.now += 29 * DAY
    world.of().clean()
    world.now += 2 * DAY
    done = world.of().clean(dry_run=True).done
    assert [each.action.path for each in done if isinstance(each.action, Purge)] == [path]
    assert os.path.exists(world.path(path))
    world.of().clean()
    assert not os.path.exists(world.path(path))


def test_accesses_are_folded_in_once(world):
    entry = world.add(reader=DEV).entry
    world.now += 60
    world.of(DEV, session="a").show(entry.id)
    world.now += 60
    world.of().clean()
    world.of().clean()
    assert world.of().show(entry.id, count=False).entry.access_count == 1


def test_left_over_drafts_are_swept(world):
    entry = world.add()
    draft = os.path.join(os.path.dirname(world.path(entry.path)), "limpet-1-1.tmp")
    open(draft, "w").close()
    assert world.of().clean(dry_run=True).drafts == (draft,)
    assert world.of().clean().drafts == (draft,)
    assert not os.path.exists(draft)


def test_an_index_damaged_anywhere_heals(world):
    """A page that only reading meets costs that one command, which says so; the next one finds everything."""
    library = world.of()
    for number in range(40):
        words = " ".join(f"{word}{number % 7}" for word in ("alpha", "beta", "gamma") * 40)
        world.add(f"Entry {number}", body=words)
    query = Query(text="alpha3 gamma5", limit=5)
    wanted = [hit.card.id for hit in library.search(query).hits]
    path, told = database_path(world.shared), 0
    with open(path, "rb") as file:
        raw = file.read()
    for start in range(PAGE, len(raw), 3 * PAGE):
        with open(path, "wb") as file:
            file.write(raw[:start] + b"\xff" * PAGE + raw[start + PAGE :])
        try:
            found = library.search(query).hits
        except LimpetError as error:
            assert "was damaged and has been rebuilt" in str(error)
            told += 1
            found = library.search(query).hits
        assert [hit.card.id for hit in found] == wanted
    assert told


def test_the_words_of_a_new_entry_are_redacted_once(world, monkeypatch):
    """By the store, which no door goes around."""
    seen = []
    monkeypatch.setattr(validation, "redact", lambda text, known: seen.append(text) or text)
    world.add("JWT", body="Because.", workaround="None.", type="gotcha")
    assert sorted(seen) == ["Because.", "JWT", "None."]
