"""The hook guards its own registration: what switches it off is asked about or denied, and said to the person."""

import json
import os

import pytest

from limpet.hosts.installation import carry_out_plan, plan_installation
from limpet.hosts.records import LOCAL
from limpet.operations.mirror import refresh_mirror

from ..conftest import write_settings
from ..conversation import write
from ..places import private_path
from ..tool_calls import Client


@pytest.fixture
def client(workspace):
    """A host with our hooks in its local settings."""
    carry_out_plan(plan_installation(workspace.root, LOCAL, "claude-code"))
    return Client(workspace)


def settings(client):
    return os.path.join(client.workspace.root, ".claude", "settings.local.json")


def change(client, do):
    with open(settings(client), encoding="utf-8") as file:
        data = json.load(file)
    do(data)
    write(settings(client), json.dumps(data))


def bind(client, text):
    write(private_path(client.workspace, "session.yaml"), text)
    refresh_mirror(client.workspace)


def message(answer):
    assert (answer.code, answer.err) == (0, b"")
    return json.loads(answer.out or b"{}").get("systemMessage", "")


def prompt(client):
    return message(client.send("UserPromptSubmit", prompt="hello", prompt_id=f"p{next(client.numbers)}"))


@pytest.mark.parametrize("text", ["current_agent: dev\n", "permission: explore\n"])
@pytest.mark.parametrize("mode", ["default", "bypassPermissions"])
def test_who_is_bound_is_asked_and_may_not_switch_it_off(client, text, mode):
    """Where the client asks nobody, what would be asked is refused."""
    bind(client, text)
    client.more = {"permission_mode": mode}
    assert client.bash("cp evil.json .claude/settings.json")[0] == ("ask" if mode == "default" else "deny")
    assert client.call("Write", file_path=settings(client), content='{"disableAllHooks": true}')[0] == "deny"
    assert client.bash("limpet uninstall --yes")[0] == "deny"


def test_where_nobody_is_bound_the_person_is_told_of_the_call(client, run):
    """It passes, and is in the log."""
    given = {"command": "cp evil.json .claude/settings.json"}
    answer = client.send("PreToolUse", tool_name="Bash", tool_input=given, tool_use_id="t1")
    assert message(answer).startswith("Limpet: this call may switch Limpet off (.claude/settings.json).")
    assert "permissionDecision" not in answer.out.decode()
    assert json.loads(run("guard", "log", "--json").stdout)[0]["rule"] == "registration"


@pytest.mark.parametrize(
    ("do", "told"),
    [
        (lambda data: data["hooks"].pop("PreToolUse"), "no hook on PreToolUse in"),
        (lambda data: data["hooks"]["PreToolUse"].pop(1), "no hook on PreToolUse in"),
        (
            lambda data: data["hooks"]["PreToolUse"][0].update(matcher="Never"),
            "is for other tools than the guard judges",
        ),
        (lambda data: data.update(disableAllHooks=True), "All hooks are disabled in"),
        (lambda data: data.clear(), "no hook on SessionStart, UserPromptSubmit"),
    ],
)
def test_the_next_prompt_tells_what_is_missing_once(client, do, told):
    """With the file and the way to mend it; nothing before, and nothing after it was mended."""
    prompt(client)
    assert prompt(client) == ""
    change(client, do)
    said = prompt(client)
    assert said.startswith("Limpet: ") and told in said
    assert "run `limpet init`" in said or "set disableAllHooks to false" in said
    assert prompt(client) == ""
    carry_out_plan(plan_installation(client.workspace.root, LOCAL, "claude-code"))
    change(client, lambda data: data.pop("disableAllHooks", None))
    assert prompt(client) == ""


def test_an_edit_that_leaves_the_hooks_is_not_told(client):
    prompt(client)
    change(client, lambda data: data.update(model="opus"))
    assert prompt(client) == ""


@pytest.mark.parametrize(
    ("text", "blocked"), [("current_agent: dev\n", True), ("permission: ask\n", True), ("", False)]
)
def test_a_bound_conversation_does_not_take_over_settings_without_our_hooks(client, text, blocked):
    """The client shows nothing of that event, so the next prompt tells it."""
    bind(client, text)
    event = {"source": "local_settings", "file_path": settings(client)}
    assert client.send("ConfigChange", **event).out == b""
    change(client, lambda data: data["hooks"].pop("PreToolUse"))
    for time in range(2):
        answer = client.send("ConfigChange", **event)
        assert (json.loads(answer.out or b"{}").get("decision") == "block") is blocked
        assert ("no hook on PreToolUse" in prompt(client)) is (time == 0)


def test_without_our_hooks_nothing_is_watched(workspace):
    """Hooks of another origin, such as a plugin's."""
    client = Client(workspace)
    assert prompt(client) == ""
    assert not os.path.exists(workspace.cached("registration.json"))


@pytest.mark.parametrize("mode", ["ask", "explore", ""])
def test_the_mode_that_is_shown_is_the_mode_that_holds(client, run, mode):
    """The same in the badge, the status, the block and the guard; none where none is set, in a workflow too."""
    write_settings(client.workspace, f'guard: {{permission: "{mode}"}}\n')
    bind(client, "workflow: greenfield\n")
    assert client.bash("ls > a.txt")[0] == ("ask" if mode else "")
    assert json.loads(run("status", "--json").stdout)["permission"] == (mode or None)
    assert json.loads(run("guard", "test", "ls", "--json").stdout)["scene"]["permission"] == mode
    assert (f'permission="{mode}"' in client.prompt("hello").text) is bool(mode)
    assert ("[" in run("work", "agent", "activate", "dev").stdout.splitlines()[1]) is bool(mode)
