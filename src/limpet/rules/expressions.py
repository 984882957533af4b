"""Regular expressions over files, searched by a process of their own: one that never ends is ended with it."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from limpet.ground.processes import own_command
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Bytes of a file that are searched.
MOST_BYTES = 256 * 1024


class Search(Value):
    """An expression to look for in a file, given by its absolute path."""

    expression: str
    path: str


def search_files(searches: Sequence[Search], patience: float) -> list[int | None]:
    """Return for each search the line of the first match, 0 for none; None where that is not known within ``patience``
    seconds, or the file cannot be read.

    ``^`` and ``$`` match at lines. Searches behind one that does not end are not made.
    """
    if not searches:
        return []
    given = json.dumps([[one.expression, one.path] for one in searches]).encode()
    process = subprocess.Popen(
        own_command(__name__),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    try:
        out, _ = process.communicate(given, timeout=max(0.0, patience))
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
    lines = [line for line in out.decode("ascii", "replace").split("\n")[:-1] if line.lstrip("-").isdecimal()]
    found = [None if int(line) < 0 else int(line) for line in lines]
    return [*found, *[None] * (len(searches) - len(found))]


def main() -> None:
    """Make the searches given on standard input; print a line for each as soon as it is made, -1 where it cannot be."""
    for expression, path in json.load(sys.stdin):
        print(_search(expression, path), flush=True)


def _search(expression: str, path: str) -> int:
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES).decode("utf-8", "replace").replace("\r\n", "\n")
        found = re.compile(expression, re.MULTILINE).search(text)
    except (OSError, re.error, RecursionError, OverflowError):
        return -1
    return text.count("\n", 0, found.start()) + 1 if found else 0
