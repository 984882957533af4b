"""Why a memory or a rule did not come with a prompt: by the hook's record, then by the gate and the matching that the
hook uses, tried again on what was typed. What was heard and is no memory yet is told of too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from sqlite3 import Connection
from typing import Any

from limpet.context.pipeline import STANDING
from limpet.context.usage import memory_level
from limpet.engine.block.quoting import parts_of
from limpet.engine.block.recall import owners_of
from limpet.engine.explanation import Preview, explain_domains, preview
from limpet.ground.clock import Clock, seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.ground.workspace import Workspace
from limpet.memory.index.reading import open_index
from limpet.memory.index.terms import is_stop, terms
from limpet.memory.model.entry import Card, Query
from limpet.memory.model.layout import SHARED
from limpet.memory.personal import has_personal_memories
from limpet.memory.search.gate import MOST_CARDS, near, sure
from limpet.memory.search.prompt_words import is_about_something, may_earn, read_prompt_words, typed_part
from limpet.operations.memory.candidates import find_candidates
from limpet.operations.memory.find import find_reversing, search_memories, titles_of
from limpet.operations.memory.library import is_personal, personal_workspace
from limpet.operations.project import Project, open_as
from limpet.operations.why import PROMPT, START, TOOL, PromptRecord, find_prompt, outcome_of
from limpet.rules.naming import read_catalogue
from limpet.rules.plan.compiler import SHIPPED

# Memories that the words may name, the least part of the words that each has, and words of one that are shown;
# candidates that are looked through, and characters of one that are shown.
NAMED, LEAST, SHOWN = 5, 0.6, 6
HEARD, QUOTED = 100, 160
# Signs around a word that are not of it.
AROUND = ".,;:!?\"'()`"
UNKNOWN = "not known: what was typed is not in the transcript, so it cannot be tried again"
# The first of these lists of a record that has a memory says how it came.
TOLD = {"wishes": "came whole", "parts": "came in part", "memories": "came whole", "listed": "listed as a title"}
PLACES = {START: "at the start", TOOL: "with a tool call"}


def explain_absence(project: Project, words: str, session: str, number: int) -> dict[str, Any]:
    """Why the memories and domains that the words name did not come with a prompt (``find_prompt``). Raises LimpetError
    where they name nothing that the caller may see, no prompt is recorded, or it is private. Rules have ``waits``: they
    are shipped, and nothing called them."""
    workspace = project.workspace
    prompt = find_prompt(workspace, session, number)
    name = str(prompt.state["id"])
    if outcome_of(prompt) == "private":
        raise LimpetError("Nothing came: the conversation is private", name, "To end that: limpet pause --off")
    if prompt.line.get("event") != PROMPT or "in" not in prompt.line:
        raise LimpetError("Nothing is recorded of a prompt in this conversation", name, "See: limpet why")
    seen = preview(workspace, prompt.text, bracket=prompt.line["bracket"], session=name, clock=Clock())
    heard, rules = _candidates(project, words), _rules(workspace, words, prompt, seen)
    found = [*_memories(project, words, prompt, seen), *heard, *rules]
    if not found:
        raise LimpetError("No memory and no rules have these words", words, "To search: limpet memory search WORDS")
    keys = ("time", "event", "prompt", "bracket", "remaining", "tokens", "budget")
    return {"session": name, "text": prompt.text, **{key: prompt.line.get(key) for key in keys}, "found": found}


def _memories(project: Project, words: str, prompt: PromptRecord, seen: Preview) -> Iterator[dict[str, str]]:
    now = project.caller.now
    query = Query(text=words, states=("current", "archive"), valid=False, digests=False, limit=NAMED, now=now)
    personal = [open_as(personal_workspace(), project.caller)] if has_personal_memories() else []
    for place in (project, *personal):
        for card in (hit.card for hit in search_memories(place, query)[0].hits if hit.relevance >= LEAST):
            told = _told(card, prompt) or _kept_out(place, card, prompt, seen)
            why = told or _by_words(place, card, prompt, seen)
            yield {"kind": "memory", "id": card.id[-8:], "title": card.title, "why": why}


def _candidates(project: Project, words: str) -> Iterator[dict[str, str]]:
    asked = _terms(words)
    heard = find_candidates(project.workspace.shared, project.caller.reader, words, HEARD)
    found = [one for one in heard if asked <= set(terms(one.quote))]
    why = "heard, not kept. To keep it: limpet review"
    titles = {one.id: clip(" ".join(one.quote.split()), QUOTED) for one in found[:NAMED]}
    yield from ({"kind": "candidate", "id": id, "title": title, "why": why} for id, title in titles.items())


def _told(card: Card, prompt: PromptRecord) -> str:
    for line in (prompt.line, *prompt.since, *prompt.epoch):
        came = [key for key in TOLD if card.id in (line.get(key) or ())]
        if came and not line.get("subagent"):
            place = PLACES.get(str(line.get("event")), f"with prompt {line.get('prompt')}")
            return f"{_how(card, came[0])} {place}"
    return ""


def _how(card: Card, came: str) -> str:
    """Of a wish that says more than its title nobody knows whether that came too."""
    if card.flags and came != "listed":
        return "named, not quoted"
    is_more = came == "wishes" and parts_of([card], ((card.id, card.title),))
    return "came as a wish" if is_more else TOLD[came]


def _kept_out(project: Project, card: Card, prompt: PromptRecord, seen: Preview) -> str:
    visible = owners_of(seen.context)
    if card.superseded_by:
        (title,) = titles_of(project.workspace, project.caller, [card.superseded_by]).values()
        return f'replaced by "{title}" ({card.superseded_by[-8:]})'
    if card.state != "current":
        return f"archived. To bring it back: limpet memory undo {card.id[-8:]}"
    if any(0 < end <= project.caller.now for end in (card.expires, card.valid_until)):
        return "expired"
    if visible is not None and card.owner not in visible and not is_personal(project):
        return f"private to agent {card.owner}"
    if after := find_reversing(project, card):
        return f'said later, against it: "{after.title}" ({after.id[-8:]})'
    if card.session == prompt.state["id"] and not prompt.state.get("compactions"):
        return "said in this very conversation: it comes from the next start on"
    if card.created > seconds_of(prompt.line.get("time")):
        return "written after this prompt"
    return "its text reads like an order to the agent: searched, never listed" if card.flags else ""


def _by_words(project: Project, card: Card, prompt: PromptRecord, seen: Preview) -> str:
    settings, bracket = seen.context.mirror.settings, str(prompt.line["bracket"])
    level = memory_level(bracket, seen.request.executor, settings["context"])
    if level in ("none", "full"):
        return f"{bracket}: no memories are sent then"
    words = read_prompt_words(prompt.text)
    if not prompt.text:
        return UNKNOWN
    if not is_about_something(prompt.text, words):
        return "the prompt says too little about a subject to look for memories"
    index = open_index(project.workspace.shared)
    if index is None:
        return "not known: the index of memories cannot be opened. To mend it: limpet memory upkeep"
    with closing(index):
        return _by_gate(index, card, prompt, seen, level, is_personal(project))


def _by_gate(index: Connection, card: Card, prompt: PromptRecord, seen: Preview, level: str, personal: bool) -> str:
    settings, text = seen.context.mirror.settings["memory"], prompt.text
    gate, contents, words = settings["gate"], settings["contents"], read_prompt_words(text)
    said = read_prompt_words(typed_part(text))
    owners = (SHARED,) if personal else owners_of(seen.context)
    query = Query(owners=owners, limit=MOST_CARDS, now=seen.context.clock.now())
    meant = [one.id for one in sure(index, query, said, settings, (), may_earn(typed_part(text), said, gate["words"]))]
    nearest = [one.id for one in near(index, query, words, settings)]
    listed = any(line.get("listed") for line in prompt.epoch)
    most = contents["shown"]["more" if listed else "first"]
    if card.id in meant and is_about_something(typed_part(text), said):
        return f"meant, left out: at most {settings['shown'][level]} come whole, the surest first, within the budget"
    if card.id in nearest and listed and not may_earn(text, words, contents["words"]):
        return f"near, but a later prompt brings titles only if it has {contents['words']} words about a subject"
    if card.id in nearest:
        return f"near, left out: {nearest.index(card.id)} were nearer; at most {most} titles come, within the budget"
    if card.id in [one.id for one in near(index, query, words, {**settings, "gate": {**gate, "near": 0.0}})]:
        held = _terms(f"{card.title} {' '.join(card.tags)} {card.excerpt}")
        common = dict.fromkeys(word.strip(AROUND) for word in text.split() if _terms(word) & held)
        return f"what it shares with the prompt is too little or too common here: {', '.join(common) or 'in its text'}"
    its = [word.strip(AROUND) for word in card.title.split() if _terms(word)][:SHOWN]
    return f"no word of the prompt is near (it has: {', '.join(its)})"


def _terms(text: str) -> set[str]:
    return {term for term in terms(text) if not is_stop(term)}


def _rules(workspace: Workspace, words: str, prompt: PromptRecord, seen: Preview) -> Iterator[dict[str, Any]]:
    reasons = {one.name: one for one in explain_domains(seen)}
    named, wanted = words.strip().upper(), words.casefold().split()
    out = dict(prompt.line.get("out") or ())
    for entry in read_catalogue(workspace):
        name = entry.domain.name
        said = " ".join((name, *entry.domain.recall, *(rule for _, rule in entry.lines))).casefold()
        if name not in reasons or not (name == named if named in reasons else all(word in said for word in wanted)):
            continue
        # The rules of a bracket and of an agent are pieces of their own names.
        pieces = (name, f"{name} {prompt.line['bracket']}", f"agent {entry.domain.agent}")
        left_out = next((out[piece] for piece in pieces if piece in out), "")
        came = any(piece in prompt.line["in"] for piece in pieces)
        waits = entry.origin == SHIPPED and name != named and not (came or left_out or reasons[name].fires)
        if came:
            why = "came with this prompt"
        elif left_out:
            why = "in the conversation already" if left_out == STANDING else f"left out: {left_out}"
        elif not entry.domain.active:
            why = f"off: limpet rules edit {name.lower()} --on"
        elif not prompt.text:
            why = UNKNOWN
        else:
            changed = ", so it would come now: rules changed since, or the conversation holds them"
            why = f"{reasons[name].why}{changed if reasons[name].fires else ''}"
        yield {"kind": "rules", "id": name, "title": name, "why": why, "waits": waits}
