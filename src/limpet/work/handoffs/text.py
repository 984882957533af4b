"""Reads and writes a handoff's Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
from limpet.ground.text.escaping import clip
from limpet.ground.text.words import fold
from limpet.work.handoffs.handoff import Handoff, whole
from limpet.work.markdown_file import load_keys, split_document

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


def read_handoff_text(text: str, where: str) -> Handoff:
    """Return the handoff of a file's text. Raise LimpetError with ``file:line`` for YAML that cannot be read and
    for an unsettled merge conflict."""
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
    """Return the text of a new handoff; ``details`` becomes its second layer."""
    title = f"# Handoff: {handoff.from_agent} to {handoff.to}"
    parts = [title, _section("summary", demote(handoff.summary)), *_list_sections(handoff)]
    if details.strip():
        parts += [f"# {SECOND_LAYER}", details.strip()]
    keys = [f"{key}: {render_plainly(value)}" for key, value in handoff_keys(handoff).items() if value is not None]
    return "---\n" + "\n".join(keys) + "\n---\n\n" + "\n\n".join(parts) + "\n"


def handoff_keys(handoff: Handoff) -> dict[str, object]:
    """Return the frontmatter; None for what has no value."""
    texts = {key: getattr(handoff, key) for key in _TEXTS}
    score = None if handoff.score is None else whole(handoff.score)
    return {**{key: value or None for key, value in texts.items()}, "score": score, "verified": handoff.verified}


def _read_frontmatter(parts: Frontmatter, where: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the good fields as ``Handoff`` takes them, and a line for each value that does not count."""
    data = load_keys(parts, where)
    known = {key: data[key] for key in _KEYS if data.get(key) is not None}
    if isinstance(known.get("score"), str):
        known["score"] = _number(known["score"])
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
        else:
            found[field] = section_text(text, section) if field == "summary" else _items(text, section)
    found["decisions"] = tuple(split_decision(item) for item in found.get("decisions", ()))
    return found


def _items(text: str, section: Section) -> tuple[str, ...]:
    """Return the items of a section, or its paragraphs' lines where it has no list; ``none`` is no item."""
    items = [item.text for item in read_items(text, section)]
    lines = (clip(one_line(line), LONGEST_ITEM) for line in section_text(text, section).splitlines())
    items = items or [line for line in lines if line]
    return tuple(item for item in items if not _NOTHING.fullmatch(fold(item)))


def split_decision(item: str) -> tuple[str, str]:
    """Return (what, how) of a decision's line, as ``**what**: how`` or ``what: how``; ("", the line) for any other."""
    found = _DECISION.fullmatch(item)
    if not found:
        return "", item
    return (found["bold"] or found["key"] or "").strip(), (found["rest"] or found["value"] or "").strip()


def _list_sections(handoff: Handoff) -> list[str]:
    decisions = [f"**{what}**: {how}" if what else how for what, how in handoff.decisions]
    lists = {
        "outputs": ("-", handoff.outputs),
        "decisions": ("-", decisions),
        "blockers": ("-", handoff.blockers),
        "met": ("- [x]", handoff.met),
        "unmet": ("- [ ]", handoff.unmet),
    }
    written = {field: [f"{sign} {one_line(item)}" for item in items] for field, (sign, items) in lists.items()}
    return [_section(field, "\n".join(lines) or "None.") for field, lines in written.items()]


def _section(field: str, words: str) -> str:
    return f"## {SECTIONS[field][0]}\n\n{words.strip()}" if words.strip() else f"## {SECTIONS[field][0]}"


def _lines(text: str) -> tuple[str, ...]:
    """Return the lines without blank ones at the edges."""
    lines = text.split("\n")
    filled = [place for place, line in enumerate(lines) if line.strip()]
    return tuple(line.rstrip("\r") for line in lines[filled[0] : filled[-1] + 1]) if filled else ()


def _number(text: str) -> object:
    """Return ``95%`` and ``95/100`` as numbers, any other text as it is."""
    found = re.fullmatch(r"\s*(\d{1,3}(?:\.\d{1,4})?)\s*(?:%|/\s*100)?\s*", text)
    return float(found[1]) if found else text
