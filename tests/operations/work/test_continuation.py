"""A conversation's continuation, made from its transcript, the project's files and its memories."""

import json
import os

import pytest

from limpet.ground.storage.files import read_text
from limpet.ground.text.tokens import estimate_tokens
from limpet.operations.memory.conversations.conversation import Conversation
from limpet.operations.work.continuation import keep_continuation
from limpet.work.continuation_store import read_continuation
from limpet.work.session import new_session, write_session

from ...conversation import write
from ...memories import Memories
from ...places import private_path

NOW = 1_795_262_400.0
STORY = """---
id: S-12
title: Add the export
executor: agent
acceptance: ["[ ] CSV opens in Excel", "[x] Dates are ISO"]
---

## Tasks

- [x] Write the model
- [ ] Build the endpoint
- [ ] Document it
"""
PROJECT = """
project: {name: shop}
current_agent: dev
workflow: greenfield
mode: build
task: {id: S-12, title: Add the export}
agents: {greenfield-wu: {status: completed, score: 100}, dev: {status: in_progress}}
last_handoff: .limpet/handoffs/architect.md
"""

WHOLE = 'limpet work story done --shown "1: EVIDENCE" --tasks'


class Talk:
    """A transcript of Claude Code's, line by line."""

    def __init__(self, workspace):
        self.workspace, self.path, self.lines = workspace, os.path.join(workspace.root, "t.jsonl"), []

    def log(self, **record):
        number = len(self.lines)
        told = {"uuid": f"u{number}", "timestamp": f"2026-11-21T10:{number % 60:02d}:00Z", **record}
        self.lines.append(json.dumps(told))
        return self

    def user(self, text):
        return self.log(type="user", message={"role": "user", "content": text})

    def model(self, text):
        return self.log(type="assistant", message={"role": "assistant", "model": "m", "content": _text(text)})

    def tool(self, name, failed=False, **given):
        key = f"t{len(self.lines)}"
        call = {"type": "tool_use", "id": key, "name": name, "input": given}
        self.log(type="assistant", message={"role": "assistant", "model": "m", "content": [call]})
        result = {"type": "tool_result", "tool_use_id": key, "content": "out", "is_error": failed}
        return self.log(type="user", message={"role": "user", "content": [result]})

    def edit(self, path):
        return self.tool("Edit", file_path=os.path.join(self.workspace.root, path))

    def bound(self):
        return self.log(type="system", subtype="compact_boundary")

    def told(self, typed="", **given):
        """What a continuation is made from, once the transcript is written."""
        write(self.path, "".join(line + "\n" for line in self.lines))
        usual = {"session": "abc", "now": NOW, "host": "claude-code", "transcript": self.path, "agent": "dev"}
        return {"conversation": Conversation(**{**usual, **given}), "typed": typed}


def _text(text):
    return [{"type": "text", "text": text}]


@pytest.fixture
def talk(workspace):
    """A project in the middle of a story, and a conversation in which it was worked on."""
    write(private_path(workspace, "session.yaml"), PROJECT)
    write(workspace.path("stories", "S-12", "story.md"), STORY)
    talk = Talk(workspace).user("Please add the CSV export to the orders page.").edit("src/model.py")
    talk.tool("Bash", failed=True, command="pytest -q tests/export").tool("Bash", command="pytest -q tests/export")
    talk.tool("Bash", failed=True, command="ruff check .").user("Let's go with PostgreSQL for the job queue.")
    return talk.edit("src/endpoint.py").model("Done so far. Should the export stream, or build the file first?")


