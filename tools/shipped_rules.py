"""Writes ``framework/rules-shipped.txt`` anew: digests of every version of every rule file and manifest entry that was
ever shipped, from the repository's history and from the files as they are now. Run it when one of them changed:

    python tools/shipped_rules.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from limpet.rules.edit.shipped import (  # noqa: E402
    FILE,
    mark,  # noqa: E402
    shipped_entries_of,
)

RULES = "src/limpet/framework/rules"
TARGET = ROOT / "src" / "limpet" / "framework" / "rules-shipped.txt"
# What stood in the manifest of a project inside another one.
INHERITING = (
    "# The rules of the project around this one hold here too. Add domains here; one of the same name takes its place."
)
HEAD = "# What Limpet ever wrote into projects' rules, as digests by file and by entry of the manifest.\n"


def main() -> None:
    known: dict[str, set[str]] = {}
    for files in (*map(files_at, commits()), current(), {"manifest": INHERITING}):
        for name, digest in entries(files):
            known.setdefault(name, set()).add(digest)
    TARGET.write_text(HEAD + "".join(f"{name}: {' '.join(sorted(known[name]))}\n" for name in sorted(known)))


def entries(files: dict[str, str]) -> list[tuple[str, str]]:
    """Return (kind and name, digest) of all that a version wrote: a file such as ``story.javascript`` was added to
    another in some projects, without its comments."""
    found = [*shipped_entries_of(files.pop("manifest", ""))]
    for name, text in files.items():
        base, _, more = name.partition(".")
        if more and base in files:
            lines = (line for line in text.splitlines(keepends=True) if not line.startswith("#"))
            text = files[base] + "".join(lines)
        found.append((f"{FILE} {base}", mark(text)))
    return found


def commits() -> list[str]:
    return git("log", "--full-history", "--format=%H", "--", RULES).split()


def files_at(commit: str) -> dict[str, str]:
    names = git("ls-tree", "--name-only", commit, f"{RULES}/").split()
    return {name.rpartition("/")[2]: git("show", f"{commit}:{name}") for name in names}


def current() -> dict[str, str]:
    return {path.name: path.read_text() for path in (ROOT / RULES).iterdir()}


def git(*arguments: str) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
