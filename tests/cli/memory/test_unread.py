"""Commands in a project with more new memories than they have time to read: they answer from what is read so far."""

import json

import pytest

from limpet.jobs import refresh_sources

from ...hook_host import Host, notes
from ...memories import configure, fill, ids
from ...memory.indexes import make_entry, path_of, write

NAMES = "bcd"
NO_TIME = "memory: {refresh: {command_s: 0, background_s: 0}}"
AGAIN = "the next command reads the rest. To read it now, run: limpet memory upkeep"


@pytest.fixture
def unread(workspace):
    """Three new memories, and no time: every process reads one of them."""
    configure(workspace, NO_TIME)
    for name in NAMES:
        entry = make_entry(name, f"The endpoint {name} signs the export", storage="durable")
        write(workspace.shared, path_of(name), entry)
    return workspace


def said(done):
    return done.returncode, len(json.loads(done.stdout)), done.stderr.strip()


@pytest.mark.parametrize("command", [("list",), ("search", "endpoint")])
def test_each_command_answers_from_what_is_read_and_reads_on(unread, call, command):
    answers = [said(call("memory", *command, "--json")) for _ in range(4)]
    told = [f"limpet: {count} of 3 memory files have been read; {AGAIN}" for count in (1, 2)]
    assert answers == [(0, 1, told[0]), (0, 2, told[1]), (0, 3, ""), (0, 3, "")]


def test_figures_say_what_they_lack(unread, call):
    done = call("memory", "list", "--counts", "--json")
    assert json.loads(done.stdout)["total"] == 1
    assert f"1 of 3 memory files have been read; {AGAIN}" in done.stderr


def test_an_agent_is_told_no_numbers(unread, call):
    """They would count what it may not see."""
    code, found, told = said(call("memory", "list", "--json", agent="dev"))
    assert (code, found) == (0, 1)
    assert told == f"limpet: some memory files have been read; {AGAIN}"


def test_a_memory_that_is_not_read_yet_is_not_called_missing_without_that(unread, call):
    done = call("memory", "show", make_entry("d").id)
    assert done.returncode == 1
    assert "memory files have been read" in done.stderr


def test_who_asks_for_the_whole_index_waits_for_it(unread, call):
    done = call("memory", "upkeep", "--json")
    assert json.loads(done.stdout)["index"] == {"changed": 3, "removed": 0, "total": 3, "problems": 0}
    assert said(call("memory", "list", "--json"))[1:] == (3, "")


def test_a_check_reads_everything(unread, call):
    done = call("memory", "upkeep", "--check")
    assert (done.returncode, done.stdout.strip()) == (0, "Memories OK")


def test_a_new_memory_is_saved_and_the_rest_stays_for_later(unread, call):
    """A file is read again while its stamp is too young to be trusted, as commands in one process are quick to see."""
    added = json.loads(call("memory", "add", "The endpoint is new", "--json").stdout)["id"]
    *_, last = [call("memory", "list", "--json") for _ in range(30)]
    assert added in {one["id"] for one in json.loads(last.stdout)}
    assert (len(json.loads(last.stdout)), last.stderr) == (4, "")


def test_the_background_goes_on_where_it_stopped(unread):
    done = [refresh_sources(unread, {"now": 1_800_000_000.0}) for _ in range(3)]
    assert [each["unread"] for each in done] == [2, 1, 0]


def test_a_prompt_gets_what_is_read_and_a_note(unread):
    refresh_sources(unread, {"now": 1_800_000_000.0})
    asked = {"transcript_path": fill(unread, "MODERATE")}
    answer = Host(unread).prompt("How does the endpoint sign the export?", **asked)
    assert len(ids(answer)) == 1
    assert [note for note in notes(answer) if "not all files have been read yet" in note]
    for _ in range(2):
        refresh_sources(unread, {"now": 1_800_000_000.0})
    answer = Host(unread).prompt("How does the endpoint sign the export?", **asked)
    assert [note for note in notes(answer) if "memor" in note] == []
