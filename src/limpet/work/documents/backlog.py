"""The backlog of the documents: problems found and not yet solved.

Every item is in its artifact's detail file; the manifest repeats the most urgent ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.ground.values import Value

PRIORITIES = ("high", "medium", "low")
LONGEST = 52
"""Bytes of an item's text in the manifest, so that it stays small; the detail file has it in full."""


class BacklogItem(Value):
    """A problem of one document.

    ``artifact``: the document's key.
    ``found``: the day on which it was noted, "" where nobody wrote that down.
    """

    artifact: str
    item: str
    priority: str = "medium"
    found: str = ""


def read_item(row: object, artifact: str = "") -> BacklogItem | None:
    """Return the problem that a row of a ``backlog`` list holds, None for none; ``artifact`` is whose it is where the
    row does not say."""
    if not isinstance(row, dict) or not isinstance(row.get("item"), str) or not row["item"].strip():
        return None
    priority = str(row.get("priority")).lower()
    return BacklogItem(
        artifact=str(row.get("artifact") or artifact),
        item=" ".join(row["item"].split()),
        priority=priority if priority in PRIORITIES else "medium",
        found=str(row.get("found") or ""),
    )


def is_same(one: BacklogItem, other: BacklogItem) -> bool:
    """Return whether both describe the same problem, one of them perhaps shortened."""
    texts = {one.item, other.item}
    is_shortened = shorten(one.item) in texts and shorten(other.item) == shorten(one.item)
    return one.artifact == other.artifact and (len(texts) == 1 or is_shortened)


def without(items: Iterable[BacklogItem], item: BacklogItem) -> tuple[BacklogItem, ...]:
    """Return the items but for those of the same problem."""
    return tuple(one for one in items if not is_same(one, item))


def rank(item: BacklogItem) -> int:
    """Return the place of the item's priority, 0 for the most urgent."""
    return PRIORITIES.index(item.priority)


def union(*lists: Iterable[BacklogItem]) -> tuple[BacklogItem, ...]:
    """Return all items once, the most urgent first; of equal ones the first list's."""
    found: list[BacklogItem] = []
    for items in lists:
        known = {(one.artifact, shorten(one.item)): one for one in found}
        for item in items:
            twin = known.get((item.artifact, shorten(item.item)))
            if twin is None or not is_same(twin, item):
                found.append(item)
    return tuple(sorted(found, key=rank))


def show(
    shown: Sequence[BacklogItem], item: BacklogItem, most: int
) -> tuple[tuple[BacklogItem, ...], tuple[BacklogItem, ...]]:
    """Return (the manifest's list with this item, shortened, behind the last that is as urgent; those that must leave
    it so that ``most`` stay: the least urgent, of those the lowest). The others keep their order."""
    place = max((place + 1 for place, one in enumerate(shown) if rank(one) <= rank(item)), default=0)
    listed = [*shown[:place], item.replace(item=shorten(item.item), found=""), *shown[place:]]
    by_need = sorted(range(len(listed)), key=lambda place: rank(listed[place]))
    kept, gone = (tuple(listed[place] for place in sorted(places)) for places in (by_need[:most], by_need[most:]))
    return kept, gone


def shorten(text: str, most: int = LONGEST) -> str:
    """Return the text within ``most`` bytes of UTF-8, with an ellipsis where something was cut."""
    raw = text.encode()
    return text if len(raw) <= most else raw[: most - 3].decode("utf-8", "ignore").rstrip() + "..."