def test_it_tells_where_the_work_stands(workspace, talk):
    """Project, agent, pipeline, task, what is done and next; of a story in hand the command that ends it."""
    keep_continuation(workspace, **talk.told())
    found = read_continuation(workspace, "abc")
    assert (found.project, found.mode, found.agent, found.workflow) == ("shop", "build", "dev", "greenfield")
    assert found.pipeline.startswith("WU(100%") and "Dev(in_progress)" in found.pipeline
    assert (found.task, found.story, found.executor) == ("Add the export", "S-12", "agent")
    assert found.progress == "task 2 of 3: Build the endpoint"
    assert (found.done, found.left) == (("Write the model",), ("Build the endpoint", "Document it"))
    assert (found.acceptance, found.end) == (("CSV opens in Excel",), "")
    assert "handoff: .limpet/handoffs/architect.md" in found.pointers
    assert (found.at, found.session, found.host) == ("2026-11-21T12:00:00Z", "abc", "claude-code")
    write(workspace.path("stories", "S-12", "story.md"), STORY.replace("executor:", "status: in_progress\nexecutor:"))
    keep_continuation(workspace, **talk.told())
    found = read_continuation(workspace, "abc")
    assert (found.task, found.story, found.acceptance) == ("Add the export", "S-12", ("CSV opens in Excel",))
    assert found.end == WHOLE


def test_it_tells_what_the_conversation_did(workspace, talk):
    """The user's words, decisions, files, commands with their last outcome, and the question that waits."""
    keep_continuation(workspace, **talk.told())
    found = read_continuation(workspace, "abc")
    assert found.requests[-1] == "Let's go with PostgreSQL for the job queue."
    assert found.decisions == ("Let's go with PostgreSQL for the job queue",)
    assert found.files == ("src/model.py", "src/endpoint.py")
    assert found.commands == ("`pytest -q tests/export`: passed (2 runs, 1 failed)", "`ruff check .`: failed")
    assert found.questions == ("Should the export stream, or build the file first?",)


def test_its_answer_is_for_the_block_after_the_compaction(workspace, talk):
    """What the block's elements of agent and task do not say of the step, then a few lines and the command that prints
    all."""
    answer = keep_continuation(workspace, **talk.told())
    assert answer.path == "limpet resume --full abc"
    assert answer.lines[0] == "Build S-12: Add the export (.limpet/stories/S-12/story.md)."
    step = read_continuation(workspace, "abc").step
    assert step[0] == "You are now dev: Build what the story says, as the architecture says, with tests."
    last = answer.lines.index("Then run: " + WHOLE)
    assert set(answer.lines[: last + 1]) < set(step) and step[-1] == answer.lines[last]
    summary = answer.lines[last + 1 :]
    assert not any(line.startswith("Task: ") for line in summary)
    assert "Open: Should the export stream, or build the file first?" in answer.lines
    assert sum(map(estimate_tokens, summary)) <= 200


def test_what_was_just_typed_is_the_last_request(workspace, talk):
    """The transcript does not hold it yet; where it does, it is told once."""
    keep_continuation(workspace, **talk.told(typed="And the tests, please"))
    found = read_continuation(workspace, "abc")
    typed = "And the tests, please (asked: Should the export stream, or build the file first?)"
    assert found.requests[-2:] == ("Let's go with PostgreSQL for the job queue.", typed)
    assert found.questions == ()
    keep_continuation(workspace, **talk.user("And the tests, please").told(typed="And the tests, please", now=NOW + 1))
    assert read_continuation(workspace, "abc").requests.count(typed) == 1


def test_an_answer_stands_with_what_was_asked(workspace, talk):
    """ "per line, and go on" alone says nothing: among what was said, and among what was decided."""
    talk.model("Should I round the tax per line or per invoice?").user("per line, and go on")
    keep_continuation(workspace, **talk.told())
    found = read_continuation(workspace, "abc")
    assert found.requests[-1] == "per line, and go on (asked: Should I round the tax per line or per invoice?)"
    assert [each for each in found.decisions if "per line" in each and "per invoice?" in each]
    lines = keep_continuation(workspace, **talk.told(now=NOW + 1)).lines
    assert sum("per line, and go on (asked: Should" in line for line in lines) == 1


def test_the_agents_last_words_and_next_action_are_told(workspace, talk):
    """For the file and for the block."""
    talk.user("the file first").model("The endpoint is half done.\n\nNext, I'll write the CSV header. Then the tests.")
    answer = keep_continuation(workspace, **talk.told())
    found = read_continuation(workspace, "abc")
    assert found.said == ("The endpoint is half done. Next, I'll write the CSV header. Then the tests.",)
    assert found.action == "Next, I'll write the CSV header."
    assert "Next action: Next, I'll write the CSV header." in answer.lines
    assert "> The endpoint is half done." in read_text(private_path(workspace, "continuation", "abc.md"))


