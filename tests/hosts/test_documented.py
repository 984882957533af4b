"""Cursor, VS Code and Antigravity, which were never run here: every event that their pages document is answered in a
shape that these allow, whatever a payload holds."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.event import Reply
from limpet.hosts.registry import events_of, host_of, tools_of

from ..hook_host import run_hook
from ..strategies import NASTY, QUICK

FIXTURES = Path(__file__).parents[1] / "fixtures"
BLOCK = '<limpet-context project="p">x</limpet-context>'
FULL = Reply(BLOCK, message="m", verdict="deny", reason="r", unfinished="u")
# Host -> event -> the members that its page lets an answer have; none for an event that takes no answer.
ALLOWED = {
    "cursor": {
        **dict.fromkeys(("sessionStart",), {"env", "additional_context"}),
        **dict.fromkeys(("beforeSubmitPrompt",), {"continue", "user_message"}),
        **dict.fromkeys(("preToolUse",), {"permission", "user_message", "agent_message", "updated_input"}),
        **dict.fromkeys(("postToolUse",), {"updated_mcp_tool_output", "additional_context"}),
        **dict.fromkeys(("preCompact",), {"user_message"}),
        **dict.fromkeys(("stop", "subagentStop"), {"followup_message"}),
        **dict.fromkeys(("subagentStart", "beforeReadFile"), {"permission", "user_message"}),
        **dict.fromkeys(
            ("beforeShellExecution", "beforeMCPExecution"), {"permission", "user_message", "agent_message"}
        ),
        **dict.fromkeys(("beforeTabFileRead",), {"permission"}),
        **dict.fromkeys(("sessionEnd", "postToolUseFailure", "afterShellExecution", "afterMCPExecution"), set()),
        **dict.fromkeys(("afterFileEdit", "afterTabFileEdit", "afterAgentResponse", "afterAgentThought"), set()),
    },
    "vscode": dict.fromkeys(
        (
            *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"),
            *("PreCompact", "SubagentStart", "SubagentStop", "Stop"),
        ),
        {"continue", "stopReason", "systemMessage", "decision", "reason", "hookSpecificOutput"},
    ),
    "antigravity": {
        "PreToolUse": {"decision", "reason", "permissionOverrides"},
        "PostToolUse": set(),
        "PreInvocation": {"injectSteps"},
        "PostInvocation": {"injectSteps", "terminationBehavior"},
        "Stop": {"decision", "reason"},
    },
}
DECISIONS = {"permission": {"allow", "deny"}, "decision": {"allow", "deny", "ask", "force_ask", "continue"}}
EVERY = [(host, event) for host, events in ALLOWED.items() for event in events]
RECORDED = [path for host in ALLOWED for path in sorted((FIXTURES / host).glob("*.json"))]
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(NASTY),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    *("conversation_id", "session_id", "sessionId", "conversationId", "cwd", "workspace_roots", "workspacePaths"),
    *("prompt", "toolCall", "tool_name", "tool_input", "transcriptPath", "transcript_path", "timestamp", "loop_count"),
    *("agent_id", "executionNum", "stop_hook_active", "error_message", "context_tokens", "is_background_agent"),
    *("command", "CommandLine", "filePath", "file_path", "replacements", "ReplacementChunks", "edits", "files", "args"),
)
OBJECTS = st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=8)


def payload(host, event):
    (path,) = [path for path in RECORDED if path.parent.name == host and path.stem.partition("-")[0] == event][:1]
    return json.loads(path.read_text())


def test_every_documented_event_is_recorded():
    """With its page named in the folder's list of sources."""
    assert {(path.parent.name, path.stem.partition("-")[0]) for path in RECORDED} == set(EVERY)


@pytest.mark.parametrize(("host", "event"), EVERY)
def test_every_documented_event_gets_an_answer_that_its_page_allows(host, event):
    """Whatever there is to say."""
    answer = json.loads(events_of(host).render_reply(event, FULL) or "{}")
    assert set(answer) <= ALLOWED[host][event]
    for name, allowed in DECISIONS.items():
        assert answer.get(name) in (None, *allowed, "block")


@pytest.mark.parametrize(("host", "event"), EVERY)
def test_the_hook_takes_every_documented_event(host, event, workspace):
    """At its door, in the project: exit code 0, JSON or nothing, not a word beside it."""
    done = run_hook(json.dumps(payload(host, event)).encode(), host, event, cwd=workspace.root)
    assert (done.code, done.err) == (0, b"") and isinstance(json.loads(done.out or b"{}"), dict)


@pytest.mark.parametrize("host", ALLOWED)
@QUICK
@given(objects=OBJECTS, name=st.text(max_size=4))
def test_any_payload_is_read(host, objects, name):
    """None of its fields is trusted to have a type."""
    events, tools = events_of(host), tools_of(host)
    for event in (*events.KINDS, name):
        found = events.read_event(event, objects, {})
        tools.read_call(found)
        assert isinstance(found.cwd, str) and isinstance(found.prompt, str)


@pytest.mark.parametrize("host", ALLOWED)
def test_only_documented_events_are_registered(host):
    """An unknown one may void the whole file."""
    assert set(host_of(host).EVENTS) <= set(ALLOWED[host])
    assert set(events_of(host).KINDS) <= set(ALLOWED[host])


