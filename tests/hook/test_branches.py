"""A person goes back in the conversation: what came with a branch that they left counts as not sent, and what was said
there as not said."""

import pytest

from limpet.operations.memory.conversations.withdrawal import list_withdrawn

from ..memories import ids, listed, short, wished
from ..trees import Tree

FACT = "The quokka cache is emptied every night at three."
ASKED = "why is the quokka cache empty?"
WISH = "Run the tests before every commit"
SAID = "No, use tabs, not spaces."


@pytest.fixture
def tree(host):
    return Tree(host.workspace.root)


@pytest.fixture
def say(host, tree):
    """The person types: the answer to the event, for which the transcript has no line yet; then line and answer."""

    def prompt(text, fields=None):
        answer = host.prompt(text, transcript_path=tree.path)
        return answer, *tree.turn(text, **(fields or {}))

    host.send("SessionStart", source="startup", transcript_path=tree.path)
    return prompt


def commit(host, tree):
    """The decision on a commit, "" for none."""
    given = {"tool_name": "Bash", "tool_input": {"command": "git commit -m x"}, "tool_use_id": f"t{next(host.numbers)}"}
    found = host.send("PreToolUse", transcript_path=tree.path, **given)
    return "deny" if b'"deny"' in found.out else ""


def test_what_came_with_a_prompt_comes_again_once_that_was_left(host, memories, tree, say):
    """With the event after the next line: while there is none, nobody can know."""
    key = short(memories.add(FACT))
    _, _, before = say("hello there")
    assert ids(say(ASKED)[0]) == [key]
    tree.back(before)
    assert ids(say("now list the files, please")[0]) == []
    assert ids(say(ASKED)[0]) == [key]
    assert ids(say(ASKED)[0]) == []


def test_what_goes_straight_on_is_sent_once(host, memories, tree, say):
    """However a turn's lines hang on one another."""
    key = short(memories.add(FACT))
    assert ids(say(ASKED)[0]) == [key]
    for number in range(3):
        host.prompt(f"step {number} of the plan", transcript_path=tree.path)
        tree.user(f"step {number} of the plan")
        for _ in range(3):
            tree.tool("ls " + "x" * 30_000)
        tree.model("Done.")
    assert ids(say(ASKED)[0]) == []


def test_back_before_the_first_prompt_all_is_sent_again(host, memories, tree):
    """What opened the conversation too, where that hung on the prompt."""
    memories.add(WISH, type="user_correction")
    fact = short(memories.add(FACT))
    start = host.send("SessionStart", source="startup", transcript_path=tree.path)
    assert wished(start) == [WISH]
    first = host.prompt("Translate the login page into Welsh", transcript_path=tree.path)
    assert listed(first) == [fact]
    tree.turn("Translate the login page into Welsh")
    tree.back(None)
    host.prompt("hm", transcript_path=tree.path)
    tree.turn("hm")
    again = host.prompt("Translate the login page into Welsh", transcript_path=tree.path)
    assert (wished(again), listed(again)) == ([WISH], [fact])
    assert "constitution" in again.text


def test_a_branch_that_begins_with_a_command_of_the_client_is_seen(host, memories, tree, say):
    """Its lines come before the prompt's event."""
    key = short(memories.add(FACT))
    _, _, before = say("hello there")
    assert ids(say(ASKED)[0]) == [key]
    tree.back(before)
    tree.user("<command-name>/model</command-name>")
    tree.user("<local-command-stdout>Set model</local-command-stdout>")
    say("now list the files, please")
    assert ids(say(ASKED)[0]) == [key]


def test_a_deed_is_refused_again_once_its_refusal_was_left(host, memories, tree, say):
    """Within the very turn that leaves it."""
    memories.add(WISH, type="user_correction")
    _, _, before = say("hello there")
    say("change it and commit")
    assert [commit(host, tree), commit(host, tree)] == ["deny", ""]
    tree.back(before)
    host.prompt("another way: commit", transcript_path=tree.path)
    tree.user("another way: commit")
    assert [commit(host, tree), commit(host, tree)] == ["deny", ""]


def test_only_what_came_after_the_branching_is_taken_back(host, memories, tree, say):
    kept, lost = short(memories.add(FACT)), short(memories.add("The wombat queue is drained by the second worker."))
    _, _, before = say(ASKED)
    assert ids(say("why is the wombat queue drained?")[0]) == [lost]
    tree.back(before)
    say("now list the files, please")
    assert ids(say("why are quokka cache and wombat queue empty, drained?")[0]) == [lost] != [kept]


def test_what_was_said_on_a_branch_that_was_left_is_withdrawn(host, memories, tree, say):
    """A candidate, and a memory that nothing else bears out; what was said elsewhere too stays. Review tells it."""
    _, _, before = say("hello there")
    _, line, _ = say(SAID)
    evidence = {"at": "2026-11-28T10:00:00Z", "how": "said", "by": "person", "conversation": "s", "message": line}
    other = {**evidence, "conversation": "o", "message": "o1"}
    _, stays = (
        memories.add(title, type="user_correction", session="s", source="agent", evidence=given)
        for title, given in (("Use tabs", (evidence,)), ("Use tabs everywhere", (evidence, other)))
    )
    capture(host, tree)
    (kept,) = memories.entries(tag="unreviewed")  # with the sentence that the agent wrote of it
    assert kept.title == "Use tabs" and SAID in kept.body
    tree.back(before)
    say("Let's use Postgres for the job queue.")
    capture(host, tree)
    memories.tell_index()
    assert [one.title for one in memories.entries(tag="unreviewed")] == ["Let's use Postgres for the job queue"]
    assert {one.id for one in memories.entries(digests=False) if one.source == "agent"} == {stays}
    assert list_withdrawn(host.workspace) == ["Use tabs"]


def capture(host, tree):
    answer = host.send("PreCompact", trigger="auto", transcript_path=tree.path)
    assert (answer.code, answer.err) == (0, b"")
