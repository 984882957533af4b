"""docs/memory.md: every command on the page does what the page shows."""

import re
import shlex
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "memory.md"
SHOWN = "mem-2026-11-21-k7q2m9xa"


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


def is_shown(text, shown):
    """Whether the text is what the page shows, where ``...`` stands for anything."""
    pattern = "\n".join(".*".join(map(re.escape, line.split("..."))) for line in shown)
    return re.fullmatch(pattern, text, re.DOTALL) is not None


def test_every_command_of_the_page_does_what_it_shows(call):
    """In one project, from the first to the last; the page's id stands for that of the first memory."""
    assert len(commands()) > 12
    real = ""
    for command, shown in commands():
        arguments = shlex.split(command.replace(SHOWN[-8:], real[-8:] or SHOWN[-8:]))[1:]
        done = call(*arguments)
        real = real or done.stdout.strip()
        text = (done.stdout + done.stderr).replace(real, SHOWN).replace(real[-8:], SHOWN[-8:])
        lines = "\n".join(line.rstrip() for line in text.splitlines())
        assert is_shown(lines, shown), f"$ {command}\n{lines}"
