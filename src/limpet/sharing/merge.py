"""Merges two versions of an entry field by field, where each changed other ones; where both changed one, both versions
stay. Pure, and the same whichever machine does it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from limpet.ground.digest import blake2b
from limpet.ground.values import Value
from limpet.memory.model.ids import ALPHABET, short_id
from limpet.memory.model.layout import CURRENT, FORGOTTEN
from limpet.sharing.revision import ERASED, Said

# What maintenance counts on each machine, and what grows by itself: no two versions are apart for it.
COUNTED = ("tier", "access_count", "last_accessed")
_GROWING = ("confidence", "evidence_count", "evidence", "tags", "seen")
_HEAD = re.compile(r"(\ufeff?---[ \t]*\r?\n)(.*?)(^---[ \t]*\r?$.*)", re.DOTALL | re.MULTILINE)
_KEY = re.compile(r"^(?=[A-Za-z_][\w-]*[ \t]*:)", re.MULTILINE)
_ID = re.compile(r"^id:[ \t]*[\"']?(mem-[0-9a-z-]+)[\"']?[ \t]*\r?$", re.MULTILINE)
_DAY = 15
# Words on one line: with quotation marks or brackets among them it is left to whoever reads YAML.
_LIST = re.compile(r"""([a-z_]+:[ \t]*)\[([^\[\]'"{}#\r\n]*)\]([ \t]*\r?\n)""")


class Merged(Value):
    """``said``: what the entry says now. ``beside``: versions that stay as entries of their own, and their ids."""

    said: Said
    beside: tuple[tuple[str, Said], ...] = ()


def id_in(text: str) -> str:
    """Of an entry's file, "" where it has none."""
    parts = _HEAD.match(text)
    found = _ID.search(parts[2]) if parts else None
    return found[1] if found else ""


def without_counts(text: str) -> str:
    fields = _fields(text)
    return _join({name: part for name, part in fields.items() if name not in COUNTED}) if fields else text


def with_counts(text: str, here: str) -> str:
    """As ``without_counts`` had it, with those that the file has ``here``."""
    fields, own = _fields(text), _fields(here)
    kept = {name: part for name, part in own.items() if name in COUNTED}
    return _join({**fields, **kept}) if fields else text


def merge(versions: Sequence[Said], base: Said | None) -> Merged:
    """What was erased stays so; what was only forgotten comes back where somebody changed it meanwhile."""
    ordered = sorted(versions, key=lambda each: each.mark)
    gone = [each for each in ordered if each.state == ERASED]
    kept = [each for each in ordered if each.text and each.state not in (ERASED, FORGOTTEN)]
    if gone or not kept:
        return Merged((gone or ordered)[0])
    said, beside = kept[0], list[tuple[str, Said]]()
    for other in kept[1:]:
        if other == said:
            continue
        text = _merge_texts(base.text if base else "", said.text, other.text)
        if text is None:
            beside.append(_apart(other))
            text = said.text
        state = CURRENT if CURRENT in (said.state, other.state) else said.state
        folder = said.folder if not base or said.folder != base.folder else other.folder
        said = Said(state, folder, text)
    return Merged(said, tuple(beside))


def _apart(said: Said) -> tuple[str, Said]:
    """With an id made of its words, so that each machine gives it the same."""
    drawn = blake2b(said.mark.encode(), digest_size=8).digest()
    old = id_in(said.text)
    new = old[:_DAY] + "".join(ALPHABET[byte % 32] for byte in drawn)
    return new, said.replace(text=_ID.sub(f"id: {new}", said.text, count=1))


def file_apart(file: str, old: str, new: str) -> str:
    stem = file.removesuffix(".md").removesuffix(f"-{short_id(old)}")
    return f"{stem}-{short_id(new)}.md"


def _merge_texts(base: str, one: str, other: str) -> str | None:
    was, ours, theirs = _fields(base), _fields(one), _fields(other)
    if not (ours and theirs):
        return None
    merged = dict[str, str]()
    for name in dict.fromkeys((*ours, *theirs)):
        before, here, there = was.get(name), ours.get(name), theirs.get(name)
        if here == there or there == before:
            part = here
        elif here == before:
            part = there
        elif name in _GROWING:
            part = _grown(here or "", there or "")
        else:
            return None
        if part is not None:
            merged[name] = part
    return _join(merged)


def _grown(one: str, other: str) -> str:
    """The more of two figures, and all of two lists."""
    first, second = one.splitlines(keepends=True), other.splitlines(keepends=True)
    if len(first) > 1 and len(second) > 1:
        return "".join(dict.fromkeys((*first, *second)))
    here, there = _LIST.fullmatch(one), _LIST.fullmatch(other)
    if here and there:
        both = (*here[2].split(","), *there[2].split(","))
        items = dict.fromkeys(sorted(filter(None, map(str.strip, both))))
        return f"{here[1]}[{', '.join(items)}]{here[3]}"
    return max(one, other, key=lambda part: (len(part), part) if "[" in part else (0, part))


def _fields(text: str) -> dict[str, str]:
    """Name -> its lines, of the frontmatter's keys; ``""`` for what opens it, ``body`` for all that follows."""
    parts = _HEAD.match(text)
    if not parts:
        return {}
    opening, *keys = _KEY.split(parts[2])
    named = {part.partition(":")[0].strip(): part for part in keys}
    return {"": parts[1] + opening, **{n: p for n, p in named.items() if n != "body"}, "body": parts[3]}


def _join(fields: dict[str, str]) -> str:
    body = fields.get("body", "")
    return "".join(part for name, part in fields.items() if name != "body") + body
