"""The block is made: what a conversation or a subagent starts with, or what is new for a prompt. A subagent is the
agent that its type names, and the main conversation stays what it is."""

from __future__ import annotations

from limpet.context.fitting import name_own_command, render_choice
from limpet.context.pipeline import build_block
from limpet.context.repetition import signature
from limpet.context.usage import NAMES, WindowUsage
from limpet.engine.block import choose
from limpet.engine.block.request import make_request
from limpet.engine.block.told import ids_shown
from limpet.engine.event_context import CONTINUES, ChosenRules, EventContext
from limpet.rules.matching import EVERYWHERE
from limpet.transcripts.registry import usage_of
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.context.values import Request, Result, TypedCommand

# A subagent begins with an empty window.
FRESH = NAMES[0]
LAYERS = ["L0", "L1", "L2"]


def open_rules(context: EventContext) -> EventContext:
    return context.replace(plan=choose.open_called_rules(context))


def compose_block(context: EventContext) -> EventContext:
    context = request_block(context)
    assert context.request is not None
    return context.replace(result=build_block(context.request, context.clock))


def compose_block_at_start(context: EventContext) -> EventContext:
    """Where a conversation goes on the block has only what changed since."""
    chosen = choose.choose(context)
    request = make_request(context, chosen, starting=True)
    result = build_block(request, context.clock)
    if context.fresh and context.event.source in CONTINUES and _is_in_transcript(context, request, result):
        known = {"stable": signature(request), "bracket": request.window.bracket}
        request = request.replace(epoch={**request.epoch, **known})
        result = build_block(request, context.clock)
    return context.replace(chosen=chosen, request=request, result=result)


def request_block(context: EventContext) -> EventContext:
    """Nothing is written."""
    chosen = choose.choose(context)
    request = make_request(context.replace(typed=_with_rules(chosen, context.typed)), chosen, starting=False)
    if choose.is_devmode(context, chosen):
        request = request.replace(debug=_debug(context, chosen, request))
    return context.replace(chosen=chosen, request=request)


def reread_task(context: EventContext) -> EventContext:
    if not isinstance(context.session.get("task"), dict):
        return context
    from limpet.engine.commands.session import with_fresh_task

    return with_fresh_task(context)


def answer_commands(context: EventContext) -> EventContext:
    """Without a sign of a command nothing is imported."""
    if context.event.is_slash or context.mirror.work.get("lock"):
        from limpet.engine.commands.session import answer_user

        context = answer_user(context)
    if "*" in context.event.prompt:
        from limpet.engine.commands.star import act

        context = act(context)
    if context.typed and context.is_shown:
        from limpet.engine.commands.agent import put_on_screen

        return put_on_screen(context)
    return context


def enter_subagent(context: EventContext) -> EventContext:
    """``subagent`` is "" where the type names no agent by id, alias or declaration."""
    if not context.event.agent_id:
        return context
    from limpet.engine.commands.agent import find_named

    known = context if context.plan else context.replace(plan=choose.open_called_rules(context))
    return context.replace(subagent=find_named(known, context.event.agent_type))


def compose_for_subagent(context: EventContext) -> EventContext:
    """With what bears on its task, where that is known. Nothing of it is kept in the conversation's state."""
    settings = context.mirror.settings
    if not settings["context"]["subagents"]["told"]:
        return context
    from limpet.work.given_tasks import take_task

    agent, event = context.subagent or "", context.event
    task = "" if context.workspace.stranger else take_task(context.workspace, event.agent_type, context.clock.now())
    begun = context.replace(
        event=event.replace(prompt=task),
        mirror=context.mirror.replace(settings=_narrowed(settings)),
        session={**context.session, EPOCH: {}},
        subagent=agent,
        usage=WindowUsage(used=0, window=settings["context"]["window"], remaining=100.0, source="start"),
    )
    chosen = choose.choose(begun)
    request = make_request(begun, chosen, starting=True, executor="agent" if agent or task else "worker")
    # What concerns the conversation with the user, and remarks on its state, are not a subagent's business.
    notes = context.notes if context.workspace.stranger else ()
    request = request.replace(
        manner=request.manner.replace(lock="", record=False),
        work=request.work.replace(following=None),
        rules=request.rules.replace(squads=()),
        notes=notes,
    )
    # Small, and of no use where the last line of a long agent or rule takes their place.
    if request.wishes:
        request = request.replace(wishes=request.wishes.replace(first=True))
    if request.memory:
        request = request.replace(memory=request.memory.replace(first=True))
    result = build_block(request, context.clock)
    begun = context.replace(subagent=agent, usage=begun.usage, chosen=chosen, request=request, result=result)
    return begun.replace(recalled=ids_shown(result))


def _is_in_transcript(context: EventContext, request: Request, result: Result) -> bool:
    """A forked conversation brings its parent's words along under a new id, the stable part perhaps among them."""
    event, usage = context.event, usage_of(context.event.host)
    if usage is None:
        return False
    path = event.transcript
    if event.source == "fork":
        path = usage.find_parent(path, event.context_tokens or 0) or path
    shown = (choice for choice in result.choices if choice.piece.stable and choice.shown)
    stable = [name_own_command(render_choice(choice).rstrip(), request) for choice in shown]
    return bool(stable) and all(usage.holds(path, _escaped(text)) for text in stable)


def _escaped(text: str) -> bytes:
    for sign, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(sign, escape)
    return text.encode()


def _with_rules(chosen: ChosenRules, typed: tuple[TypedCommand, ...]) -> tuple[TypedCommand, ...]:
    rules: dict[str, list[str]] = {}
    for record in chosen.of_kind("commands"):
        rules.update(record["commands"])
    known = (one for one in typed if one.lines or one.name in rules)
    return tuple(one if one.lines else one.replace(lines=tuple(rules[one.name])) for one in known)


def _debug(context: EventContext, chosen: ChosenRules, request: Request) -> tuple[str, ...]:
    last, window = context.session.get("last") or {}, request.window
    layers = last.get("layers")
    timings = ", ".join(f"{name} {ms}" for name, ms in layers.items()) if isinstance(layers, dict) else "unknown"
    names = chosen.plan.matcher["names"]
    matched = ", ".join(rules.name for rules in request.rules.domains) or "none"
    excluded = ", ".join(names[number] for number in chosen.excluded if number >= 0) or "none"
    everywhere = " (GLOBAL_EXCLUDE: all keywords)" if EVERYWHERE in chosen.excluded else ""
    return (
        f"bracket {window.bracket}, {window.remaining}% left by {window.source}; prompt {request.prompt_number}",
        f"domains: {len(names)} known, {sum(chosen.active)} active, matched {matched}",
        f"excluded: {excluded}{everywhere}",
        f"last block: {last.get('tokens', 0)} tokens, layers in ms {timings}",
    )


def _narrowed(settings: dict[str, Any]) -> dict[str, Any]:
    context, memory = settings["context"], settings["memory"]
    contents, tokens = memory["contents"], context["subagents"]["tokens"]
    return {
        **settings,
        "context": {
            **context,
            "layers": {**context["layers"], FRESH: LAYERS},
            "budgets": {**context["budgets"], FRESH: tokens},
        },
        "memory": {
            **memory,
            "wishes": {**memory["wishes"], FRESH: tokens // 3},
            "contents": {**contents, "tokens": {**contents["tokens"], "first": tokens // 4}},
        },
    }
