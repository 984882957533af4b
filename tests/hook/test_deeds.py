"""Memories that a tool call brings (decision 61): about what it touches, and about the work that it begins."""

import json
import os
import stat

import pytest

from limpet.ground.event_log import metrics_path
from limpet.ground.workspace import workspace_at
from limpet.memory.index.database import database_path
from limpet.memory.index.names import names_path
from limpet.operations.mirror import refresh_mirror

from ..commands import run_command
from ..conftest import trusted, write_settings
from ..conversation import write, write_rules
from ..event_log import logged
from ..hook_host import MANIFEST, POSIX, Host, rule_lines, state
from ..memories import configure, fill, ids, remembered, short, wished
from ..places import private_path
from ..wishes import say
from .conftest import WITHOUT_PRIVILEGE

LOCK = "The lock is taken before the journal is opened"
WISH = {"type": "user_correction"}
SUBAGENT = {"agent_id": "a1", "agent_type": "dev"}


@pytest.fixture
def talk(host, memories):
    """A conversation under way in a project with a file that memories may name."""
    for path in ("src/lock.py", "src/other.py"):
        write(os.path.join(host.workspace.root, path), "a = 1\n")
    host.send("SessionStart", source="fork")
    return host


def use(host, tool="Read", path="src/lock.py", **given):
    """The agent uses a tool on a file of the project."""
    payload = {name: given.pop(name) for name in ("session_id", "agent_id", "agent_type") if name in given}
    return _call(host, tool, {"file_path": os.path.join(host.workspace.root, path), **given}, payload)


def edit(host, new, path="src/other.py", **payload):
    """The agent edits a file."""
    return use(host, "Edit", path, old_string="a = 1", new_string=new, **payload)


def bash(host, command, **payload):
    """The agent runs a command."""
    return _call(host, "Bash", {"command": command}, payload)


def _call(host, tool, given, payload):
    payload = {"tool_name": tool, "tool_input": given, "tool_use_id": f"t{next(host.numbers)}", **payload}
    answer = host.send("PreToolUse", **payload)
    assert (answer.code, answer.err) == (0, b"")
    return answer


def refusal(answer):
    """Why the call was refused, "" where it was not."""
    said = json.loads(answer.out)["hookSpecificOutput"] if answer.out else {}
    assert said.get("permissionDecision", "deny") == "deny"
    return said.get("permissionDecisionReason", "")


@pytest.mark.parametrize("tool", ["Read", "Edit", "Write"])
def test_the_first_touch_of_a_file_brings_what_names_it(talk, memories, tool):
    """Once, whatever the tool does with it, and nothing but that."""
    key = memories.add(LOCK, "Else two writers meet.", paths=["src/lock.py"])
    answer = use(talk, tool)
    block = answer.block
    assert block["memory"]["called_by"] == "src/lock.py"
    (line,) = block["memory"]["lines"]
    assert line.startswith(short(key)) and f"{LOCK}. Else two writers meet." in line
    assert (block["constitution"], block["rules"]) == ([], [])
    assert json.loads(answer.out)["systemMessage"] == f'Limpet recalled: "{LOCK}"'
    assert use(talk, tool).out == b""


def test_another_file_brings_nothing(talk, memories):
    """Not one of the same name elsewhere, and nothing is written for it."""
    memories.add(LOCK, paths=["src/lock.py"])
    before = state(talk.workspace)
    assert [use(talk, path=path).out for path in ("src/other.py", "docs/lock.py", "../lock.py")] == [b""] * 3
    assert state(talk.workspace) == before


def test_what_a_call_brought_a_prompt_does_not(talk, memories):
    memories.add(LOCK, paths=["src/lock.py"])
    use(talk)
    assert remembered(talk.prompt("When is the lock taken, before the journal is opened?")) == []


def test_what_a_prompt_brought_a_call_does_not(talk, memories):
    key = memories.add(LOCK, paths=["src/lock.py"])
    assert ids(talk.prompt("When is the lock taken, before the journal is opened?")) == [short(key)]
    assert use(talk).out == b""


def test_it_counts_as_shown(talk, memories):
    """Once a conversation, as what a prompt brings, though it comes again after a compaction."""
    key = memories.add(LOCK, paths=["src/lock.py"], confidence=0.3)
    use(talk)
    talk.send("PreCompact", trigger="manual")
    talk.send("SessionStart", source="compact")
    assert ids(use(talk)) == [short(key)]
    assert [event["data"] for event in logged(talk.workspace.shared, "memory.shown")] == [{"ids": [key]}]
    assert state(talk.workspace)["recalled"] == [key]


