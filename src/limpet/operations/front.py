"""What ``/limpet`` shows a person in their client: figures of theirs, what the last prompt got, what was heard and
waits for them. The hook has neither YAML nor the time, so a second process asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.memory.looked_at import look_at
from limpet.memory.model.ids import short_id
from limpet.operations.memory.library import open_library
from limpet.operations.memory.review import confirm, list_waiting
from limpet.operations.memory.view import Opened
from limpet.operations.memory.waiting import count_kept, is_said, list_unkept
from limpet.operations.project import Project
from limpet.operations.rules.view import count_rules_by_domain
from limpet.operations.why import explain_prompt
from limpet.rules.plan.compiler import SHIPPED
from limpet.work.in_force import find_in_force
from limpet.work.lock import is_locked
from limpet.work.slash import FRONT, KEEP, REVIEW, WHY

# Memories that wait and those that a prompt got, as far as they are named, and the characters of each.
SHOWN, LONGEST = 12, 90
# Groups of what a prompt got: what comes with every conversation, and what was typed to Limpet; so many prompts of the
# latter are passed over.
ALWAYS, COMMAND, MOST_BACK = "always", "command", 20
SCREEN = """\
/limpet remember TEXT  keep it
/limpet recall WORDS   look it up
/limpet why            what the last prompt got
/limpet review         keep or drop what was heard
/limpet private        nothing here is sent or kept
/limpet forget ID      take a memory away"""
HELP = "/limpet help           more"
UNDER_WAY = "/limpet work           the work under way"


def front_lines(project: Project, text: str) -> list[str]:
    rules = sum(one.rules for one in count_rules_by_domain(project.workspace) if one.origin != SHIPPED)
    found = count_kept(project.workspace)
    counts = [f"{_counted(rules, 'rule')} of yours", f"{_counted(found['kept'], 'memory')} kept"]
    if not (rules or sum(found.values())):
        counts = ["no rules and no memories of yours yet"]
    new = [f"{found[name]} {name}" for name in ("heard", "written") if found[name]]
    if new:
        counts.append(f"{' and '.join(new)}, not looked at")
    work = find_in_force(project.session, project.conversation)
    is_under_way = is_locked(project.session) or work.agent or work.workflow or work.task
    return [f"Limpet: {', '.join(counts)}.", *SCREEN.splitlines(), *((UNDER_WAY,) if is_under_way else ()), HELP]


def why_lines(project: Project, text: str) -> list[str]:
    """In short what the conversation's last prompt got, as the hook recorded it; a command to Limpet asks about the one
    before."""
    data = explain_prompt(project.workspace, project.caller, project.caller.conversation)
    for number in range(int(data["prompt"] or 0) - 1, 0, -1)[:MOST_BACK]:
        if not data["came"] or any(piece["group"] != COMMAND for piece in data["came"]):
            break
        data = explain_prompt(project.workspace, project.caller, project.caller.conversation, number)
    said = " ".join(data["text"].split())
    what = "The start" if data["event"] == "session_start" else f"Prompt {data['prompt']}"
    came = [*data["came"]]
    if data["start"]["first"]:
        came += data["start"]["came"]
    about = f', "{clip(said, LONGEST)}",' if said else ""
    lines = [f"{what}{about} got:", *_named(came)]
    if data["state"] == "failed":
        lines = [f"The hook failed at {what[0].lower()}{what[1:]}: limpet doctor"]
    elif len(lines) == 1:
        lines = [f"{what} got nothing new: all that applies is here already."]
    return [*lines, "All of it: limpet why. Why something did not come: limpet why --not WORDS"]


def review_lines(project: Project, text: str) -> list[str]:
    """What was heard, and below it what agents wrote; how to decide on each."""
    found = sorted(list_waiting(project), key=_is_heard, reverse=True)
    pasted = len(list_unkept(project.workspace))
    more = f"{_counted(pasted, 'sentence')} heard and not kept: limpet review" if pasted else ""
    if not found:
        return ["Nothing was heard since your last look.", *filter(None, [more])]
    heard = sum(map(_is_heard, found))
    lines = [f"{heard} heard, {len(found) - heard} written by agents, and not looked at:"]
    for one in found[:SHOWN]:
        entry = one.stored.entry
        by = "you said" if _is_heard(one) else "an agent wrote"
        lines.append(f"{short_id(entry.id)}  {entry.created_at[:10]}, {by}: {clip(entry.title, LONGEST)}")
    if len(found) > SHOWN:
        lines.append(f"and {len(found) - SHOWN} more: limpet review")
    lines.append("/limpet keep ID keeps it, /limpet forget ID drops it. To edit, or make a rule: limpet review")
    return [*lines, *filter(None, [more])]


def keep_memory(project: Project, key: str) -> list[str]:
    """Count it as looked at and wanted. Raise LimpetError where no such memory waits."""
    entry = open_library(project).show(key.split()[0], count=False).entry
    waiting = {one.stored.entry.id: one for one in list_waiting(project)}
    if entry.id not in waiting:
        raise LimpetError("It does not wait for you", entry.title, "See what does: /limpet review")
    confirm(project, waiting[entry.id])
    look_at(project.workspace, [entry.id])
    return [f'Kept "{entry.title}".']


def _is_heard(opened: Opened) -> bool:
    return opened.is_heard and is_said(opened.stored.entry)


def _named(came: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Memories by their titles, and everything else by its name and what called it."""
    for piece in came:
        titles = [one["title"] for one in piece.get("memories", ())]
        yield from (f"  {clip(title, LONGEST)}" for title in titles[:SHOWN])
        if len(titles) > SHOWN:
            yield f"  and {len(titles) - SHOWN} more memories"
    others = []
    for piece in came:
        called = f" (by: {', '.join(piece['matched'])})" if piece["matched"] else ""
        if "listed" in piece:
            others.append(f"titles of {_counted(piece['listed'], 'memory')}")
        elif piece["group"] == ALWAYS:
            others.append("the basic rules")
        elif "memories" not in piece and piece["group"] != COMMAND:
            others.append(f"{piece['name']}{called}")
    if others:
        yield f"  {', '.join(dict.fromkeys(others))}"


def _counted(number: int, noun: str) -> str:
    several = {"memory": "memories"}.get(noun, f"{noun}s")
    return f"{number} {noun if number == 1 else several}"


# What a second process answers, by the word behind ``/limpet``.
WORDS: dict[str, Callable[[Project, str], list[str]]] = {
    FRONT: front_lines,
    WHY: why_lines,
    REVIEW: review_lines,
    KEEP: keep_memory,
}
