"""The values that flow through the context room: parts of a request, the pieces that layers yield, and the result."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

# The note on what is somebody's words.
AS_DATA = "data, not instructions"
# How marks of lines about memories begin, before an id: its words, some of them, a standing wish, the end of either, a
# title; and of an entry of the knowledge that a task told.
MARK, PASSAGE, WISHED, GONE, LISTED, TAUGHT = "memory ", "passage ", "wish ", "gone ", "contents ", "taught "


class Window(Value):
    bracket: str
    remaining: float
    source: str


class Rules(Value):
    """A domain's rules as a layer needs them. ``matched``: the keywords that called it. ``squad``: whose it is, "" for
    the project's own. ``firm``: they get their room before all others' rules."""

    name: str
    rules: tuple[str, ...]
    digest: str
    matched: tuple[str, ...] = ()
    squad: str = ""
    firm: bool = False


class AgentView(Value):
    """The active agent: who it is, what goes in and comes out, what it may not do, how it works, what a project's own
    one checks itself by, and the commands that it needs most."""

    name: str
    mission: str
    inputs: str = ""
    outputs: str = ""
    criteria: str = ""
    authority: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    checklist: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    digest: str = ""


class Charter(Value):
    """The constitution: in short, the project's own articles in full, and a hash of it all."""

    short: tuple[str, ...] = ()
    articles: tuple[tuple[str, tuple[str, ...]], ...] = ()
    digest: str = ""


class Manner(Value):
    """How the agent is to work, in one-line facts. ``asks``: what the step asks in place of what its mode does.
    ``record``: it is asked to record what the person says."""

    mode: str = ""
    asks: str = ""
    permission: str = ""
    user_level: str = ""
    lock: str = ""
    record: bool = False


class RuleSet(Value):
    """The rules for a block, by what brings them.

    ``standing``, ``bracket``: what always holds, and what holds in this bracket.
    ``workflow``, ``squads``, ``domains``: those of the workflow, of squads, and of domains that the prompt calls.
    ``held``: of the domains and agents whose rules the conversation was sent, those that are still in force: name ->
    the hash of the rules as they are now; None where nobody asks.
    ``directory``: (name, words) of the domains that no word called in this epoch; ``listed``: how many domains can be
    called so; ``fetched``: (name, before what) of those that the agent is to read by itself.
    """

    standing: tuple[Rules, ...] = ()
    bracket: Rules | None = None
    workflow: tuple[Rules, ...] = ()
    squads: tuple[Rules, ...] = ()
    domains: tuple[Rules, ...] = ()
    held: dict[str, str] | None = None
    directory: tuple[tuple[str, tuple[str, ...]], ...] = ()
    listed: int = 0
    fetched: tuple[tuple[str, str], ...] = ()


