"""The daily copies (decision 64): what goes by accident comes back, and what was forgotten is nowhere."""

import json
import os
import shutil

import pytest

from limpet.memory.candidates import Candidate, save
from limpet.memory.files.copies import copies_folder, list_copies
from limpet.memory.model.layout import WHOLE_STORE
from limpet.operations.caller import Caller
from limpet.operations.memory.upkeep import keep_up
from limpet.operations.memory.write import write_answers
from limpet.operations.project import open_as

from ...conversation import write
from ...hook_host import Host
from ...leaks import TOKEN
from ...memories import Memories, configure
from ...places import private_path

DAY = 86_400.0
# 2026-11-20
FIRST = 1_795_132_800.0
WORD = "zebra"
ONE = Candidate(id="queue0", at=FIRST, session="s", type="decision", quote="Let's take the giraffe.")


@pytest.fixture
def memories(workspace):
    return Memories(workspace)


@pytest.fixture
def keep(workspace):
    """The maintenance of a day."""

    def keep_day(number=0):
        keep_up(open_as(workspace, Caller(reader=WHOLE_STORE, now=FIRST + number * DAY)))

    return keep_day


@pytest.fixture
def kept(workspace):
    """The files of all copies, by day and name."""

    def find():
        root, found = copies_folder(workspace.shared), {}
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, root).replace(os.sep, "/")] = path
        return found

    return find


def holds(workspace, word):
    """The files below the shared folder that hold it, those of ``forgotten/`` apart."""
    found = []
    for folder, _, names in os.walk(workspace.shared):
        for path in (os.path.join(folder, name) for name in names):
            with open(path, "rb") as file:
                if word.encode() in file.read() and f"{os.sep}forgotten{os.sep}" not in path:
                    found.append(path)
    return found


def test_maintenance_keeps_a_copy_a_day(workspace, call, add, kept):
    """By the command, and by the start of a session; the second one of a day changes nothing."""
    add("The zebra is fine.")
    for _ in range(2):
        assert call("memory", "upkeep").returncode == 0
    (day,) = json.loads(call("memory", "restore", "--list", "--json").stdout)
    assert call("memory", "restore", "--list").stdout == f"{day}\n" and len(kept()) == 1


def test_seven_are_kept_and_unchanged_files_are_shared(memories, keep, kept, workspace):
    """A file that changed since has bytes of its own, and nothing of a draft is left."""
    same, other = memories.add("The zebra is fine"), memories.add("The lion is not")
    for number in range(9):
        if number == 8:
            memories.library.edit(other, {"body": "It is better."})
        keep(number)
    days = list_copies(workspace.shared)
    assert (days[0], days[-1], len(days)) == ("2026-11-22", "2026-11-28", 7)
    inodes = {path: os.stat(full).st_ino for path, full in kept().items()}
    assert len({inode for path, inode in inodes.items() if same[-8:] in path}) == 1
    assert len({inode for path, inode in inodes.items() if other[-8:] in path}) == 2
    assert sorted(os.listdir(copies_folder(workspace.shared))) == days
    assert os.stat(memories.path(same)).st_nlink == 1


def test_the_setting_says_how_many(memories, keep, workspace):
    """None of the days is left for 0."""
    memories.add("The zebra is fine")
    keep(0), keep(1)
    configure(workspace, "memory: {copies: 1}")
    keep(2)
    assert list_copies(workspace.shared) == ["2026-11-22"]
    configure(workspace, "memory: {copies: 0}")
    keep(3)
    assert list_copies(workspace.shared) == []


def test_what_was_killed_half_way_is_no_copy(memories, keep, kept, workspace, monkeypatch):
    """The next one begins anew, and takes the half one away."""
    for number in range(5):
        memories.add(f"The zebra is number {number}")
    copied, count = shutil.copy2, []

    def killed(*given, **named):
        count.append(1)
        if len(count) == 3:
            raise KeyboardInterrupt
        return copied(*given, **named)

    monkeypatch.setattr(shutil, "copy2", killed)
    with pytest.raises(KeyboardInterrupt):
        keep()
    assert list_copies(workspace.shared) == [] and len(kept()) == 2
    keep()
    assert len(kept()) == 5 and all(path.startswith("2026-11-20/") for path in kept())


def by_command(call, workspace, key):
    assert call("memory", "forget", key).returncode == 0


def by_the_star(call, workspace, key):
    configure(workspace)
    assert any("forgot " in line.casefold() for line in Host(workspace).prompt(f"*forget {key}").shown)


def by_an_edit(call, workspace, key):
    assert call("memory", "edit", key, "--title", "Nothing of it").returncode == 0


def by_an_editor(call, workspace, key):
    memories = Memories(workspace)
    path = memories.path(key)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    from limpet.operations.memory.change import check_by_hand

    before = memories.library.find(key)
    write(path, text.replace(WORD, "lion"))
    project = open_as(workspace, Caller(reader=WHOLE_STORE, now=FIRST))
    assert check_by_hand(project, before) == ()


