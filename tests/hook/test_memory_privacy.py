"""What an agent must not see, or was put away, comes in no bracket and by no command (decision 22)."""

import os

import pytest

from limpet.ground.workspace import workspace_at
from limpet.work.session import new_session, write_session

from ..hook_host import state
from ..leaks import KNOWN, know_secret, leaks
from ..memories import fill, ids, listed, remembered, short, until, wished
from ..places import private_path

WORD = "zebra"
ASKED = f"What of the {WORD} key?"
OTHER = "Translate the login page into Welsh"
WISH = {"type": "user_correction"}


@pytest.fixture
def private(memories):
    """A private entry of the architect's, wanted always, and found by WORD."""
    said = f"The {WORD} key always turns left"
    return memories.add(said, f"{said}.", owner="architect", pinned=True, **WISH)


def become(host, agent, session="s"):
    """Let the conversation be this agent's."""
    workspace = host.workspace
    write_session(workspace, {**new_session(session, "claude-code", workspace.root, 0.0), "active_agent": agent})


@pytest.mark.parametrize("agent", ["dev", "none"])
@pytest.mark.parametrize("bracket", ["FRESH", "MODERATE", "DEPLETED", "CRITICAL"])
def test_another_agents_private_memory_comes_in_no_bracket(host, private, agent, bracket):
    """At no start and for no prompt, not as a title, and into no file of the conversation's."""
    become(host, agent)
    become(host, agent, "other")
    transcript = fill(host.workspace, bracket)
    for source, session in (("startup", "s"), ("resume", "s"), ("compact", "other"), ("clear", "other")):
        start = host.send("SessionStart", source=source, session_id=session, transcript_path=transcript)
        assert WORD.encode() not in start.out
    for asked in (OTHER, ASKED):
        answer = host.prompt(asked, transcript_path=transcript)
        assert private[-8:].encode() not in answer.out and b"turns left" not in answer.out
    path = private_path(host.workspace, "continuation", "s.md")
    if bracket == "CRITICAL":
        assert until(lambda: os.path.exists(path))
        with open(path, encoding="utf-8") as file:
            assert "turns left" not in file.read()
    assert state(host.workspace).get("recalled", []) == []


@pytest.mark.parametrize("agent", ["architect", "Architect"])
def test_its_own_agent_sees_it(host, private, agent):
    """At a start, for a prompt and in a list."""
    for session in ("s", "other", "third"):
        become(host, agent, session)
    for session in ("other", "third"):
        host.send("SessionStart", source="fork", session_id=session)
    transcript = fill(host.workspace, "DEPLETED")
    assert wished(host.send("SessionStart", source="startup")) == [f"The {WORD} key always turns left"]
    assert ids(host.prompt(ASKED, session_id="other", transcript_path=transcript)) == [short(private)]
    assert listed(host.prompt(OTHER, session_id="third", transcript_path=transcript)) == [short(private)]


def test_an_agent_that_takes_over_does_not_see_what_the_other_was_told(host, private):
    """What is in the conversation's words stays there; nothing is quoted anew."""
    become(host, "architect")
    transcript = fill(host.workspace, "DEPLETED")
    host.send("SessionStart", source="fork")
    assert ids(host.prompt(ASKED, transcript_path=transcript)) == [short(private)]
    for _ in range(12):
        answer = host.prompt(f"*agent dev\n{ASKED}", transcript_path=transcript)
        assert (remembered(answer), listed(answer)) == ([], [])


@pytest.mark.parametrize("typed", [f"*recall {WORD}", "*recall", "*memories", f"*memories {WORD}", "*recall KEY"])
def test_typed_commands_show_an_agent_no_more(host, private, typed):
    """Also where the agent knows the id."""
    become(host, "dev")
    block = host.prompt(typed.replace("KEY", private)).block
    lines = block["commands"][0]["lines"]
    assert not any("turns left" in line or f"The {WORD}" in line for line in lines)
    assert private[-8:] not in ends(lines)


def test_what_was_superseded_does_not_come(host, memories):
    """What took its place does."""
    key = memories.add(f"The {WORD} key always turns left", **WISH)
    fields = {**WISH, "title": f"The {WORD} key always turns right", "confidence": 1.0}
    new = memories.library.supersede(key, fields).entry.id
    memories.tell_index()
    assert gone_everywhere(host, key) == [short(new)]


def gone_everywhere(host, key):
    """The ends of the ids that a start, a prompt and a list bring, of which this must be none; by commands neither."""
    host.send("SessionStart", source="startup")
    opened = [short(known) for known in state(host.workspace).get("recalled", [])]
    host.send("SessionStart", source="fork", session_id="other")
    transcript = fill(host.workspace, "DEPLETED")
    found = ids(host.prompt(ASKED, session_id="other", transcript_path=transcript))
    host.send("SessionStart", source="fork", session_id="fourth")
    titles = listed(host.prompt(OTHER, session_id="fourth", transcript_path=transcript))
    typed = host.prompt(f"*recall {WORD}\n*memories", session_id="third")
    lines = [line for command in typed.block["commands"] for line in command["lines"]]
    assert key[-8:] not in ends(lines) and short(key) not in [*opened, *found, *titles]
    assert opened == found == titles
    return opened


def ends(lines):
    """The end of the id with which each line begins, as far as it is one."""
    return [line.split()[0].rstrip(":")[-8:] for line in lines]


def test_a_worktree_shares_the_memories(host, memories, git_worktree):
    """And nobody makes any of its own (decision 13)."""
    key = memories.add(f"The {WORD} key", **WISH)
    start = host.send("SessionStart", source="startup", cwd=git_worktree)
    host.send("SessionStart", source="fork", cwd=git_worktree, session_id="other")
    transcript = fill(host.workspace, "DEPLETED")
    found = host.prompt(ASKED, cwd=git_worktree, session_id="other", transcript_path=transcript)
    assert (wished(start), ids(found)) == ([f"The {WORD} key"], [short(key)])
    host.prompt(f"*remember The {WORD} lives in the north", cwd=git_worktree)
    assert len(memories.entries()) == 2
    assert not os.path.exists(os.path.join(git_worktree, ".limpet", "memories"))
    assert not os.path.exists(workspace_at(git_worktree).cached("memory.db"))


def test_a_secret_of_one_worktree_is_kept_in_none(host, memories, git_worktree, run):
    """They share their memories, and each has an ``.env`` of its own."""
    know_secret(git_worktree)
    host.prompt(f"*remember The queue opens with {KNOWN}", cwd=git_worktree)
    host.prompt(f"*remember The gate opens with {KNOWN}")
    for cwd in (git_worktree, host.workspace.root):
        assert run("memory", "add", f"It opens with {KNOWN}, in {os.path.basename(cwd)}", cwd=cwd).returncode == 0
    path = memories.path(memories.entries()[0].id)
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"\nIt opens with {KNOWN}, somebody wrote by hand.\n")
    assert KNOWN not in run("memory", "search", "somebody", "--json", cwd=git_worktree).stdout
    host.prompt(f"*work task Use {KNOWN}", cwd=git_worktree)
    assert leaks(workspace_at(git_worktree)) == leaks(host.workspace) == [path]
