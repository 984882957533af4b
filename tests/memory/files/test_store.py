"""Files of memories: each whole or not at all, for their owner only, in the place that says whose they are."""

import os
import stat
import subprocess
import sys

import pytest

import limpet
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor
from limpet.memory.files import store
from limpet.memory.model.entry import MemoryEntry
from limpet.memory.model.ids import new_id

from ...event_log import logged

NOW = 1_795_000_000.0
SOURCE = os.path.dirname(os.path.dirname(limpet.__file__))
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")
SECRET = "ghp_" + "a1B2c3D4e5" * 4


def actor(why="", now=NOW):
    return Actor(writer="tests", now=now, retention=DEFAULTS["retention"], why=why)


def entry(title="JWT for the API", body="Stateless.", **fields):
    known = {"id": new_id(NOW), "type": "decision", "created_at": "2026-11-18T10:00:00Z"}
    return MemoryEntry(**{**known, "title": title, "body": body, **fields})


def add(shared, owner="shared", **fields):
    return add_entry(shared, entry(**fields), owner)


def add_entry(shared, told, owner="shared"):
    return store.add_file(shared, told.__dict__, lambda made: (owner, made.tier), actor())


def full(shared, path):
    return os.path.join(shared, "memories", *path.split("/"))


def text_of(shared, path):
    with open(full(shared, path), encoding="utf-8", newline="") as file:
        return file.read()


def write(shared, path, text):
    os.makedirs(os.path.dirname(full(shared, path)), exist_ok=True)
    with open(full(shared, path), "w", encoding="utf-8", newline="") as file:
        file.write(text)


def paths(shared):
    return [path for path, _ in store.scan_files(shared)]


@pytest.mark.parametrize(
    ("owner", "storage", "folder"),
    [
        ("shared", "durable", "shared/durable/"),
        ("dev", "daily", "dev/daily/2026-11-18/"),
        ("dev", "session", "dev/session/abc/"),
    ],
)
def test_an_entry_lies_where_its_owner_and_storage_say(shared, owner, storage, folder):
    """As it was added; of its scope the folder is believed, not the file."""
    told = entry("JWT for the API", "First.\n\n## Why\nBecause.", tags=("jwt", "auth"), storage=storage, session="abc")
    stored = add_entry(shared, told, owner)
    assert stored.path == f"{folder}2026-11-18-jwt-for-the-api-{stored.entry.id[-8:]}.md"
    scope = "shared" if owner == "shared" else "private"
    assert stored.entry == told.replace(scope=scope)
    write(shared, stored.path, text_of(shared, stored.path).replace("scope: private", "scope: shared"))
    assert store.read_entry(shared, stored.path).entry == stored.entry


@POSIX
def test_files_and_folders_are_their_owners_only(shared):
    """Also where they were looser before a change."""
    os.makedirs(full(shared, "shared/daily"), mode=0o755)
    os.chmod(os.path.join(shared, "memories"), 0o755)
    path = add(shared).path
    os.chmod(full(shared, path), 0o644)
    store.change(shared, path, {"pinned": True}, actor())
    modes = [
        stat.S_IMODE(os.stat(os.path.join(at, name)).st_mode) for at, _, names in os.walk(shared) for name in names
    ]
    parts = path.split("/")
    folders = [full(shared, "/".join(parts[:count])) for count in range(1, len(parts))]
    assert set(modes) == {0o600}
    assert {stat.S_IMODE(os.stat(at).st_mode) for at in (os.path.join(shared, "memories"), *folders)} == {0o700}


def test_a_new_entry_never_takes_the_place_of_another_file(shared):
    told = entry()
    first = add_entry(shared, told)
    second = add_entry(shared, told.replace(body="Another."))
    assert first.path != second.path
    assert store.read_entry(shared, first.path) == first


def test_secrets_are_not_written(shared):
    path = add(shared, title=f"Token {SECRET}", body=f"Use {SECRET}.", workaround=SECRET, tags=(SECRET,)).path
    store.change(shared, path, {"body": f"Now {SECRET}"}, actor(f"because of {SECRET}"))
    for at, _, names in os.walk(shared):
        for name in names:
            with open(os.path.join(at, name), "rb") as file:
                assert SECRET.encode() not in file.read(), name


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"type": "opinion"}, "type"),
        ({"title": " \n"}, "title"),
        ({"title": "x" * 121}, "title"),
        ({"confidence": 2.0}, "confidence"),
        ({"severity": "fatal"}, "severity"),
        ({"id": "../../x"}, "id"),
        ({"tags": (7.5,)}, "tags"),
        ({"created_at": "yesterday"}, "created_at"),
    ],
)
def test_what_no_entry_may_hold_is_refused_by_name_and_nothing_is_written(shared, fields, where):
    with pytest.raises(LimpetError) as raised:
        add(shared, **fields)
    assert str(raised.value).startswith(where)
    assert paths(shared) == []