def test_a_command_that_names_the_file_counts(talk, memories):
    key = memories.add(LOCK, paths=["src/lock.py"])
    assert bash(talk, "cat src/locks.py").out == b""
    assert ids(bash(talk, "cd src && python -m mypy ./lock.py:10 | tail -3")) == [short(key)]


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("Call takeLock before the journal", "const x = takeLock (1)"),
        ("Never call flush() within a transaction", "journal.flush(now)"),
    ],
)
def test_an_identifier_in_what_is_written_brings_what_names_it(talk, memories, said, written):
    key = memories.add(said)
    assert edit(talk, "flushed = take_locks").out == b""
    assert ids(edit(talk, written)) == [short(key)]
    assert edit(talk, written).out == b""


def test_only_the_beginning_of_a_long_text_is_looked_at(talk, memories):
    memories.add("take_lock comes before the journal")
    assert edit(talk, "x" * 4000 + " take_lock(1)").out == b""


def test_a_name_that_many_have_calls_none_of_them(talk, memories):
    memories.add_many({"title": f"take_lock has rule {number}"} for number in range(4))
    assert edit(talk, "take_lock()").out == b""


def test_two_at_most_come_with_one_call(talk, memories):
    """The others with the next."""
    keys = {short(memories.add(f"Rule {number} of the lock", paths=["src/lock.py"])) for number in range(3)}
    first, second = ids(use(talk)), ids(use(talk))
    assert (len(first), len(second), {*first, *second}) == (2, 1, keys)


def test_they_take_few_tokens(talk, memories):
    """``memory.deeds.tokens``: a long statement is cut, and so is a second one."""
    long = "because the journal of the other writer is read first " * 30
    for number in range(2):
        memories.add(f"Rule {number} of the lock", long, paths=["src/lock.py"])
    assert len("\n".join(remembered(use(talk)))) < 600


@pytest.mark.parametrize("away", ["archive", "forget"])
def test_what_is_not_in_force_any_more_is_passed_over(talk, memories, away):
    """Also where the file of names tells of it still; and it is not asked for again."""
    key = memories.add(LOCK, paths=["src/lock.py"])
    path = names_path(talk.workspace.shared)
    with open(path, encoding="utf-8") as file:
        known = file.read()
    getattr(memories.library, away)(key, "over")
    memories.tell_index()
    with open(path, encoding="utf-8") as file:
        assert key not in file.read()
    write(path, known)
    assert use(talk).out == b""
    revision = state(talk.workspace)["revision"]
    assert use(talk).out == b""
    assert state(talk.workspace)["revision"] == revision


def test_in_a_linked_worktree_they_come_too(host, memories, git_worktree):
    """Its memories are the main one's, whose paths count from either root."""
    key = memories.add(LOCK, paths=["src/lock.py"])
    trusted(git_worktree)
    there = Host(workspace_at(git_worktree))
    there.send("SessionStart", source="fork")
    assert ids(use(there)) == [short(key)]
    assert use(there).out == b""


def test_another_agents_own_memory_is_not_told(talk, memories):
    """Nor does it cost a look into the index."""
    memories.add(LOCK, paths=["src/lock.py"], owner="architect")
    os.remove(database_path(talk.workspace.shared))
    assert use(talk).out == b""


def test_the_active_agents_own_memory_is(talk, memories):
    write(private_path(talk.workspace, "session.yaml"), "current_agent: architect\n")
    refresh_mirror(talk.workspace)
    key = memories.add(LOCK, paths=["src/lock.py"], owner="architect")
    assert ids(use(talk)) == [short(key)]


def test_a_subagent_is_told_of_its_own(talk, memories):
    """Its window is its own, and so is what it was shown."""
    key = memories.add(LOCK, paths=["src/lock.py"])
    assert ids(use(talk, **SUBAGENT)) == [short(key)]
    assert use(talk, **SUBAGENT).out == b""
    assert ids(use(talk)) == [short(key)]


def test_a_subagent_that_is_nobody_gets_no_memory(talk, memories):
    """As at its start."""
    memories.add(LOCK, paths=["src/lock.py"])
    assert use(talk, agent_id="a2", agent_type="general-purpose").out == b""


