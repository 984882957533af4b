"""``limpet memory`` by its door: where memories are kept, the index, health, and carrying them elsewhere."""

import json
import os

import pytest

from limpet.ground.storage.files import read_text
from limpet.memory.index.database import database_path
from limpet.memory.model.results import MemoryEvidence

from ...conftest import trusted
from ...conversation import write
from ...memories import Memories
from ..conftest import events


@pytest.fixture
def key(add):
    return add("The proxy needs CORS headers.", "--tag", "web")


def titles(found):
    return [one["title"] for one in found]


def test_pin_and_unpin(ask, key):
    """The answer is the entry."""
    assert ask("edit", "--pin", key)["pinned"] is True
    assert ask("edit", "--unpin", key)["pinned"] is False


def test_move_gives_another_owner_and_another_time(ask, call, key):
    """By the folder in which it lies."""
    moved = ask("edit", key, "--owner", "@qa", "--storage", "daily")
    assert (moved["owner"], moved["storage"], moved["scope"]) == ("qa-implementation", "daily", "private")
    assert "/qa-implementation/daily/" in moved["path"].replace(os.sep, "/")
    assert call("memory", "edit", key).returncode == 2


def test_a_change_is_told_by_the_title_and_how_to_undo_it(call, key):
    """Never by a path."""
    title, short = "The proxy needs CORS headers.", key[-8:]
    forgot = f'Forgot "{title}". Undo within 30 days: limpet memory undo {short}\n'
    forgot += f"Until then its text stays on this machine. Erase it now:\n  limpet memory forget --now {short}\n"
    assert call("memory", "forget", key).stdout == forgot
    assert call("memory", "undo", short).stdout == f'Restored "{title}".\n'
    assert (
        call("memory", "forget", "--archive", short).stdout == f'Archived "{title}". Undo: limpet memory undo {short}\n'
    )
    assert call("memory", "undo", short).stdout == f'Restored "{title}".\n'
    assert call("memory", "edit", "--pin", short).stdout == f'Pinned "{title}".\n'


def test_undo_says_so_where_it_brings_nothing_back(call, key):
    """It undoes no edit: whoever hopes so must not read that it did."""
    call("memory", "edit", key, "--title", "Wrong")
    done = call("memory", "undo", key)
    assert (done.returncode, done.stdout) == (1, "")
    assert "neither archived nor forgotten" in done.stderr


def test_what_was_forgotten_is_no_mistake_to_be_told_of_again(call, ask, key):
    """A file that nobody can read stops to be spoken of once it was forgotten."""
    (card,) = ask("list")
    write(card["path"], "---\nid: [\n---\n# Broken\n")
    path = f"shared/durable/{os.path.basename(card['path'])}"
    assert f"{path}:3: " in call("memory", "list").stderr
    assert ask("forget", path)["done"] == "forgotten"
    assert call("memory", "list").stderr == ""


def test_what_proved_true_five_times_waits_for_a_persons_word(call, ask, key, workspace):
    """The question stays until somebody makes the memory durable."""
    ask("edit", key, "--storage", "daily")
    again = [MemoryEvidence(at=f"2026-11-2{n}T10:00:00Z", by="person", conversation=f"c{n}") for n in range(4)]
    Memories(workspace).library.strengthen(key, again)
    assert ([one["id"] for one in ask("list", "--proposed")], ask("list", "--counts")["proposed"]) == ([key], 1)
    ask("edit", key, "--storage", "durable")
    assert (ask("list", "--proposed"), ask("list", "--counts")["proposed"]) == ([], 0)


def test_an_export_says_what_it_could_not_read(call, ask, key, tmp_path):
    """Nothing is left out in silence."""
    path = os.path.join(os.path.dirname(ask("list")[0]["path"]), "broken.md")
    write(path, "no frontmatter\n")
    done = call("memory", "export", str(tmp_path / "all.json"))
    assert (done.returncode, done.stdout) == (0, f"Exported 1 memory to {tmp_path / 'all.json'}\n")
    assert "shared/durable/broken.md:1: No frontmatter" in done.stderr


def test_every_change_is_in_the_audit_log_with_who_and_why(call, ask, key, workspace):
    """What the memory tells is not."""
    ask("edit", key, "--title", "CORS", "--why", "shorter")
    ask("forget", key, "--why", "wrong")
    told = [(line["kind"], line["writer"], line["why"]) for line in events(workspace)]
    assert told == [
        ("memory.added", "person", None),
        ("memory.changed", "person", "shorter"),
        ("memory.forgotten", "person", "wrong"),
    ]
    assert "proxy" not in json.dumps([line["data"].get("changed") for line in events(workspace)])


