"""A plugin's line beside those of `init`: one of them answers."""

import json
from pathlib import Path

import pytest

from limpet.hosts.registry import HOSTS, host_of
from limpet.hosts.scope import LOCAL, SHARED, USER
from limpet.hosts.surroundings import FOLDERS, stands_back

from ..hook_host import bare, run_hook, typed
from ..places import private_path


@pytest.fixture(params=HOSTS)
def host(request):
    return host_of(request.param)


def write_line(host, project, scope, event, shared):
    """Register our line for an event in the settings of a scope, as `init` does."""
    path = project / host.FILES.place(scope, str(project))
    path.parent.mkdir(parents=True, exist_ok=True)
    (line,) = [each.command for each in host.FILES.registrations(shared) if each.event == event]
    path.write_text(json.dumps({"hooks": {event: [{"hooks": [{"type": "command", "command": line}]}]}}))


def test_every_host_is_known():
    assert set(FOLDERS) == set(HOSTS)


@pytest.mark.parametrize(("scope", "shared"), [(LOCAL, False), (SHARED, True), (USER, False)])
def test_it_stands_back_for_the_event_that_the_settings_answer(host, user, project, scope, shared):
    """In every scope, by the line for this machine or for everybody; other events stay the plugin's."""
    event, other = host.EVENTS[0], host.EVENTS[-1]
    assert not stands_back(host.NAME, event, str(project))
    write_line(host, project, scope, event, shared)
    assert stands_back(host.NAME, event, str(project))
    assert not stands_back(host.NAME, other, str(project))


def test_in_copilot_lines_of_claude_code_count_too(user, project):
    """It runs those in the project's settings, and not the user's."""
    claude = host_of("claude-code")
    write_line(claude, project, USER, "UserPromptSubmit", False)
    assert not stands_back("copilot-cli", "UserPromptSubmit", str(project))
    write_line(claude, project, LOCAL, "UserPromptSubmit", False)
    assert stands_back("copilot-cli", "UserPromptSubmit", str(project))


def test_another_hosts_lines_and_other_commands_do_not_count(user, project):
    """A settings file that mentions us has no line of ours yet."""
    write_line(host_of("claude-code"), project, LOCAL, "UserPromptSubmit", False)
    assert not stands_back("codex-cli", "UserPromptSubmit", str(project))
    (project / ".codex").mkdir()
    (project / ".codex" / "hooks.json").write_text('{"description": "codex-cli and UserPromptSubmit"}')
    assert not stands_back("codex-cli", "UserPromptSubmit", str(project))


def test_the_hook_of_a_plugin_is_silent_beside_that_of_the_settings(user, workspace):
    """And keeps nothing; the settings' own line answers. Without one, the plugin's does."""
    words = ("claude-code", "UserPromptSubmit", "plugin")
    write_line(host_of("claude-code"), Path(workspace.root), LOCAL, "UserPromptSubmit", False)
    beside = run_hook(typed(workspace), *words, cwd=workspace.root, env=bare())
    assert (beside.code, beside.out, beside.err) == (0, b"", b"")
    assert not list(Path(private_path(workspace, "sessions")).glob("*.json"))
    assert "<limpet-context" in run_hook(typed(workspace), *words[:2], cwd=workspace.root, env=bare()).text
    Path(workspace.root, ".claude", "settings.local.json").unlink()
    other = typed(workspace).replace(b'"session_id": "s"', b'"session_id": "t"')
    assert "<limpet-context" in run_hook(other, *words, cwd=workspace.root, env=bare()).text