@pytest.mark.parametrize("takes", [by_command, by_the_star, by_an_edit, by_an_editor])
def test_what_was_taken_back_is_in_no_copy(memories, keep, workspace, call, takes):
    """Whatever it was taken back by, and wherever it lay when it was copied."""
    key = memories.add(f"The {WORD} is fine", storage="daily")
    keep(0)
    memories.library.move(key, storage="durable")
    keep(1)
    assert len(holds(workspace, WORD)) >= 3
    takes(call, workspace, key)
    assert holds(workspace, WORD) == []


def test_a_secret_that_is_redacted_leaves_the_copies(memories, keep, workspace, call):
    key = memories.add("The server of the shop")
    with open(memories.path(key), "a", encoding="utf-8") as file:
        file.write(f"\nThe token is {TOKEN}.\n")
    keep()
    assert len(holds(workspace, TOKEN)) == 2
    assert call("memory", "edit", key, "--body", f"The token is {TOKEN}.").returncode == 0
    assert holds(workspace, TOKEN) == []


def test_a_memory_that_becomes_an_agents_own_is_in_no_copy_for_all(memories, keep, kept):
    key = memories.add("The zebra is fine", agent="dev")
    keep(0)
    memories.library.move(key, owner="dev")
    assert kept() == {}
    keep(1)
    assert [path.split("/")[2] for path in kept()] == ["dev"]


def test_words_that_were_dropped_are_in_no_copy(workspace, keep, kept):
    """Of a candidate."""
    save(workspace.shared, [ONE])
    keep()
    assert [path.split("/")[1] for path in kept()] == ["candidates"]
    write_answers(open_as(workspace, Caller(reader=WHOLE_STORE, now=FIRST)), [f"{ONE.id}: drop"])
    assert holds(workspace, "giraffe") == []


def test_what_is_missing_comes_back_with_a_persons_word(memories, keep, workspace, call, at_terminal, ask):
    """They are told how many; what is there stays as it is, and what was forgotten stays away."""
    save(workspace.shared, [ONE])
    lost, stays = memories.add("The zebra is fine"), memories.add("The lion is not")
    gone, moved = memories.add("The snake hides"), memories.add("The horse runs")
    keep()
    memories.library.forget(gone)
    memories.library.move(moved, storage="durable")
    memories.library.edit(stays, {"body": "Newer."})
    os.unlink(memories.path(lost))
    shutil.rmtree(private_path(workspace, "candidates"))
    refused = at_terminal("memory", "restore", agrees=False)
    assert refused.returncode == 1 and not os.path.exists(private_path(workspace, "candidates"))
    done = at_terminal("memory", "restore", "2026-11-20")
    assert "from the copy of 2026-11-20 (memories: 1, files of what was heard: 1)" in done.stderr
    assert done.stdout == "Restored 1 memory and 1 file of what was heard, of 2026-11-20.\n"
    titles = {one["title"] for one in ask("list")}
    assert titles == {"The zebra is fine", "The lion is not", "The horse runs"}
    assert ask("show", stays)["body"] == "Newer." and "giraffe" in call("memory", "search", "giraffe").stdout
    assert call("memory", "restore", "--yes").stdout == "Nothing is missing.\n"


def test_nothing_comes_back_that_was_forgotten_for_good(memories, keep, kept, workspace, call, ask):
    """Also where a copy of it was put back by hand, as from a backup."""
    key = memories.add("The zebra is fine")
    memories.add("The lion is not")
    keep()
    (path,) = [full for name, full in kept().items() if key[-8:] in name]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    memories.library.forget(key)
    for folder, _, names in os.walk(private_path(workspace, "memories", "forgotten")):
        for name in names:
            os.unlink(os.path.join(folder, name))
    write(path, text)
    assert call("memory", "restore", "--yes").stdout == "Nothing is missing.\n"
    assert [one["title"] for one in ask("list")] == ["The lion is not"]


def test_everything_comes_back(memories, keep, workspace, call, ask):
    """After all files of forty memories are gone."""
    for number in range(40):
        memories.add(f"The zebra is number {number}")
    keep()
    shutil.rmtree(private_path(workspace, "memories"))
    assert call("memory", "restore", "--yes").returncode == 0
    assert len(ask("list", "--limit", "99")) == 40


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["restore", "2026-01-01", "--yes"], "No copy of this day"),
        (["restore", "--yes"], "No daily copy yet"),
    ],
)
def test_a_day_without_a_copy_is_named(memories, keep, call, words, says):
    if "2026-01-01" in words:
        memories.add("The zebra is fine")
        keep()
    done = call("memory", *words)
    assert done.returncode == 1 and says in done.stderr


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        (["restore"], "Only a person can"),
        (["show", "KEY", "--path"], "limpet memory show"),
    ],
)
def test_an_agent_gets_at_no_file(memories, keep, call, workspace, words, instead):
    key = memories.add("The zebra is fine")
    keep()
    os.unlink(memories.path(key)) if words == ["restore"] else None
    done = call("memory", *(key if word == "KEY" else word for word in words), agent="dev")
    assert (done.returncode, done.stdout) == (1, "") and instead in done.stderr


def test_a_person_is_told_where_a_memory_lies(memories, call):
    key = memories.add("The zebra is fine")
    assert call("memory", "show", "--path", key[-8:]).stdout == f"{memories.path(key)}\n"
