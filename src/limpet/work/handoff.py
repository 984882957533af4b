"""A handoff as a value (chati.dev article VIII): a first layer that the next agent gets, a second that it may read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from limpet.ground.formats.frontmatter import Frontmatter, render_plainly
from limpet.ground.formats.markdown import (
    LONGEST_ITEM,
    Section,
    demote,
    find_section,
    one_line,
    read_items,
    read_sections,
    refuse_conflict_marks,
    section_text,
)
from limpet.ground.formats.schema import load_schema, sift
from limpet.ground.formats.yaml_text import key_lines
from limpet.ground.safety.instructions import flags_of
from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import fold
from limpet.ground.values import Value
from limpet.work.markdown_file import load_keys, split_document
from limpet.work.pipeline.gate import threshold
from limpet.work.pipeline.state import (
    COMPLETED,
    VERIFIED,
    Limits,
    Seals,
    Session,
    evidence_of,
    record_of,
    run_of,
    score_of,
    status_of,
    whole,
)
from limpet.work.pipeline.workflow import Workflow

SCHEMA_VERSION = 1
COMPLETE = "complete"
STATUSES = (COMPLETE, "partial")
SECOND_LAYER = "Layer 2"
"""The heading from which on a handoff is its second layer."""
SECTIONS = {
    "summary": ("Summary", "resumo", "resumen", "sommaire"),
    "outputs": ("Outputs", "artifacts", "saidas", "entregas", "salidas", "sorties", "livrables"),
    "decisions": ("Decisions", "key decisions", "decisoes", "decisiones"),
    "blockers": ("Blockers", "bloqueios", "impedimentos", "bloqueos", "blocages"),
    "met": ("Criteria Met", "criterios atendidos", "criterios cumplidos", "criteres remplis"),
    "unmet": ("Criteria Unmet", "criterios nao atendidos", "criterios no cumplidos", "criteres non remplis"),
    "criteria": ("Criteria", "acceptance criteria", "criterios", "criterios de aceite", "criteres"),
}
"""Field -> the heading that is written, and others that are read, folded. ``criteria`` is a list with boxes: those that
are ticked are met, the others are not; it is read only."""
_TEXTS = ("from_agent", "from_task", "from_phase", "to", "timestamp", "status", "run")
_KEYS = (*_TEXTS, "score", "verified")
_SECOND = re.compile(
    r"(?:(?:layer|camada|capa|couche) 2|(?:second|segunda|deuxieme|seconde) (?:layer|camada|capa|couche))\b.*"
)
_NOTHING = re.compile(r"(?:no(?:ne|thing)?|n/?a|nenhuma?s?|nada|ning[uo]n[ao]?|aucune?|rien|[-\u2013\u2014]*)\.?")
_DECISION = re.compile(r"\*\*(?P<bold>[^*]+?):?\*\*\s*:?\s*(?P<rest>.*)|(?P<key>[^:`]{1,60}):\s+(?P<value>.*)")


class Handoff(Value):
    """The handoff of one agent to the next.

    ``score``: in percent, None where none was given.
    ``verified``: whether checks that Limpet ran back the score.
    ``decisions``: (what, how), the first "" where the item names none.
    ``first_layer``, ``second_layer``: their lines, without blank edges.
    ``problems``: lines, with ``file:line``, on what in the frontmatter does not count.
    """

    from_agent: str = ""
    from_task: str = ""
    from_phase: str = ""
    to: str = ""
    timestamp: str = ""
    status: str = ""
    score: float | None = None
    verified: bool = False
    run: str = ""
    summary: str = ""
    outputs: tuple[str, ...] = ()
    decisions: tuple[tuple[str, str], ...] = ()
    blockers: tuple[str, ...] = ()
    met: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    first_layer: tuple[str, ...] = ()
    second_layer: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def handoff_score_text(handoff: Handoff) -> str:
    """Return ``95`` for a verified one, ``95 (claimed)``, or "" without a score."""
    if handoff.score is None:
        return ""
    return f"{whole(handoff.score)}" + ("" if handoff.verified else " (claimed)")


def block_lines(handoff: Handoff) -> tuple[str, ...]:
    """Return the first layer for the next agent's context, the most important first, because lines are cut from the
    end: summary, blockers, unmet criteria, decisions, outputs."""
    lines = [" ".join(line.split()).removeprefix("- ") for line in handoff.summary.splitlines() if line.strip()]
    lines += [f"Blocker: {text}" for text in handoff.blockers]
    lines += [f"Unmet: {text}" for text in handoff.unmet]
    lines += [f"Decision: {what}: {how}" if what else f"Decision: {how}" for what, how in handoff.decisions]
    lines += [f"Output: {text}" for text in handoff.outputs]
    if handoff.second_layer:
        lines.append(f"More: limpet work handoff {handoff.from_agent} --layer 2")
    return tuple(lines)


def read_handoff_text(text: str, where: str) -> Handoff:
    """Raise LimpetError with ``file:line`` for YAML that cannot be read and for an unsettled merge conflict."""
    refuse_conflict_marks(text, where)
    parts = split_document(text, where)
    fields, problems = _read_frontmatter(parts, where)
    start = len(parts.head) + len(parts.yaml) + parts.body
    sections = read_sections(text, start)
    second = next((section for section in sections if _SECOND.fullmatch(section.key)), None)
    end = second.start if second else len(text)
    first = [section for section in sections if section.start < end]
    return Handoff(
        **fields,
        **_read_sections(text[:end], [section.replace(end=min(section.end, end)) for section in first]),
        first_layer=_lines(text[start:end]),
        second_layer=_lines(text[second.body :]) if second else (),
        problems=problems,
    )


def write_handoff_text(handoff: Handoff, details: str = "") -> str:
    title = f"# Handoff: {handoff.from_agent} to {handoff.to}"
    decisions = [f"**{what}**: {how}" if what else how for what, how in handoff.decisions]
    parts = [
        title,
        _section("summary", demote(handoff.summary)),
        _list_section("outputs", "-", handoff.outputs),
        _list_section("decisions", "-", decisions),
        _list_section("blockers", "-", handoff.blockers),
        _list_section("met", "- [x]", handoff.met),
        _list_section("unmet", "- [ ]", handoff.unmet),
    ]
    if details.strip():
        parts += [f"# {SECOND_LAYER}", details.strip()]
    keys = [f"{key}: {render_plainly(value)}" for key, value in handoff_keys(handoff).items() if value is not None]
    return "---\n" + "\n".join(keys) + "\n---\n\n" + "\n\n".join(parts) + "\n"


def handoff_keys(handoff: Handoff) -> dict[str, object]:
    texts = {key: getattr(handoff, key) for key in _TEXTS}
    score = None if handoff.score is None else whole(handoff.score)
    return {**{key: value or None for key, value in texts.items()}, "score": score, "verified": handoff.verified}


def split_decision(item: str) -> tuple[str, str]:
    """Return (what, how) of a decision's line, as ``**what**: how`` or ``what: how``; ("", the line) for any other."""
    found = _DECISION.fullmatch(item)
    if not found:
        return "", item
    return (found["bold"] or found["key"] or "").strip(), (found["rest"] or found["value"] or "").strip()


