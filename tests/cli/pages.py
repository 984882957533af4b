"""A page of docs/: the commands on it, with what the page shows under each."""

import re
import shlex
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def page_text(name):
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def page_blocks(name, language="console"):
    """The page's blocks of this language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", page_text(name), re.MULTILINE | re.DOTALL)


def page_commands(name):
    """(words after the program, the lines shown under it) of the page's console blocks, in order."""
    parts = [part.splitlines() for part in re.split(r"^\$ ", "".join(page_blocks(name)), flags=re.MULTILINE)[1:]]
    return [(shlex.split(command), shown) for command, *shown in parts]


def check_shown(done, shown):
    """Check that a command said what the page shows."""
    check_lines([line.rstrip() for line in (done.stdout + done.stderr).splitlines()], shown)


def check_lines(lines, shown):
    """Check that these lines are what the page shows, where ``...`` stands for anything."""
    pattern = "\n".join(".*".join(map(re.escape, line.split("..."))) for line in shown)
    text = "\n".join(lines)
    assert re.fullmatch(pattern, text, re.DOTALL), f"{shown}\n{text}"
