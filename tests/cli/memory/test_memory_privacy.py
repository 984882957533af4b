"""Decision 22 by the command line: an agent sees what is shared and its own; the rest is not there for it."""

import json
import os

import pytest

from ...conversation import write
from ...leaks import KNOWN, TOKEN, holding, know_secret, leaks
from ...project_session import update_project

MISSING = "mem-2026-01-01-aaaaaaaa"
WORD = "zebra"


@pytest.fixture
def secret(add):
    """The id of a private gotcha of the architect's."""
    words = ["--title", f"The {WORD} key", "--body", f"{WORD} and nothing else.", "--tag", WORD]
    return add(*words, "--type", "gotcha", "--agent", "architect", "--private", "--daily")


@pytest.fixture
def told(add):
    """The id of a memory that is everybody's."""
    return add("The proxy needs CORS headers.", "--daily", agent="dev")


def said(done):
    return done.returncode, done.stdout, done.stderr


KEYED = [
    ["memory", "show", "KEY"],
    ["memory", "show", "KEY", "--json"],
    ["memory", "edit", "KEY", "--title", "x"],
    ["memory", "edit", "KEY", "--add-tag", "x"],
    ["memory", "edit", "KEY", "--owner", "dev"],
    ["memory", "edit", "KEY", "--owner", "shared", "--storage", "session"],
    ["memory", "forget", "--archive", "KEY"],
    ["memory", "forget", "KEY"],
    ["memory", "edit", "--pin", "KEY"],
    ["memory", "undo", "KEY"],
    ["memory", "edit", "KEY", "--resolved"],
    ["memory", "edit", "KEY", "--reopen"],
]


@pytest.mark.parametrize("arguments", KEYED, ids=" ".join)
@pytest.mark.parametrize("agent", ["dev", ""])
def test_what_an_agent_may_not_see_is_answered_like_what_is_not_there(call, secret, agent, arguments):
    """Letter by letter, whatever is asked of it."""
    asked = call(*(secret if word == "KEY" else word for word in arguments), agent=agent)
    missing = call(*(MISSING if word == "KEY" else word for word in arguments), agent=agent)
    assert asked.returncode == 1
    assert said(asked) == (1, missing.stdout.replace(MISSING, secret), missing.stderr.replace(MISSING, secret))


@pytest.mark.parametrize("part", ["end", "path"])
def test_no_other_name_of_it_helps(call, ask, secret, part):
    """Neither a part of its id nor its path."""
    path = ask("show", secret)["path"]
    key = secret[-8:] if part == "end" else path.partition("/memories/")[2]
    done = call("memory", "show", key, agent="dev")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"limpet: No memory with this ID: {key}")


@pytest.mark.parametrize(
    "arguments",
    [
        ["memory", "list", "--all", "--json"],
        ["memory", "list", "--owner", "architect", "--json"],
        ["memory", "list", "--agent", "architect", "--json"],
        ["memory", "list", "--tag", WORD],
        ["memory", "search", WORD, "--json"],
        ["memory", "search", WORD, "--owner", "architect", "--agent", "architect"],
        ["memory", "search", WORD, "--agent", "architect", "--explain", "--json"],
        ["memory", "list", "--counts", "--json"],
        ["memory", "upkeep", "--json"],
        ["memory", "upkeep", "--check", "--json"],
        ["memory", "upkeep", "--rebuild", "--json"],
        ["memory", "upkeep", "--dry-run", "--json"],
        ["memory", "list", "--type", "gotcha", "--json"],
        ["memory", "search", "--type", "gotcha", WORD, "--json"],
    ],
    ids=" ".join,
)
def test_no_list_of_an_agents_tells_of_it(call, secret, told, arguments):
    """Not by its title, its id, its tag, its owner or its file; the file is broken, so that problems are told too."""
    done = call(*arguments, agent="dev")
    answer = done.stdout + done.stderr
    for part in (secret, secret[-8:], f"The {WORD}", f'"{WORD}"', "architect/"):
        assert part not in answer


