"""The Protocols of a host, each for a module of the host's folder. Separate from ``registry``, which the prompt hook
imports and which must not import ``typing``."""

from __future__ import annotations

from typing import Protocol

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from limpet.ground.event import Event, Reply
    from limpet.ground.workspace import Workspace
    from limpet.guard.call import ToolCall
    from limpet.hosts.checks import Check
    from limpet.hosts.file_changes import ChangePlan
    from limpet.memory.extraction import Answered

PROMPT, DENIAL, QUESTION, SUB_AGENT = "prompt", "denial", "question", "sub-agent"
COMPACTION, USAGE, CAPTURE, MODEL = "compaction", "usage", "capture", "model"
WINDOW, HEADLESS, COMMAND = "window", "headless", "command"
# What a host may be able to do -> the words for people.
CAPABILITIES = {
    PROMPT: "rules and memories with a prompt",
    DENIAL: "tool calls are denied",
    QUESTION: "tool calls are asked about",
    SUB_AGENT: "sub-agents get their rules",
    COMPACTION: "a compaction is told by events",
    USAGE: "the window's use is read",
    CAPTURE: "conversations are captured",
    MODEL: "a model is asked in capture",
    WINDOW: "a status line",
    HEADLESS: "conversations are spawned",
    COMMAND: "/limpet is offered",
}


class Headless(Value):
    """The command that starts a host without a terminal.

    ``variable``: the environment variable that names another program than the one on PATH.
    ``words``: its arguments; ``{prompt}`` and ``{session}`` stand for the prompt and the new conversation's id.
    ``join``: the command with which a person joins it.
    ``told``: for a host that takes no id, the pattern that finds the new conversation's in what it prints; "" else.
    ``is_client``: whether the host is that program; else it runs without it, as an editor does.
    """

    program: str
    variable: str
    words: tuple[str, ...]
    join: str
    told: str = ""
    is_client: bool = True


class Registered(Value):
    """A settings file with hooks of ours; ``events`` in the order of the file."""

    scope: str
    path: str
    events: tuple[str, ...]


class OwnRules(Value):
    """The deny rules that we want among a host's own in a project.

    ``path``: the settings file that they are added to.
    ``missing``: those that are in no settings in force.
    ``state``: ``on``, ``partly`` where some that we added are missing, or ``off``.
    ``beyond``: what they do not reach, and what does.
    """

    path: str
    rules: tuple[str, ...]
    missing: tuple[str, ...]
    state: str
    beyond: str


class Events(Protocol):
    """``events.py``: what the hook and the command line need of a host that runs them. Imports light modules only.

    ``PROJECT``: the one that names the folder in which it was begun, "" for none.
    ``KINDS``: its names of events -> their kinds.
    ``SHOWS``: whether the person sees the message of a reply to their prompt.
    ``CARRIES``: how what answers a prompt reaches the model (``carrying``): "" with the reply to the prompt's event.
    ``CONFIRMS``: whether an event or a line of its transcript tells that a compaction was made.
    ``TIMEOUTS``: the seconds after which the host ends the hook, by its names of the events that are answered.
    """

    PROJECT: str
    CARRIES: str
    CONFIRMS: bool
    SHOWS: bool
    KINDS: dict[str, str]
    TIMEOUTS: dict[str, int]

    def read_event(self, name: str, payload: dict[str, Any], environment: Mapping[str, str]) -> Event:
        """Return the event in a payload, with the origin of its prompt; a field of an unexpected type counts as absent.
        Where nothing speaks of another origin, the client is one at which somebody sits and types."""

    def render_reply(self, name: str, reply: Reply) -> str:
        """Return what the hook prints, "" for nothing: where the event may carry no reply, or there is none."""


class Tools(Protocol):
    """``tools.py``: the host's tools in terms of the guard. Only where a tool call can be stopped.

    ``MATCHERS``: an event -> the tools for which it is registered, as the host's settings name them.
    ``HEARS``: whether a block beside the verdict on a call reaches the agent.
    """

    MATCHERS: dict[str, str]
    HEARS: bool

    def read_call(self, event: Event) -> ToolCall | None:
        """Return the tool call of an event, None for one that nothing is to be said about."""

    def can_ask(self, event: Event, environment: Mapping[str, str]) -> bool:
        """Return whether the host puts a question of the hook's to anybody, or refuses by itself where it cannot;
        elsewhere a question has to be a denial."""

    def asks_person(self, event: Event, environment: Mapping[str, str]) -> bool:
        """Return whether a question of the hook's about this call reaches a person, and no rule, hook or mode of the
        host could answer it in their place."""


