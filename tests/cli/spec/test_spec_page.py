"""docs/spec.md: every command on the page does what the page shows."""

from ..pages import check_shown, page_commands
from .test_spec import put

ANSWERS = """\
{components: yes, relationships: no, data_flow: yes, non_obvious: yes, boundaries: yes, entry_points: yes,
 persistence: yes, external: yes, constraints: yes, current: yes, code_restatement: no, contradictions: no}
"""


def test_every_command_of_the_page_does_what_it_shows(workspace, call):
    """In one project, from the first to the last."""
    put(workspace, "docs/architecture.md", "One part a line.\n" * 12)
    put(workspace, "answers.yaml", ANSWERS)
    commands = page_commands("spec")
    assert len(commands) == 4
    for (_, *words), shown in commands:
        check_shown(call(*words), shown)
