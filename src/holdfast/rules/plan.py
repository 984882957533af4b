"""The compiled rules as one file: a small matcher in front, behind it a record for each domain, read only when
needed."""

from __future__ import annotations

import marshal
import sys

from holdfast import __version__
from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from holdfast.ground.files import FileView, Stamp
    from holdfast.rules.matcher import Index

    class Record(TypedDict):
        """What one domain says, redacted; ``files`` are the paths from the project's root that it was read from, with
        their stamps then; ``plain`` is its name without the squad's; ``digest`` is empty where no file of it
        can be read."""

        name: str
        plain: str
        kind: str
        files: list[tuple[str, Stamp | None]]
        digest: str
        rules: list[str]
        authority: list[str]
        brackets: dict[str, list[str]]
        disabled: list[str]
        commands: dict[str, list[str]]
        articles: dict[str, list[str]]

    class Charter(TypedDict):
        """The constitution as blocks carry it: its summary, all titles, and the project's own articles in full."""

        digest: str
        short: list[str]
        titles: list[str]
        project: list[tuple[str, list[str]]]

    class Matcher(TypedDict):
        """What every prompt needs: names and switches of the domains, who triggers them, keywords, and the
        records' places. ``watched`` are the paths that tell of a change, divided by NUL, ``marks`` their stamps as
        ``pack_stamps`` has them: two values, because with 500 squads there are as many paths."""

        watched: str
        marks: bytes
        squads: str
        squads_from: int
        devmode: bool
        names: list[str]
        active: list[bool]
        kinds: dict[str, list[int]]
        agents: dict[str, list[int]]
        workflows: dict[str, list[int]]
        commands: list[str]
        index: Index
        charter: Charter
        places: list[int]
        problems: int


# Raised whenever the shape of matcher or record changes, as development does between versions.
FORMAT = 6


class Plan(Value):
    """The matcher, and the plan's bytes with the place from which its records stand in them."""

    matcher: Matcher
    raw: bytes | FileView
    start: int

    def record(self, number: int) -> Record:
        """The record of domain ``number``. Raises ValueError, EOFError or TypeError where the bytes were spoilt."""
        place, end = self.matcher["places"][number : number + 2]
        loaded: Record = marshal.loads(self.raw[self.start + place : self.start + end])
        return loaded


def pack_stamps(stamps: list[Stamp | None]) -> bytes:
    """The stamps as bytes that are equal where they are."""
    return marshal.dumps(stamps, 2)  # from version 3 on the bytes tell how often an object is referred to


def heading(way: str) -> bytes:
    """The first line of a plan: it holds for one product version, one Python and one way of matching only."""
    return f"holdfast-plan {FORMAT} {__version__} {sys.implementation.cache_tag} {way}\n".encode()


def pack(head: bytes, matcher: Matcher, records: list[Record]) -> bytes:
    """The bytes of a plan file."""
    places, body = [0], bytearray()
    for record in records:
        body += marshal.dumps(dict(record))
        places.append(len(body))
    front = marshal.dumps({**matcher, "places": places})
    return head + len(front).to_bytes(8, "little") + len(body).to_bytes(8, "little") + front + bytes(body)


def unpack(head: bytes, raw: bytes | FileView | None) -> Plan | None:
    """The plan in ``raw``, or None when it is another version's, torn or absent."""
    middle, start = len(head) + 8, len(head) + 16
    begin = b"" if raw is None else raw[:start]
    if raw is None or not begin.startswith(head):
        return None
    end = start + int.from_bytes(begin[len(head) : middle], "little")
    if len(raw) != end + int.from_bytes(begin[middle:], "little"):
        return None
    try:
        return Plan(matcher=marshal.loads(raw[start:end]), raw=raw, start=end)
    except (ValueError, EOFError, TypeError):
        return None
