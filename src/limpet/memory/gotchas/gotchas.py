"""Gotchas: errors that came back so often within the window that they are worth remembering (decision 26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.digest import digest
from limpet.ground.safety.redaction import redact
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.memory.gotchas.kinds import categorise, severity_of
from limpet.memory.gotchas.signatures import find_error, without_place
from limpet.memory.model.entry import EVIDENCE
from limpet.memory.model.evidence import Evidence

HOUR = 3600.0
TITLE = 120
SAMPLES = 3
# A little more than signatures are read from, so that no secret is cut in two where they are.
READ = 70_000
SAMPLE = 600
PATHS = 10


class Occurrence(Value):
    """A tool that failed once.

    ``signature``: of the error, "" for one that says nothing.
    ``sample``: the error's text.
    ``tool``: its name, with its command where it has one.
    ``at``: in seconds since 1970.
    ``paths``: the files in play.
    """

    signature: str
    sample: str
    tool: str
    at: float
    session: str = ""
    tool_use_id: str = ""
    paths: tuple[str, ...] = ()


def make_occurrence(
    text: str,
    tool: str,
    at: float,
    session: str = "",
    tool_use_id: str = "",
    paths: Sequence[str] = (),
    secrets: Collection[str] = (),
) -> Occurrence:
    """Return the occurrence that a failure's text tells of, without secrets (``secrets``: those of no known form)."""
    told = redact(text[:READ], known=secrets).strip()
    line, signature = find_error(told)
    sample = clip(told if told.startswith(line) else f"{line}\n{told}", SAMPLE)
    return Occurrence(signature, sample, redact(tool, known=secrets), at, session, tool_use_id, tuple(paths))


def find_gotchas(
    occurrences: Iterable[Occurrence], now: float, settings: dict[str, Any]
) -> dict[str, tuple[Occurrence, ...]]:
    """Return signature -> its occurrences, the oldest first, for those that came ``gotcha_times`` times within some
    ``gotcha_hours``.

    A failure that is reported twice counts once; one from the future does not count yet.
    """
    by_signature: dict[str, list[Occurrence]] = {}
    for occurrence in _distinct(occurrence for occurrence in occurrences if occurrence.at <= now):
        by_signature.setdefault(occurrence.signature, []).append(occurrence)
    times, span = settings["gotcha_times"], settings["gotcha_hours"] * HOUR
    return {
        signature: tuple(found)
        for signature, found in by_signature.items()
        if signature and any(last.at - first.at <= span for first, last in zip(found, found[times - 1 :], strict=False))
    }


def signature_tag(signature: str) -> str:
    """Return the tag by which the gotcha of a signature is found again."""
    return f"error-{digest(signature, 4)}"


def draft(signature: str, occurrences: Sequence[Occurrence]) -> dict[str, Any]:
    """Return the fields of the entry that remembers these occurrences (the oldest first), as ``Entry`` names them."""
    samples = "\n".join(occurrence.sample for occurrence in occurrences)
    line = find_error(occurrences[-1].sample)[0] or signature
    tools = " ".join(dict.fromkeys(occurrence.tool for occurrence in occurrences))
    category = categorise(line, tools)
    return {
        "type": "gotcha",
        "title": clip(without_place(line), TITLE),
        "body": _body(occurrences),
        "category": category,
        "severity": severity_of(samples),
        "workaround": "",
        "resolved": False,
        "tags": (category, signature_tag(signature)),
        "paths": _paths(occurrences),
        "session": occurrences[-1].session,
        "evidence_count": len(occurrences),
        "evidence": tuple(map(evidence_of, occurrences)),
    }


def evidence_of(occurrence: Occurrence) -> Evidence:
    """Return the occurrence as evidence of its gotcha; the call that failed is the message."""
    return Evidence(at=iso(occurrence.at), conversation=occurrence.session, message=occurrence.tool_use_id)


def _distinct(occurrences: Iterable[Occurrence]) -> list[Occurrence]:
    """Return each failure once, in order of time.

    Without an id, two within a second of one conversation are one that two hooks told.
    """
    found: dict[object, Occurrence] = {}
    for each in sorted(occurrences, key=lambda occurrence: occurrence.at):
        found.setdefault(each.tool_use_id or (each.session, int(each.at), each.signature), each)
    return list(found.values())


def _body(occurrences: Sequence[Occurrence]) -> str:
    lines = [f"## {EVIDENCE}"]
    different = list({occurrence.sample: occurrence for occurrence in occurrences}.values())
    for occurrence in different[-SAMPLES:]:
        where = f" in conversation {occurrence.session}" if occurrence.session else ""
        lines += ["", f"{iso(occurrence.at)}, {occurrence.tool or 'a tool'}{where}:", ""]
        lines += [f"    {line}" for line in occurrence.sample.splitlines()]
    return "\n".join(lines) + "\n"


def _paths(occurrences: Iterable[Occurrence]) -> tuple[str, ...]:
    counted = Counter(path for occurrence in occurrences for path in dict.fromkeys(occurrence.paths))
    return tuple(path for path, _ in counted.most_common(PATHS))
