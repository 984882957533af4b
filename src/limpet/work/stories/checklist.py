"""Reads checklists and file lists from YAML."""

from __future__ import annotations

import re
from collections.abc import Mapping

from limpet.ground.formats.markdown import DONE, one_line
from limpet.ground.text.words import fold

Check = tuple[bool, str]
File = tuple[str, str]

TEXT, DONE_KEY = "text", "done"
KINDS = {
    **dict.fromkeys(("new", "create", "created", "add", "added", "novo", "nova", "criar"), "new"),
    **dict.fromkeys(("modify", "modified", "edit", "edited", "change", "changed", "update", "updated"), "modify"),
    **dict.fromkeys(("modificar", "modificado", "alterar", "alterado", "editar"), "modify"),
    **dict.fromkeys(("delete", "deleted", "remove", "removed", "excluir", "remover", "apagar"), "delete"),
}
"""What may happen to a file, by the words for it."""

BOX = re.compile(r"\s*(?:[-*+]\s+)?\[([ xX])\](?:\s+|$)")
_FILE = re.compile(r"(.*\S)\s*\(([^()]*)\)", re.DOTALL)


def read_checks(found: object) -> tuple[Check, ...]:
    """Return the (done, text) of a list; what has no text is left out."""
    checks = [read_check(item) for item in found] if isinstance(found, list) else []
    return tuple(check for check in checks if check[1])


def read_check(item: object) -> Check:
    """Return (done, text) of ``"[x] text"``, ``text``, ``{text: ..., done: true}`` or a text that YAML split at its
    colon."""
    if isinstance(item, Mapping):
        return _read_mapping(item)
    if isinstance(item, (list, type(None))):
        return False, ""
    text = str(item)
    box = BOX.match(text)
    return (box[1].lower() == DONE, one_line(text[box.end() :])) if box else (False, one_line(text))


def read_files(found: object) -> tuple[File, ...]:
    """Return the (path, new|modify|delete or nothing) of a list; what has no path is left out."""
    files = [read_file(item) for item in found] if isinstance(found, list) else []
    return tuple(file for file in files if file[0])


def read_file(item: object) -> File:
    """Return (path, change) of ``src/a.py (new)``, ``src/a.py`` or ``{path: ..., change: new}``."""
    if isinstance(item, Mapping):
        return _clean(str(item.get("path") or "")), _kind(item.get("change"))
    text = one_line(str(item)) if isinstance(item, str) else ""
    found = _FILE.fullmatch(text)
    if found and _kind(found[2]):
        return _clean(found[1]), _kind(found[2])
    return _clean(text), ""


def _read_mapping(item: Mapping[object, object]) -> Check:
    if item.get(TEXT) is not None:
        done = item.get(DONE_KEY)
        ticked, words = read_check(str(item[TEXT]))
        return (ticked if done is None else str(done).lower() in ("true", "yes", "x")), words
    key, value = next(iter(item.items())) if len(item) == 1 else (None, None)
    if key is None or isinstance(value, (dict, list)):
        return False, ""
    return read_check(f"{key}: {'' if value is None else value}")


def _clean(path: str) -> str:
    return path.strip().strip("`").strip()


def _kind(word: object) -> str:
    return KINDS.get(fold(str(word)).strip(), "") if word is not None else ""
