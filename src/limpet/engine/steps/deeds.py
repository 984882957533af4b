"""A tool call touches what memories name, or begins a practice of work that the person has wishes about: they come with
the call, each once an epoch (decision 61). A commit, a push and a release are refused once with the wish.

What may be brought is found before (``engine/block/deeds``); the index is opened here, and only then.
"""

from __future__ import annotations

import os

from limpet.context.pipeline import build_file_block
from limpet.context.usage import NAMES, active_layers, memory_level
from limpet.context.values import AS_DATA, MARK, Memory, Request, Window, told_ids
from limpet.engine.block import choose
from limpet.engine.block.deeds import BEGUN, COMMITTING, RULED, RUN, ToolDeed, left
from limpet.engine.block.quoting import describe_in, parts_of, wish_line
from limpet.engine.block.recall import Indexes
from limpet.engine.block.rules import called_rules
from limpet.engine.block.told import ids_shown
from limpet.engine.steps.files import LAYER, called_domains, is_told, told, with_told
from limpet.engine.steps.session import UNSAVED, note_shown
from limpet.memory.index.names import ANYWHERE, names_path
from limpet.memory.model.entry import Card, Query, is_in_force
from limpet.memory.model.layout import Reader, owners
from limpet.rules.plan.store import names_files
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Iterable

    from limpet.engine.event_context import ChosenRules, EventContext

    Find = Callable[..., list[Card]]

# A subagent has rules of files whatever of the window is left to the conversation: its own is new.
EXECUTOR = "agent"
# By which a command says what it commits.
MESSAGE = (" -m", " -am", "--message", "<<")
ACTS = ("commit", "push", "release", "publish", "tag", "merge")
REFUSED = (
    "Not run yet. What the user wants of {} ({}):\n{}\n"
    "See to that first, then make the same call again: it is refused only this once."
)


def tell_deeds(context: EventContext) -> EventContext:
    """Request the memories that the call brings; a call that lets work out of hand is refused with what it breaks of
    the person's own wishes and of rules. What others want of it is told."""
    settings = context.mirror.settings["memory"]["deeds"]
    seen = owners(Reader(agent=context.in_force.agent)) or ()
    epoch = told(context.session[EPOCH], context.event.agent_id)
    deed = left(context.deed, epoch, context.session["prompt_count"], seen) if context.deed else None
    if deed is None:
        return context
    is_heard = context.client.hears and _is_shown(context)
    # What cannot be noted would be refused for ever.
    refuses = settings["refuse"] and not {*COMMITTING}.isdisjoint(deed.practices) and UNSAVED not in context.notes
    if refuses:
        deed = deed.replace(called=())
    elif not is_heard:
        return context
    from limpet.memory.search.preferences import is_of_person

    known = told_ids(epoch.get("sent", ()))
    try:
        wishes = find_wishes(context, deed.practices) if deed.practices else []
        named = _ask(context, _find_named, deed) if deed.called else []
    except Exception:  # the index is damaged, or slow: the next prompt has a note of it
        return context
    missing = {key for _, key, _ in deed.called} - {card.id for card in named}
    context = _noted(context, (*(BEGUN + each for each in deed.practices), *(MARK + key for key in sorted(missing))))
    own: list[Card] = []
    rules: tuple[str, ...] = ()
    if refuses:
        wishes = [card for card in wishes if _is_at_stake(context, wish_line(card, ()), card.id in known)]
        own, rules = list(filter(is_of_person, wishes)), _rules_about(context, _ruled(deed))
    wanted = own if own or rules else [card for card in wishes if card.id not in known]
    cards = [*wanted[: settings["wishes"]], *(card for card in named[: settings["shown"]] if card not in wanted)]
    entries = describe_in(cards, "relevant", settings["tokens"]) if cards else ()
    if own or rules:
        return _refused(context, deed, rules, entries)
    return _requested(context, deed, cards, entries) if entries and is_heard else context


def find_wishes(context: EventContext, practices: Iterable[str]) -> list[Card]:
    """What the person wants of these practices of work. Raise OSError where the index cannot be read."""
    from limpet.memory.search.preferences import called_preferences

    return _ask(context, called_preferences, frozenset(practices))


def bring_file_rules(context: EventContext) -> EventContext:
    """Only domains that the window holds nothing of; no block where neither these nor memories are."""
    if context.reply.verdict == "deny":
        return context
    event = context.event
    request = Request(
        settings=context.mirror.settings["context"],
        window=window_of(context),
        prompt_number=context.session["prompt_count"],
        epoch=told(context.session[EPOCH], event.agent_id),
        name=context.client.name(),
        memory=context.request.memory if context.request else None,
        existing=tuple(match.line for match in context.existing),
    )
    chosen = _choose(context, request)
    rules = called_rules(chosen) if chosen else ()
    if not (rules or request.memory or request.existing):
        return context
    result = build_file_block(request, list(rules))
    epoch = with_told(context.session[EPOCH], event.agent_id, result.epoch)
    context = context.replace(chosen=chosen, request=request, result=result).with_session(**{EPOCH: epoch})
    return note_shown(context, ids_shown(result)) if request.memory else context


def window_of(context: EventContext) -> Window:
    """The window as it was last measured; a subagent's is nearly empty."""
    usage, bracket = context.session["usage"], context.session.get("bracket")
    if context.event.agent_id or not isinstance(usage, dict) or bracket not in NAMES:
        return Window(bracket=NAMES[0], remaining=100.0, source="start")
    return Window(bracket=str(bracket), remaining=float(usage["remaining"]), source=str(usage["source"]))


