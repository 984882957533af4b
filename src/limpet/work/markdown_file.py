"""Markdown files of Limpet: they may come without frontmatter, and with the mistakes that people make in one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import Frontmatter, render_plainly, set_keys, split_frontmatter
from limpet.ground.formats.markdown import line_break_of
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.storage import text_file
from limpet.ground.storage.files import is_larger, read_bytes, stamp
from limpet.ground.storage.text_file import fair_lock, refuse_link, replace_text
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace

LARGEST = 500_000
"""Bytes of a story or a handoff: more is no text that somebody wrote."""

_BOX_IN_YAML = re.compile(r"\s*-\s+\[[ xX]\]\s")
_DRIVES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
PATIENCE = 20.0
"""Seconds to wait for other processes that write."""
# A file that changes before each of so many writes is in the hands of another program.
TRIES = 5
_FOR_EVERYBODY = 0o644


def is_safe_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and not name.endswith(".") and not _DRIVES.match(name)


def read_document(path: str, where: str) -> str | None:
    """Return the exact text, None where there is no file. Raise LimpetError with ``file:line`` for what is no text."""
    raw = read_bytes(path, LARGEST)
    if raw is None and is_larger(path, LARGEST):
        raise LimpetError(f"File is larger than {LARGEST} bytes", where, "Shorten it.")
    if raw is None:
        return None
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise LimpetError("Not UTF-8", f"{where}:{line}", "Save the file as UTF-8.") from None


def split_document(text: str, where: str) -> Frontmatter:
    """Without frontmatter the first two parts are empty. Raise LimpetError with ``file:line``."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    if text.startswith((f"{mark}---\n", f"{mark}---\r\n", f"{mark}--- ")):
        return split_frontmatter(text, where)
    return Frontmatter(head=mark, yaml="", rest=text[len(mark) :], body=0)


def load_keys(parts: Frontmatter, where: str) -> dict[Any, Any]:
    """Raise LimpetError with ``file:line`` for what cannot be read."""
    try:
        data = load_yaml(parts.yaml, where)
    except LimpetError as error:
        raise _key_error(error, parts, where) from None
    if data is not None and not isinstance(data, dict):
        raise LimpetError("Frontmatter must be a mapping of keys to values", f"{where}:{parts.line}", "Fix it by hand.")
    return data or {}


def refuse_newer(version: object, known: int, where: str) -> None:
    if not isinstance(version, int) or version > known:
        what = f"schema_version {version} is newer than this Limpet supports ({known})"
        raise LimpetError(what, where, "Update Limpet; until then the file is read-only.")


def set_document_keys(text: str, changes: Mapping[str, object], where: str) -> str:
    """The text gets a frontmatter where it has none. Raise LimpetError."""
    parts = split_document(text, where)
    if not parts.head.strip("\ufeff"):
        end = line_break_of(text)
        keys = [f"{key}: {render_plainly(value)}{end}" for key, value in changes.items() if value is not None]
        return f"{parts.head}---{end}{''.join(keys)}---{end}{end}{parts.rest}"
    try:
        return set_keys(parts, changes, where).text
    except LimpetError as error:
        raise _key_error(error, parts, where) from None


def rewrite(path: str, where: str, change: Callable[[str | None], str]) -> bool:
    """Write what ``change`` returns for the file's text (None where there is none); return whether that differed. The
    caller holds ``sole_writer``. ``change`` is called again where a person saved the file meanwhile. Raise
    LimpetError."""
    for _ in range(TRIES):
        mark = stamp(path)
        text = read_inside(path, where)
        if text is None and mark is not None:
            raise LimpetError("Cannot read the file", where, "Check that it is a file, and its permissions.")
        changed = change(text)
        if changed == text:
            return False
        if stamp(path) == mark:
            replace_text(path, changed, where, _FOR_EVERYBODY)
            return True
    raise LimpetError("Another process is writing the file", where, "Try again.")


def read_inside(path: str, where: str) -> str | None:
    """Return the exact text, None where there is no file. Raise LimpetError for a link out of the project."""
    refuse_link(path, where)
    return read_document(path, where)


def sole_document_writer(workspace: Workspace, what: str) -> AbstractContextManager[None]:
    """Raise LimpetError where another process of Limpet writes ``what``."""
    path = workspace.kept("locks", f"{what}.lock")
    return text_file.sole_writer(path, f"the {what}", PATIENCE, fair_lock)


class Reason(Value):
    """A fault of a story or handoff; ``where``: ``file:line``, or "". A ``grave`` one is enough to refuse."""

    what: str
    where: str = ""
    hint: str = ""
    grave: bool = True

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what}" + (f" ({self.hint})" if self.hint else "")


def _key_error(error: LimpetError, parts: Frontmatter, where: str) -> LimpetError:
    """Count the line in the whole file, and hint at the usual cause."""
    number = error.where.removeprefix(f"{where}:")
    if not number.isdecimal():
        return error
    lines = parts.yaml.splitlines()
    near = lines[max(0, int(number) - 2) : int(number)]
    boxes = any(_BOX_IN_YAML.match(line) for line in near)
    hint = 'Quote items with a box: - "[x] text"' if boxes else error.hint or "Fix the YAML in this line."
    return LimpetError(error.what, f"{where}:{int(number) + parts.line - 1}", hint)
