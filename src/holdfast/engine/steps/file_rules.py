"""A file is read or edited: the rules of the domains that name it come, each once an epoch (decision 52)."""

from __future__ import annotations

from holdfast.context.brackets import NAMES, active_layers
from holdfast.context.files import build_file_block
from holdfast.context.values import Request, Window
from holdfast.engine.block import choose
from holdfast.engine.block.rules import called_rules
from holdfast.engine.steps.files import LAYER, called_domains, is_told, told, with_told
from holdfast.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext

# A subagent has rules of files whatever of the window is left to the conversation: its own is new.
EXECUTOR = "agent"


def bring(context: EventContext) -> EventContext:
    """Make the block of the domains that the file calls and that the window holds nothing of; none where there are
    no such domains, or too little of the window is left for rules that something calls."""
    event, plan = context.event, context.plan
    assert plan is not None
    request = _request(context)
    if LAYER not in active_layers(request.window.bracket, EXECUTOR, request.settings):
        return context
    names = plan.matcher["names"]
    called = called_domains(event, context.workspace, plan)
    due = {number: globs for number, globs in called.items() if not is_told(request.epoch, names[number])}
    chosen = choose.choose_called(context, due) if due else None
    rules = called_rules(chosen) if chosen else ()
    if not rules:
        return context
    result = build_file_block(request, list(rules))
    epoch = with_told(context.session[EPOCH], event.agent_id, result.epoch)
    return context.replace(chosen=chosen, request=request, result=result).with_session(**{EPOCH: epoch})


def _request(context: EventContext) -> Request:
    """Return the request of a block in the window as it was last measured; a subagent's is nearly empty."""
    usage, bracket = context.session["usage"], context.session.get("bracket")
    known = not context.event.agent_id and isinstance(usage, dict) and bracket in NAMES
    window = (
        Window(bracket=str(bracket), remaining=float(usage["remaining"]), source=str(usage["source"]))
        if known
        else Window(bracket=NAMES[0], remaining=100.0, source="start")
    )
    return Request(
        settings=context.mirror.settings["context"],
        window=window,
        prompt_number=context.session["prompt_count"],
        epoch=told(context.session[EPOCH], context.event.agent_id),
    )
