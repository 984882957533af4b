"""What the person sees of an event in the client: what a conversation began with, memories that were recalled, what a
compaction kept, the reply to a star-command. Separate from the block, which the model reads. Imported only where there
is something to show."""

from __future__ import annotations

from limpet.context.values import WISHED
from limpet.engine.block.told import listed_in_epoch
from limpet.engine.commands.agent import SWITCHED, is_for_person, known_commands
from limpet.ground.text.escaping import clip, visible
from limpet.rules.format.domain import PRIVATE, RESERVED, find_unknown_commands
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from limpet.engine.event_context import EventContext

# Characters of a line of titles, and of one title where there are several.
LINE, TITLE = 160, 60
# Lines and characters of the reply to one command, and of one line of it.
LINES, CHARACTERS = 20, 400
# Letters of an id by which commands know a memory.
NAME = 8
RECALLED = "Limpet recalled: "
# Characters of the line about a conversation's beginning, its end, and the fewest of a title there.
FIRST_LINE, MORE, LEAST_TITLE = 100, " (limpet why)", 16


def write_message(context: EventContext) -> str:
    recalled = _began(context) if context.is_first_prompt else _recalled(context)
    lines = [*context.told, *_replies(context), *recalled, *unknown_commands(context)]
    return "\n".join(visible(" ".join(line.splitlines())) for line in lines)


def describe_kept(kept: Mapping[str, Any]) -> tuple[str, ...]:
    """``kept``: as the state has it: ``kept`` (id and title of each memory), ``noted``."""
    found = kept.get("kept")
    pairs = [pair for pair in found if isinstance(pair, list) and len(pair) == 2] if isinstance(found, list) else []
    noted = value if isinstance(value := kept.get("noted"), int) else 0
    counts = [_counted(len(pairs), "memory", "memories")] if pairs else []
    counts += [_counted(noted, "note", "notes")] if noted else []
    lines = []
    if counts:
        titled = [f"{_title(str(title))} ({str(key)[-NAME:]})" for key, title in pairs]
        text = f"Limpet kept {' and '.join(counts)} before the compaction"
        lines.append(_listed(f"{text}: ", titled, "Remove one: limpet memory forget ID") if pairs else f"{text}.")
    return tuple(lines)


def _replies(context: EventContext) -> Iterable[str]:
    """A working mode has rules and no answer."""
    is_slash = context.event.is_slash
    for typed in context.typed:
        is_told = typed.shown or typed.lines[:1] and is_for_person(typed.lines[0])
        if is_slash and typed.name == RESERVED[0] and not is_told:
            continue  # what /limpet asks of the agent
        answer = typed.shown or tuple(line for line in typed.lines if not is_for_person(line))
        if SWITCHED in answer:
            continue  # the switch itself was told
        if answer:
            yield from (clip(context.shown_as.get(line, line), CHARACTERS) for line in answer[:LINES])
            if len(answer) > LINES:
                yield f"... {len(answer) - LINES} more lines"
        elif not typed.lines:
            yield f"Limpet added the *{typed.name} rules to this prompt."


def _began(context: EventContext) -> tuple[str, ...]:
    """What of the person's own a conversation begins with; nothing where all of it is shipped."""
    opening, titles, heard = context.session.get("opening") or {}, _titles_of_memories(context), _heard_in(context)
    if isinstance(before := opening.get("titles"), list):
        titles = [*map(str, before), *titles]
    if isinstance(before := opening.get("heard"), int):
        heard += before
    wishes = sum(key.startswith(WISHED) for key in context.session[EPOCH].get("sent", ()))
    counts = (
        (_own_rules(context), "rule", "rules", ""),
        (wishes, "of your wishes", "of your wishes", ""),
        (len(listed_in_epoch(context)), "memory", "memories", " listed"),
        (len(titles), "", "", "recalled"),
    )
    parts = [*_work(context), *(f"{_counted(number, one, many)}{end}" for number, one, many, end in counts if number)]
    if not parts:
        return ()
    text, more = f"Limpet: {', '.join(parts)}", MORE
    if heard:
        more = f". Heard, not looked at: {heard} (limpet review)"
    for title in titles:
        room = FIRST_LINE - len(text + more) - len(': ""')
        if room < LEAST_TITLE:
            break
        text += f"{', ' if text.endswith(chr(34)) else ': '}{_title(title, room)}"
    return (text + more,)


