"""docs/guard.md: every command on the page does what the page shows."""

import re
import shlex
from pathlib import Path

from ..rules.test_rules_page import is_shown

PAGE = Path(__file__).parents[3] / "docs" / "guard.md"


def test_every_command_of_the_page_does_what_it_shows(workspace, at_terminal):
    """By a person at a terminal."""
    blocks = re.findall(r"^    \$ (.*)\n((?:    .*\n)*)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(blocks) == 5
    for command, shown in blocks:
        done = at_terminal(*shlex.split(command)[1:])
        asked = re.sub(r"(?<=To agree, type )\w+: $", "WORD: WORD\n", done.stderr)
        lines = [" ".join(line.split()) for line in (asked + done.stdout).splitlines()]  # a date widens a column
        wanted = [" ".join(line.split()) for line in shown.splitlines()]
        assert is_shown(lines, wanted), f"$ {command}\n" + "\n".join(lines)
