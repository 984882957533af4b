"""docs/rules.md: every command on the page does what the page shows."""

import os
import re
import shlex
from pathlib import Path

from limpet.ground.storage.scaffold import missing_files

from ...conversation import write

PAGE = Path(__file__).parents[3] / "docs" / "rules.md"


def commands():
    """(command, the lines shown under it) of the page's console blocks, in order."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def is_shown(lines, shown):
    """Whether the lines are those that the page shows, where ``...`` stands for any."""
    pattern = "\n".join(".*" if line == "..." else re.escape(line) for line in shown)
    return re.fullmatch(pattern, "\n".join(lines), re.DOTALL) is not None


def test_every_command_of_the_page_does_what_it_shows(workspace, run):
    """In one project, as `limpet init` makes it, from the first to the last."""
    for path, raw in missing_files(workspace.root).items():
        write(path, raw)
    assert len(commands()) > 25
    for command, shown in commands():
        program, *arguments = shlex.split(command)
        if program == "mkdir":
            os.makedirs(os.path.join(workspace.root, arguments[-1]))
            continue
        done = run(*arguments)
        lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
        assert is_shown(lines, shown), f"$ {command}\n" + "\n".join(lines)
