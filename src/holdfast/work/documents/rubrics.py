"""The rubrics, a checklist for each type of document: those of ``framework/rubrics.yaml`` and a project's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


class Watch(Value):
    """What a type is judged against, as patterns of files: see ``framework/rubrics.yaml``.

    ``files``: those whose content counts.
    ``names``: those that only have to be there.
    ``folders``: those whose folders count.
    """

    files: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


class Rubric(Value):
    """The questions for one type of document.

    ``levels``: the points from which levels 2 to 5 begin.
    ``core``: core types go first.
    ``names``: file names of such documents.
    ``places``: patterns of further paths of such documents.
    ``agents``: who writes such documents in a workflow.
    ``made``: True where a workflow makes it: no project lacks it otherwise.
    ``requirements``: True where it holds numbered requirements.
    ``watch``: what makes such a document stale.
    """

    type: str
    items: tuple[Item, ...]
    levels: tuple[int, ...]
    core: bool = False
    names: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    made: bool = False
    requirements: bool = False
    watch: Watch = Watch()

    @property
    def most(self) -> int:
        """The points of a document that answers everything."""
        return sum(item.weight for item in self.items if not item.is_penalty)

    def item(self, name: str) -> Item:
        """Return the item of this id. Raise HoldfastError."""
        for item in self.items:
            if item.id == name:
                return item
        what = f"Unknown item {name!r} of {self.type}{nearest(name, [item.id for item in self.items])}"
        raise HoldfastError(what, hint=f"Items: {', '.join(item.id for item in self.items)}")


@cache
def load_rubrics() -> dict[str, Rubric]:
    """Return the rubrics of the shipped types by type, the core ones first."""
    data: Any = load_yaml(_PATH.read_text(encoding="utf-8"), NAME)
    penalties = _items(data["penalties"])
    return {name: _rubric(name, about, penalties) for name, about in data["types"].items()}


def rubric_of(key: str, kind: str) -> Rubric | None:
    """Return the shipped rubric of an artifact: its type's, else that of the type which its key names."""
    known = load_rubrics()
    return known.get(kind) or known.get(key)


def custom_rubric(key: str, data: object, where: str) -> Rubric | None:
    """Return the rubric in a detail file's ``custom_rubric``, items of id, question and weight; None where it has none.

    Its levels begin at the same shares of the points as in the shipped ones. Raise HoldfastError.
    """
    if not data:
        return None
    listed = data.get("items") if isinstance(data, dict) else data
    try:
        items = (*_items(listed), *(item for item in load_rubrics()["architecture"].items if item.is_penalty))
    except (KeyError, TypeError, ValueError):
        what = "custom_rubric must be a list of items, each with id, question and weight"
        raise HoldfastError(what, where, "Fix the file by hand.") from None
    unique = tuple({item.id: item for item in items}.values())
    if not any(item.weight > 0 for item in unique):
        raise HoldfastError("custom_rubric has no item with a weight above 0", where, "Fix the file by hand.")
    return _proportioned(key, unique)


def own_rubric(key: str, asked: Sequence[Item], usual: Rubric | None) -> Rubric | None:
    """Return the rubric of the questions that a detail file's checklist brings along; None where it brings none, or
    those of the ``usual`` rubric with their weights."""
    shipped = {(item.id, item.weight) for item in (usual.items if usual else ())}
    if not any(item.weight > 0 for item in asked) or all((item.id, item.weight) in shipped for item in asked):
        return None
    return _proportioned(key, tuple(asked))


def _proportioned(key: str, items: tuple[Item, ...]) -> Rubric:
    """Return a rubric whose levels begin at the same shares of the points as in the shipped ones."""
    most = sum(item.weight for item in items if not item.is_penalty)
    return Rubric(key, items, tuple(max(1, round(most * part / 9)) for part in _BOUNDS))


def _rubric(name: str, about: Mapping[str, Any], penalties: tuple[Item, ...]) -> Rubric:
    return Rubric(
        type=name,
        items=(*_items(about["items"]), *penalties),
        levels=tuple(about["levels"]),
        core=about.get("core", False),
        names=tuple(about["names"]),
        places=tuple(about.get("places", ())),
        agents=tuple(about.get("agents", ())),
        made=about.get("made", False),
        requirements=about.get("requirements", False),
        watch=Watch(*(tuple(about.get(name, ())) for name in ("watch", "watch_names", "watch_folders"))),
    )


def _items(data: Any) -> tuple[Item, ...]:
    return tuple(Item(str(one["id"]), str(one["question"]), int(one["weight"])) for one in data)
