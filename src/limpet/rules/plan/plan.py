"""The compiled rules as one file: a small matcher in front, behind it a record for each domain and the texts of the
keyword index, each read only when needed."""

from __future__ import annotations

import marshal
import sys

import limpet
from limpet import __version__
from limpet.ground.digest import checksum, digest
from limpet.ground.storage.files import stamp
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import NotRequired, TypedDict

    from limpet.ground.storage.files import FileView, Stamp
    from limpet.ground.workspace import Workspace
    from limpet.rules.matching import Index

    class Record(TypedDict):
        """The rules of one domain, redacted.

        ``plain``: its name without the squad's.
        ``files``: (path from the project's root, stamp) of the files that it was read from.
        ``digest``: "" where no file of it can be read.
        ``paths``: globs of the files that call it, where its file names any; ``checked``: there where a rule is;
        ``firm``: there where the domain is non-negotiable.
        """

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
        paths: NotRequired[list[str]]
        checked: NotRequired[bool]
        firm: NotRequired[bool]

    class Charter(TypedDict):
        """The constitution as blocks carry it.

        ``short``: its summary; ``short_before_work``: the one while no work is under way.
        ``project``: (heading, duties) of the project's own articles.
        """

        digest: str
        short: list[str]
        short_before_work: list[str]
        project: list[tuple[str, list[str]]]

    class Matcher(TypedDict):
        """The part of a plan that every prompt needs.

        ``watched``: paths whose change makes the plan stale, divided by NUL, in groups: the first group is compared
        every time, the others in turn. With 500 squads there are as many paths, so they are few values.
        ``marks``: the stamps of each group, as ``pack_stamps`` returns them.
        ``squads``, ``squads_from``: (id, mode, the number of its first domain, the number behind its last) of each
        squad, and the number of the first domain of all.
        ``names``, ``active``: of each domain; ``at_work``: the numbers of those that wait for work to be under way.
        ``kinds``, ``agents``, ``workflows``: numbers of domains by kind, and by the id that triggers them.
        ``directory``: (number, words about it) of the first active domains that keywords call; ``listed``: how many
        there are of them.
        ``commands``: the names of the star-commands that have rules.
        ``places``: the records' places in the body, each a number of ``WIDTH`` bytes, little-endian.
        ``problems``: the number of mistakes in manifests and constitution.
        ``paths``: (number, globs) of the domains that files call; ``checked``: the numbers of those with a rule that is
        checked; ``firm``: the names of those that are non-negotiable; ``on_demand``: the numbers of those that no
        keyword calls; ``deeds``: (number, what it comes with); ``fetched``: (number, before what the agent is to read
        it). None of these is there where no domain is.
        """

        watched: list[str]
        marks: list[bytes]
        squads: list[tuple[str, str, int, int]]
        squads_from: int
        devmode: bool
        names: list[str]
        active: list[bool]
        at_work: list[int]
        kinds: dict[str, list[int]]
        agents: dict[str, list[int]]
        workflows: dict[str, list[int]]
        directory: list[tuple[int, tuple[str, ...]]]
        listed: int
        commands: list[str]
        index: Index
        charter: Charter
        places: bytes
        problems: int
        paths: NotRequired[list[tuple[int, tuple[str, ...]]]]
        checked: NotRequired[list[int]]
        firm: NotRequired[list[str]]
        on_demand: NotRequired[list[int]]
        deeds: NotRequired[list[tuple[int, tuple[str, ...]]]]
        fetched: NotRequired[list[tuple[int, str]]]


# The parts of the index of which a prompt needs little.
LAZY = ("entries", "terms")
# Bytes of each number in ``places``.
WIDTH = 4
# Raised whenever matcher or record change in shape or in what they mean, as development does between versions: the
# index holds stems and families.
FORMAT = 20


class KeptTexts:
    """Texts by key in a plan's bytes, read when they are asked for; ``places`` count from ``start``."""

    def __init__(self, raw: bytes | FileView, start: int, places: dict[str, tuple[int, int]]) -> None:
        self.raw = raw
        self.start = start
        self.places = places
        self.known: dict[str, str] = {}

    def get(self, key: str, default: str, /) -> str:
        """Return the text of a key. Raises ValueError where the bytes are damaged."""
        if key not in self.known:
            place = self.places.get(key)
            text = _read_sealed(self.raw, self.start, *place).decode("utf-8", "surrogatepass") if place else default
            self.known[key] = text
        return self.known[key]


class RulePlan(Value):
    """A plan in its bytes.

    ``raw``: the whole file.
    ``start``: the place in it from which the records' places count.
    ``kept``: whether the next prompt finds it on the disk.
    """

    matcher: Matcher
    raw: bytes | FileView
    start: int
    kept: bool = True

    def record(self, number: int) -> Record:
        """Return the record of domain ``number``. Raises ValueError where the bytes are damaged."""
        places = self.matcher["places"][number * WIDTH : (number + 2) * WIDTH]
        place, end = (int.from_bytes(part, "little") for part in (places[:WIDTH], places[WIDTH:]))
        loaded: Record = marshal.loads(_read_sealed(self.raw, self.start, place, end))
        return loaded