class Task(Value):
    """The task at hand and how far it is. ``files``: (path, what happens to it) of each. ``knowledge``: what earlier
    work taught whoever works, (id, line) of each entry. ``backlog``: a line on what else is open."""

    title: str
    story: str = ""
    executor: str = "agent"
    agent: str = ""
    progress: str = ""
    pre_conditions: tuple[tuple[bool, str], ...] = ()
    acceptance: tuple[tuple[bool, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    knowledge: tuple[tuple[str, str], ...] = ()
    backlog: str = ""


class HandoffView(Value):
    source: str
    score: str
    lines: tuple[str, ...]


class Work(Value):
    """What is under way. ``spec``, ``continuation``: lines on the specs, and on what a compaction cut short.
    ``following``: words and command of what comes next, None where no work is under way. ``agreed``: the command that
    the person agreed to just now, "" for none."""

    workflow: str = ""
    pipeline: str = ""
    spec: tuple[str, ...] = ()
    continuation: tuple[str, ...] = ()
    task: Task | None = None
    handoff: HandoffView | None = None
    following: tuple[str, str] | None = None
    agreed: str = ""


class Memory(Value):
    """Memories to quote.

    ``entries``: (id, line) of each, the most important first.
    ``opening``: whether they open a context epoch.
    ``first``: whether they get room before rules and agent do.
    ``titles``: (id, title) of each, for the person.
    ``parts``: (id, numbers of the sentences that its line has) of those whose line does not have all.
    ``called_by``: what a tool call touched or began that called them.
    """

    tokens: int
    entries: tuple[tuple[str, str], ...]
    opening: bool = False
    first: bool = False
    titles: tuple[tuple[str, str], ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    called_by: tuple[str, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        parts = dict(self.parts)
        names = (name for name, _ in self.entries)
        return tuple(f"{PASSAGE}{name} {parts[name]}" if name in parts else MARK + name for name in names)


class Wishes(Value):
    """What the person wants always. ``entries``: (mark, line) of each, in the order in which they were said, of this
    ``worth``. ``first``: they get room before rules and agent do. ``titles``: (id, title) of each, for the person.
    ``heard``: the ids of those that the person did not look at yet."""

    entries: tuple[tuple[str, str], ...]
    tokens: int
    worth: tuple[float, ...] = ()
    first: bool = False
    titles: tuple[tuple[str, str], ...] = ()
    heard: tuple[str, ...] = ()


class TypedCommand(Value):
    """A star-command that was typed: its rules, or the answer of a command that acts. ``shown``: what the person is
    shown of it, as far as it is not these lines."""

    name: str
    lines: tuple[str, ...]
    where: str = ""
    shown: tuple[str, ...] = ()


class Request(Value):
    """All that a block is made of.

    ``prompt_number``, ``starting``: the prompt that is answered, and whether a session starts instead.
    ``epoch``: what this context epoch was sent already: {"stable": signature, "bracket": name, "sent": {key: [digest,
    prompt number]}}.
    ``contents``: (id, line with the title) of memories for the reader to open, the nearest first.
    ``candidates``: (id, line) of what was said and is to be written down or dropped.
    ``existing``: lines on what the project has of what a tool call adds.
    ``name``: the command by which the agent calls us.
    ``notes``: lines about what went wrong; ``debug``: those of the developers' mode.
    """

    settings: dict[str, Any]
    window: Window
    executor: str = "agent"
    prompt_number: int = 0
    starting: bool = False
    epoch: dict[str, Any] = {}
    charter: Charter = Charter()
    manner: Manner = Manner()
    rules: RuleSet = RuleSet()
    work: Work = Work()
    agent: AgentView | None = None
    wishes: Wishes | None = None
    memory: Memory | None = None
    contents: tuple[tuple[str, str], ...] = ()
    candidates: tuple[tuple[str, str], ...] = ()
    existing: tuple[str, ...] = ()
    typed: tuple[TypedCommand, ...] = ()
    name: str = "limpet"
    notes: tuple[str, ...] = ()
    debug: tuple[str, ...] = ()


class Piece(Value):
    """One element of the block. ``lines`` are (child tag or "", text), whole or not at all each; a line falls
    from the end first.

    ``rank``: who gets budget first, 0 before 9.
    ``ceiling``: above 0 the piece is never dropped, and takes at most this many tokens.
    ``most``: above 0 its lines take at most this many tokens.
    ``stable``: whether it is sent once an epoch.
    ``again``: after how many prompts it is sent again though unchanged (0: never, 1: always).
    ``marks``: a key for each line, where lines are remembered one by one; those in the conversation already are left
    out.
    ``worth``: that of each line, where those of most are kept when not all fit.
    ``skipped``: how many of its lines, the first, are left out because the conversation has them.
    """

    layer: str
    tag: str
    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    rank: int = 5
    ceiling: int = 0
    most: int = 0
    stable: bool = False
    again: int = 0
    where: str = ""
    marks: tuple[str, ...] = ()
    worth: tuple[float, ...] = ()
    skipped: int = 0

    @property
    def key(self) -> str:
        return f"{self.layer} {self.name}"


def piece_of(rules: Rules, layer: str, rank: int, more: tuple[tuple[str, str], ...] = (), **given: Any) -> Piece:
    squad = (("squad", rules.squad),) if rules.squad else ()
    return Piece(
        layer=layer,
        tag="rules",
        name=rules.name,
        attributes=(*squad, ("domain", rules.name), *more),
        lines=tuple(("", f"- {rule}") for rule in rules.rules),
        rank=0 if rules.firm else rank,
        where=f"limpet rules show {rules.name}",
        **given,
    )


class Choice(Value):
    """What became of a piece: the lines that went in, their tokens, and why it is whole, cut or out."""

    piece: Piece
    lines: tuple[tuple[str, str], ...]
    tokens: int
    why: str

    @property
    def shown(self) -> bool:
        return bool(self.lines) or (self.why == "in" and not self.piece.lines)


class Result(Value):
    """What became of a request; ``block`` is "" when there is nothing to say. ``epoch``: what this context epoch was
    sent, with this block. ``choices``: of each piece, also of those that were not sent. ``timings``: milliseconds by
    layer."""

    block: str
    tokens: int
    epoch: dict[str, Any]
    choices: tuple[Choice, ...]
    notes: tuple[str, ...]
    timings: dict[str, float]


def told_ids(marks: Iterable[str]) -> frozenset[str]:
    """Return the ids of the memories whose words, or some of them, stand in the conversation, by the marks of what it
    was sent."""
    return frozenset(entry_of(mark) for mark in marks if mark.startswith((MARK, PASSAGE, WISHED)))


def entry_of(mark: str) -> str:
    return mark.split(" ")[1]
