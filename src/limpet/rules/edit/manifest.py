"""Edits of a manifest's text: pure functions that keep every other line byte for byte."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.rules.format.key_value import is_true, read_lines, read_list
from limpet.rules.format.lines import insert, key_of, remove, rename, set_key, value_of
from limpet.rules.format.manifest import (
    AT_WORK,
    ON_DEMAND,
    PLAIN_KEYS,
    Domain,
    keys_of_list,
    read_manifest,
    split_key,
)

SWITCHED = {"active": "inactive", "true": "false", "yes": "no", "1": "0", "on": "off"}
ORDER = "DOMAIN_ORDER"
TRIGGERS = {"agent": "_AGENT_TRIGGER", "workflow": "_WORKFLOW_TRIGGER"}


def find_domain(text: str, name: str) -> Domain | None:
    """Return the domain as the manifest declares it."""
    return next((domain for domain in read_manifest(text).domains if domain.name == name), None)


def declare(text: str, name: str, values: dict[str, str]) -> str:
    """Return the manifest with a new domain at its end; ``values`` are those of its keys by suffix, without its
    state."""
    keys = [f"{name}_STATE=active", *(f"{name}{suffix}={value}" for suffix, value in values.items())]
    return insert(text, keys, lambda key: False)


def set_value(text: str, name: str, suffix: str, value: str) -> str:
    """Return the manifest with this value for the domain's key with this suffix."""
    return set_key(text, f"{name}{suffix}", value, lambda key: _is_of(key, name))


def switch(text: str, name: str, on: bool) -> str:
    """Return the manifest with the domain on or off, in the words that its STATE uses; untouched where it is so
    already, and not only at work or on demand."""
    known = value_of(text, f"{name}_STATE").lower() or ("active" if find_domain(text, name) else "")
    if known and is_true(known) == on and known not in (AT_WORK, ON_DEMAND):
        return text
    words = SWITCHED if not on else {off: word for word, off in SWITCHED.items()}
    return set_value(text, name, "_STATE", words.get(known, "active" if on else "inactive"))


def own(text: str, name: str, other: str) -> str:
    """Return the manifest with a domain's lines as another manifest has them, on, where it says no more than its state
    of the domain."""
    if any(_is_of(key, name) and key != f"{name}_STATE" for _, key, _ in read_lines(text)):
        return text
    text = text if value_of(text, f"{name}_STATE") else declare(text, name, {})
    lines = [line for line in other.splitlines() if _is_of(key_of(line), name) and key_of(line) != f"{name}_STATE"]
    return insert(text, lines, lambda key: key == f"{name}_STATE")


def entries_of(text: str, name: str, suffix: str) -> tuple[str, ...]:
    """Return the entries of a keyword list, of its further lines too."""
    keys = _lines_of_list(text, name, suffix)
    return tuple(entry for key in keys for entry in read_list(value_of(text, key)))


def replace_list(text: str, name: str, suffix: str, listed: Iterable[str]) -> str:
    """Return the manifest with a keyword list that has these entries, in one line."""
    further = set(_lines_of_list(text, name, suffix)) - {f"{name}{suffix}"}
    return remove(set_value(text, name, suffix, ", ".join(listed)), lambda key: key in further)


def change_list(text: str, name: str, suffix: str, added: Iterable[str], removed: Iterable[str]) -> str:
    """Return the manifest with entries added to a keyword list, unless it has them already, and others removed, each
    from the line that has it."""
    gone = {entry.lower() for entry in removed}
    for key in _lines_of_list(text, name, suffix):
        text = _without(text, name, key, gone)
    known = {entry.lower() for entry in entries_of(text, name, suffix)}
    new = [f" {entry}" for entry in added if entry.lower() not in known]
    old = value_of(text, f"{name}{suffix}")
    kept = [part for part in old.split(",") if part.strip()]
    return set_value(text, name, suffix, ",".join([*kept, *new]).strip()) if new else text


def remove_domain(text: str, name: str) -> str:
    """Return the manifest without the domain; comments stay."""
    return _reorder(remove(text, lambda key: _is_of(key, name)), name, "")


def rename_domain(text: str, old: str, new: str) -> str:
    """Return the manifest with the domain under another name, and everything else about it as before: triggers that its
    old name implied, or the new one would, are written out."""
    was = find_domain(text, old)
    renamed = rename(text, lambda key: new + key[len(old) :] if _is_of(key, old) else key)
    renamed = _reorder(renamed, old, new)
    now = find_domain(renamed, new)
    for field, suffix in TRIGGERS.items():
        if was and now and getattr(was, field) != getattr(now, field):
            renamed = set_value(renamed, new, suffix, getattr(was, field))
    return renamed


def _lines_of_list(text: str, name: str, suffix: str) -> list[str]:
    return keys_of_list((key for _, key, value in read_lines(text) if value is not None), name, suffix)


def _without(text: str, name: str, key: str, gone: set[str]) -> str:
    """Return the manifest without these entries, in lower case, in the line of the key."""
    old = value_of(text, key)
    kept = [part for part in old.split(",") if part.strip() and part.strip().lower() not in gone]
    listed = ",".join(kept).strip()
    return text if read_list(listed) == read_list(old) else set_value(text, name, key.removeprefix(name), listed)


def _is_of(key: str, name: str) -> bool:
    found, suffix = split_key(key)
    return found == name and bool(suffix) and key not in PLAIN_KEYS


def _reorder(text: str, old: str, new: str) -> str:
    """Return the text with the name replaced in the order of domains, or taken out of it."""
    parts = value_of(text, ORDER).split(",")
    if old not in [part.strip() for part in parts]:
        return text
    named = [part.replace(old, new) if part.strip() == old else part for part in parts]
    return set_key(text, ORDER, ",".join(part for part in named if part.strip()).strip(), lambda key: False)