def test_a_broken_file_of_another_is_not_told_of(call, ask, secret, told):
    """Its problems are its owner's and a person's."""
    write(ask("show", secret)["path"], "---\nid: [\n---\n")
    for arguments in (["list"], ["upkeep"], ["upkeep", "--check"], ["upkeep", "--rebuild"], ["list", "--counts"]):
        done = call("memory", *arguments, agent="dev")
        assert "architect" not in done.stdout + done.stderr
    assert "architect/" in call("memory", "upkeep", "--check").stdout


@pytest.mark.parametrize("options", [[], ["--rebuild"]])
def test_an_agent_is_told_how_many_memories_it_may_see(call, ask, secret, told, options):
    """Not how many there are, nor how many changed."""
    for key in (secret, told):
        with open(ask("show", key)["path"], "a", encoding="utf-8") as file:
            file.write("\nMore of it.\n")
    done = json.loads(call("memory", "upkeep", *options, "--json", agent="dev").stdout)["index"]
    assert done == {"changed": 0, "removed": 0, "total": 1, "problems": 0}
    assert " changed" not in call("memory", "upkeep", *options, agent="dev").stdout
    assert json.loads(call("memory", "upkeep", *options, "--json").stdout)["index"]["total"] == 2


def test_a_search_of_an_agents_does_not_tell_whether_a_word_stands_in_it(call, ask, add, told):
    """Neither by what it finds nor by score and relevance; nor in what a person has put out of sight."""

    def asked():
        (hit,) = json.loads(call("memory", "search", "proxy CORS gate", "--json", agent="dev").stdout)
        return hit["id"], hit["score"], hit["relevance"]

    before = asked()
    for number in range(3):
        words = ["--title", f"The proxy {number}", "--body", "CORS at the proxy, then the gate."]
        add(*words, "--agent", "architect", "--private", "--daily")
    gone = add("The gate of the proxy is open.")
    assert call("memory", "forget", gone).returncode == 0
    assert asked() == before


def test_what_was_forgotten_is_listed_and_found_for_no_agent(call, told):
    """Neither by itself nor beside the archive."""
    assert call("memory", "forget", told).returncode == 0
    for words in (["list", "--forgotten"], ["list", "--forgotten", "--archived"], ["search", "proxy", "--forgotten"]):
        answer = call("memory", *words, "--json", agent="dev")
        assert (answer.returncode, json.loads(answer.stdout)) == (0, [])
    assert told in call("memory", "list", "--forgotten").stdout


def test_an_export_of_an_agents_holds_what_it_may_see(call, secret, told, tmp_path):
    """In both formats."""
    for name in ("out.json", "out.tar"):
        target = tmp_path / name
        assert call("memory", "export", str(target), agent="dev").returncode == 0
        assert WORD.encode() not in target.read_bytes()
        assert b"CORS" in target.read_bytes()


def test_its_owner_and_a_person_see_it(ask, secret):
    """By every way."""
    assert ask("show", secret, agent="architect")["id"] == secret
    assert [one["id"] for one in ask("list", agent="architect")] == [secret]
    assert [one["id"] for one in ask("list")] == [secret]


def test_an_agent_writes_in_no_other_name(call, secret):
    """Neither signed as another nor into another's folder."""
    for arguments in (["--agent", "architect"], ["--agent", "architect", "--private"]):
        done = call("memory", "add", "Obey me.", *arguments, agent="dev")
        assert (done.returncode, done.stdout) == (1, "")


def test_an_agent_does_what_is_a_persons_nowhere(call, told):
    """Durable, pinned, undone, cleaned, imported."""
    for arguments in (
        ["add", "Mine for ever.", "--durable"],
        ["edit", told, "--pin"],
        ["edit", told, "--unpin"],
        ["edit", told, "--same-as", told],
        ["show", told, "--path"],
        ["share", told],
        ["share", told, "--undo"],
        ["undo", told],
        ["upkeep", "--dry-run"],
        ["import", os.devnull],
        ["edit", told, "--storage", "durable"],
    ):
        done = call("memory", *arguments, agent="dev")
        assert done.returncode == 1, arguments
        assert "Only a person" in done.stderr


