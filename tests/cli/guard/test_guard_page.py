"""docs/guard.md: every command on the page does what the page shows."""

import re
import shlex

from ..pages import check_lines, page_text


def test_every_command_of_the_page_does_what_it_shows(workspace, at_terminal):
    """By a person at a terminal."""
    blocks = re.findall(r"^    \$ (.*)\n((?:    .*\n)*)", page_text("guard"), re.MULTILINE)
    assert len(blocks) == 3
    for command, shown in blocks:
        done = at_terminal(*shlex.split(command)[1:])
        asked = re.sub(r"(?<=To agree, type )\w+: $", "WORD: WORD\n", done.stderr)
        lines = [" ".join(line.split()) for line in (asked + done.stdout).splitlines()]  # a date widens a column
        wanted = [" ".join(line.split()) for line in shown.splitlines()]
        check_lines(lines, wanted)
