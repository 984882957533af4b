"""The backlog of the documents: problems found and not yet solved.

Every item is in its artifact's detail file; the manifest repeats the most urgent ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdfast.ground.values import Value

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


def read_items(data: object, artifact: str = "") -> tuple[BacklogItem, ...]:
    """Return the items of a ``backlog`` list, bad ones left out; ``artifact`` is whose list it is where they do not
    say."""
    items = data if isinstance(data, list) else []
    return tuple(item for one in items if (item := _read(one, artifact)))


def is_same(one: BacklogItem, other: BacklogItem) -> bool:
    """Return whether both describe the same problem, one of them perhaps shortened."""
    texts = {one.item, other.item}
    is_shortened = shorten(one.item) in texts and shorten(other.item) == shorten(one.item)
    return one.artifact == other.artifact and (len(texts) == 1 or is_shortened)


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


def place_for(item: BacklogItem, shown: Sequence[BacklogItem]) -> int:
    """Return the item's place in the manifest's list: behind the last that is as urgent. The others keep their
    order."""
    return max((place + 1 for place, one in enumerate(shown) if rank(one) <= rank(item)), default=0)


def surplus(shown: Sequence[BacklogItem], most: int) -> tuple[int, ...]:
    """Return the places of the items that must leave the manifest, the last first: the least urgent, of those the
    lowest."""
    by_need = sorted(range(len(shown)), key=lambda place: (rank(shown[place]), place))
    return tuple(sorted(by_need[most:], reverse=True))


def shorten(text: str, most: int = LONGEST) -> str:
    """Return the text within ``most`` bytes of UTF-8, with an ellipsis where something was cut."""
    raw = text.encode()
    return text if len(raw) <= most else raw[: most - 3].decode("utf-8", "ignore").rstrip() + "..."


def _read(one: object, artifact: str) -> BacklogItem | None:
    if not isinstance(one, dict) or not isinstance(one.get("item"), str) or not one["item"].strip():
        return None
    priority = str(one.get("priority") or "medium").lower()
    return BacklogItem(
        artifact=str(one.get("artifact") or artifact),
        item=" ".join(one["item"].split()),
        priority=priority if priority in PRIORITIES else "medium",
        found=str(one.get("found") or ""),
    )