def known_handoff(session: Session, agent: str, to: str, phase: str, score: float | None) -> Handoff:
    """Return the frontmatter as far as the session knows it. ``phase``: the pipeline mode where the session names none.
    ``score``: given in place of the gate's, None for the gate's; it is claimed: only a finish is verified."""
    gate = score_of(session, agent)
    counted, task = gate if score is None else score, session.get("task")
    if isinstance(task, Mapping):
        task = " ".join(str(task[key]) for key in ("id", "title") if task.get(key))
    return Handoff(
        from_agent=agent,
        to=to,
        from_task=str(task or ""),
        from_phase=str(session.get("mode") or phase),
        status="complete",
        score=counted,
        run=str(session.get("run") or ""),
    )


def is_of_run(session: Session, handoff: Handoff) -> bool:
    return handoff.run == run_of(session)


def as_proven(session: Session, handoff: Handoff, seals: Seals) -> Handoff:
    """It is verified only where the session's sealed finish says so, whatever its file says."""
    agent = handoff.from_agent
    passed = status_of(session, agent) == COMPLETED and evidence_of(session, agent, seals) == VERIFIED
    return handoff.replace(
        verified=passed and is_of_run(session, handoff) and handoff.score == score_of(session, agent)
    )


def threshold_of(session: Session, workflow: Workflow | None, agent: str, limits: Limits) -> float:
    step = workflow.step_of(agent) if workflow else None
    if step:
        return threshold(session, step, limits)
    own: Any = record_of(session, agent).get("threshold")
    return limits.gate if own is None else float(own)