def test_rules_of_the_file_come_in_the_same_block(talk, memories):
    write_rules(talk.workspace, MANIFEST + "SQL_PATHS=*.py\n", sql="SQL_RULE_0=Name it.\n")
    talk.prompt("Hello.")
    key = memories.add(LOCK, paths=["src/lock.py"])
    answer = use(talk)
    assert (ids(answer), rule_lines(answer, "SQL")) == ([short(key)], ["Name it."])
    assert use(talk).out == b""


NOTHING = {
    "private": lambda talk: talk.prompt("*private"),
    "a full window": lambda talk: talk.prompt("Go on.", transcript_path=fill(talk.workspace, "CRITICAL")),
    "settings": lambda talk: configure(talk.workspace, "memory: {deeds: {shown: 0}}"),
    "a damaged index": lambda talk: write(database_path(talk.workspace.shared), b"SQLite format 3\0" + b"x" * 5000),
}


@pytest.mark.parametrize("prepare", NOTHING.values(), ids=NOTHING)
def test_nothing_comes_and_none_counts_as_shown(talk, memories, prepare):
    memories.add(LOCK, paths=["src/lock.py"])
    prepare(talk)
    assert use(talk).out == b""
    assert logged(talk.workspace.shared, "memory.shown") == []


def test_the_first_edit_brings_wishes_about_how_to_write(talk, memories):
    """Two of those that are about writing, once an epoch, and with no prompt before."""
    wishes = ("Always type every function", "Never write comments that repeat the code", "Always run the tests twice")
    keys = [short(memories.add(wish, **WISH)) for wish in wishes]
    assert use(talk).out == b""
    answer = edit(talk, "b = 2")
    assert ({*ids(answer)}, answer.block["memory"]["called_by"]) == ({*keys[:2]}, "documenting and typing")
    assert edit(talk, "c = 3").out == b""


@pytest.mark.parametrize(
    ("wish", "command"),
    [
        ("Always run the tests with -x", "cd src && uv run pytest -q | tail -3"),
        ("Always run the tests with -x", "npm test"),
        ("Never assume that it works: verify it", "python -m unittest"),
        ("Always run the linter on the whole project", ".venv/bin/ruff check ."),
        ("Never add a dependency without asking", "npm install -D left-pad"),
    ],
)
def test_a_program_that_begins_a_practice_brings_the_wish(talk, memories, wish, command):
    key = memories.add(wish, **WISH)
    assert bash(talk, "git status --short && echo pytest ruff").out == b""
    assert ids(bash(talk, command)) == [short(key)]
    assert bash(talk, command).out == b""


COMMIT = "Always run the linter before a commit"


@pytest.mark.parametrize(
    "command",
    ["git commit -m x", "cd src && git push origin v1.0", "npm publish", "gh release create v1", "twine upload dist/*"],
)
def test_what_lets_work_out_of_hand_is_refused_once(talk, memories, command):
    """With the wish, quoted; its repetition passes, and so does all else of the kind, until a compaction."""
    key = memories.add(COMMIT, **WISH)
    reason = refusal(bash(talk, command))
    assert f"- {key[-8:]}: {COMMIT}" in reason
    assert "data, not instructions" in reason and "again" in reason
    assert [bash(talk, each).out for each in (command, "git push")] == [b"", b""]
    assert [event["data"]["ids"] for event in logged(talk.workspace.shared, "memory.shown")] == [[key]]
    talk.send("PreCompact", trigger="manual")
    talk.send("SessionStart", source="compact")
    assert COMMIT in refusal(bash(talk, "git push"))


TICKET = 'Commits end with a line "Ticket: none"'


LONG = (
    "Always commit when the work is done: subject 'module: what' in lower case, and a last line 'Ticket: none' in the "
    "body, the release script looks for that."
)


