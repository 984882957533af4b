"""The rubrics, a checklist for each type of document: those of ``framework/rubrics.yaml`` and a project's own."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import holdfast
from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.schema import nearest
from holdfast.ground.formats.yaml_text import load_yaml
from holdfast.ground.values import Value

NAME = "framework/rubrics.yaml"
_BOUNDS = (2, 4, 6, 8)
"""From how many ninths of all points levels 2 to 5 begin, where a project makes its own rubric."""
_PATH = Path(holdfast.__file__).parent / "framework" / "rubrics.yaml"


class Item(Value):
    """A question that yes or no answers.

    ``weight``: the points for yes, negative for a penalty.
    """

    id: str
    question: str
    weight: int

    @property
    def is_penalty(self) -> bool:
        """True where yes is bad, and needs a cited example."""
        return self.weight < 0


class Rubric(Value):
    """The questions for one type of document.

    ``levels``: the points from which levels 2 to 5 begin.
    ``core``: core types go first.
    ``names``: file names of such documents.
    ``watch``: patterns of files whose change makes such a document stale.
    """

    type: str
    items: tuple[Item, ...]
    levels: tuple[int, ...]
    core: bool = False
    names: tuple[str, ...] = ()
    watch: tuple[str, ...] = ()

    @property
    def most(self) -> int:
        """The points of a document that answers everything."""
        return sum(item.weight for item in self.items if not item.is_penalty)

    def item(self, name: str) -> Item:
        """Return the item of this id. Raises HoldfastError."""
        for item in self.items:
            if item.id == name:
                return item
        what = f"{self.type} has no item {name!r}{nearest(name, [item.id for item in self.items])}"
        raise HoldfastError(what, hint=f"known are {', '.join(item.id for item in self.items)}")


@cache
def load_rubrics() -> dict[str, Rubric]:
    """Return the rubrics of the thirteen shipped types by type, the core ones first."""
    data: Any = load_yaml(_PATH.read_text(encoding="utf-8"), NAME)
    penalties = _items(data["penalties"])
    return {name: _rubric(name, about, penalties) for name, about in data["types"].items()}


def rubric_of(key: str, kind: str) -> Rubric | None:
    """Return the shipped rubric of an artifact: its type's, else that of the type which its key names."""
    known = load_rubrics()
    return known.get(kind) or known.get(key)


def custom_rubric(key: str, data: object, where: str) -> Rubric | None:
    """Return the rubric in a detail file's ``custom_rubric``, items of id, question and weight; None where it has none.

    Its levels begin at the same shares of the points as in the shipped ones. Raises HoldfastError.
    """
    if not data:
        return None
    listed = data.get("items") if isinstance(data, dict) else data
    try:
        items = (*_items(listed), *(item for item in load_rubrics()["architecture"].items if item.is_penalty))
    except (KeyError, TypeError, ValueError):
        what = "custom_rubric must be a list of items, each with id, question and weight"
        raise HoldfastError(what, where, "mend the file by hand") from None
    unique = tuple({item.id: item for item in items}.values())
    most = sum(item.weight for item in unique if not item.is_penalty)
    if not most:
        raise HoldfastError("custom_rubric has no item with a weight above 0", where, "mend the file by hand")
    return Rubric(key, unique, tuple(max(1, round(most * part / 9)) for part in _BOUNDS))


@cache
def pattern_of(watch: tuple[str, ...]) -> re.Pattern[str]:
    """Return one pattern for all paths (from the root, with ``/``) that match the watch patterns: see
    ``framework/rubrics.yaml``."""
    return re.compile("|".join(map(_translate, watch)) or r"(?!)")


def watched(paths: Iterable[str], watch: tuple[str, ...]) -> list[str]:
    """Return the paths that match the watch patterns."""
    matches = pattern_of(watch).match
    return [path for path in paths if matches(path)]


def _translate(pattern: str) -> str:
    body = fnmatch.translate(pattern.strip("/")).removesuffix(r"\Z").removesuffix(r"\z")
    return rf"(?:{'' if '/' in pattern.strip('/') else '(?:.*/)?'}{body}(?:/.*)?\Z)"


def _rubric(name: str, about: Mapping[str, Any], penalties: tuple[Item, ...]) -> Rubric:
    return Rubric(
        type=name,
        items=(*_items(about["items"]), *penalties),
        levels=tuple(about["levels"]),
        core=about.get("core", False),
        names=tuple(about["names"]),
        watch=tuple(about["watch"]),
    )


def _items(data: Any) -> tuple[Item, ...]:
    return tuple(Item(str(one["id"]), str(one["question"]), int(one["weight"])) for one in data)
