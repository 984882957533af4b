"""The one value that an event's steps are given, and that each hands on to the next, and what it is made of."""

from __future__ import annotations

from limpet.ground.clock import Patience
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.mirror import Mirror, read_mirror
from limpet.ground.event import SCRIPT, Event, Reply
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.work.in_force import CONVERSATION_KEYS, InForce, find_in_force
from limpet.work.session import TRIAL, UNATTENDED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

    from limpet.context.usage import WindowUsage
    from limpet.context.values import Request, Result, TypedCommand
    from limpet.engine.block.deeds import ToolDeed
    from limpet.ground.clock import Clock
    from limpet.guard.call import ToolCall
    from limpet.guard.shell.command import Understood
    from limpet.registry.symbols.likeness import Match
    from limpet.rules.plan.plan import Record, RulePlan, Squad
    from limpet.work.session import Session

# The host of an event that nobody sent: the steps write nothing for it.
PREVIEW = "preview"
# Stands for the project where there is none, and for the mirror until a step has read it.
NOWHERE = Workspace(root="", home="", shared="", state="", cache="")
UNREAD = Mirror(settings=DEFAULTS, session={})
# Fields that what is in force depends on, and those of the conversation's state.
STATE, OF_FORCE = frozenset(("mirror", "session", "subagent")), frozenset(CONVERSATION_KEYS.values())
# What begins a conversation, or a part of it; and one that goes on: it holds what it was sent before.
BEGINNINGS = ("startup", "resume", "clear")
CONTINUES = ("resume", "fork")
# How the note begins that the running model is not of the class that the agent needs; the audit log has it too.
OTHER_CLASS = "model class: "


class Client(Value):
    """What the host's side says to the steps, for the engine knows no host.

    ``call``: the tool call of the event, None where it has none that is judged.
    ``hears``: whether a block beside the verdict on a call reaches the agent.
    ``can_ask``: whether it can put a question about a call to anybody; where it cannot, a question is a denial.
    ``asks``: whether the client puts a question of ours about the call to the person, and nobody else can answer it.
    ``starts``: whether it tells of a conversation's start.
    ``shows``: whether the person sees a message of ours.
    ``keeps``: whether the conversation goes on holding what a prompt was answered.
    ``confirms``: whether it tells that a compaction was made; else the one that it told of before counts as made.
    ``project``: the folder that it names to its hooks, "" where it names none.
    ``name``: the command by which its agents call us.
    ``model``: the one that it was started with, "" where nobody named one.
    ``window``: a model -> its window in tokens by the client's own settings, 0 where they say nothing of it.
    ``faults``: (workspace, whether the settings were just changed) -> what is newly wrong with our hooks in them.
    """

    call: ToolCall | None = None
    hears: bool = True
    can_ask: Callable[[], bool] = lambda: True
    asks: Callable[[], bool] = lambda: False
    starts: bool = True
    shows: bool = False
    keeps: bool = True
    confirms: bool = True
    project: str = ""
    name: Callable[[], str] = lambda: "limpet"
    model: Callable[[], str] = lambda: ""
    window: Callable[[str], int] = lambda model: 0
    faults: Callable[[Workspace, bool], str] = lambda workspace, changed: ""


NO_CLIENT = Client()


class ChosenRules(Value):
    """The rules that an event needs; domains are numbers in the plan.

    ``active``: whether each domain of the plan is on.
    ``matched``, ``excluded``: the words that called a domain, and those that kept it out.
    ``by_agent``, ``by_workflow``: the domains that the active agent brings, and those that the workflow brings now.
    ``held``: the records of the active domains whose rules the conversation was sent, by number.
    """

    plan: RulePlan
    records: dict[int, Record]
    active: list[bool]
    matched: dict[int, list[str]]
    excluded: dict[int, list[str]]
    by_agent: list[int]
    by_workflow: list[int]
    squad: Squad | None = None
    held: dict[int, Record] = {}

    def of_kind(self, kind: str) -> list[Record]:
        return [self.records[number] for number in self.plan.matcher["kinds"].get(kind, ()) if number in self.records]