class StatusLine(Protocol):
    """``status_line.py``: a line that the host draws again and again. Only where it can; see ``WINDOW``."""

    def main(self, raw: bytes) -> None:
        """Print the line for a payload, and keep the figures that come with it."""


class Asking(Protocol):
    """``asking.py``: one question to a model by the host's own command. Only where the host has such a command.
    ``PROGRAM``, ``VARIABLE``: its name on PATH, and the environment variable that names another program instead."""

    PROGRAM: str
    VARIABLE: str

    def words(self, model: str, instruction: str) -> tuple[str, ...]:
        """Return the command's arguments; the prompt comes on its standard input."""

    def read_result(self, raw: bytes) -> Answered:
        """Return the answer and the cost in what the command printed, or the problem that it told of."""


class Host(Protocol):
    """``host.py``: what installing, examining and spawning need of the host.

    ``NAME``: the word in hook lines and records, and the key in the registry; ``TITLE`` is for people.
    ``SCOPES``: the scopes that it has settings for, the strongest first.
    ``EVENTS``: its names of the events that are answered.
    ``CAN``, ``WHY_NOT``: its capabilities, of ``CAPABILITIES``, and for each of the others why it has not.
    ``CONSENT``: what a person does in it before it runs hooks of a project, "" for nothing.
    ``SUB_AGENTS``: the folder of a project's subagents, a Markdown file each; "" for a host that has none.

    ``home`` is the project's ``.limpet`` folder, which need not exist; ``project`` is its root.
    """

    NAME: str
    TITLE: str
    SCOPES: tuple[str, ...]
    EVENTS: tuple[str, ...]
    CAN: frozenset[str]
    WHY_NOT: Mapping[str, str]
    CONSENT: str
    HEADLESS: Headless | None
    SUB_AGENTS: str

    def is_used(self, project: str) -> bool:
        """Return whether the project shows signs of the host."""

    def find_hindrance(self, project: str) -> tuple[str, str]:
        """Return what keeps the host from running our hooks, and what to do; ("", "") for nothing that shows."""

    def plan_install(self, home: str, scope: str) -> ChangePlan:
        """Return the changes that add our hooks to the settings of a scope. Raise LimpetError."""

    def plan_removal(self, home: str, scopes: tuple[str, ...]) -> ChangePlan:
        """Return the changes that remove us from these scopes; files unchanged since get their old bytes back."""

    def registered(self, project: str) -> tuple[Registered, ...]:
        """Return the settings files with hooks of ours, in the order of ``SCOPES``."""

    def in_force(self, folder: str) -> tuple[Registered, ...]:
        """Return those that a session started in ``folder`` obeys, also above it or in the main worktree."""

    def other_hooks(self, folder: str) -> tuple[tuple[str, str], ...]:
        """Return (settings file, command) of others' hooks that may add text to a prompt or a start of a session."""

    def private_files(self, project: str) -> tuple[str, ...]:
        """Return the files that name paths of this machine once we are installed: git should ignore them."""

    def written_files(self, project: str) -> tuple[str, ...]:
        """Return the files that an installation writes, of every scope, whether they exist or not."""

    def find_deny_rules(self, project: str) -> OwnRules | None:
        """Return how our deny rules stand among the host's own, None for a host that has none."""

    def plan_deny_rules(self, home: str, wanted: bool) -> ChangePlan:
        """Return the changes that add them to the project's local settings, or take them out. Raise LimpetError."""

    def plan_writing(self, home: str, name: str) -> ChangePlan:
        """Return the changes by which it does not ask about ``memory write`` of the command ``name``, or asks again for
        ""; no changes for a host whose settings have no such rule. Raise LimpetError."""

    def check(self, project: str) -> Iterator[Check]:
        """Yield what is right and wrong about our hooks in the host's settings."""

    def check_registration(self, project: str) -> Iterator[Check]:
        """Yield whether our hooks are in the host's settings and in force, without starting anything."""

    def try_hooks(self, workspace: Workspace) -> Iterator[Check]:
        """Run every hook line as the host does, and yield the outcome of each. No trace stays in the project."""
