"""What a new ``.limpet`` folder starts with, and the rules that every project has from the package."""

from __future__ import annotations

import os
from contextlib import suppress

import limpet
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import read_bytes
from limpet.ground.workspace import FOLDER

FORMER = ("session.yaml", "sessions", "continuation", "events", "candidates", "observations", "notes", "cache")
"""Names in ``.limpet`` that look private, as a checkout may bring them: nothing reads them."""
SHIPPED_RULES = os.path.join(os.path.dirname(os.path.abspath(limpet.__file__)), "framework", "rules")
JAVASCRIPT_RULES = "global.javascript"
JAVASCRIPT_SIGNS = ("package.json", "tsconfig.json")

INBOX = "inbox"
"""The one folder in ``.limpet`` that is not for git: an agent whose sandbox may not write elsewhere leaves things there
until the next event takes them in."""
IGNORED = b"*\n"

ATTRIBUTES = ".gitattributes"
UNITED = b"""\
# Of what two branches add to these files git keeps both, without a conflict. Where they changed the same line, both
# lines stay, and `limpet rules check` names them. Rules of commands stand below headings, of which git knows nothing.
rules/** merge=union
rules/commands merge
knowledge/*.yml merge=union
stories/*/observations.yml merge=union
"""


def missing_files(root: str) -> dict[str, bytes]:
    """Path -> content."""
    home = os.path.join(root, FOLDER)
    files = {os.path.join(home, INBOX, ".gitignore"): IGNORED, os.path.join(home, ATTRIBUTES): UNITED}
    return {path: raw for path, raw in files.items() if not os.path.lexists(path)}


def add_attributes(root: str) -> None:
    """Where what git is to unite is written first; a person's own file stays."""
    path = os.path.join(root, FOLDER, ATTRIBUTES)
    if not os.path.lexists(path):
        with suppress(OSError):
            write_durably(path, UNITED, mode=0o644)


def shipped_rules(root: str) -> dict[str, bytes]:
    names = sorted(name for name in os.listdir(SHIPPED_RULES) if os.path.isfile(os.path.join(SHIPPED_RULES, name)))
    rules = {name: read_bytes(os.path.join(SHIPPED_RULES, name)) or b"" for name in names}
    javascript = rules.pop(JAVASCRIPT_RULES, b"")
    if any(os.path.exists(os.path.join(root, name)) for name in JAVASCRIPT_SIGNS):
        lines = [line for line in javascript.splitlines(keepends=True) if not line.startswith(b"#")]
        rules["global"] = b"".join((rules.get("global", b""), *lines))
    return rules