def note_opening(context: EventContext) -> EventContext:
    """Keep what the first line says of the memories that come before the first prompt."""
    return context.with_session(opening={"titles": _titles_of_memories(context), "heard": _heard_in(context)})


def _own_rules(context: EventContext) -> int:
    """Those that the conversation was sent of the project's and the person's files."""
    rules, chosen, held = context.request and context.request.rules, context.chosen, context.session[EPOCH]
    if not rules or not chosen:
        return 0
    # Files without a folder are signs by which shipped rules differ.
    records = (record for record in chosen.records.values() if any("/" in path for path, _ in record["files"]))
    own = {record["name"] for record in records} & {*held.get("rules", {})}
    sets = (*rules.standing, *rules.workflow, *rules.squads, *rules.domains)
    return sum(len(one.rules) for one in sets if one.name in own)


def _work(context: EventContext) -> Iterable[str]:
    found = context.in_force
    if found.agent:
        yield f"agent {found.agent}"
    if found.workflow:
        yield f"workflow {found.workflow}"
    if context.mirror.work.get("lock"):
        yield "session locked"


def _heard_in(context: EventContext) -> int:
    """How many of the person's words came that they did not look at yet."""
    wishes = context.request.wishes if context.request else None
    if not (wishes and wishes.heard):
        return 0
    from limpet.memory.looked_at import looked_at

    return len(({*context.recalled} & {*wishes.heard}) - looked_at(context.workspace))


def _titles_of_memories(context: EventContext) -> list[str]:
    """Of those that were told whole and are no wishes of the person's, as far as a person may be shown them."""
    memory = context.request.memory if context.request else None
    titles = dict(memory.titles) if memory else {}
    return [titles[key] for key in context.recalled if titles.get(key)]


def _recalled(context: EventContext) -> tuple[str, ...]:
    """What came before the first prompt is told with it."""
    if context.event.kind == "session_start" and not context.session["prompt_count"]:
        return ()
    found = context.titles_recalled
    longest = max(TITLE, (LINE - len(RECALLED)) // max(1, len(found)) - len('"", '))
    shown = [_title(title, longest) for title in found]
    return (_listed(RECALLED, shown),) if shown else ()


def _listed(start: str, items: list[str], end: str = "") -> str:
    tail = f". {end}" if end else ""
    text, used = start, 0
    for item in items:
        longer = f"{text}{', ' if used else ''}{item}"
        if used and len(longer) + len(", 99 more") > LINE:
            break
        text, used = longer, used + 1
    more = f", {len(items) - used} more" if len(items) > used else ""
    return f"{text}{more}{tail}"


def _title(title: str, longest: int = TITLE) -> str:
    return f'"{clip(" ".join(title.split()), longest)}"'


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def unknown_commands(context: EventContext) -> tuple[str, ...]:
    if "*" not in context.event.prompt or context.plan is None:
        return ()
    known, typed = known_commands(context.plan), context.event.prompt.strip()
    if typed[0] == "*" and len(typed.split()) <= 2:
        from limpet.work.slash import EVERY_DAY

        if typed[1:].partition(" ")[0] in {*EVERY_DAY} - known:
            return (f"No command {typed.split()[0]}. Type: /limpet {typed[1:]}",)
    found = find_unknown_commands(context.event.prompt, known - {PRIVATE})
    return (f"No command *{found[0]}. Did you mean *{found[1]}?",) if found else ()
