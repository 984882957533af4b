"""Rules that are checked when the agent stops (decision 52), by the spawned hook."""

import json
import os
import subprocess
import sys

import pytest

from ..conftest import write_settings
from ..conversation import RULES, write, write_rules
from ..event_log import logged
from ..hook_host import MANIFEST, Host, state

CHECKED = r"""API_RULE_3=Use the logger.
API_CHECK_3=absent: console\.log in *.ts
API_CHECK_TELL=yes
"""


class Talk(Host):
    """A host with a conversation whose transcript tells what the agent wrote."""

    def __init__(self, workspace):
        super().__init__(workspace)
        self.transcript = os.path.join(os.path.dirname(workspace.root), "talk.jsonl")
        write(self.transcript, "")

    def writes(self, path, text="console.log(1)\n", tool="Write"):
        """The agent writes a file."""
        full, key = os.path.join(self.workspace.root, path), f"t{next(self.numbers)}"
        write(full, text)
        at = {"timestamp": "2099-01-01T00:00:00.000Z", "isSidechain": False}
        use = {"type": "tool_use", "id": key, "name": tool, "input": {"file_path": full}}
        answer = {"type": "assistant", "message": {"model": "m", "content": [use]}, **at}
        result = {"type": "tool_result", "tool_use_id": key, "content": "written"}
        done = {"type": "user", "message": {"role": "user", "content": [result]}, **at}
        with open(self.transcript, "a", encoding="utf-8") as file:
            file.write(f"{json.dumps(answer)}\n{json.dumps(done)}\n")

    def says(self, text):
        """The agent answers."""
        answer = {"model": "m", "content": [{"type": "text", "text": text}]}
        with open(self.transcript, "a", encoding="utf-8") as file:
            file.write(
                json.dumps({"type": "assistant", "message": answer, "timestamp": "2099-01-01T00:00:00.000Z"}) + "\n"
            )

    def stop(self, active=False, **payload):
        """The agent stops; the reason why it may not, "" for none."""
        answer = self.send("Stop", stop_hook_active=active, transcript_path=self.transcript, **payload)
        assert (answer.code, answer.err) == (0, b"")
        if not answer.out:
            return ""
        said = json.loads(answer.out)
        assert (said.pop("decision"), list(said)) == ("block", ["reason"])
        return said["reason"]

    def record(self):
        """(kind, rules) of each record, the oldest first."""
        return [(event["kind"], event["data"]["rules"]) for event in logged(self.workspace.shared, "rule.")]


@pytest.fixture
def talk(workspace):
    """A conversation in a project one of whose rules is checked."""
    write_rules(workspace, MANIFEST, **{**RULES, "api": CHECKED})
    talk = Talk(workspace)
    talk.prompt("Go on.")
    return talk


def test_a_broken_rule_is_told_with_its_place(talk):
    talk.writes("src/a.ts", "x\nconsole.log(1)\n")
    reason = talk.stop()
    assert "- API_RULE_3: Use the logger. (src/a.ts:2)" in reason
    assert talk.record() == [("rule.broken", {"API_RULE_3": ["src/a.ts:2"]})]


@pytest.mark.parametrize(("path", "record"), [("a.ts", [("rule.kept", ["API_RULE_3"])]), ("a.py", [])])
def test_a_kept_rule_is_recorded_in_silence_and_one_about_other_files_is_not_judged(talk, path, record):
    talk.writes(path, "log(1)\n")
    assert (talk.stop(), talk.record()) == ("", record)


def test_an_agent_that_goes_on_is_not_told_again(talk):
    """No circle: what it does then is recorded, and where it was mended the record says so."""
    talk.writes("src/a.ts")
    assert talk.stop()
    assert talk.stop(active=True) == ""
    talk.writes("src/a.ts", "log(1)\n", "Edit")
    assert talk.stop(active=True) == ""
    assert [kind for kind, _ in talk.record()] == ["rule.broken", "rule.kept"]


def test_the_same_break_is_told_once_an_epoch(talk):
    """In the next turn it is recorded only; in another file, and after a compaction, it is told."""
    talk.writes("src/a.ts")
    talk.stop()
    talk.prompt("More.")
    talk.writes("src/a.ts", "console.log(2)\n")
    assert talk.stop() == ""
    talk.writes("src/b.ts")
    assert "src/b.ts:1" in talk.stop()
    talk.send("PreCompact", trigger="manual")
    talk.send("SessionStart", source="compact")
    talk.writes("src/a.ts")
    assert "src/a.ts:1" in talk.stop()


def test_without_the_domains_word_nothing_is_told(talk):
    write(talk.workspace.path("rules", "api"), CHECKED.replace("TELL=yes", "TELL=no"))
    talk.send("SessionStart", source="startup")
    talk.writes("src/a.ts")
    assert (talk.stop(), [kind for kind, _ in talk.record()]) == ("", ["rule.broken"])