def without_orders(lines: Sequence[str], command: str) -> tuple[str, ...]:
    """Return the lines that read as no order; the first says how many are left out, and the command that shows them. An
    order may go over two lines, which then are left out both."""
    bad = {place for place, line in enumerate(lines) if flags_of(line)}
    for place, (line, after) in enumerate(zip(lines, lines[1:], strict=False)):
        if not bad & {place, place + 1} and flags_of(f"{line} {after}"):
            bad |= {place, place + 1}
    if not bad:
        return tuple(lines)
    noun = "line reads like an instruction and is" if len(bad) == 1 else "lines read like instructions and are"
    told = f"{len(bad)} {noun} left out: `{command}`"
    return (told, *(line for place, line in enumerate(lines) if place not in bad))


def _read_frontmatter(parts: Frontmatter, where: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the good fields as ``Handoff`` takes them, and a line for each value that does not count."""
    data = load_keys(parts, where)
    known = {key: data[key] for key in _KEYS if data.get(key) is not None}
    percent = r"\s*(\d{1,3}(?:\.\d{1,4})?)\s*(?:%|/\s*100)?\s*"
    if isinstance(known.get("score"), str) and (number := re.fullmatch(percent, known["score"])):
        known["score"] = float(number[1])
    good, faults = sift(known, load_schema("handoff"))
    lines = key_lines(parts.yaml, where) if faults else {}
    problems = (f"{where}:{lines[fault.path] + parts.line - 1}: {fault.path[0]} {fault.what}" for fault in faults)
    return {key: one_line(str(value)) if key in _TEXTS else value for key, value in good.items()}, tuple(problems)


def _read_sections(text: str, sections: Sequence[Section]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field, names in SECTIONS.items():
        section = find_section(sections, [fold(name) for name in names])
        if section is None:
            continue
        if field == "criteria":
            boxes = read_items(text, section)
            found["met"] = (*found.get("met", ()), *(item.text for item in boxes if item.done))
            found["unmet"] = (*found.get("unmet", ()), *(item.text for item in boxes if not item.done))
        elif field == "summary":
            found[field] = section_text(text, section)
        else:
            items = [item.text for item in read_items(text, section)]
            lines = (clip(one_line(line), LONGEST_ITEM) for line in section_text(text, section).splitlines())
            items = items or [line for line in lines if line]
            found[field] = tuple(item for item in items if not _NOTHING.fullmatch(fold(item)))
    found["decisions"] = tuple(split_decision(item) for item in found.get("decisions", ()))
    return found


def _list_section(field: str, sign: str, items: Sequence[str]) -> str:
    return _section(field, "\n".join(f"{sign} {one_line(item)}" for item in items) or "None.")


def _section(field: str, words: str) -> str:
    return f"## {SECTIONS[field][0]}\n\n{words.strip()}" if words.strip() else f"## {SECTIONS[field][0]}"


def _lines(text: str) -> tuple[str, ...]:
    lines = text.split("\n")
    filled = [place for place, line in enumerate(lines) if line.strip()]
    return tuple(line.rstrip("\r") for line in lines[filled[0] : filled[-1] + 1]) if filled else ()
