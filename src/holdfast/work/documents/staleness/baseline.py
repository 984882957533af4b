"""The baseline of an evaluation: what the document and the files that its type watches were like when it was judged.

Only content counts. Branches, clones, teammates and time stamps play no role, and what is put back is as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.ground.values import Value
from holdfast.work.documents.staleness.content import digest

EVERYTHING = "*"
FIELDS = ("document_hash", "watched_hash", "watched_by", "watched_level")
"""The plain fields of a detail file that hold a baseline; ``watched`` and ``requirements`` are mappings."""
_DEEPEST = 6


class Baseline(Value):
    """What a document was judged against.

    ``document``: the id of its content, "" where an older version evaluated it.
    ``watched``: one id for all that its type watches.
    ``by``: the id of the patterns that said what that is.
    ``level``: 0 where ``entries`` names each file, else from how many folders (less one) it makes one entry.
    ``entries``: path -> id; a folder with ``/`` and a file that only has to be there have no id of content.
    ``requirements``: id of a requirement -> id of its text.
    """

    document: str = ""
    watched: str = ""
    by: str = ""
    level: int = 0
    entries: Mapping[str, str] = {}
    requirements: Mapping[str, str] = {}


def make_baseline(
    document: str, by: str, entries: Mapping[str, str], requirements: Mapping[str, str], most: int
) -> Baseline:
    """Return the baseline of an evaluation; with more than ``most`` entries those of a folder are one."""
    level = _level(entries, most)
    return Baseline(document, digest(entries), by, level, fold(entries, level), requirements)


def fold(entries: Mapping[str, str], level: int) -> Mapping[str, str]:
    """Return one entry for all that share their first ``level - 1`` folders; with level 0 the entries as they are."""
    if not level:
        return entries
    groups: dict[str, dict[str, str]] = {}
    for path, identity in entries.items():
        folders = path.split("/")[:-1][: level - 1]
        groups.setdefault("/".join([*folders, EVERYTHING]), {})[path] = identity
    return {name: digest(group) for name, group in groups.items()}


def explain(before: Baseline, entries: Mapping[str, str]) -> str:
    """Return what differs from the baseline in a phrase, "" for nothing that its entries tell."""
    old, new = before.entries, fold(entries, before.level)
    changed = [_words(path, "changed") for path in sorted(old) if path in new and new[path] != old[path]]
    gone = [_words(path, "was deleted") for path in sorted(old) if path not in new]
    added = [_words(path, "is new") for path in sorted(new) if path not in old]
    found = [*changed, *gone, *added]
    return found[0] + (f", and {len(found) - 1} more" if len(found) > 1 else "") if found else ""


def read_baseline(data: Mapping[str, Any]) -> Baseline:
    """Return the baseline that a detail file holds, an empty one for none."""
    level = data.get("watched_level")
    return Baseline(
        document=str(data.get("document_hash") or ""),
        watched=str(data.get("watched_hash") or ""),
        by=str(data.get("watched_by") or ""),
        level=level if isinstance(level, int) and not isinstance(level, bool) and level > 0 else 0,
        entries=_texts(data.get("watched")),
        requirements=_texts(data.get("requirements")),
    )


def baseline_fields(baseline: Baseline) -> dict[str, object]:
    """Return the baseline as the fields of a detail file, None for those that it does not have."""
    values = (baseline.document, baseline.watched, baseline.by, baseline.level)
    plain: dict[str, object] = {name: value or None for name, value in zip(FIELDS, values, strict=True)}
    return plain | {
        "watched": dict(sorted(baseline.entries.items())) or None,
        "requirements": dict(baseline.requirements) or None,
    }


def _level(entries: Mapping[str, str], most: int) -> int:
    if len(entries) <= most:
        return 0
    return next((level for level in range(_DEEPEST, 1, -1) if len(fold(entries, level)) <= most), 1)


def _words(path: str, what: str) -> str:
    if path == EVERYTHING:
        return "what its type watches changed"
    if path.endswith(f"/{EVERYTHING}"):
        return f"{path.removesuffix(EVERYTHING)} changed"
    return f"{path} {what}"


def _texts(data: object) -> dict[str, str]:
    found = data if isinstance(data, dict) else {}
    return {str(key): str(value) for key, value in found.items()}