def test_a_change_keeps_every_other_byte(shared):
    path = "shared/durable/mine.md"
    before = (
        "\ufeff---\r\nid: mem-2026-02-12-001 # the first\r\ntype: decision\r\nmine: [ 1,2 ]\r\nagent: 'dev'\r\n"
        "tags: [a]\r\nconfidence: 0.9\r\ncreated_at: 2026-02-10T10:15:00Z\r\npinned: false\r\n"
        "---\r\n\r\n# T\r\n\r\n  odd   \r\n"
    )
    write(shared, path, before)
    store.change(shared, path, {"pinned": True}, actor())
    assert text_of(shared, path) == before.replace("pinned: false", "pinned: true")


def test_a_change_is_worked_out_from_what_the_file_says_now(shared):
    stored = add(shared)
    write(shared, stored.path, text_of(shared, stored.path).replace("evidence_count: 1", "evidence_count: 7"))
    after = store.change(shared, stored.path, lambda now: {"evidence_count": now.evidence_count + 1}, actor())
    assert after.entry.evidence_count == 8


def test_a_file_that_a_person_saves_during_a_change_keeps_what_the_person_wrote(shared):
    stored = add(shared)
    saved = []

    def save_meanwhile(now):
        if not saved:
            saved.append(True)
            write(shared, stored.path, text_of(shared, stored.path) + "\nBy hand.\n")
        return {"pinned": True}

    after = store.change(shared, stored.path, save_meanwhile, actor()).entry
    assert (after.pinned, after.body) == (True, "Stateless.\n\nBy hand.")


def test_a_change_that_changes_nothing_writes_and_records_nothing(shared):
    stored = add(shared)
    assert store.change(shared, stored.path, {"pinned": False, "title": "JWT for the API"}, actor()) == stored
    assert [event["kind"] for event in logged(shared)] == ["memory.added"]


def test_a_moved_entry_says_where_it_lies(shared):
    stored = add(shared, "dev", storage="session", session="abc")
    moved = store.move_file(shared, stored.path, "shared", "durable", actor("validated"))
    assert moved.path == "shared/durable/" + stored.path.rpartition("/")[2]
    assert "scope: shared" in text_of(shared, moved.path)
    assert paths(shared) == [moved.path]
    assert not os.path.exists(full(shared, "dev/session/abc"))


@pytest.mark.parametrize("leave", [store.archive_file, store.forget_file])
@pytest.mark.parametrize("text", ["", "---\nid: [\n"])
def test_what_leaves_comes_back_byte_for_byte(shared, leave, text):
    """A file that cannot be read can be forgotten too."""
    path = add(shared, "dev").path
    if text:
        write(shared, path, text)
    before = text_of(shared, path)
    away = leave(shared, path, actor())
    assert paths(shared) == [away]
    assert away == ("forgotten/" if leave is store.forget_file else "archive/") + path
    assert store.restore(shared, away, actor()) == path
    assert text_of(shared, path) == before


def test_a_place_that_is_taken_is_not_overwritten_on_the_way_back(shared):
    write(shared, "shared/durable/a.md", "first")
    away = store.archive_file(shared, "shared/durable/a.md", actor())
    write(shared, "shared/durable/a.md", "second")
    assert store.restore(shared, away, actor()) == "shared/durable/a-2.md"
    assert text_of(shared, "shared/durable/a.md") == "second"


def test_only_what_was_forgotten_is_deleted_for_good(shared):
    path = add(shared).path
    with pytest.raises(LimpetError, match="Memory is not forgotten"):
        store.purge(shared, path, actor())
    assert paths(shared) == [path]
    store.purge(shared, store.forget_file(shared, path, actor()), actor())
    assert paths(shared) == []