def test_the_agents_task_list_is_told_as_it_last_stood(workspace, talk):
    """With its marks; after a compaction too, also where the transcript cannot be read any more."""
    steps = {"Write the model": "completed", "Build the endpoint": "in_progress", "Say *yolo": "pending"}
    talk.tool("TodoWrite", todos=[{"content": text, "status": status} for text, status in steps.items()])
    answer = keep_continuation(workspace, **talk.told())
    tasks = ("[x] Write the model", "[ ] Build the endpoint (in progress)", "[ ] Say \\*yolo")
    assert read_continuation(workspace, "abc").tasks == tasks
    assert any(line.startswith("Task list: 1 of 3 done; Build the endpoint") for line in answer.lines)
    keep_continuation(workspace, **talk.told(now=NOW + 60, transcript=""))
    found = read_continuation(workspace, "abc")
    assert found.said[0].startswith("Done so far.") and found.tasks == tasks
    talk.bound().user("Go on.")
    keep_continuation(workspace, **talk.told(now=NOW + 60))
    assert read_continuation(workspace, "abc").tasks == tasks


HANDED = """---
from_agent: dev
to: qa-implementation
status: complete
timestamp: "2026-11-21T11:00:00Z"
---

## Summary

Built.
"""


@pytest.mark.parametrize("handed", [True, False])
def test_the_next_agents_memories_are_quoted_too(workspace, talk, handed):
    """Of whom the handoff goes to, else of the workflow's next step; nobody else's."""
    if handed:
        write(workspace.path("handoffs", "dev.md"), HANDED)
    memories, taker = Memories(workspace), "qa-implementation" if handed else "brief"
    memories.add("The export is private to dev", owner="dev", agent="dev", scope="private")
    memories.add("The load test needs a warm cache", owner=taker, agent=taker, scope="private")
    memories.add("The blue cluster is slow", owner="ux", agent="ux", scope="private")
    keep_continuation(workspace, **talk.told())
    found = read_continuation(workspace, "abc")
    assert found.next_agent == taker
    assert "private to dev" in found.memories and "warm cache" in found.memories
    assert "blue cluster" not in found.memories


def test_what_was_done_before_the_last_compaction_stays(workspace, talk):
    """Only the new stretch is read; files and decisions of the one before are carried over."""
    keep_continuation(workspace, **talk.told())
    talk.bound().user("Now the documentation.").edit("docs/export.md")
    keep_continuation(workspace, **talk.told(now=NOW + 60))
    found = read_continuation(workspace, "abc")
    assert found.requests == ("Now the documentation.",)
    assert found.files == ("src/model.py", "src/endpoint.py", "docs/export.md")
    assert found.decisions == ("Let's go with PostgreSQL for the job queue",)


def test_the_conversation_may_stand_elsewhere_than_its_project(workspace, talk):
    """Decision 11: its own task and workflow count."""
    state = new_session("abc", "claude-code", workspace.root, NOW)
    write_session(workspace, {**state, "task": {"title": "A hotfix"}, "workflow": "quick-flow", "mode": "deploy"})
    keep_continuation(workspace, **talk.told(agent="devops"))
    found = read_continuation(workspace, "abc")
    assert (found.task, found.story, found.workflow, found.mode) == ("A hotfix", "", "quick-flow", "deploy")
    assert found.agent == "devops"


def test_what_waits_for_a_person_is_open(workspace, talk):
    """Rounds of correction that are used up, and a deviation with the point to which it returns."""
    deviation = "{from_agent: dev, to_agent: architect, reason: schema unclear, return_to: {agent: dev}}"
    settled = "{from_agent: dev, to_agent: ux, reason: colours, resolved: true}"
    more = f"agents: {{dev: {{escalated: true}}}}\ndeviations: [{deviation}, {settled}]\n"
    write(private_path(workspace, "session.yaml"), more)
    keep_continuation(workspace, **talk.told())
    assert read_continuation(workspace, "abc").questions[1:] == (
        "dev: all rounds of correction are used, a person decides",
        "deviation from dev to architect is open (schema unclear); it returns to dev",
    )


