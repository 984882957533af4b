"""The index follows the files: edited, moved, gone, unreadable ones; and it heals itself whatever happened to it."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import limpet
from limpet.memory.files.codec import write_entry_text
from limpet.memory.index import sync
from limpet.memory.index import sync as index
from limpet.memory.index.database import database_path
from limpet.memory.index.database_file import replacing
from limpet.memory.index.reading import open_index, read_unread
from limpet.memory.model.results import MemoryEvidence

from ..indexes import NOW, SETTINGS, age, cards, found, index_entries, indexed, make_entry, path_of, titles, write

SOURCE = os.path.dirname(os.path.dirname(limpet.__file__))
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")
SECRET = "ghp_" + "a1B2c3D4e5" * 4


def refresh(shared, settings=SETTINGS, now=NOW, progress=None, **given):
    return index.refresh_index(shared, settings, now, progress, **given)


def log_access(shared, ids, time="2026-11-22T10:00:00Z", session="s", name="hook.jsonl"):
    folder = os.path.join(shared, "events")
    os.makedirs(folder, exist_ok=True)
    event = {"kind": "memory.access", "data": {"ids": ids}, "time": time, "session": session}
    with open(os.path.join(folder, name), "a", encoding="utf-8") as file:
        file.write(json.dumps(event) + "\n")


def test_a_card_tells_what_the_file_says(shared):
    entry = make_entry(
        "b",
        "Use JWT",
        "Stateless auth.",
        agent="architect",
        tags=("auth", "api"),
        confidence=0.9,
        sector="semantic",
        session="s1",
        source="person",
        access_count=3,
        last_accessed="2026-11-21T12:00:00Z",
        evidence_count=2,
        evidence=(MemoryEvidence("2026-11-21T11:00:00Z"),),
        expires_at="2030-01-01T00:00:00Z",
        flags=("instruction",),
        pinned=True,
    )
    write(shared, path_of("b", "architect", "daily/2026-11-21"), entry)
    assert refresh(shared).total == 1
    (card,) = cards(shared)
    assert (card.id, card.path, card.owner, card.storage, card.state) == (
        entry.id,
        "architect/daily/2026-11-21/b.md",
        "architect",
        "daily",
        "current",
    )
    assert (card.title, card.excerpt, card.tags, card.flags) == (
        "Use JWT",
        "Stateless auth.",
        ("auth", "api"),
        ("instruction",),
    )
    assert (card.created, card.last_accessed, card.last_evidence) == (1795255200.0, 1795262400.0, 1795258800.0)
    assert (card.accesses, card.evidence, card.confidence, card.pinned) == (3, 2, 0.9, True)
    assert card.expires == 1893456000.0
    assert card.size > 3


def test_an_edit_is_seen_and_a_file_that_is_gone_takes_its_card_along(shared):
    full = write(shared, path_of("b"), make_entry("b", "Old words"))
    write(shared, path_of("c"), make_entry("c", "Stays"))
    refresh(shared)
    age(write(shared, path_of("b"), make_entry("b", "Fresh text")), 1_700_000_001)
    assert refresh(shared).changed == 1
    assert titles(found(shared, "fresh")) == ["Fresh text"]
    assert found(shared, "old words") == []
    os.unlink(full)
    assert refresh(shared).removed == 1
    assert [card.title for card in cards(shared)] == ["Stays"]
    assert found(shared, "fresh") == []


def test_an_edit_within_the_grain_of_the_files_clock_is_seen_too(shared):
    full = write(shared, path_of("b"), make_entry("b", "Word one"))
    just_now = time.time() + 30
    age(full, just_now)
    refresh(shared)
    age(write(shared, path_of("b"), make_entry("b", "Word two")), just_now)
    refresh(shared)
    assert [card.title for card in cards(shared)] == ["Word two"]


def test_archived_and_forgotten_entries_are_there_in_their_state(shared):
    write(shared, "archive/" + path_of("b"), make_entry("b", "Archived"))
    write(shared, "forgotten/" + path_of("c"), make_entry("c", "Forgotten"))
    refresh(shared)
    assert cards(shared) == []
    assert [card.title for card in cards(shared, states=("archive",))] == ["Archived"]
    assert {card.state for card in cards(shared, states=())} == {"archive", "forgotten"}


def test_what_cannot_be_read_is_told_until_it_is_mended(shared):
    full = write(shared, path_of("b"), "---\nid: [\n---\n")
    write(shared, path_of("c"), make_entry("c", "Sound"))
    problems = refresh(shared).problems
    assert {(each.path, bool(each.what), bool(each.hint)) for each in problems} == {(path_of("b"), True, True)}
    assert refresh(shared).problems == problems
    age(write(shared, path_of("b"), make_entry("b", "Mended")), 1_700_000_001)
    assert refresh(shared).problems == ()
    assert {card.title for card in cards(shared)} == {"Sound", "Mended"}
    os.unlink(full)
    assert refresh(shared).total == 1


@pytest.mark.parametrize("raw", [b"\xff\xfe\x00", b"x" * 2_000_000, b"", b"---\nid: a\n<<<<<<< ours\n---\n"])
def test_no_bytes_break_a_refresh(shared, raw):
    full = write(shared, path_of("b"), "")
    with open(full, "wb") as file:
        file.write(raw)
    assert [problem.path for problem in refresh(shared).problems][:1] == [path_of("b")]


@pytest.mark.parametrize("line", [f"access_count: {9**23}", "confidence: .nan", f"evidence_count: {9**23}"])
def test_no_number_breaks_a_refresh(shared, line):
    key = line.partition(":")[0]
    text = write_entry_text(make_entry("b", "Numbers"))
    lines = [line if old.startswith(f"{key}:") else old for old in text.splitlines()]
    write(shared, path_of("b"), "\n".join(lines) + "\n")
    write(shared, path_of("c"), make_entry("c", "Sound"))
    refresh(shared)
    assert "Sound" in {card.title for card in cards(shared)}


def test_no_secret_enters_the_index(shared):
    entry = make_entry("b", f"Key {SECRET}", f"It is {SECRET}.", workaround=f"use {SECRET}", tags=(f"k-{SECRET}",))
    index_entries(shared, [(path_of("b"), entry)])
    folder = os.path.dirname(database_path(shared))
    for name in os.listdir(folder):
        full = os.path.join(folder, name)
        if os.path.isfile(full):
            with open(full, "rb") as file:
                assert SECRET[4:].lower().encode() not in file.read().lower()


def test_progress_is_told_for_each_file(shared):
    told = []
    for name in "bcd":
        write(shared, path_of(name), make_entry(name))
    refresh(shared, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    "spoil", ["garbage", "empty", "foreign", "version", "cut", "tables", "postings", "counts", "folder"]
)
def test_a_damaged_index_is_made_anew(shared, spoil):
    write(shared, path_of("b"), make_entry("b", "Survivor"))
    refresh(shared)
    path = database_path(shared)
    for name in ("-wal", "-shm"):
        if os.path.exists(path + name):
            os.unlink(path + name)
    if spoil == "garbage":
        _overwrite(path, os.urandom(8192))
    elif spoil == "empty":
        _overwrite(path, b"")
    elif spoil == "cut":
        os.truncate(path, 4096 * 3)
    elif spoil == "folder":
        os.unlink(path)
        os.mkdir(path)  # which is put aside: somebody may want what is in it
    else:
        if spoil == "foreign":
            os.unlink(path)
        with closing(sqlite3.connect(path)) as connection:
            script = {
                "foreign": "CREATE TABLE x (y)",
                "version": "PRAGMA user_version = 99",
                "tables": "DROP TABLE collections",
                "postings": "DROP TABLE postings",
                "counts": "DELETE FROM collections",
            }
            connection.executescript(script[spoil])
    age(write(shared, path_of("c"), make_entry("c", "Newcomer")))
    refresh(shared)
    assert {card.title for card in cards(shared)} == {"Survivor", "Newcomer"}
    assert titles(found(shared, "survivor")) == ["Survivor"]


def test_a_sound_index_is_kept(shared):
    """Each new database bears a name of its own; there is none before, and nothing to do again."""
    assert open_index(shared) is None
    names = set()
    for total in (0, 1, 1):
        done = refresh(shared)
        assert (done.total, done.removed, len(cards(shared))) == (total, 0, total)
        with closing(open_index(shared)) as connection:
            names.update(connection.execute("SELECT name FROM generation"))
        write(shared, path_of("b"), make_entry("b"))
    assert (len(names), done.changed) == (1, 0)


def test_a_new_index_has_its_postings_in_one_piece(shared):
    """Each question looks into every piece for each of its terms."""
    bodies = (" ".join(f"{name}{number:05}" for number in range(6000)) for name in "bcdefghijklm")
    indexed(shared, [make_entry(body[0], "Many words", body) for body in bodies])
    with closing(open_index(shared)) as connection:
        assert connection.execute("SELECT count(DISTINCT segid) FROM postings_idx").fetchone() == (1,)


def _overwrite(path, raw):
    with open(path, "wb") as file:
        file.write(raw)


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 400])
def test_a_damaged_index_does_not_open(shared, content):
    os.makedirs(os.path.dirname(database_path(shared)))
    with open(database_path(shared), "wb") as file:
        file.write(content)
    assert open_index(shared) is None


@POSIX
def test_a_linked_database_is_not_followed_and_made_anew(shared, tmp_path):
    """Even to one of ours."""
    refresh(shared)
    os.rename(database_path(shared), tmp_path / "elsewhere.db")
    os.symlink(tmp_path / "elsewhere.db", database_path(shared))
    before = (tmp_path / "elsewhere.db").read_bytes()
    assert open_index(shared) is None
    refresh(shared)
    assert not os.path.islink(database_path(shared))
    assert (tmp_path / "elsewhere.db").read_bytes() == before


@POSIX
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give a file away")
def test_another_users_database_is_not_opened(shared):
    """Whatever it holds."""
    refresh(shared)
    os.chown(database_path(shared), 12345, -1)
    assert open_index(shared) is None
    refresh(shared)
    assert open_index(shared)


@POSIX
def test_the_index_is_its_owners_only(shared):
    previous = os.umask(0)
    try:
        write(shared, path_of("b"), make_entry("b"))
        refresh(shared)
        age(write(shared, path_of("b"), make_entry("b", "Other")), 1_700_000_001)
        refresh(shared)
        with closing(open_index(shared)) as connection:
            connection.execute("SELECT count(*) FROM cards").fetchone()
            folder = os.path.dirname(database_path(shared))
            modes = {name: stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) for name in os.listdir(folder)}
    finally:
        os.umask(previous)
    assert {mode for name, mode in modes.items() if name.startswith("memory.db")} == {0o600}
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


def test_a_reader_keeps_its_view_while_others_write_and_rebuild(shared):
    write(shared, path_of("b"), make_entry("b", "Before"))
    refresh(shared)
    with closing(open_index(shared)) as connection:
        connection.execute("BEGIN")
        assert connection.execute("SELECT title FROM cards").fetchall() == [("Before",)]
        age(write(shared, path_of("b"), make_entry("b", "After")), 1_700_000_001)
        refresh(shared)
        assert connection.execute("SELECT title FROM cards").fetchall() == [("Before",)]
        connection.execute("COMMIT")
        if sys.platform != "win32":
            refresh(shared, anew=True)
        assert connection.execute("SELECT title FROM cards").fetchall() == [("After",)]
    assert [card.title for card in cards(shared)] == ["After"]


def test_processes_that_refresh_at_once_take_turns(shared):
    for number in range(30):
        write(
            shared,
            path_of(f"b{number}"),
            make_entry("b" + "abcdefgh"[number % 8] + "abcd"[number // 8], f"Title {number}"),
        )
    script = (
        "import sys; from limpet.memory.index import sync as index\n"
        "from limpet.ground.config.defaults import DEFAULTS\n"
        "for _ in range(5): index.refresh_index(sys.argv[1], DEFAULTS['memory'], 1.8e9)"
    )
    command = [sys.executable, "-c", script, shared]
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    running = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) for _ in range(3)]
    assert [(process.communicate()[1], process.returncode) for process in running] == [(b"", 0)] * 3
    assert len(cards(shared)) == 30


@pytest.mark.parametrize(
    ("counted", "accesses", "known"),
    [
        ({}, (("one", 10), ("one", 11), ("two", 12)), (2, 12)),
        (
            {"access_count": 7, "last_accessed": "2026-11-22T11:00:00Z"},
            (("one", 10), ("one", 12), ("two", 13)),
            (8, 13),
        ),
    ],
    ids=["none in the file", "the file counts one already"],
)
def test_an_access_counts_once_a_session(shared, counted, accesses, known):
    """One of the future waits."""
    entry = make_entry("b", **counted)
    write(shared, path_of("b"), entry)
    for session, hour in accesses:
        log_access(shared, [entry.id, "unknown"], f"2026-11-22T{hour}:00:00Z", session)
    log_access(shared, [entry.id], "2099-01-01T00:00:00Z", "three")
    refresh(shared)
    (card,) = cards(shared)
    assert (card.accesses, card.last_accessed) == (known[0], 1795305600.0 + known[1] * 3600)


def test_accesses_are_folded_in_as_the_log_grows_and_turns(shared):
    write(shared, path_of("b"), make_entry("b"))
    entry = make_entry("b").id
    log_access(shared, [entry], session="one")
    refresh(shared)
    folder = os.path.join(shared, "events")
    os.rename(os.path.join(folder, "hook.jsonl"), os.path.join(folder, "hook.jsonl.1"))
    log_access(shared, [entry], session="two")
    log_access(shared, [entry], session="three", name="cli.jsonl")
    refresh(shared)
    assert [card.accesses for card in cards(shared)] == [3]
    refresh(shared, anew=True)
    assert [card.accesses for card in cards(shared)] == [3]


def test_lines_of_the_log_that_are_torn_or_no_access_are_passed_over(shared):
    write(shared, path_of("b"), make_entry("b"))
    entry = make_entry("b").id
    log_access(shared, [entry], session="one")
    with open(os.path.join(shared, "events", "hook.jsonl"), "ab") as file:
        file.write(
            b'{"kind": "memory.access", "data"\n["memory.access"]\n{"kind": "memory.access", "data": {"ids": 5}}\n'
        )
        file.write(b'{"kind": "memory.added", "why": "memory.access"}\n\xff memory.access\n')
        file.write(b'{"kind": "memory.access", "data": {"ids": ["' + entry.encode())
    refresh(shared)
    assert [card.accesses for card in cards(shared)] == [1]


def test_a_line_that_was_half_written_is_read_once_it_is_whole(shared):
    write(shared, path_of("b"), make_entry("b"))
    log_access(shared, [make_entry("b").id])
    path = os.path.join(shared, "events", "hook.jsonl")
    with open(path, "rb") as file:
        whole = file.read()
    with open(path, "wb") as file:
        file.write(whole[:40])
    refresh(shared)
    with open(path, "ab") as file:
        file.write(whole[40:])
    refresh(shared)
    assert [card.accesses for card in cards(shared)] == [1]


def test_an_entry_whose_cited_file_changed_is_stale(shared):
    root = os.path.dirname(shared)
    with open(os.path.join(root, "main.py"), "w", encoding="utf-8") as file:
        file.write("x")
    age(os.path.join(root, "main.py"))
    write(shared, path_of("b"), make_entry("b", paths=("main.py",)))
    refresh(shared)
    assert [card.stale for card in cards(shared)] == [False]
    age(os.path.join(root, "main.py"), 1_799_000_000)
    refresh(shared)
    assert [card.stale for card in cards(shared)] == [True]


names = st.sampled_from(["b", "c", "d", "e", "f"])
words = st.lists(st.sampled_from(["cache", "redis", "login", "why?", "test"]), min_size=1, max_size=4).map(" ".join)
places = st.builds(path_of, names, st.sampled_from(["shared", "shared", "dev", "forgotten/dev"]))
steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), places, words, st.sampled_from(["s1", "s2", ""]), st.integers(0, 9)),
        st.tuples(st.just("remove"), places),
        st.tuples(st.just("refresh")),
        st.tuples(st.just("begin to refresh")),
    ),
    max_size=14,
)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(steps=steps)
def test_an_index_kept_up_to_date_equals_one_made_anew(tmp_path_factory, steps):
    shared = str(tmp_path_factory.mktemp("kept"))
    for number, (act, *rest) in enumerate(steps):
        full = os.path.join(shared, "memories", *rest[0].split("/")) if rest else ""
        if act == "write":
            path, text, session, minute = rest
            entry = make_entry(path[-4], text, session=session, created_at=f"2026-11-21T10:0{minute}:00Z")
            age(write(shared, path, entry), 1_700_000_000 + number)
        elif act == "remove" and os.path.exists(full):
            os.unlink(full)
        elif act == "refresh":
            refresh(shared)
        elif act == "begin to refresh":
            refresh(shared, seconds=0)
    while refresh(shared, seconds=0).unread:
        pass
    kept = _all(shared)
    refresh(shared, anew=True)
    assert kept == _all(shared)


def _all(shared):
    """All that a reader can learn, but for the numbers that the index gives to conversations."""
    with closing(sqlite3.connect(database_path(shared))) as connection:
        facts = sorted(connection.execute("SELECT name, value FROM facts"))
        counts = "owner, state, entries, length, conversations, conversations_length"
        collections = sorted(connection.execute(f"SELECT {counts} FROM collections"))
        held = "SELECT term, owner, state, v.entries FROM vocabulary v JOIN collections USING (collection)"
        vocabulary = sorted(connection.execute(held))
        conversations = sorted(connection.execute("SELECT name, entries, length FROM conversations"))
        order = connection.execute("SELECT path FROM cards ORDER BY conversation, doc").fetchall()
        connection.execute("INSERT INTO postings (postings) VALUES ('integrity-check')")
    ranked = {
        word: sorted((hit.card.path, round(hit.score, 9)) for hit in found(shared, word))
        for word in ("cache", "redis login")
    }
    return cards(shared), facts, collections, vocabulary, conversations, sorted(order), ranked


NAMES = "bcdefg"
# Refreshes in slices of two files, and is gone in the midst of the third.
KILLED = """
import os, sys
from limpet.ground.config.defaults import DEFAULTS
from limpet.memory.index import sync
sync.SLICE = 2
sync.refresh_index(sys.argv[1], DEFAULTS["memory"], 1.8e9, lambda done, files: done == 5 and os._exit(9))
"""


@pytest.fixture(params=["new", "kept"])
def files(request, shared):
    """Six files, of which the index knows none; it File already exists, or not."""
    if request.param == "kept":
        index.refresh_index(shared, SETTINGS, NOW)
    for name in NAMES:
        write(shared, path_of(name), make_entry(name, f"Title {name}"))
    return shared


def refresh_slices(shared, seconds=0.0):
    return index.refresh_index(shared, SETTINGS, NOW, seconds=seconds)


def unread(shared):
    """What the index says of itself."""
    with closing(open_index(shared)) as connection:
        return read_unread(connection)


def test_without_time_each_refresh_reads_one_file_more(files):
    """However little time there is, the work comes to an end."""
    seen = []
    for _ in range(7):
        done = refresh_slices(files)
        seen.append((done.changed, done.total, done.unread, done.files, unread(files)))
    assert seen == [(1, n, 6 - n, 6, 6 - n) for n in range(1, 7)] + [(0, 6, 0, 6, 0)]


def test_what_a_killed_refresh_had_done_is_kept(files):
    """But for the slice in which it was."""
    command = [sys.executable, "-c", KILLED, files]
    assert subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCE}).returncode == 9
    assert (len(cards(files)), unread(files)) == (4, 2)
    done = refresh_slices(files, 1e9)
    assert (done.changed, done.total, done.unread) == (2, 6, 0)


def test_files_that_come_change_and_go_between_slices_are_seen(files):
    for _ in range(3):
        refresh_slices(files)
    read, waiting = NAMES[:3], NAMES[3:]
    for name in (read[0], waiting[0]):
        os.unlink(os.path.join(files, "memories", *path_of(name).split("/")))
    for name in (read[1], waiting[1]):
        age(write(files, path_of(name), make_entry(name, "Other words")), 1_700_000_001)
    write(files, path_of("h"), make_entry("h", "Newcomer"))
    done = refresh_slices(files)
    assert (done.removed, done.changed, done.total, done.unread) == (1, 1, 2, 3)
    while refresh_slices(files).unread:
        pass
    assert {card.path for card in cards(files)} == {path_of(name) for name in "cdfgh"}
    assert len(found(files, "other words")) == 2


def test_a_file_that_goes_while_its_slice_waits_is_left_out(files, monkeypatch):
    monkeypatch.setattr(index, "SLICE", 2)
    last = os.path.join(files, "memories", *path_of("g").split("/"))
    done = index.refresh_index(files, SETTINGS, NOW, lambda done, files: done == 2 and os.unlink(last))
    assert (done.changed, done.total, done.unread) == (5, 5, 0)
    assert {card.path for card in cards(files)} == {path_of(name) for name in "bcdef"}


def test_of_more_than_a_slice_the_latest_files_come_first(monkeypatch):
    monkeypatch.setattr(sync, "SLICE", 3)
    monkeypatch.setattr(sync, "LATEST", 1)
    stamps = {path_of(name): (when, 1, 1) for name, when in (("e", 5), ("d", 5), ("c", 9), ("b", 5))}
    assert sync.paths_in_order(stamps) == [path_of(name) for name in "cbde"]
    stamps.pop(path_of("e"))
    assert sync.paths_in_order(stamps) == [path_of(name) for name in "bcd"]


def test_an_index_that_is_replaced_meanwhile_is_filled_too(files, monkeypatch):
    """It lacks what this refresh had put into the one before."""
    monkeypatch.setattr(index, "SLICE", 2)
    written, write_slice = [], index._write

    def write_after_another(path, *rest):
        written.append(path)
        if len(written) == 2:
            with replacing(path):
                pass
        return write_slice(path, *rest)

    monkeypatch.setattr(index, "_write", write_after_another)
    assert index.refresh_index(files, SETTINGS, NOW).total == 6
    assert len(cards(files)) == 6


def test_in_memory_no_more_is_read_than_there_is_time_for(files):
    for seconds, read in (((0.0,), 1), ((), 6)):
        connection, done = index.open_in_memory(files, SETTINGS, NOW, *seconds)
        with closing(connection):
            assert (done.total, done.unread) == (read, 6 - read)


def test_files_that_are_gone_count_among_all_until_their_cards_are(files, monkeypatch):
    refresh_slices(files, 1e9)
    monkeypatch.setattr(index, "SLICE", 4)
    for name in NAMES:
        os.unlink(os.path.join(files, "memories", *path_of(name).split("/")))
    seen = [
        (done.removed, done.unread, done.files, done.total) for done in (refresh_slices(files), refresh_slices(files))
    ]
    assert seen == [(4, 2, 6, 2), (2, 0, 2, 0)]