def pack_stamps(stamps: list[Stamp | None]) -> bytes:
    """Return the stamps as bytes that are equal exactly where the stamps are."""
    return marshal.dumps(stamps, 2)  # from version 3 on the bytes tell how often an object is referred to


def plan_path(workspace: Workspace) -> str:
    """Return the path of the project's kept plan."""
    return workspace.cached("plan")


def heading(way: str, outer: str = "") -> bytes:
    """Return the first line of a plan: it is valid for one product version, its shipped rules as they were installed,
    one Python, one way of matching and one project to inherit from only."""
    inherits = f" {digest(outer)}" if outer else ""
    shipped = (stamp(f"{limpet.__path__[0]}/framework/rules/{name}") for name in ("manifest", "global", "qa"))
    installed = "-".join(str(mark and mark[0]) for mark in shipped)
    return f"limpet-plan {FORMAT} {__version__} {installed} {sys.implementation.cache_tag} {way}{inherits}\n".encode()


def pack(head: bytes, matcher: Matcher, records: list[Record]) -> bytes:
    """Return the bytes of a plan file."""
    places, body = [0], bytearray()
    for record in records:
        body += _seal(marshal.dumps(dict(record)))
        places.append(len(body))
    index = {part: _append(body, texts) if part in LAZY else texts for part, texts in matcher["index"].items()}
    packed = b"".join(place.to_bytes(WIDTH, "little") for place in places)
    front = marshal.dumps({**matcher, "index": index, "places": packed})
    sizes = len(front).to_bytes(8, "little") + len(body).to_bytes(8, "little")
    return head + sizes + checksum(front) + front + bytes(body)


def unpack(head: bytes, raw: bytes | FileView | None) -> RulePlan | None:
    """Return the plan in ``raw``, or None when it is another version's, truncated, damaged or absent."""
    start = len(head) + 24
    begin = b"" if raw is None else raw[:start]
    if raw is None or not begin.startswith(head):
        return None
    front, body, check = (begin[place : place + 8] for place in range(len(head), start, 8))
    end = start + int.from_bytes(front, "little")
    packed = raw[start:end] if len(raw) == end + int.from_bytes(body, "little") else b""
    if checksum(packed) != check:
        return None
    matcher = marshal.loads(packed)
    matcher["index"].update({part: KeptTexts(raw, end, matcher["index"][part]) for part in LAZY})
    return RulePlan(matcher=matcher, raw=raw, start=end)


def _append(body: bytearray, texts: object) -> dict[str, tuple[int, int]]:
    """Append the texts, a dict, to the body; return their places by key."""
    assert isinstance(texts, dict)
    places = {}
    for key, text in texts.items():
        start = len(body)
        body += _seal(text.encode("utf-8", "surrogatepass"))
        places[key] = (start, len(body))
    return places


def _seal(piece: bytes) -> bytes:
    return checksum(piece) + piece


def _read_sealed(raw: bytes | FileView, start: int, place: int, end: int) -> bytes:
    sealed = raw[start + place : start + end]
    if checksum(sealed[8:]) != sealed[:8]:
        raise ValueError("the plan was spoilt")
    return sealed[8:]


EXTEND, OVERRIDE, ALONE = "extend", "override", "none"
MODES = (EXTEND, OVERRIDE, ALONE)


class Squad(Value):
    """A squad in the plan.

    ``mode``: extend, override or none.
    ``numbers``: those of its domains.
    """

    id: str
    mode: str
    numbers: range


def squad_id(name: str) -> str:
    """Return the id of a squad from its folder's name, or from any spelling of it; it holds no white space."""
    return "_".join(name.upper().replace("-", "_").split())


def namespaced(squad: str, domain: str, taken: Container[str]) -> str:
    """Return the name of a squad's domain among all: prefixed by the id, unless it begins with it (less ``_SQUAD``)
    already; numbered where another domain has that name."""
    own = (f"{squad}_", f"{squad.removesuffix('_SQUAD')}_")
    if domain.startswith(own) and domain not in taken:
        return domain
    name, number = f"{squad}_{domain}", 1
    while name in taken:
        number += 1
        name = f"{squad}_{domain}_{number}"
    return name


def read_mode(text: str, extends: str) -> str:
    """Return the mode in the ``extends: <mode>`` line of ``squad.yaml``, else the manifest's; extend where neither
    names a known one. The line is found without a YAML reader, which the prompt hook does not import."""
    for line in text.splitlines():
        key, _, value = line.strip().partition(":")
        mode = value.partition("#")[0].strip(" '\"").lower()
        if key == "extends" and mode in MODES:
            return mode
    return extends if extends in MODES else EXTEND


def find_squad(matcher: Matcher, name: str) -> Squad | None:
    """Return the squad of this id in a plan."""
    wanted = squad_id(name)
    return next((_squad(*one) for one in matcher["squads"] if one[0] == wanted), None)


def squad_of(matcher: Matcher, number: int) -> Squad | None:
    """Return the squad that a domain belongs to, None for a global one."""
    return next((_squad(*one) for one in matcher["squads"] if one[2] <= number < one[3]), None)


def _squad(name: str, mode: str, start: int, stop: int) -> Squad:
    return Squad(id=name, mode=mode, numbers=range(start, stop))