@pytest.mark.parametrize(
    ("host", "head"), [("cursor", {"version": 1}), ("vscode", {"version": 1}), ("antigravity", {})]
)
def test_the_files_have_the_shape_of_their_page(host, head, project, user):
    """Handlers by themselves, but for Antigravity's tools; there below our name."""
    from limpet.hosts.file_changes import apply_changes

    found = host_of(host)
    apply_changes(found.plan_install(str(project / ".limpet"), "local").pending())
    data = json.loads(Path(found.place("local", str(project))).read_text())
    root = "limpet" if host == "antigravity" else "hooks"
    assert {name: data[name] for name in data if name != root} == head
    for event, handlers in data[root].items():
        (one,) = handlers
        is_grouped = (host, event) == ("antigravity", "PreToolUse")
        (handler,) = one["hooks"] if is_grouped else [one]
        assert handler["type"] == "command" and f" {host} {event} " in handler["command"]
        assert isinstance(handler["timeout"], int) and is_grouped == ("hooks" in one)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('{"version": 1, "hooks": {}}', True),
        ('{"hooks": {"stop": [{"command": "mine"}]}}', True),
        ("", False),
    ],
)
def test_what_a_person_adds_stays_and_what_was_theirs_comes_back(text, kept, project, user):
    """Also where the file was changed since."""
    from limpet.hosts.file_changes import apply_changes

    cursor, path = host_of("cursor"), project / ".cursor" / "hooks.json"
    home = str(project / ".limpet")
    if text:
        path.parent.mkdir()
        path.write_text(text)
    apply_changes(cursor.plan_install(home, "local").pending())
    path.write_text(json.dumps(json.loads(path.read_text()), indent=5))
    apply_changes(cursor.plan_removal(home, ("local",)).pending())
    assert path.exists() == kept
    assert not kept or json.loads(path.read_text()) == json.loads(text)


def test_antigravitys_line_always_answers(project, user, tmp_path):
    """An empty answer denies the tool: where nothing of ours is left, the client asks what it would ask."""
    import subprocess

    from limpet.hosts.commands.lines import posix_command, read_command, shared_command

    launcher = tmp_path / "limpet-hook"
    alone = posix_command(str(launcher), "antigravity", "PreToolUse")
    for line in (alone, shared_command("antigravity", "PreToolUse")):
        done = subprocess.run(["/bin/sh", "-c", line], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
        assert (done.returncode, json.loads(done.stdout)) == (0, {"decision": "ask"})
        assert read_command(line).event == "PreToolUse"
    (tmp_path / "hook").write_text('#!/bin/sh\necho \'{"decision": "deny"}\'\n')
    os.chmod(tmp_path / "hook", 0o755)
    line = posix_command(str(tmp_path / "hook"), "antigravity", "PreToolUse")
    done = subprocess.run(["/bin/sh", "-c", line], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    assert json.loads(done.stdout) == {"decision": "deny"}


CALLS = [
    ("cursor", "Shell", {"command": "ls", "working_directory": "/p/a"}, ("shell", "ls", (), ())),
    ("cursor", "Write", {"file_path": "a.py", "content": "x"}, ("write", "", ("/p/a.py",), (("", "x", False),))),
    ("cursor", "Delete", {"path": "/p/a.py"}, ("write", "", ("/p/a.py",), ())),
    ("cursor", "MCP:query", {"path": "/etc/x"}, ("tool", "", ("/etc/x",), ())),
    ("cursor", "Grep", {"pattern": "x", "glob": "src/*.py"}, ("search", "", ("/p", "/p/src"), ())),
    ("vscode", "run_in_terminal", {"command": "ls"}, ("shell", "ls", (), ())),
    ("vscode", "editFiles", {"files": ["a.py", "b.py"]}, ("write", "", ("/p/a.py", "/p/b.py"), ())),
    (
        "vscode",
        "multi_replace_string_in_file",
        {"replacements": [{"filePath": "/p/a", "oldString": "o", "newString": "n"}]},
        ("write", "", ("/p/a",), (("o", "n", False),)),
    ),
    (
        "vscode",
        "apply_patch",
        {"input": "*** Update File: a.py\n-o\n+n\n"},
        ("write", "", ("/p/a.py",), (("o\n", "n\n", False),)),
    ),
    ("antigravity", "run_command", {"CommandLine": "ls", "Cwd": "/p/a"}, ("shell", "ls", (), ())),
    (
        "antigravity",
        "multi_replace_file_content",
        {"TargetFile": "/p/a", "ReplacementChunks": '[{"TargetContent": "o", "ReplacementContent": "n"}]'},
        ("write", "", ("/p/a",), (("o", "n", False),)),
    ),
]


@pytest.mark.parametrize(("host", "tool", "given", "wanted"), CALLS)
def test_a_tool_is_read_as_the_call_that_it_is(host, tool, given, wanted):
    """Kind, command, files and edits, whatever the client calls them."""
    call = tools_of(host).read_call(
        events_of(host).read_event("x", {}, {}).replace(cwd="/p", tool=tool, tool_input=given)
    )
    assert (call.kind, call.command, call.paths, call.edits) == wanted
    assert call.folder == ("/p/a" if "a" in str(given.get("working_directory", given.get("Cwd", ""))) else "/p")