def test_memories_are_quoted_and_the_digest_is_pointed_to(workspace, talk):
    """The hot ones in full; another agent's own is none of them."""
    memories = Memories(workspace)
    memories.add("JWT is signed with EdDSA", "Because.\n\n## The keys are short")
    memories.add("The blue cluster is slow", owner="qa", agent="qa", scope="private")
    digest = memories.add("Conversation of 2026-11-21", tags=("digest",), session="abc", type="episodic")
    assert keep_continuation(workspace, **talk.told()).memories == 1
    found = read_continuation(workspace, "abc")
    assert "### JWT is signed with EdDSA" in found.memories and "> ## The keys are short" in found.memories
    assert "blue cluster" not in read_text(private_path(workspace, "continuation", "abc.md"))
    assert f"conversation digest: limpet memory show {digest}" in found.pointers


def test_secrets_of_the_conversation_stay_out(workspace, talk):
    """Even where a title is cut within one."""
    key = "gh" + "p_" + "Zx8Kq2Vw5Lm1Rt9Yb4Nc7Jd3Hf6Gs0Pa2QeU"
    words = "Let's go with " + "a long name " * 8
    talk.user(f"{words}{key}.").tool("Bash", failed=True, command=f"deploy --token {key}").model(f"Is {key} right?")
    keep_continuation(workspace, **talk.told(typed=f"use {key}"))
    assert "ghp" + "_Zx8" not in read_text(private_path(workspace, "continuation", "abc.md"))


@pytest.mark.parametrize("broken", ["session.yaml", "story"])
def test_a_file_in_conflict_costs_its_own_part(workspace, talk, broken):
    """It is named among the open questions, with its line."""
    path = (
        private_path(workspace, "session.yaml")
        if broken == "session.yaml"
        else workspace.path("stories", "S-12", "story.md")
    )
    write(path, "<<<<<<< ours\na: 1\n=======\na: 2\n>>>>>>> theirs\n")
    keep_continuation(workspace, **talk.told())
    found = read_continuation(workspace, "abc")
    assert any("merge conflict" in question and ":1" in question for question in found.questions)
    assert found.files and found.requests


@pytest.mark.parametrize("given", [{"transcript": ""}, {"transcript": "/nowhere"}, {"host": "gemini-cli"}])
def test_a_transcript_that_cannot_be_read_costs_its_own_part(workspace, talk, given):
    """The project's files say enough to go on."""
    keep_continuation(workspace, **talk.told(**given))
    found = read_continuation(workspace, "abc")
    assert (found.task, found.files, found.requests) == ("Add the export", (), ())


def test_a_project_of_which_nothing_is_known(workspace):
    """Its name; no mode, which would bind the next reader (decision 47)."""
    assert keep_continuation(workspace, Conversation("abc", NOW)).lines == ("Full text: limpet resume --full abc",)
    found = read_continuation(workspace, "abc")
    assert (found.project, found.mode, found.agent, found.task) == ("project", "", "", "")


def test_a_long_stretch_is_read_from_its_end(workspace, talk, monkeypatch):
    """The newest counts; a line that the limit cuts is left out."""
    from limpet.transcripts import claude_code

    epoch_start = claude_code.epoch_start
    monkeypatch.setattr(claude_code, "epoch_start", lambda path: epoch_start(path, 900))
    keep_continuation(workspace, **talk.told())
    assert read_continuation(workspace, "abc").files == ("src/endpoint.py",)


def test_of_a_long_talk_the_newest_words_are_searched_and_every_edit_is_told(workspace, talk, monkeypatch):
    """To search them all would take too long before a compaction."""
    from limpet.operations.memory.conversations import epoch

    monkeypatch.setattr(epoch, "MOST_WORDS", 2)
    talk.user("Thanks.").model("Welcome.")
    keep_continuation(workspace, **talk.told())
    found = read_continuation(workspace, "abc")
    assert (found.decisions, found.requests) == ((), ("Thanks.",))
    assert found.files == ("src/model.py", "src/endpoint.py")
