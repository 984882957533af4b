"""The state of work of chati.dev and AIOS as ours: steps and scores as they stand, the backlog, handoffs, memories."""

from __future__ import annotations

import re
from typing import Any

from limpet.ground.formats.markdown import plain_lines
from limpet.ground.formats.yaml_edit import set_values
from limpet.ground.formats.yaml_text import load_yaml
from limpet.migration.conversion import Conversion
from limpet.roles.roster import resolve_id
from limpet.work.markdown_file import is_safe_name
from limpet.work.stories.edit import write_story_text
from limpet.work.stories.store import DONE, DRAFT, IN_PROGRESS
from limpet.work.stories.story import Story

SESSION = "state:session.yaml"
HANDOFF = "-handoff.md"
HEADING = "## Session Lock"
# Its lines, as far as they are the block's; what else stands behind the heading is the user's.
_LOCK = re.compile(
    r"[^\n]*(?:\n|\Z)"
    r"(?:[ \t\r]*\n|(?!#)(?:\d+\. |[ \t]|<!--|[^\n]*(?:chati|session|Status:))[^\n]*(?:\n|\Z))*",
    re.IGNORECASE,
)


def convert_chati(one: Conversion) -> None:
    if ".chati/session.yaml" in one.files:
        _take_session(one, ".chati/session.yaml")
    one.take_memories(".chati/memories")
    for source in one.below(".chati", ".chati/gotchas.json"):
        one.take_gotchas(source)
    for source in one.below("chati.dev/artifacts/handoffs", f"*{HANDOFF}"):
        name = source.rpartition("/")[2].removesuffix(HANDOFF)
        one.copy(source, f"project:.limpet/handoffs/{resolve_id(name) or name}.md", "handoff")
    for source in (*one.below(".chati/decisions", "*.md"), *one.below("chati.dev/artifacts/decisions", "*.md")):
        title, _, body = one.texts[source].strip().partition("\n")
        one.remember(source, "decision", title.lstrip("# "), body, confidence=0.8)
    for source in [path for path in one.files if "/" not in path or path == ".gemini/session-lock.md"]:
        text = _without_lock(one.files[source].decode())
        if text.encode() != one.files[source]:
            one.put(f"project:{source}", text)
            one.add(source, "lock", "chati.dev's block is taken out", f"project:{source}")


def _without_lock(text: str) -> str:
    for start in reversed([start for start, line in plain_lines(text) if line.startswith(HEADING)]):
        found = _LOCK.match(text, start)
        text = text[:start] + text[found.end() :] if found else text
    return text


def convert_aios(one: Conversion) -> None:
    """What lies beside SYNAPSE's rules."""
    for folder in (".aios", ".aiox"):
        for source in one.below(folder, "*-state.yaml"):
            _take_workflow(one, source)
        for source in one.below(folder, f"{folder}/gotchas.json"):
            one.take_gotchas(source)
        for source in one.below(folder, "session-digests/*.yaml"):
            _take_digest(one, source)
        one.take_memories(f"{folder}/memories")


def _take_session(one: Conversion, source: str) -> None:
    """What our own session says already holds, step by step."""
    theirs, own = _mapping(one.data(source)), _mapping(load_yaml(one.before(SESSION) or "", SESSION))
    found: list[tuple[tuple[str, ...], str, object]] = [
        ((key,), key, value) for key, value in theirs.items() if key not in ("agents", "backlog")
    ]
    for agent, record in _mapping(theirs.get("agents")).items():
        score = _mapping(record).get("score")
        said = f"{agent}: {_mapping(record).get('status')}" + ("" if score is None else f", {score}")
        found.append((("agents", agent), said, record))
    changes: list[tuple[tuple[str | int, ...], object]] = []
    for path, said, value in found:
        known = _mapping(own.get("agents")).get(path[-1]) if len(path) > 1 else own.get(path[0])
        if known in (None, value):
            changes += [(path, value)] * (known is None)
            one.add(source, "field" if len(path) == 1 else "step", said, SESSION)
        else:
            one.leave(source, "field" if len(path) == 1 else "step", said, "it goes on here, and is otherwise now")
    if theirs:
        one.put(SESSION, set_values(one.before(SESSION) or "", changes, SESSION) if own else one.files[source])
    rows, agents = theirs.get("backlog"), theirs.get("agents")
    if not isinstance(agents, dict | None):
        one.leave(source, "step", agents, "it is no mapping of agents")
    for row in rows if isinstance(rows, list) else [rows] * bool(rows):
        _add_story(one, source, row if isinstance(row, dict) else {"": row})


def _take_workflow(one: Conversion, source: str) -> None:
    told = _mapping(one.data(source))
    name = told.get("workflow_id") or source.rpartition("/")[2].removesuffix("-state.yaml")
    title = f"Go on with {name} at {told.get('current_phase') or 'its phase'}, step {told.get('current_step_index')}"
    if told.get("status") == "active":
        _add_story(one, source, {"id": f"go-on-{name}", "title": title, "status": IN_PROGRESS, **told})
    else:
        one.leave(source, "workflow", title, f"it is {told.get('status') or 'not under way'}")


def _add_story(one: Conversion, source: str, row: dict[str, Any]) -> None:
    """What waits to be done is a story; the rest that was told of it stands in its record."""
    name, title = str(row.get("id") or ""), " ".join(str(row.get("title") or "").split())
    if not is_safe_name(name) or not title:
        one.leave(source, "backlog", row.get("", row), "it has no id or title")
        return
    status = row.get("status") if row.get("status") in (DONE, IN_PROGRESS) else DRAFT
    told = "".join(f"- {key}: {value}\n" for key, value in row.items() if key not in ("id", "title") and value)
    text = write_story_text(Story(id=name, title=title, status=str(status), dev_record=told))
    place = f"project:.limpet/stories/{name}/story.md"
    one.put(place, one.before(place) or text)
    one.add(source, "backlog", title, place)


def _take_digest(one: Conversion, source: str) -> None:
    kind, others = "", list[str]()
    for line in map(str.strip, one.texts[source].splitlines()):
        if line.startswith("#"):
            kind = {"User Corrections": "user_correction", "Axioms Learned": "lesson"}.get(line.lstrip("# "), "")
        elif kind and line.startswith("- "):
            one.remember(source, kind, line[2:])
        elif line.strip("-"):
            others.append(line)
    one.leave(source, "digest", "; ".join(others), "it is of a conversation that is over")


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
