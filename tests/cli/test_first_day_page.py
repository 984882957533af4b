"""docs/first-day.md: every command on the page does what the page shows."""

from ..hook_host import Host
from .pages import check_shown, page_commands


def test_every_command_of_the_page_does_what_it_shows(user, workspace, call):
    """In one project, after `init` and a prompt."""
    call("init", "--yes")
    call("memory", "add", "We use undici, not axios.")
    host = Host(workspace)
    host.send("SessionStart", session_id="s1", source="startup")
    host.prompt("add a failing test", session_id="s1")
    commands = page_commands("first-day")
    assert len(commands) == 9
    for (program, *words), shown in commands:
        assert program == "limpet"
        done = call(*words)
        assert done.returncode == 0, words
        check_shown(done, shown)