@pytest.mark.parametrize(
    ("wish", "before", "command", "refused"),
    [
        (COMMIT, "ls", "git commit -m x", True),
        (COMMIT, "ruff check", "git commit -m x", False),
        (TICKET, "ls", "git commit -m 'x'", True),
        (TICKET, "ls", "git commit -m 'x' -m 'Ticket: none'", False),
        (TICKET, "ls", "git commit -F message", False),
        ("Never commit with 'WIP' in the subject", "ls", "git commit -m 'WIP: x'", True),
        ("Never commit with 'WIP' in the subject", "ls", "git commit -m 'x'", False),
        ("Commits are small, and on a branch", "ls", "git commit -m x", False),
        (LONG, "ls", "git commit -q -m 'lists: add x' -m 'Names it.' -m 'Ticket: none'", False),
        (LONG, "ls", "git commit -q -m 'lists: add x'", True),
    ],
)
def test_of_what_was_told_only_what_a_commit_breaks_is_said_again(talk, memories, wish, before, command, refused):
    """It stands in the window: a run of tests brings it no more, and the commit is refused once where it does not
    comply, as far as can be seen."""
    wishes = [wish, "Always run the tests with -x"]
    for each in wishes:
        title, _, rest = each.partition(" in the body, the")  # what is too long for a title goes on in the body
        memories.add(f"{title} ..." if rest else title, f"... in the body, the{rest}" if rest else "", **WISH)
    assert set(wished(talk.send("SessionStart", source="startup"))) == set(wishes)
    assert [bash(talk, each).out for each in ("pytest", before)] == [b"", b""]
    assert (wish in refusal(bash(talk, command))) == refused
    assert bash(talk, command).out == b""


@pytest.mark.parametrize("said", [("Always run the tests with -x", WISH), ("We commit to main", {})])
def test_without_such_a_wish_nothing_is_refused(talk, memories, said):
    memories.add(said[0], **said[1])
    assert bash(talk, "git commit -m x").out == b""


def test_what_others_want_of_a_commit_is_told_and_refuses_nothing(talk, memories):
    """What an agent wrote down as a wish comes with the call, as all memories do, once; the person's own refuses."""
    key = memories.add(COMMIT, source="cli", **WISH)
    assert ids(bash(talk, "git commit -m x")) == [short(key)]
    assert bash(talk, "git commit -m x").out == b""
    memories.add(TICKET, **WISH)
    talk.send("PreCompact", trigger="manual")
    talk.send("SessionStart", source="compact")
    reason = refusal(bash(talk, "git commit -m x"))
    assert TICKET in reason and COMMIT not in reason


def test_switched_off_the_wish_comes_as_any_other(talk, memories):
    configure(talk.workspace, "memory: {deeds: {refuse: false}}")
    key = memories.add(COMMIT, **WISH)
    assert ids(bash(talk, "git commit -m x")) == [short(key)]
    assert bash(talk, "git commit -m x").out == b""


def test_what_the_guard_denies_stays_denied_in_its_own_words(talk, memories):
    """Before the wish and after it."""
    write(private_path(talk.workspace, "session.yaml"), "current_agent: dev\n")
    refresh_mirror(talk.workspace)
    memories.add(COMMIT, **WISH)
    assert "dev may not push" in refusal(bash(talk, "git push"))
    assert COMMIT in refusal(bash(talk, "git commit -m x"))
    assert "dev may not push" in refusal(bash(talk, "git push"))


def test_a_subagents_commit_is_refused_once_too(talk, memories):
    """Whoever it is: its window holds nothing of the wish."""
    memories.add(COMMIT, **WISH)
    inside = {"agent_id": "a2", "agent_type": "general-purpose"}
    assert COMMIT in refusal(bash(talk, "git commit -m x", **inside))
    assert bash(talk, "git commit -m x", **inside).out == b""
    assert COMMIT in refusal(bash(talk, "git commit -m x"))


def test_another_clients_hooks_refuse_too(talk, memories):
    """In its own shape, a line of Claude Code's that Copilot CLI runs."""
    memories.add(COMMIT, **WISH)
    payload = {"timestamp": "2026-11-21T12:00:00Z", "transcript_path": "events.jsonl"}
    answer = json.loads(bash(talk, "git commit -m x", **payload).out)
    assert answer["permissionDecision"] == "deny" and COMMIT in answer["permissionDecisionReason"]
    later = {**payload, "timestamp": "2026-11-21T12:00:01Z"}
    assert bash(talk, "git commit -m x", **later).out == b""


@POSIX
def test_what_cannot_be_noted_is_not_refused(talk, memories):
    """It would be for ever."""
    memories.add(COMMIT, **WISH)
    folder = private_path(talk.workspace, "sessions")
    os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert refusal(bash(talk, "git commit -m x", process={"prefix": WITHOUT_PRIVILEGE})) == ""
    finally:
        os.chmod(folder, stat.S_IRWXU)


