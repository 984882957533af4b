"""docs/rules.md: every command on the page does what the page shows."""

from limpet.ground.storage.scaffold import missing_files

from ...conversation import write
from ..pages import check_shown, page_commands


def test_every_command_of_the_page_does_what_it_shows(workspace, run):
    """In one project, as `limpet init` makes it, from the first to the last."""
    for path, raw in missing_files(workspace.root).items():
        write(path, raw)
    commands = page_commands("rules")
    assert len(commands) == 13
    for (_, *words), shown in commands:
        check_shown(run(*words), shown)
