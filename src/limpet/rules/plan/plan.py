"""The compiled rules as one file: the matcher, and a record for each domain, which is read when it is asked for."""

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

    from limpet.ground.storage.files import Stamp
    from limpet.ground.workspace import Workspace
    from limpet.rules.matching import Index

    class Record(TypedDict):
        """The rules of one domain, redacted.

        ``plain``: its name without the squad's.
        ``files``: (path from the project's root, stamp) of the files that it was read from.
        ``digest``: "" where no file of it can be read.
        ``paths``: globs of the files that call it, where its file names any; ``checked``: there where a rule is;
        ``deeds``: (practice, rule) of those that are said again where work begins;
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
        deeds: NotRequired[list[tuple[str, str]]]
        firm: NotRequired[bool]

    class Charter(TypedDict):
        """The constitution as blocks carry it.

        ``short``: its summary; ``short_before_work``: the one while no work is under way; ``short_with_registry``: what
        both have besides where the project uses the registry.
        ``project``: (heading, duties) of the project's own articles.
        """

        digest: str
        short: list[str]
        short_before_work: list[str]
        short_with_registry: list[str]
        project: list[tuple[str, list[str]]]

    class Matcher(TypedDict):
        """The part of a plan that every prompt needs.

        ``watched``: (path from the project's root, stamp) of what makes the plan stale when it changes.
        ``squads``, ``squads_from``: (id, mode, the number of its first domain, the number behind its last) of each
        squad, and the number of the first domain of all.
        ``names``, ``active``: of each domain; ``at_work``: the numbers of those that wait for work to be under way.
        ``kinds``, ``agents``, ``workflows``: numbers of domains by kind, and by the id that triggers them.
        ``elsewhere``: numbers of the domains that are not the project's own by where they are from.
        ``directory``: (number, words about it) of the first active domains that keywords call; ``listed``: how many
        there are of them.
        ``commands``: the names of the star-commands that have rules.
        ``problems``: the number of mistakes in manifests and constitution.
        ``in_place``: the folder of another tool whose rules are read with them, "" for none.
        ``paths``: (number, globs) of the domains that files call; ``checked``: the numbers of those with a rule that is
        checked; ``firm``: the names of those that are non-negotiable; ``on_demand``: the numbers of those that no
        keyword calls; ``deeds``: (number, what it comes with); ``fetched``: (number, before what the agent is to read
        it); ``practices``: (number, a practice of work at whose beginning rules of it are said again).
        """

        watched: list[tuple[str, Stamp | None]]
        squads: list[tuple[str, str, int, int]]
        squads_from: int
        devmode: bool
        names: list[str]
        active: list[bool]
        at_work: list[int]
        kinds: dict[str, list[int]]
        agents: dict[str, list[int]]
        workflows: dict[str, list[int]]
        elsewhere: dict[str, list[int]]
        directory: list[tuple[int, tuple[str, ...]]]
        listed: int
        commands: list[str]
        index: Index
        charter: Charter
        problems: int
        in_place: str
        paths: list[tuple[int, tuple[str, ...]]]
        checked: list[int]
        firm: list[str]
        on_demand: list[int]
        deeds: list[tuple[int, tuple[str, ...]]]
        fetched: list[tuple[int, str]]
        practices: list[tuple[int, str]]


# Raised whenever matcher or record change in shape or in what they mean, as development does between versions: the
# index holds stems and families.
FORMAT = 27
# Bytes of a checksum.
CHECKSUM = 8


class RulePlan(Value):
    """A plan as it was read.

    ``texts``: a record each, as ``marshal`` writes it: of a thousand a prompt needs a handful.
    ``kept``: whether the next prompt finds it on the disk.
    """

    matcher: Matcher
    texts: list[bytes]
    kept: bool = True

    @property
    def records(self) -> list[Record]:
        return list(map(self.record, range(len(self.texts))))

    def record(self, number: int) -> Record:
        found: Record = marshal.loads(self.texts[number])
        return found


def plan_path(workspace: Workspace) -> str:
    return workspace.cached("plan")


def heading(way: str, outer: str = "") -> bytes:
    """A plan is valid for one product version, its shipped rules as they were installed, one Python, one way of
    matching and one project to inherit from only."""
    inherits = f" {digest(outer)}" if outer else ""
    shipped = (stamp(f"{limpet.__path__[0]}/framework/rules{name}") for name in ("", "/manifest", "/global", "/qa"))
    installed = "-".join(str(mark and mark[0]) for mark in shipped)
    return f"limpet-plan {FORMAT} {__version__} {installed} {sys.implementation.cache_tag} {way}{inherits}\n".encode()


def make_rule_plan(matcher: Matcher, records: list[Record]) -> RulePlan:
    return RulePlan(matcher=matcher, texts=[marshal.dumps(dict(record)) for record in records])


def pack(head: bytes, plan: RulePlan) -> bytes:
    """Return the bytes of a plan file."""
    body = marshal.dumps((dict(plan.matcher), plan.texts))
    return head + checksum(body) + body


def unpack(head: bytes, raw: bytes | None) -> RulePlan | None:
    """None when it is another version's, truncated, damaged or absent."""
    if raw is None or not raw.startswith(head):
        return None
    start = len(head)
    body = memoryview(raw)[start + CHECKSUM :]
    if checksum(body) != raw[start : start + CHECKSUM]:
        return None
    matcher, texts = marshal.loads(body)
    return RulePlan(matcher=matcher, texts=texts)


EXTEND, OVERRIDE, ALONE = "extend", "override", "none"
MODES = (EXTEND, OVERRIDE, ALONE)


class Squad(Value):
    """``mode``: extend, override or none. ``numbers``: those of its domains."""

    id: str
    mode: str
    numbers: range


def squad_id(name: str) -> str:
    return "_".join(name.upper().replace("-", "_").split())


def namespaced(squad: str, domain: str, taken: Container[str]) -> str:
    """Prefixed by the id, unless the name begins with it (less ``_SQUAD``) already; numbered where another domain has
    that name."""
    own = (f"{squad}_", f"{squad.removesuffix('_SQUAD')}_")
    if domain.startswith(own) and domain not in taken:
        return domain
    name, number = f"{squad}_{domain}", 1
    while name in taken:
        number += 1
        name = f"{squad}_{domain}_{number}"
    return name


def read_mode(text: str, extends: str) -> str:
    """The ``extends: <mode>`` line of ``squad.yaml``, else the manifest's; extend where neither names a known one. The
    line is found without a YAML reader, which the prompt hook does not import."""
    for line in text.splitlines():
        key, _, value = line.strip().partition(":")
        mode = value.partition("#")[0].strip(" '\"").lower()
        if key == "extends" and mode in MODES:
            return mode
    return extends if extends in MODES else EXTEND


def find_squad(matcher: Matcher, name: str) -> Squad | None:
    wanted = squad_id(name)
    return next((_squad(*one) for one in matcher["squads"] if one[0] == wanted), None)


def squad_of(matcher: Matcher, number: int) -> Squad | None:
    return next((_squad(*one) for one in matcher["squads"] if one[2] <= number < one[3]), None)


def _squad(name: str, mode: str, start: int, stop: int) -> Squad:
    return Squad(id=name, mode=mode, numbers=range(start, stop))
