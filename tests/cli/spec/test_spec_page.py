"""docs/spec.md: every command on the page does what the page shows."""

import re
import shlex
from pathlib import Path

from ..memory.test_memory_page import is_shown
from .test_spec import put

PAGE = Path(__file__).parents[3] / "docs" / "spec.md"
ANSWERS = """\
{components: yes, relationships: no, data_flow: yes, non_obvious: yes, boundaries: yes, entry_points: yes,
 persistence: yes, external: yes, constraints: yes, current: yes, code_restatement: no, contradictions: no}
"""


def test_every_command_of_the_page_does_what_it_shows(workspace, call):
    """In one project, from the first to the last."""
    put(workspace, "docs/architecture.md", "One part a line.\n" * 12)
    put(workspace, "answers.yaml", ANSWERS)
    block = re.findall(r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[0]
    parts = block.split("$ ")[1:]
    assert len(parts) == 6
    for part in parts:
        command, *shown = part.splitlines()
        done = call(*shlex.split(command)[1:])
        lines = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines())
        assert is_shown(lines, shown), f"$ {command}\n{lines}"
