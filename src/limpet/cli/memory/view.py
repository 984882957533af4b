"""Shared by the commands about memories: options for the caller and the filters, and notices on stderr."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

import click

from limpet.cli.caller import caller_of
from limpet.cli.completion import complete_agent, complete_memory, complete_owner, complete_tag
from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import (
    emit,
    end_timestamp,
    find_trusted,
    json_option,
    require_workspace,
    shared_options,
    table,
    tell,
    timestamp,
)
from limpet.cli.screen import Line, is_terminal
from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.ground.workspace import Workspace
from limpet.memory.model.entry import SECTORS, STORAGES, TIERS, TYPES, Card, Hit, Query
from limpet.memory.model.ids import short_id
from limpet.memory.model.layout import ARCHIVE, FORGOTTEN, KNOWLEDGE, SHARED, TEAM, Reader, owners, personal_home
from limpet.memory.model.results import MemoryProblem
from limpet.operations.memory.library import owner_of, personal_workspace
from limpet.operations.memory.view import Opened, describe_entry, describe_opened, flag_lines, marks_of, quoted_words
from limpet.operations.project import Project, open_as

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.memory.change import KeptMemory

Command = Callable[..., Any]

READING = "Reading memories"
NOTHING = "No memories match."
NONE_YET = 'No memories yet. Add one: limpet memory add "TEXT"'
ID_STYLE = ("cyan",)
SHOWN = 100

user_option = click.option(
    "--user", "personal", is_flag=True, help="Use your personal memories for all projects instead of the project's."
)
key_argument = click.argument("key", metavar="ID", shell_complete=complete_memory)
limit_option = click.option(
    "--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Maximum number of results."
)
why_option = click.option("--why", default="", metavar="TEXT", help="Reason, for the audit log.")


def caller_options(command: Command) -> Command:
    """Add ``--json`` and ``--as-person``. The command gets the project, or with ``user_option`` the place of the
    person's own, opened for who calls."""

    @wraps(command)
    def call(*, as_person: bool, personal: bool = False, **given: Any) -> Any:
        place = personal_workspace() if personal else require_workspace()
        around = workspace_here() if personal else None
        return command(open_as(place, caller_of(around or place, as_person)), **given)

    person = click.option("--as-person", is_flag=True, help="Inside a coding agent: run as yourself. Needs a terminal.")
    decorated: Command = json_option(person(call))
    return decorated


filter_options = shared_options(
    click.option(
        "--agent",
        metavar="ID",
        shell_complete=complete_agent,
        help="What this agent sees: shared memories and its own.",
    ),
    click.option(
        "--owner", metavar="ID", shell_complete=complete_owner, help="Only of this owner: shared, team, or an agent."
    ),
    click.option("--type", type=SuggestingChoice(TYPES), help="Only of this type."),
    click.option("--sector", type=SuggestingChoice(SECTORS), help="Only of this sector."),
    click.option("--tier", type=SuggestingChoice(TIERS), help="Only of this tier."),
    click.option("--tag", metavar="TAG", shell_complete=complete_tag, help="Only with this tag."),
    click.option("--storage", type=SuggestingChoice(STORAGES), help="Only of this storage class."),
    click.option("--session", metavar="ID", help="Only of this conversation."),
    click.option("--since", type=timestamp, metavar="WHEN", help="Only recorded since: 2026-11-21, 7d, 12h."),
    click.option("--until", type=end_timestamp, metavar="WHEN", help="Only recorded until."),
    click.option("--archived", is_flag=True, help="Archived memories instead of current ones."),
    click.option("--forgotten", is_flag=True, help="Forgotten memories, which undo restores."),
    click.option("--all", "outdated", is_flag=True, help="Include superseded and expired memories."),
    limit_option,
)


def make_query(
    agent: str | None, owner: str | None, archived: bool, forgotten: bool, outdated: bool, **wanted: Any
) -> Query:
    """Raise click.UsageError where two of ``filter_options`` contradict each other."""
    if agent and owner:
        raise click.UsageError("--agent and --owner cannot be combined")
    states = [state for state, asked in ((ARCHIVE, archived), (FORGOTTEN, forgotten)) if asked]
    whose = (owner_of(owner),) if owner else ()
    return Query(
        owners=owners(Reader(agent=owner_of(agent))) if agent else whose,
        valid=not (outdated or states),
        states=tuple(states) or Query.states,
        **{name: value for name, value in wanted.items() if value is not None},
    )


def workspace_here() -> Workspace | None:
    """Return None where there is no project that the user trusts."""
    try:
        return find_trusted()
    except LimpetError:
        return None


def tell_kept(project: Project, kept: KeptMemory, line: str, as_json: bool) -> None:
    tell(*kept.notices)
    emit(describe_entry(project.workspace, kept.stored), [line], as_json)


def tell_problems(problems: Iterable[MemoryProblem], unread: str = "") -> None:
    """Tell of the first of them, and how many more there are; forgotten memories do not count."""
    tell(unread)
    kept = [problem for problem in problems if not problem.path.startswith(f"{FORGOTTEN}/")]
    if kept:
        tell(str(kept[0]))
    if len(kept) > 1:
        tell(f"{len(kept) - 1} more files cannot be read. List them: limpet memory upkeep --check")


def card_lines(cards: Iterable[Card], nothing: str = NOTHING) -> Iterator[Line]:
    return _lines("tier", [(card.tier, card) for card in cards], nothing)


def hit_lines(hits: Iterable[Hit], words: str) -> Iterator[Line]:
    return _lines("score", [(score_text(hit.attention), hit.card) for hit in hits], no_match(words))


def shown_id(name: str) -> str:
    """A terminal shows the last part, which commands take too."""
    return short_id(name) if is_terminal() else name


def score_text(score: float) -> str:
    return f"{score:.2f}" if score >= 0.01 else "<0.01"


def no_match(words: str) -> str:
    return f'No memories match "{clip(" ".join(words.split()), SHOWN)}".'


def entry_lines(opened: Opened) -> Iterator[Line]:
    owner, is_own = opened.stored.place.owner, opened.workspace.shared == personal_home()
    if opened.learned or (owner in (TEAM, KNOWLEDGE) and not is_own):
        whose = "every agent of this project, the team's too"
    elif is_own:
        whose = "you, in all projects on this machine"
    elif owner == SHARED:
        whose = "every agent of this project, on this machine only"
    else:
        whose = f"{owner} alone"
    fields = {**describe_opened(opened), "owner": whose}
    shown_elsewhere = ("id", "title", "body", "flags", "seen", "scope")
    rows = [(name, in_words(fields[name])) for name in fields if name not in shown_elsewhere and fields[name]]
    yield f"{fields['id']}  {fields['title']}"
    yield from table(rows, indent="  ")
    yield from (f"  {line}" for line in flag_lines(fields["flags"]))
    if fields["body"]:
        yield ""
        yield from quoted_words(fields["body"])


def in_words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {each}" for name, each in value.items())
    return "; ".join(map(in_words, value)) if isinstance(value, list) else str(value).replace("\n", " ")


def _lines(second: str, found: list[tuple[str, Card]], nothing: str) -> Iterator[Line]:
    agents = {SHARED: "any", TEAM: "any, team"}
    rows = [("id", second, "type", "agent", "title")]
    for what, card in found:
        said = ", ".join(marks_of(card))
        title = (card.title if is_terminal() else clip(card.title, SHOWN)) + (f"  [{said}]" if said else "")
        rows.append((shown_id(card.id), what, card.type, agents.get(card.owner, card.owner), title))
    return table(rows, heading=True, styles=ID_STYLE, spare=("agent", second)) if found else iter([nothing])
