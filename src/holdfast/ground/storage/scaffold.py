"""The files that a new ``.holdfast`` folder starts with; existing ones are never overwritten."""

from __future__ import annotations

import os

import holdfast
from holdfast.ground.storage.files import read_bytes
from holdfast.ground.workspace import FOLDER

SHIPPED_RULES = os.path.join(os.path.dirname(os.path.abspath(holdfast.__file__)), "framework", "rules")
JAVASCRIPT_RULES = "global.javascript"
JAVASCRIPT_SIGNS = ("package.json", "tsconfig.json")

IGNORED = """\
# Made by holdfast: what belongs to this machine or can be made again. Everything else here belongs into git.
config.local.yaml
memories/
notes/
session.yaml
sessions/
archive/
continuation/
events/
cache/
metrics/
install.json
*.lock
*.tmp
"""


def missing_files(root: str) -> dict[str, bytes]:
    """Return path -> bytes of each file that the project at ``root`` still lacks, in a stable order."""
    home = os.path.join(root, FOLDER)
    wanted = {os.path.join(home, ".gitignore"): IGNORED.encode()}
    wanted |= {os.path.join(home, "rules", name): text for name, text in _shipped_rules(root).items()}
    return {path: text for path, text in wanted.items() if not os.path.lexists(path)}


def _shipped_rules(root: str) -> dict[str, bytes]:
    names = sorted(name for name in os.listdir(SHIPPED_RULES) if os.path.isfile(os.path.join(SHIPPED_RULES, name)))
    rules = {name: read_bytes(os.path.join(SHIPPED_RULES, name)) or b"" for name in names}
    javascript = rules.pop(JAVASCRIPT_RULES, b"")
    if any(os.path.exists(os.path.join(root, name)) for name in JAVASCRIPT_SIGNS):
        lines = [line for line in javascript.splitlines(keepends=True) if not line.startswith(b"#")]
        rules["global"] = b"".join((rules.get("global", b""), *lines))
    return rules