class EventContext(Value):
    """An event, the state that it meets, and what its steps have made of it so far.

    ``began``: what the clock's timer said when the event came. ``done``: whether no further step is taken.
    ``session``: the conversation's state; what a step puts there is saved after the last one.
    ``fresh``: whether the conversation was never seen before.
    ``understood``: what the shell command of a tool call would do, None for any other call.
    ``existing``: what the project has of what a tool call adds.
    ``notes``: lines for the block's notes. ``told``: lines for the person.
    ``may_run``: the command that the person agreed to with this prompt, "" for none.
    ``subagent``: the id of the event's subagent's agent, "" for none of ours; None in the main conversation.
    ``recalled``: the ids of the memories that the block shows this conversation for the first time.
    ``private``: whether the conversation is private, or was: nothing of it is kept.
    ``shown_as``: a line that a command answered -> what the person is shown in its place.
    ``found``: what is in force, once a step asked.
    """

    event: Event
    workspace: Workspace
    clock: Clock
    client: Client = NO_CLIENT
    began: float = 0.0
    reply: Reply = Reply()
    done: bool = False
    mirror: Mirror = UNREAD
    session: Session = {}
    fresh: bool = False
    understood: Understood | None = None
    deed: ToolDeed | None = None
    existing: tuple[Match, ...] = ()
    notes: tuple[str, ...] = ()
    may_run: str = ""
    usage: WindowUsage | None = None
    model: str = ""
    plan: RulePlan | None = None
    subagent: str | None = None
    typed: tuple[TypedCommand, ...] = ()
    chosen: ChosenRules | None = None
    request: Request | None = None
    result: Result | None = None
    recalled: tuple[str, ...] = ()
    private: bool = False
    told: tuple[str, ...] = ()
    shown_as: dict[str, str] = {}
    found: InForce | None = None

    @property
    def in_force(self) -> InForce:
        if self.found is None:
            found = find_in_force(self.mirror.session, self.session)
            found = found if self.subagent is None else found.replace(agent=self.subagent)
            self.__dict__["found"] = found
        return self.__dict__["found"]  # type: ignore[no-any-return]

    def replace(self, **changes: Any) -> Self:
        """What is in force is found anew where the changes may change it."""
        if "found" not in changes and not STATE.isdisjoint(changes):
            changes["found"] = None
        return super().replace(**changes)

    @property
    def is_sent(self) -> bool:
        """Whether a host sent the event: it is no preview and no trial of the doctor's."""
        return self.event.host != PREVIEW and not self.event.session.startswith(TRIAL)

    @property
    def is_shown(self) -> bool:
        """Whether the person sees the message that answers their prompt; of a program through which they type nobody
        knows."""
        is_visible = self.client.shows and self.mirror.settings["hosts"]["visible"]
        return bool(is_visible and self.event.is_persons and not self.event.entry and self.is_sent)

    @property
    def is_real(self) -> bool:
        return self.is_sent and bool(self.event.session)

    @property
    def is_kept(self) -> bool:
        return self.is_real and not self.private

    @property
    def is_unattended(self) -> bool:
        """Whether nobody sits at the conversation: it teaches nothing, and is asked and told nothing of others."""
        return self.event.origin == SCRIPT or bool(self.session.get(UNATTENDED))

    @property
    def may_act(self) -> bool:
        """A command in the prompt must not act twice."""
        if "*" in self.event.prompt or not self.event.is_slash:
            return "*" in self.event.prompt
        from limpet.work.slash import read_slash

        return bool(read_slash(self.event.prompt)[0])

    @property
    def is_first_prompt(self) -> bool:
        return self.event.kind == "prompt" and self.session["prompt_count"] == 1

    @property
    def titles_recalled(self) -> list[str]:
        """Only as far as a person may be shown them."""
        request = self.request
        titles = dict(request.wishes.titles) if request and request.wishes else {}
        if request and request.memory:
            titles.update(request.memory.titles)
        return [titles[key] for key in self.recalled if titles.get(key)]

    def patience(self, name: str) -> Patience:
        return Patience(self.mirror.settings["hosts"][f"{name}_deadline_ms"] / 1000, self.clock)

    @property
    def lock_patience(self) -> float:
        """In seconds, within what is left of the event's time."""
        return self.clock.left(self.mirror.settings["hosts"]["lock_patience_ms"] / 1000)

    def with_mirror(self) -> EventContext:
        """The mirror is read once an event."""
        if self.mirror is not UNREAD:
            return self
        return self.replace(mirror=read_mirror(self.workspace, self.clock))

    def with_session(self, **changes: object) -> EventContext:
        found = self.found if OF_FORCE.isdisjoint(changes) else None
        return self.replace(session={**self.session, **changes}, found=found)

    def noted(self, *notes: str) -> EventContext:
        return self.replace(notes=(*self.notes, *notes))

    def replied(self, message: str = "", *, done: bool = False, **fields: str) -> EventContext:
        """A message comes below those that are there."""
        lines = "\n".join(filter(None, (self.reply.message, message)))
        return self.replace(reply=self.reply.replace(message=lines, **fields), done=done)