@pytest.mark.parametrize(
    "path",
    [
        "../outside.md",
        "shared/durable/../../../outside.md",
        "shared/../durable/x.md",
        "shared/durable/./x.md",
        "/etc/durable/x.md",
        "shared/elsewhere/x.md",
        "shared/durable/x.txt",
        "shared/durable/a\0.md",
        "shared\\durable/durable/x.md",
        "",
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(shared, path):
    with pytest.raises(LimpetError, match="Not a path for a memory"):
        store.read_entry(shared, path)


@POSIX
def test_links_are_neither_read_nor_followed_nor_written_through(shared, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("mine")
    os.makedirs(full(shared, "shared/durable"))
    os.symlink(outside / "secret.md", full(shared, "shared/durable/link.md"))
    os.symlink(outside, full(shared, "dev"))
    assert paths(shared) == []
    for act in (
        lambda: store.read_entry(shared, "shared/durable/link.md"),
        lambda: store.forget_file(shared, "shared/durable/link.md", actor()),
        lambda: add(shared, "dev"),
    ):
        with pytest.raises(LimpetError, match="Symlink"):
            act()
    assert [name.name for name in outside.iterdir()] == ["secret.md"]


@POSIX
def test_a_folder_of_memories_that_is_a_link_is_refused(shared, tmp_path):
    (tmp_path / "outside").mkdir()
    os.symlink(tmp_path / "outside", os.path.join(shared, "memories"))
    with pytest.raises(LimpetError, match="Symlink"):
        add(shared)
    assert os.listdir(tmp_path / "outside") == []


@POSIX
def test_a_pipe_in_place_of_an_entry_is_not_waited_for(shared):
    os.makedirs(full(shared, "shared/durable"))
    os.mkfifo(full(shared, "shared/durable/pipe.md"))
    assert paths(shared) == []
    with pytest.raises(LimpetError, match="No memory with this ID"):
        store.read_entry(shared, "shared/durable/pipe.md")


def test_what_is_no_utf8_is_named_with_its_line(shared):
    os.makedirs(full(shared, "shared/durable"))
    with open(full(shared, "shared/durable/x.md"), "wb") as file:
        file.write(b"---\nid: \xff\n")
    with pytest.raises(LimpetError) as raised:
        store.read_entry(shared, "shared/durable/x.md")
    assert raised.value.where == "shared/durable/x.md:2"


def test_the_audit_log_tells_who_why_and_what_of_short_values_but_not_what_was_remembered(shared):
    stored = add(shared)
    store.change(shared, stored.path, {"confidence": 0.9, "body": "Other words."}, actor("measured"))
    told = logged(shared)[-1]
    assert (told["kind"], told["writer"], told["why"]) == ("memory.changed", "tests", "measured")
    changed = {"body": None, "confidence": [0.6, 0.9]}
    says = told["data"].pop("says")
    assert told["data"] == {"memory": stored.entry.id, "folder": stored.path.rpartition("/")[0], "changed": changed}
    assert says.isalnum() and len(says) == 16


def test_each_kind_of_change_has_its_event(shared):
    path = store.move_file(shared, add(shared).path, "dev", "durable", actor()).path
    path = store.restore(shared, store.archive_file(shared, path, actor()), actor())
    store.purge(shared, store.forget_file(shared, path, actor()), actor())
    kinds = ["added", "moved", "archived", "restored", "forgotten", "purged"]
    assert [event["kind"] for event in logged(shared)] == [f"memory.{kind}" for kind in kinds]


def test_an_audit_log_that_cannot_be_written_loses_no_entry(shared):
    with open(os.path.join(shared, "events"), "w", encoding="utf-8"):
        stored = add(shared)
    assert store.read_entry(shared, stored.path) == stored


@POSIX
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_disk_that_refuses_is_told_of(shared):
    os.makedirs(full(shared, ""))
    os.chmod(full(shared, ""), 0o500)
    with pytest.raises(LimpetError, match="Cannot write the file"):
        add(shared)


def test_what_a_killed_writer_left_is_swept_and_nothing_else(shared):
    stored = add(shared)
    folder = os.path.dirname(full(shared, stored.path))
    for name in ("limpet-1-2.tmp", "mine.tmp"):
        with open(os.path.join(folder, name), "w", encoding="utf-8"):
            pass
    assert len(store.sweep(shared, dry_run=True)) == 1
    store.sweep(shared)
    assert sorted(os.listdir(folder)) == sorted([os.path.basename(stored.path), "mine.tmp"])


WRITER = """
import sys
from limpet.ground.config.defaults import DEFAULTS
from limpet.memory.files import store
from limpet.ground.event_log import Actor
from limpet.memory.model.ids import new_id

shared, path = sys.argv[1:]
actor = Actor(writer="tests", now=1.0, retention=DEFAULTS["retention"])
for _ in range(5):
    store.change(shared, path, lambda now: {"evidence_count": now.evidence_count + 1}, actor)
    told = {"id": new_id(1.0), "type": "decision", "title": "Same", "created_at": "2026-11-18"}
    store.add_file(shared, told, lambda made: ("shared", made.tier), actor)
"""


def test_processes_that_write_at_once_lose_nothing(shared):
    path = add(shared).path
    command = [sys.executable, "-c", WRITER, shared, path]
    writers = [subprocess.Popen(command, env={**os.environ, "PYTHONPATH": SOURCE}) for _ in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    assert store.read_entry(shared, path).entry.evidence_count == 21
    assert len(paths(shared)) == 21
    assert len({store.read_entry(shared, each).entry.id for each in paths(shared)}) == 21
    assert len(logged(shared)) == 41