@pytest.mark.parametrize("harm", ["deleted", "damaged"])
def test_a_rebuild_makes_the_index_anew(call, ask, key, workspace, harm):
    """Without a bar where nobody looks; other commands heal it too."""
    path = database_path(workspace.shared)
    ask("list")
    if harm == "deleted":
        os.remove(path)
    else:
        with open(path, "wb") as file:
            file.write(b"no database")
    done = call("memory", "upkeep", "--rebuild")
    assert (done.returncode, done.stdout, done.stderr) == (0, "Indexed 1 memory\nNo maintenance needed\n", "")
    assert titles(ask("search", "proxy")) == ["The proxy needs CORS headers."]


def test_a_check_prints_every_mistake_with_its_line_and_its_mend(call, ask, key):
    """Exit code 1, and 0 where there is none."""
    assert call("memory", "upkeep", "--check").stdout == "Memories OK\n"
    path = ask("list")[0]["path"]
    text = read_text(path)
    write(path, text.replace("type: semantic", "type: poem"))
    done = call("memory", "upkeep", "--check")
    assert done.returncode == 1
    assert done.stdout.startswith(f"shared/durable/{os.path.basename(path)}:3: type ")
    (problem, *_) = json.loads(call("memory", "upkeep", "--check", "--json").stdout)
    assert set(problem) == {"path", "line", "what", "mend"}
    assert done.stdout.splitlines()[-1] == "1 problem"
    assert call("memory", "upkeep", "--check", "--rebuild").returncode == 2


def test_upkeep_picks_up_edits_and_does_the_maintenance(call, ask, key):
    """In one command; a second one finds nothing to do."""
    path = ask("forget", key)["path"]
    os.utime(path, (1_600_000_000, 1_600_000_000))
    planned = ask("upkeep", "--dry-run")
    assert (planned["index"], planned["applied"]) == (None, False)
    assert [one["do"] for one in planned["actions"]] == ["Purge"]
    assert os.path.exists(path)
    index, deleted = call("memory", "upkeep").stdout.splitlines()
    assert index.startswith("Index updated: ") and deleted.startswith("delete: ")
    assert not os.path.exists(path)
    assert call("memory", "upkeep").stdout.splitlines()[1] == "No maintenance needed"


def test_an_agents_upkeep_updates_the_index_only(call, ask, key):
    """What ages and deletes memories is a person's."""
    path = ask("forget", key)["path"]
    os.utime(path, (1_600_000_000, 1_600_000_000))
    done = call("memory", "upkeep", agent="dev")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1] == "Maintenance skipped: only a person may run it."
    assert os.path.exists(path)


@pytest.mark.parametrize("name", ["out.json", "out.tar"])
def test_an_export_is_taken_in_elsewhere_once(call, ask, key, tmp_path, name):
    """With the same ids; a second time everything is known."""
    target = str(tmp_path / name)
    assert ask("export", target)["entries"] == 1
    other = tmp_path / "other"
    (other / ".limpet").mkdir(parents=True)
    trusted(other)
    first = json.loads(call("memory", "import", target, "--json", cwd=str(other)).stdout)
    again = json.loads(call("memory", "import", target, "--json", cwd=str(other)).stdout)
    assert (first["added"], first["known"], again["added"], again["known"]) == ([key], 0, [], 1)


def test_an_export_overwrites_nothing(call, key, tmp_path):
    """And may write chati.dev's index beside it."""
    target = str(tmp_path / "out.json")
    assert call("memory", "export", target, "--index").returncode == 0
    assert call("memory", "export", target).returncode == 1
    assert json.loads((tmp_path / "index.json").read_text(encoding="utf-8"))["memories"][0]["id"] == key


def test_only_a_person_erases_for_good(call, key):
    """And nothing is archived and erased at once."""
    assert "Only a person can erase" in call("memory", "forget", key, "--now", agent="dev").stderr
    assert call("memory", "forget", key, "--now", "--archive").returncode == 2
    assert call("memory", "forget", key, "--now").stdout == 'Erased "The proxy needs CORS headers.".\n'
    assert call("memory", "undo", key).returncode == 1