def _ruled(deed: ToolDeed | None) -> list[str]:
    return [practice for practice, held in deed.practices.items() if RULED in held] if deed else []


def _rules_about(context: EventContext, ruled: list[str]) -> tuple[str, ...]:
    """Of the domains that are on: each rule at stake once."""
    if not ruled:
        return ()
    plan = context.plan or choose.open_called_rules(context)
    active = choose.active_domains(context, plan)
    sent = told(context.session[EPOCH], context.event.agent_id).get("rules", ())
    found: dict[str, None] = {}
    for number in dict(plan.matcher["practices"]):
        said = plan.record(number).get("deeds", ()) if active[number] else ()
        is_told = plan.matcher["names"][number] in sent
        rules = (rule for practice, rule in said if practice in ruled)
        found.update((rule, None) for rule in rules if _is_at_stake(context, rule, is_told))
    return tuple(found)


def _refused(
    context: EventContext, deed: ToolDeed, rules: tuple[str, ...], entries: tuple[tuple[str, str], ...]
) -> EventContext:
    lines = "\n".join(f"- {line}" for line in (*rules, *(line for _, line in entries)))
    reason = REFUSED.format(" and ".join(deed.practices), AS_DATA, lines)
    ids = tuple(key for key, _ in entries)
    noted = _noted(context, (MARK + key for key in ids))
    return note_shown(noted.replied(verdict="deny", reason=reason), ids)


def _requested(
    context: EventContext, deed: ToolDeed, cards: list[Card], entries: tuple[tuple[str, str], ...]
) -> EventContext:
    names = {key: name.removeprefix(ANYWHERE).rstrip("(") for _, key, name in reversed(deed.called)}
    practices = " and ".join(deed.practices)
    memory = Memory(
        tokens=context.mirror.settings["memory"]["deeds"]["tokens"],
        entries=entries,
        titles=tuple((card.id, card.title) for card in cards if card.id in dict(entries)),
        parts=parts_of(cards, entries),
        called_by=tuple(dict.fromkeys(names.get(key, practices) for key, _ in entries)),
    )
    return context.replace(request=Request(settings={}, window=window_of(context), memory=memory))


def _is_at_stake(context: EventContext, wish: str, is_told: bool) -> bool:
    """The call breaks it as far as can be seen: its words are not as the wish wants them, or what was to be run before
    was not. Where nothing can be seen, it was not told and names what the call does."""
    from limpet.memory.index.terms import terms
    from limpet.memory.index.wishes import name_practices, seems_kept

    call, sent = context.client.call, told(context.session[EPOCH], context.event.agent_id).get("sent", {})
    before = name_practices(terms(wish)).intersection(RUN)
    if before:
        return not any(BEGUN + practice in sent for practice in before)
    command = call.command if call else ""
    is_kept = seems_kept(wish, command) if any(sign in command for sign in MESSAGE) else None
    if is_kept is None:
        return not is_told and any(act in command and act in wish.casefold() for act in ACTS)
    return not is_kept


def _find_named(index: Connection, query: Query, deed: ToolDeed) -> list[Card]:
    from limpet.memory.index.reading import card_by_id

    named = [card_by_id(index, key, query.owners) for _, key, _ in deed.called]
    return [card for card in named if card and is_in_force(card, query.now)]


def _ask(context: EventContext, find: Find, *given: object) -> list[Card]:
    from limpet.memory.index.reading import open_index

    shared = context.workspace.shared
    query = Query(owners=owners(Reader(agent=context.in_force.agent)) or (), now=context.clock.now())
    index = open_index(shared)
    if index is None and os.path.exists(names_path(shared)):
        raise FileNotFoundError("the memory index")
    with Indexes(context, index) as indexes:
        return indexes.ask(find, query, *given)


def _is_shown(context: EventContext) -> bool:
    executor = "worker" if context.subagent == "" else "agent"
    level = memory_level(window_of(context).bracket, executor, context.mirror.settings["context"])
    return level not in ("none", "full")


def _noted(context: EventContext, marks: Iterable[str]) -> EventContext:
    whole, agent_id = context.session[EPOCH], context.event.agent_id
    epoch = told(whole, agent_id)
    sent = {**epoch.get("sent", {}), **{mark: ["", context.session["prompt_count"]] for mark in marks}}
    after = with_told(whole, agent_id, {"rules": {}, **epoch, "sent": sent})
    return context.with_session(**{EPOCH: after})


def _choose(context: EventContext, request: Request) -> ChosenRules | None:
    """None where no domain is called, or too little of the window is left for rules that something calls."""
    is_off = LAYER not in active_layers(request.window.bracket, EXECUTOR, request.settings)
    ruled = _ruled(context.deed)
    if is_off or not (ruled or names_files(context.workspace)):
        return None
    plan = context.plan or choose.open_called_rules(context)
    names = plan.matcher["names"]
    called = called_domains(context.event, context.workspace, plan)
    called |= {number: [practice] for number, practice in plan.matcher["practices"] if practice in ruled}
    due = {number: globs for number, globs in called.items() if not is_told(request.epoch, names[number])}
    return choose.choose_called(context.replace(plan=plan), due) if due else None
