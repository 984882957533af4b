"""A file is read or edited: the rules of the domains that name it come, each once an epoch (decision 52), in one block
with the memories that the call brings."""

from __future__ import annotations

from limpet.context.brackets import NAMES, active_layers
from limpet.context.files import build_file_block
from limpet.context.values import Request, Window
from limpet.engine.block import choose
from limpet.engine.block.rules import called_rules
from limpet.engine.steps.files import LAYER, called_domains, is_told, told, with_told
from limpet.rules.plan.store import names_files
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import Chosen, EventContext

# A subagent has rules of files whatever of the window is left to the conversation: its own is new.
EXECUTOR = "agent"


def bring(context: EventContext) -> EventContext:
    """Make the block of the domains that the file calls and that the window holds nothing of, and of the memories that
    the call brings; none where there is neither."""
    if context.reply.verdict == "deny":
        return context
    event = context.event
    request = Request(
        settings=context.mirror.settings["context"],
        window=window_of(context),
        prompt_number=context.session["prompt_count"],
        epoch=told(context.session[EPOCH], event.agent_id),
        memory=context.request.memory if context.request else None,
    )
    chosen = _choose(context, request)
    rules = called_rules(chosen) if chosen else ()
    if not rules and not request.memory:
        return context
    result = build_file_block(request, list(rules))
    epoch = with_told(context.session[EPOCH], event.agent_id, result.epoch)
    context = context.replace(chosen=chosen, request=request, result=result).with_session(**{EPOCH: epoch})
    if not request.memory:
        return context
    from limpet.engine.block.recall import ids_shown
    from limpet.engine.steps.state import note_shown

    return note_shown(context, ids_shown(result))


def _choose(context: EventContext, request: Request) -> Chosen | None:
    """Return the domains that the file calls and that the window holds nothing of, None where there are none, or too
    little of the window is left for rules that something calls."""
    is_off = LAYER not in active_layers(request.window.bracket, EXECUTOR, request.settings)
    if is_off or not names_files(context.workspace):
        return None
    plan = context.plan or choose.open_rules(context)
    names = plan.matcher["names"]
    called = called_domains(context.event, context.workspace, plan)
    due = {number: globs for number, globs in called.items() if not is_told(request.epoch, names[number])}
    return choose.choose_called(context.replace(plan=plan), due) if due else None


def window_of(context: EventContext) -> Window:
    """Return the window as it was last measured; a subagent's is nearly empty."""
    usage, bracket = context.session["usage"], context.session.get("bracket")
    if context.event.agent_id or not isinstance(usage, dict) or bracket not in NAMES:
        return Window(bracket=NAMES[0], remaining=100.0, source="start")
    return Window(bracket=str(bracket), remaining=float(usage["remaining"]), source=str(usage["source"]))
