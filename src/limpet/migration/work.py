"""The state of work of chati.dev and AIOS as ours: steps and scores as they stand, the backlog, handoffs, memories."""

from __future__ import annotations

import re
from typing import Any

from limpet.ground.formats.yaml_text import load_yaml
from limpet.migration.conversion import Conversion
from limpet.roles.roster import resolve_id

SESSION = "state:session.yaml"
HANDOFF = "-handoff.md"
# The heading of the block that chati.dev writes into instruction files, to the next heading of its rank.
LOCK = re.compile(r"^## Session Lock\b[^\n]*\n(?:(?!#{1,2} )[^\n]*(?:\n|\Z))*", re.MULTILINE)


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
        title, _, body = one.text(source).strip().partition("\n")
        one.remember(source, "decision", title.lstrip("# "), body, confidence=0.8)
    for source in [path for path in one.files if "/" not in path or path == ".gemini/session-lock.md"]:
        text = one.texts[source]
        one.put(f"project:{source}", LOCK.sub("", text))
        one.add(source, "lock", "chati.dev's block is taken out", f"project:{source}")


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
    theirs, before = _mapping(one.data(source)), one.before(SESSION)
    own = _mapping(load_yaml(before or "", SESSION))
    if theirs and not own:
        one.put(SESSION, one.files[source])
    changes: list[tuple[tuple[str | int, ...], object]] = []
    for key, value in theirs.items():
        if own and key not in own and key not in ("agents", "backlog"):
            changes.append(((key,), value))
        elif own and key not in ("agents", "backlog") and own[key] != value:
            one.leave(source, "field", f"{key}: {value}", "the project's own session says otherwise, and holds")
            continue
        one.add(source, "field", key, SESSION)
    known = _mapping(own.get("agents"))
    for agent, record in _mapping(theirs.get("agents")).items():
        score = _mapping(record).get("score")
        said = f"{agent}: {_mapping(record).get('status')}" + ("" if score is None else f", {score}")
        if own and agent in known and known[agent] != record:
            one.leave(source, "step", said, "it goes on here")
            continue
        changes += [(("agents", agent), record)] * bool(own and agent not in known)
        one.add(source, "step", said, SESSION)
    if changes:
        one.merge_yaml(SESSION, changes)
    rows = theirs.get("backlog")
    for row in rows if isinstance(rows, list) else ():
        _add_backlog(one, source, _mapping(row))


def _take_workflow(one: Conversion, source: str) -> None:
    told = _mapping(one.data(source))
    name, step = told.get("workflow_id") or source.rpartition("/")[2], told.get("current_step_index")
    title = f"Go on with {name} at {told.get('current_phase') or 'its phase'}, step {step}"
    if told.get("status") == "active":
        notes = str(told.get("target_context") or told.get("instance_id") or "")
        _add_backlog(one, source, {"title": title, "priority": "medium", "status": "pending", "notes": notes})
    else:
        one.leave(source, "workflow", title, f"it is {told.get('status') or 'not under way'}")


def _add_backlog(one: Conversion, source: str, row: dict[str, Any]) -> None:
    found = _mapping(load_yaml(one.before(SESSION) or "", SESSION)).get("backlog")
    rows: list[dict[str, Any]] = [_mapping(each) for each in found] if isinstance(found, list) else []
    if row.get("title") not in [each.get("title") for each in rows]:
        numbers = [int(str(each.get("id"))[3:]) for each in rows if str(each.get("id"))[3:].isdecimal()]
        taken = [each.get("id") for each in rows]
        if not row.get("id") or row["id"] in taken:
            row = {"id": f"BL-{max(numbers, default=0) + 1:03}", **{key: row[key] for key in row if key != "id"}}
        one.merge_yaml(SESSION, [(("backlog",), [*rows, row])])
    one.add(source, "backlog", row.get("title"), SESSION)


def _take_digest(one: Conversion, source: str) -> None:
    kind = ""
    for line in one.text(source).splitlines():
        if line.startswith("#"):
            kind = {"User Corrections": "user_correction", "Axioms Learned": "lesson"}.get(
                line.lstrip("# ").strip(), ""
            )
        elif kind and line.lstrip().startswith("- "):
            one.remember(source, kind, line.strip()[2:])
        elif line.strip():
            one.leave(source, "line", line, "it is of a conversation that is over")


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
