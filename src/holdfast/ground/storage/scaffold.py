"""The files that a new ``.holdfast`` folder starts with; existing ones are never overwritten."""

from __future__ import annotations

import hashlib
import json
import os

import holdfast
from holdfast.ground.storage.files import read_bytes
from holdfast.ground.workspace import FOLDER

_FRAMEWORK = os.path.join(os.path.dirname(os.path.abspath(holdfast.__file__)), "framework")
SHIPPED_RULES = os.path.join(_FRAMEWORK, "rules")
# Name of a rules file -> the digests of what earlier versions shipped under it.
EARLIER_RULES = os.path.join(_FRAMEWORK, "earlier-rules.json")
_DIGITS = 16
JAVASCRIPT_RULES = "story.javascript"
JAVASCRIPT_SIGNS = ("package.json", "tsconfig.json")

IGNORED = """\
# Made by Holdfast: files of this machine, and files that it can recreate. Commit everything else in this folder.
config.local.yaml
.identity
memories/*
!memories/team/
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
INHERITING = """\
# The rules of the project around this one hold here too. Add domains here; one of the same name takes its place.
"""
# The lines of it that leave the memories of the team to git, and nothing else of the memories; and what no clone has.
_OTHERS, _TEAM, _IDENTITY = b"memories/*", b"!memories/team/", b".identity"


def missing_files(root: str, outer: str = "") -> dict[str, bytes]:
    """Return path -> bytes of each file that the project at ``root`` still lacks, in a stable order.

    ``outer``: the project that it inherits rules from; it gets none of the shipped ones then.
    """
    home = os.path.join(root, FOLDER)
    wanted = {os.path.join(home, ".gitignore"): IGNORED.encode()}
    rules = {"manifest": INHERITING.encode()} if outer else shipped_rules(root)
    wanted |= {os.path.join(home, "rules", name): text for name, text in rules.items()}
    return {path: text for path, text in wanted.items() if not os.path.lexists(path)}


def outdated_rules(root: str) -> tuple[dict[str, tuple[bytes, bytes]], tuple[str, ...]]:
    """Return path -> (bytes there, bytes that are shipped now) of each rules file that stands as an earlier version
    shipped it, and the paths of those that differ because somebody changed them."""
    earlier = json.loads(read_bytes(EARLIER_RULES) or b"{}")
    outdated: dict[str, tuple[bytes, bytes]] = {}
    own: list[str] = []
    for name, text in shipped_rules(root).items():
        path = os.path.join(root, FOLDER, "rules", name)
        there = read_bytes(path)
        plain = (there or b"").replace(b"\r\n", b"\n")
        if there is None or plain == text:
            continue
        if hashlib.sha256(plain).hexdigest()[:_DIGITS] in earlier.get(name, ()):
            outdated[path] = (there, text)
        elif name in earlier:
            own.append(path)
    return outdated, tuple(own)


def mended_ignore(raw: bytes) -> bytes:
    """Return the bytes of a ``.gitignore`` with git keeping the memories of the team, where they say that it keeps
    none, and leaving out the file by which this machine knows the folder; every other line stays."""
    lines = raw.splitlines(keepends=True)
    there = {line.strip() for line in lines}
    line_break = b"\r\n" if b"\r\n" in raw else b"\n"
    if _TEAM not in there:
        both = line_break.join((_OTHERS, _TEAM, b""))
        lines = [both if line.strip().strip(b"/") == b"memories" else line for line in lines]
    if not there & {_IDENTITY, b"*"}:
        unfinished = bool(lines) and not lines[-1].endswith(b"\n")
        lines += [line_break if unfinished else b"", _IDENTITY, line_break]
    return b"".join(lines)


def shipped_rules(root: str) -> dict[str, bytes]:
    """Return name -> bytes of the rules files that a project at ``root`` starts with."""
    names = sorted(name for name in os.listdir(SHIPPED_RULES) if os.path.isfile(os.path.join(SHIPPED_RULES, name)))
    rules = {name: read_bytes(os.path.join(SHIPPED_RULES, name)) or b"" for name in names}
    javascript = rules.pop(JAVASCRIPT_RULES, b"")
    if any(os.path.exists(os.path.join(root, name)) for name in JAVASCRIPT_SIGNS):
        lines = [line for line in javascript.splitlines(keepends=True) if not line.startswith(b"#")]
        rules["story"] = b"".join((rules.get("story", b""), *lines))
    return rules
