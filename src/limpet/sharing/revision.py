"""Revisions: one version of an entry as one writer wrote it, named by its content, each writer's in a chain. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from limpet.ground.digest import digest
from limpet.ground.values import Value

VERSION = 1
ERASED = "erased"
"""The state of an entry that is gone for good, beside the states that a place has (``memory.model.layout``)."""
_NAME = re.compile(r"w/([0-9a-f]{16})/(0|[1-9][0-9]{0,7})/(0|[1-9][0-9]{0,9})")
_SHARD = 100
_NO_TEXTS = ("said", "parents", "number")


class UnknownShape(ValueError):
    """A later version of Limpet wrote it."""


class Said(Value):
    """What a version says, the same on every machine.

    ``state``: ``current``, ``archive``, ``forgotten`` or ``erased``; the last two have neither folder nor text.
    ``folder``: of its file, from the memories of its state.
    ``taken``: the mark of a text that is not there any more, because its entry was erased.
    """

    state: str
    folder: str = ""
    text: str = ""
    taken: str = ""

    @property
    def mark(self) -> str:
        return self.taken or digest(f"{self.state}\0{self.folder}\0{self.text}", 16)


class Revision(Value):
    """``store``: "" for the personal one, else the address of a project's repository.
    ``entry``: its id. ``file``: the name of its file.
    ``parents``: the revisions that its writer had before it, and others that those stood for.
    ``number``, ``previous``: its place in its writer's chain, from 1, and the revision before it there.
    """

    store: str
    entry: str
    said: Said
    writer: str
    number: int
    file: str = ""
    previous: str = ""
    parents: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The same with and without its text, so that a chain holds whose texts were taken."""
        about = {**self.__dict__, "said": self.said.mark}
        return digest(json.dumps(about, sort_keys=True, separators=(",", ":")), 16)

    @property
    def name(self) -> str:
        return name_of(self.writer, self.number)


def without_text(revision: Revision) -> Revision:
    return revision.replace(said=Said(revision.said.state, taken=revision.said.mark))


def encode(revision: Revision) -> bytes:
    data = {**revision.__dict__, "said": revision.said.__dict__, "version": VERSION}
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def decode(raw: bytes) -> Revision:
    """Raise UnknownShape for what a later version wrote, ValueError for anything else that is no revision."""
    try:
        data = json.loads(raw)
        if data.pop("version") > VERSION:
            raise UnknownShape
        said, parents = Said(**data.pop("said")), tuple(data.pop("parents"))
        revision = Revision(**data, said=said, parents=parents)
    except UnknownShape:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError("no revision") from error
    texts = [value for name, value in (*revision.__dict__.items(), *said.__dict__.items()) if name not in _NO_TEXTS]
    if not all(isinstance(value, str) for value in (*texts, *parents)) or not isinstance(revision.number, int):
        raise ValueError("no revision")
    return revision


def name_of(writer: str, number: int) -> str:
    """In folders of a hundred, so that one more changes little."""
    return f"w/{writer}/{number // _SHARD}/{number}"


def read_name(name: str) -> tuple[str, int] | None:
    """(Writer, number), None for what is no name of a revision."""
    found = _NAME.fullmatch(name)
    if not found or int(found[3]) // _SHARD != int(found[2]):
        return None
    return found[1], int(found[3])


def in_chain(known: tuple[int, str], arrived: Iterable[Revision]) -> tuple[list[Revision], int]:
    """Of one writer's: (those that go on from the last that is ``known``, its number and id; how many do not: what
    follows a gap or another past counts for nothing until that is there)."""
    (number, last), good, apart = known, list[Revision](), 0
    for each in sorted(arrived, key=lambda one: one.number):
        if each.number == number + 1 and each.previous == last:
            good.append(each)
            number, last = each.number, each.id
        else:
            apart += 1
    return good, apart


def compare(listed: Mapping[str, str], known: Mapping[str, tuple[str, int]]) -> tuple[list[str], list[str], list[str]]:
    """Of the names that are ``known`` with a checksum and whether they were sent: those that the store lost or holds
    otherwise; those that it has, though that was not noted; those that were not sent and that it holds otherwise."""
    gone, back, forked = list[str](), list[str](), list[str]()
    for name, (checksum, sent) in known.items():
        there = listed.get(name)
        if sent and there != checksum:
            gone.append(name)
        elif not sent and there == checksum:
            back.append(name)
        elif not sent and there is not None:
            forked.append(name)
    return gone, back, forked


def heads_of(parents: Mapping[str, Sequence[str]]) -> list[str]:
    """Of the revisions of an entry (id -> parents) those that no other one stands for, in an order that all share."""
    stood_for = {parent for each in parents.values() for parent in each}
    return sorted(parents.keys() - stood_for)


def are_known(heads: Sequence[str], parents: Mapping[str, Sequence[str]]) -> bool:
    """Whether revisions stand for what was agreed."""
    return bool(heads) and set(parents).union(*parents.values()).issuperset(heads)


def ancestor_of(heads: Sequence[str], parents: Callable[[str], Sequence[str]]) -> str:
    """The nearest revision that all of them come from, "" for none."""
    lines = [_line(head, parents) for head in heads]
    common = set.intersection(*map(set, lines)) if lines else set()
    behind = {each for one in common for each in _line(one, parents)[1:]}
    return min(common - behind, default="")


def _line(start: str, parents: Callable[[str], Sequence[str]]) -> list[str]:
    found = dict.fromkeys([start])
    left = [start]
    while left:
        for each in parents(left.pop()):
            if each not in found:
                found[each] = None
                left.append(each)
    return list(found)
