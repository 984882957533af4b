"""Reads the secrets of a project's ``.env`` files, which redaction replaces by value wherever they occur."""

from __future__ import annotations

import os
import re
from itertools import chain

from limpet.ground.safety.patterns import later
from limpet.ground.safety.redaction import KNOWN_CHARACTERS, redact
from limpet.ground.workspace import Workspace, worktrees

LARGEST = 256 * 1024
MOST_FILES = 40
# Packages of a monorepo have their own files, which are looked for so deep, and in so many folders.
DEEPEST = 3
MOST_FOLDERS = 400
# Lines of a multi-line value count by themselves too, because logs and diffs cut it.
SHORTEST_LINE = 16
FOREIGN = frozenset("node_modules vendor venv env site-packages __pycache__ target dist build out coverage".split())
# Files that are made to be shared: their values are examples.
_SHARED = frozenset(("example", "sample", "template", "dist", "defaults", "schema", "md"))

_ASSIGNMENT = later(
    r"^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][\w.-]*)[ \t]*=[ \t]*"
    r"(?:\"(?P<double>(?:\\.|[^\"\\])*)\"|'(?P<single>[^']*)'|`(?P<tick>[^`]*)`|(?P<bare>[^\n]*))",
    re.MULTILINE,
)
_ESCAPE = later(r"\\(.)", re.DOTALL)
_SECRET_NAME = later(r"(?i)pass|pwd|secret|token|key|cred|auth|dsn|salt|private|signature|webhook|senha|cert|jwt")
_PUBLIC_NAME = later(
    r"(?i)(?:^|_)(?:name|host|hostname|port|region|zone|env|environment|model|bucket|path|dir|file|level|tz|timezone"
    r"|version|email|user|username|domain|locale|lang|mode|origin|origins|image|tag|branch|title|date)$"
)
_WORDS = later(r"[^\W\d_]+(?:[-_. ,/:@+&!]*[^\W\d_]+)*")
_URL = later(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^\s/:@]*:(?P<password>[^\s/]+)@)?(?P<host>[^\s/?#]*)(?P<rest>.*)")
_LOCAL = later(r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal)(?::\d+)?$")
# Common values that are long enough to be redacted, but occur in ordinary text.
_PLAIN = frozenset(
    ("password", "changeme", "change-me", "postgres", "localhost", "username", "database", "development", "production")
    + ("required", "disabled", "undefined", "your-key", "your-secret", "your-password", "default123", "password1")
    + ("password123", "secret123", "admin123")
)


def read_secrets(root: str) -> frozenset[str]:
    """The values worth hiding of ``.env``, ``.env.*`` and ``.envrc`` in a folder and those below it. Left out are the
    files that are made to be shared (``.env.example``), values below KNOWN_CHARACTERS characters, numbers, plain words,
    paths, and URLs without a password; of a URL with one, URL and password both count. Those of the other worktrees of
    a git repository count too: they share their memories."""
    found: set[str] = set()
    for path in chain.from_iterable(map(_own_files, worktrees(root))):
        found.update(secrets_of(_text_of(path)))
    return frozenset(found)


def without_secrets(workspace: Workspace, text: str) -> str:
    return redact(text, known=read_secrets(workspace.root)) if text else ""


def secrets_of(text: str) -> list[str]:
    found: list[str] = []
    for assignment in _ASSIGNMENT().finditer(text):
        value = _value_of(assignment)
        if is_secret(assignment["name"], value):
            found += [value, *_password_of(value), *_lines_of(value)]
    return found


def is_secret(name: str, value: str) -> bool:
    if len(value) < KNOWN_CHARACTERS or len(set(value)) < 4 or value.lower() in _PLAIN:
        return False
    if value.startswith(("${", "$(", "<", "{{", "./", "../", "~/")) or not any(c.isalpha() for c in value):
        return value.isdigit() and bool(_SECRET_NAME().search(name)) and len(value) >= 2 * KNOWN_CHARACTERS
    url = _URL().fullmatch(value)
    if url:
        return bool(_password_of(value)) or bool(_SECRET_NAME().search(name)) and not _LOCAL().match(url["host"])
    if _SECRET_NAME().search(name):
        return not value.startswith("/") or " " not in value and value.count("/") > 8
    return not (_PUBLIC_NAME().search(name) or _WORDS().fullmatch(value) or value.startswith("/"))


def _lines_of(value: str) -> list[str]:
    lines = [line.strip() for line in value.split("\n")]
    return [line for line in lines if len(line) >= SHORTEST_LINE and " " not in line] if len(lines) > 1 else []


def _own_files(root: str) -> list[str]:
    found: list[str] = []
    level, left = [root], MOST_FOLDERS
    for _ in range(DEEPEST + 1):
        below: list[str] = []
        for folder in level[:left]:
            files, folders = _inside(folder)
            found += files
            below += folders
        level, left = below, max(0, left - len(level))
    return found[:MOST_FILES]


def _inside(folder: str) -> tuple[list[str], list[str]]:
    try:
        with os.scandir(folder) as entries:
            names = sorted([(each.name, each.is_dir(follow_symlinks=False)) for each in entries])
    except OSError:
        return [], []
    files, folders = [], []
    for name, is_folder in names:
        if name.startswith(".env") and _is_own(folder, name):
            files.append(os.path.join(folder, name))
        if is_folder and name[0] != "." and name not in FOREIGN:
            folders.append(os.path.join(folder, name))
    return files, folders


def _password_of(value: str) -> tuple[str, ...]:
    url = _URL().fullmatch(value)
    password = url["password"] if url else None
    plain = not password or len(password) < KNOWN_CHARACTERS or password.lower() in _PLAIN
    return () if plain else (str(password),)


def _value_of(assignment: re.Match[str]) -> str:
    double, quoted = assignment["double"], assignment["single"] or assignment["tick"]
    if double is not None:
        return _ESCAPE().sub(lambda found: {"n": "\n", "r": "\r", "t": "\t"}.get(found[1], found[1]), double)
    if quoted is not None:
        return quoted
    return re.split(r"[ \t]#", assignment["bare"] or "", maxsplit=1)[0].strip()


def _is_own(folder: str, name: str) -> bool:
    if name not in (".env", ".envrc") and not name.startswith(".env."):
        return False
    return _SHARED.isdisjoint(name.lower().split(".")) and os.path.isfile(os.path.join(folder, name))


def _text_of(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(LARGEST).decode("utf-8-sig", "replace").replace("\r\n", "\n")
    except OSError:
        return ""
