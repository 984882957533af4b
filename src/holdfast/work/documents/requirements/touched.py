"""Tells which requirements changed since an evaluation, and which stories and documents mention them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdfast.ground.values import Value
from holdfast.work.documents.requirements.text import mentioned, read_requirements
from holdfast.work.documents.staleness.content import content_id

CHANGED, NEW, GONE = "changed", "is new", "is gone"


class Touched(Value):
    """A requirement that is no longer what it was when its document was judged.

    ``change``: CHANGED, NEW or GONE.
    ``stories``, ``documents``: ids of the stories and keys of the documents that mention it.
    """

    id: str
    change: str
    stories: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def requirement_ids(text: str) -> dict[str, str]:
    """Return id -> id of the text of each requirement in a document."""
    return {name: content_id(what.encode()) for name, what in read_requirements(text).items()}


def changed_requirements(before: Mapping[str, str], text: str) -> tuple[Touched, ...]:
    """Return the requirements of a document's ``text`` that are not as they were ``before``, in the text's order, those
    that are gone last."""
    now = requirement_ids(text)
    found = [
        Touched(name, CHANGED if name in before else NEW) for name, what in now.items() if before.get(name) != what
    ]
    return (*found, *(Touched(name, GONE) for name in before if name not in now))


def with_mentions(
    found: Iterable[Touched], stories: Mapping[str, str], documents: Mapping[str, str]
) -> tuple[Touched, ...]:
    """Return the requirements with the stories and documents, texts by their names, that mention them."""
    in_stories = {name: mentioned(text) for name, text in stories.items()}
    in_documents = {name: mentioned(text) for name, text in documents.items()}
    return tuple(
        one.replace(
            stories=tuple(name for name, ids in in_stories.items() if one.id in ids),
            documents=tuple(name for name, ids in in_documents.items() if one.id in ids),
        )
        for one in found
    )


def describe_touched(one: Touched) -> str:
    """Return the requirement in a line."""
    parts = (("story", "stories", one.stories), ("document", "documents", one.documents))
    told = [f"{single if len(names) == 1 else many} {', '.join(names)}" for single, many, names in parts if names]
    return f"{one.id} {one.change}: {'; '.join(told) or 'no story and no document mentions it'}"


def in_short(found: Iterable[Touched]) -> str:
    """Return all in a phrase: ``FR-3, FR-9 changed, NFR-1 is gone``."""
    known: dict[str, list[str]] = {}
    for one in found:
        known.setdefault(one.change, []).append(one.id)
    are = {CHANGED: "changed", NEW: "are new", GONE: "are gone"}
    return ", ".join(f"{', '.join(ids)} {change if len(ids) == 1 else are[change]}" for change, ids in known.items())