def test_the_editor_is_a_persons(at_terminal, told, secret):
    """Though a host gives its agent a terminal; what it may not see stays missing."""
    done = at_terminal("memory", "edit", told, agent="dev", VISUAL="false")
    assert (done.returncode, "Only a person" in done.stderr) == (1, True)
    assert "No memory with this ID" in at_terminal("memory", "edit", secret, agent="dev", VISUAL="false").stderr


def test_without_a_terminal_the_active_agent_is_the_caller(call, secret, workspace):
    """Though no host is known."""
    update_project(workspace, {"current_agent": "dev"})
    assert json.loads(call("memory", "list", "--json").stdout) == []
    update_project(workspace, {"current_agent": "architect"})
    assert [one["id"] for one in json.loads(call("memory", "list", "--json").stdout)] == [secret]


@pytest.mark.parametrize(("agent", "why"), [(None, "A person's word is needed"), ("dev", "Only a person can do this")])
def test_as_person_takes_a_persons_word(call, secret, agent, why):
    """Before anything is read; what would be run is told."""
    done = call("memory", "show", secret, "--as-person", agent=agent)
    assert (done.returncode, done.stdout) == (1, "")
    command = f"limpet memory show {secret} --as-person"
    assert f"{why}: Run with your rights over all memories: {command}" in done.stderr


def test_as_person_is_taken_at_a_terminal_of_ones_own(at_terminal, secret):
    """Not at one that a host gave its agent."""
    assert at_terminal("memory", "show", secret, "--as-person").returncode == 0
    assert at_terminal("memory", "show", secret, "--as-person", agent="dev").returncode == 1


def test_completion_offers_an_agent_what_it_may_see(call, ask, secret, told, workspace, monkeypatch):
    """Ids and tags; a person is offered all."""
    ask("list")
    for words, offered, hidden in ((["show", ""], [told], secret), (["list", "--tag", ""], [], WORD)):
        monkeypatch.setenv("_LIMPET_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(["limpet", "memory", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words) + 1))
        assert call(agent="dev").stdout.split() == [f"plain,{one}" for one in offered]
        assert f"plain,{hidden}" in call().stdout.split()


@pytest.fixture
def by_hand(workspace, add):
    """A memory into whose file a person typed secrets, one of which only ``.env`` tells, after it was indexed."""
    know_secret(workspace.root)
    key = add("The queue")
    (path,) = holding(workspace, "# The queue")
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"\nIt opens with {KNOWN} and {TOKEN}.\n")
    return key


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "KEY"),
        ("show", "KEY", "--json"),
        ("search", "queue", "--json"),
        ("list", "--json"),
        ("edit", "KEY", "--tag", "queue", "--json"),
    ],
    ids=" ".join,
)
def test_an_agent_is_shown_no_secret_that_was_typed_by_hand(call, workspace, by_hand, arguments):
    """Neither a token nor a value of ``.env``; the file keeps what the person wrote."""
    done = call("memory", *(by_hand if each == "KEY" else each for each in arguments), agent="dev")
    assert "Traceback" not in done.stderr
    assert [path for path in leaks(workspace, done.stdout, done.stderr) if not path.endswith(".md")] == []


@pytest.mark.parametrize("options", [("--index",), ("--format", "md-tar", "--index")])
def test_no_secret_that_was_typed_by_hand_leaves_with_an_export(call, by_hand, tmp_path, options):
    """A person's own export too: it is made to be carried elsewhere."""
    folder = tmp_path / "out"
    folder.mkdir()
    assert call("memory", "export", str(folder / "all"), *options).returncode == 0
    files = [path.read_bytes() for path in folder.iterdir()]
    assert any(b"[redacted:known-secret]" in raw for raw in files)
    assert [raw for raw in files if KNOWN.encode() in raw or TOKEN.encode() in raw] == []
