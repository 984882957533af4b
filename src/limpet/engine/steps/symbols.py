"""An agent writes a function or class that the scan of the project knows: it hears once in a conversation what is there
and how alike it is. Nothing is said where the scan is of another commit; it is made anew in the background then."""

from __future__ import annotations

import os

from limpet.engine.worker import start_job
from limpet.ground.repository import read_commit
from limpet.ground.storage.files import read_text, write_if_possible
from limpet.registry.symbols.likeness import find_known
from limpet.registry.symbols.table import open_table
from limpet.registry.symbols.written import language_of
from limpet.work.session import read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.guard.call import ToolCall
    from limpet.registry.symbols.likeness import Match

# The member of the conversation's state with what it was told of, and the file with the commit that is being scanned.
TOLD, SCANNING = "existing", "symbols.scanning"
MOST_TOLD, MOST_AT_ONCE = 200, 3
# Characters of a text that is written that are looked at.
LOOKED_AT = 20_000


def find_existing(context: EventContext) -> EventContext:
    """What a call that writes adds and is there already."""
    call, workspace = context.client.call, context.workspace
    if call is None or context.reply.verdict == "deny" or not (context.client.hears and context.is_real):
        return context
    if not (call.edits and call.paths and language_of(call.paths[0])):
        return context
    table, commit = open_table(workspace.state), read_commit(workspace.root)
    if table is None or table.head != commit:
        _scan_again(context, commit)
        return context
    text, before = _texts(call)
    path = os.path.relpath(call.paths[0], workspace.root).replace(os.sep, "/")
    try:
        found = find_known(text[:LOOKED_AT], before, path, table, lambda place: _source(context, place))
    except Exception:  # the index is damaged: the next scan makes it anew
        return context
    told = read_state(workspace, context.event.session).get(TOLD) or [] if found else []
    new = tuple(match for match in found if _mark(match) not in told)[:MOST_AT_ONCE]
    return context.replace(existing=new) if new else context


def note_existing(context: EventContext) -> EventContext:
    if not context.existing:
        return context
    known = context.session.get(TOLD) or []
    return context.with_session(**{TOLD: [*known, *map(_mark, context.existing)][-MOST_TOLD:]})


def _scan_again(context: EventContext, commit: str) -> None:
    """Once for a commit."""
    mark = context.workspace.kept(SCANNING)
    if read_text(mark) != commit and write_if_possible(mark, commit):
        start_job(context.workspace, "symbols", {"now": context.clock.now()})


def _texts(call: ToolCall) -> tuple[str, str]:
    """What is written, and what it takes the place of."""
    before = "\n".join(old for old, _, _ in call.edits)
    if call.whole:
        before = read_text(call.paths[0], 20 * LOOKED_AT) or ""
    return "\n".join(new for _, new, _ in call.edits), before


def _source(context: EventContext, path: str) -> str:
    return read_text(os.path.join(context.workspace.root, path), 40 * LOOKED_AT) or ""


def _mark(match: Match) -> str:
    return f"{match.symbol.path} {match.symbol.name}"
