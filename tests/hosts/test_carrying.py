"""What answers a prompt reaches the model where the client takes it: in Cursor with the next tool's result, in
Antigravity before every call of the model; once a prompt, at the hook's door."""

import json
from pathlib import Path

from limpet.ground.workspace import workspace_at

from ..conversation import RULES, write_rules
from ..hook_host import MANIFEST, run_hook

S = "00000000-0000-4000-8000-00000000000c"


def cursor(workspace, event, **fields):
    given = {"conversation_id": S, "cursor_version": "3.18.0", "workspace_roots": [workspace.root], **fields}
    done = run_hook(json.dumps(given).encode(), "cursor", event, cwd=workspace.root)
    assert (done.code, done.err) == (0, b"")
    return json.loads(done.out or b"{}")


def antigravity(workspace, log, number):
    given = {
        "conversationId": S,
        "workspacePaths": [workspace.root],
        "transcriptPath": str(log),
        "invocationNum": number,
    }
    done = run_hook(json.dumps(given).encode(), "antigravity", "PreInvocation", cwd=workspace.root)
    assert (done.code, done.err) == (0, b"")
    steps = json.loads(done.out or b"{}").get("injectSteps", [])
    return "".join(step["ephemeralMessage"] for step in steps)


def enter(log, step, words):
    line = {"step_index": step, "source": "USER_EXPLICIT", "type": "USER_INPUT"}
    text = json.dumps({**line, "content": f"<USER_REQUEST>\n{words}\n</USER_REQUEST>"}) + "\n"
    with log.open("a") as file:
        file.write(text)


def test_cursor_gets_it_with_the_next_tools_result_and_once(workspace):
    """Nothing with the prompt, to which only a yes or no is documented."""
    write_rules(workspace_at(workspace.root), MANIFEST, **RULES)
    start = cursor(workspace, "sessionStart", session_id=S)
    assert "Read first." in start["additional_context"]
    assert cursor(workspace, "beforeSubmitPrompt", prompt="the endpoint", generation_id="g1") == {}
    assert "Version it." in cursor(workspace, "postToolUse", tool_name="Shell")["additional_context"]
    assert cursor(workspace, "postToolUse", tool_name="Shell") == {}


def test_what_a_prompt_without_a_tool_left_comes_with_the_next_ones(workspace):
    """The conversation counts it as sent."""
    write_rules(workspace_at(workspace.root), MANIFEST, **RULES)
    cursor(workspace, "beforeSubmitPrompt", prompt="the endpoint", generation_id="g1")
    cursor(workspace, "beforeSubmitPrompt", prompt="go on", generation_id="g2")
    assert "Version it." in cursor(workspace, "postToolUse", tool_name="Shell")["additional_context"]


def test_nothing_of_it_stays_when_the_conversation_ends(workspace):
    write_rules(workspace_at(workspace.root), MANIFEST, **RULES)
    cursor(workspace, "beforeSubmitPrompt", prompt="the endpoint", generation_id="g1")
    folder = Path(workspace.cached("carried"))
    assert list(folder.iterdir())
    cursor(workspace, "sessionEnd", session_id=S, reason="completed")
    assert not list(folder.iterdir())


def test_antigravity_gets_the_same_before_each_call_of_a_turn_and_all_of_it_in_the_next(workspace, tmp_path):
    """What it was told leaves the window with the call."""
    write_rules(workspace_at(workspace.root), MANIFEST, **RULES)
    log = tmp_path / "transcript.jsonl"
    enter(log, 0, "the endpoint")
    first = antigravity(workspace, log, 0)
    assert "Read first." in first and "Version it." in first
    assert [antigravity(workspace, log, number) for number in (1, 2)] == [first, first]
    enter(log, 9, "go on")
    later = antigravity(workspace, log, 0)
    assert "Read first." in later and later != first
    assert antigravity(workspace, log, 1) == later


def test_a_prompt_that_the_transcript_does_not_have_yet_gets_the_rules(workspace, tmp_path):
    write_rules(workspace_at(workspace.root), MANIFEST, **RULES)
    first = antigravity(workspace, tmp_path / "none.jsonl", 0)
    assert "Read first." in first and antigravity(workspace, tmp_path / "none.jsonl", 1) == first