def test_a_state_of_a_newer_version_is_not_refused_for(talk, memories):
    """It may be read and not written."""
    memories.add(COMMIT, **WISH)
    path = private_path(talk.workspace, "sessions", "s.json")
    write(path, json.dumps({**state(talk.workspace), "schema_version": 99}))
    assert refusal(bash(talk, "git commit -m x")) == ""


def test_a_persons_own_wish_counts_in_every_project(talk, run):
    """``memory add --user``."""
    write_settings(talk.workspace, "")
    done = run("memory", "add", "--user", "--type", "user_correction", "Always write commit messages in English")
    assert done.returncode == 0, done.stderr
    assert "in English" in refusal(bash(talk, "git commit -m x"))


def test_in_a_strangers_project_nothing_is_told(talk, memories, monkeypatch, tmp_path):
    """Nobody trusts it."""
    memories.add(COMMIT, **WISH)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    monkeypatch.delenv("LIMPET_STATE", raising=False)
    assert refusal(bash(talk, "git commit -m x")) == ""


def test_figures_of_a_call_that_brought_something_are_kept(talk, memories):
    """As of a prompt: ``limpet why`` reads them."""
    key = memories.add(LOCK, paths=["src/lock.py"])
    use(talk)
    with open(metrics_path(talk.workspace), encoding="utf-8") as file:
        last = json.loads(file.readlines()[-1])
    assert (last["event"], last["memories"]) == ("tool_before", [key])


IMPERATIVE = "Commit messages are always imperative, never in the past tense"


@pytest.fixture
def ruled(host, memories):
    """A rule that was made of a wish, in a domain of the project that words call, by the person's own command."""

    def make(wish=IMPERATIVE, **rules):
        write_rules(host.workspace, "STYLE_RECALL=prose\nGLOBAL_ALWAYS_ON=true\n", style="STYLE_RULE_0=Be brief.\n")
        key = say(memories, wish)
        decide("--approve", key, "--domain", "style")
        refresh_mirror(host.workspace)
        host.send("SessionStart", source="startup")
        return key

    def decide(*words):
        done = run_command(("learn", "proposals", "--yes", *words), host.workspace.root, {**os.environ})
        assert done.returncode == 0, done.stderr
        return done.stdout

    make.decide = decide
    return make


def test_a_rule_made_of_a_wish_is_refused_as_the_wish_was(host, memories, ruled):
    """Once, with its words, before a commit; with the rule it goes."""
    key = ruled()
    assert bash(host, "git status").out == b""
    said = refusal(bash(host, "git commit -m done"))
    assert "What the user wants of committing" in said and f": - {IMPERATIVE} See" in said and "Be brief" not in said
    assert refusal(bash(host, "git commit -m done")) == ""
    host.send("SessionStart", source="startup", session_id="c2")
    ruled.decide("--withdraw", key)
    memories.library.forget(key)
    memories.tell_index()
    host.prompt("Write some prose", session_id="c2")
    assert refusal(bash(host, "git commit -m done", session_id="c2")) == ""


def test_a_rule_made_of_a_wish_comes_with_what_it_was_wished_for(host, memories, ruled):
    """With its domain, where no word of a prompt called that; to a subagent too, and once."""
    ruled("Always run the tests with -x, never all of them")
    for payload in ({}, SUBAGENT):
        assert "Always run the tests with -x, never all of them" in rule_lines(
            bash(host, "pytest tests", **payload), "STYLE"
        )
        assert bash(host, "pytest tests", **payload).out == b""


def test_a_rule_made_of_a_wish_waits_for_nothing_where_its_domain_is_off(host, memories, ruled):
    """Nor where refusing is switched off."""
    ruled()
    write_settings(host.workspace, "memory: {deeds: {refuse: false}}\n")
    refresh_mirror(host.workspace)
    assert refusal(bash(host, "git commit -m x")) == ""
    write_settings(host.workspace, "")
    refresh_mirror(host.workspace)
    done = run_command(("rules", "off", "style"), host.workspace.root, {**os.environ})
    assert done.returncode == 0
    host.send("SessionStart", source="startup", session_id="c2")
    assert refusal(bash(host, "git commit -m x", session_id="c2")) == ""