def test_what_each_file_must_hold(talk):
    rules = "API_RULE_0=Say whose it is.\nAPI_CHECK_0=present: ^// Copyright in *.ts\nAPI_CHECK_TELL=yes\n"
    write(talk.workspace.path("rules", "api"), rules)
    talk.send("SessionStart", source="startup")
    talk.writes("a.ts", "// Copyright me\n")
    talk.writes("b.ts", "nothing\n")
    assert "(b.ts)" in talk.stop()


def test_a_command_runs_where_a_person_agreed_to_it(talk):
    """Decision 46: a word of the rules' file alone runs nothing."""
    line = f"{sys.executable} -c 'import sys; sys.exit(3)'"
    write(talk.workspace.path("rules", "api"), f"API_RULE_0=Lint.\nAPI_CHECK_0=run: {line}\nAPI_CHECK_TELL=yes\n")
    talk.send("SessionStart", source="startup")
    talk.writes("a.ts")
    assert (talk.stop(), talk.record()) == ("", [])
    write_settings(talk.workspace, f"rules: {{checks: {{lint: {json.dumps(line)}}}}}\n")
    talk.writes("a.ts")
    assert "exit code 3" in talk.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="cp")
def test_a_file_that_a_command_wrote_counts_where_git_tells(talk):
    """No tool names it."""
    subprocess.run(["git", "init", "-q"], cwd=talk.workspace.root, check=True)
    talk.writes("made.ts", tool="Bash")
    assert "made.ts:1" in talk.stop()


def test_a_turn_without_a_tool_call_wrote_nothing(talk):
    """What changed in it was somebody else: a hook of the user's, an editor."""
    subprocess.run(["git", "init", "-q"], cwd=talk.workspace.root, check=True)
    talk.says("Done.")
    write(os.path.join(talk.workspace.root, "made.ts"), "console.log(1)\n")
    assert (talk.stop(), talk.record()) == ("", [])


def test_a_file_from_before_the_turn_does_not_count(talk):
    subprocess.run(["git", "init", "-q"], cwd=talk.workspace.root, check=True)
    path = os.path.join(talk.workspace.root, "old.ts")
    write(path, "console.log(1)\n")
    os.utime(path, (1_600_000_000, 1_600_000_000))
    assert (talk.stop(), talk.record()) == ("", [])


def test_an_agents_rules_are_judged_while_it_is_active(talk):
    manifest = MANIFEST + "AGENT_DEV_STATE=active\n"
    rules = "DEV_RULE_0=Use the logger.\nDEV_CHECK_0=absent: console in *.ts\nDEV_CHECK_TELL=yes\n"
    write_rules(talk.workspace, manifest, api="API_RULE_0=x\n", agent_dev=rules)
    talk.send("SessionStart", source="startup")
    talk.writes("a.ts")
    assert talk.stop() == ""
    talk.prompt("*agent dev")
    talk.writes("b.ts")
    assert "DEV_RULE_0" in talk.stop()


@pytest.mark.parametrize("prompts", [["*limpet off API"], ["*private"], ["*private", "*private off"]], ids=str)
def test_a_domain_that_is_off_and_a_conversation_that_is_or_was_private_are_not_judged(talk, prompts):
    for prompt in prompts:
        talk.prompt(prompt)
    talk.writes("a.ts")
    assert (talk.stop(), talk.record()) == ("", [])


def test_two_hooks_of_one_event_judge_once(talk):
    talk.writes("a.ts")
    assert (bool(talk.stop()), talk.stop()) == (True, "")
    assert len(talk.record()) == 1


def test_a_project_without_checks_answers_nothing(workspace):
    """And keeps nothing of it."""
    write_rules(workspace, MANIFEST, **RULES)
    talk = Talk(workspace)
    talk.prompt("Go on.")
    before = state(workspace)
    talk.writes("a.ts")
    assert (talk.stop(), state(workspace) == before) == ("", True)


def test_an_expression_that_never_ends_does_not_hold_the_agent(talk):
    """It is ended with its process; the other rules are judged."""
    write_settings(talk.workspace, "rules: {check_seconds: 3}\n")
    rules = f"{CHECKED}API_RULE_4=x\nAPI_CHECK_4=absent: (a|a)*c in *.txt\n"
    write(talk.workspace.path("rules", "api"), rules)
    talk.send("SessionStart", source="startup")
    talk.writes("a.txt", "a" * 60 + "b")
    talk.writes("a.ts")
    assert "API_RULE_3" in talk.stop()
    assert talk.record() == [("rule.broken", {"API_RULE_3": ["a.ts:1"]})]
