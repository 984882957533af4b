"""Gotchas: errors that came back so often within the window that they are worth remembering (decision 26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.digest import digest, safe_name
from limpet.ground.event_log import Actor, Event, append_event, newest_first
from limpet.ground.safety.redaction import redact
from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import fold
from limpet.ground.text.stems import stem
from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import split_words
from limpet.ground.values import Value
from limpet.memory.model.entry import EVIDENCE, SEVERITIES
from limpet.memory.model.results import MemoryEvidence
from limpet.memory.signatures import find_error, without_place

HOUR = 3600.0
TITLE = 120
SAMPLES = 3
# A little more than signatures are read from, so that no secret is cut in two where they are.
READ = 70_000
SAMPLE = 600
PATHS = 10
_FILE = "capture/errors.txt"
# Of equal claims the first wins.
_KINDS = ("security", "lint", "test", "build", "integration", "runtime")
# TS2322, E0308, CS1002, C2065: what compilers number.
_CODE_STARTS = ("ts", "e", "cs", "c", "lnk")
KIND = "tool.failed"
_START = "errors-"
# Older ones, one after the other, after which nothing that is wanted lies further back: processes of one writer append
# a little out of order, and a clock that was set back for a while wrote some in between.
OLDER = 20


class Occurrence(Value):
    """A tool that failed once, ``at`` seconds since 1970. ``signature``: of the error, "" for one that says nothing.
    ``tool``: its name, with its command where it has one. ``paths``: the files in play."""

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
    told = redact(text[:READ], known=secrets).strip()
    line, signature = find_error(told)
    sample = clip(told if told.startswith(line) else f"{line}\n{told}", SAMPLE)
    return Occurrence(signature, sample, redact(tool, known=secrets), at, session, tool_use_id, tuple(paths))


def find_gotchas(
    occurrences: Iterable[Occurrence], now: float, settings: dict[str, Any]
) -> dict[str, tuple[Occurrence, ...]]:
    """Return signature -> its occurrences, the oldest first, for those that came ``gotcha_times`` times within some
    ``gotcha_hours``. A failure that is reported twice counts once; one from the future does not count yet."""
    by_signature: dict[str, list[Occurrence]] = {}
    distinct: dict[object, Occurrence] = {}
    for each in sorted(occurrences, key=lambda occurrence: occurrence.at):
        if each.at <= now:
            # Without an id, two within a second of one conversation are one that two hooks told.
            distinct.setdefault(each.tool_use_id or (each.session, int(each.at), each.signature), each)
    for each in distinct.values():
        by_signature.setdefault(each.signature, []).append(each)
    times, span = settings["gotcha_times"], settings["gotcha_hours"] * HOUR
    often = {}
    for signature, found in by_signature.items():
        ends = zip(found, found[times - 1 :], strict=False)
        if signature and any(last.at - first.at <= span for first, last in ends):
            often[signature] = tuple(found)
    return often


def signature_tag(signature: str) -> str:
    return f"error-{digest(signature, 4)}"


def draft(signature: str, occurrences: Sequence[Occurrence]) -> dict[str, Any]:
    """Return the fields of the entry that remembers these occurrences (the oldest first), as ``Entry`` names them."""
    samples = "\n".join(occurrence.sample for occurrence in occurrences)
    line = find_error(occurrences[-1].sample)[0] or signature
    tools = " ".join(dict.fromkeys(occurrence.tool for occurrence in occurrences))
    category = categorise(line, tools)
    paths: Counter[str] = Counter()
    for occurrence in occurrences:
        paths.update(dict.fromkeys(occurrence.paths, 1))
    return {
        "type": "gotcha",
        "title": clip(without_place(line), TITLE),
        "body": _body(occurrences),
        "category": category,
        "severity": severity_of(samples),
        "workaround": "",
        "resolved": False,
        "tags": (category, signature_tag(signature)),
        "paths": tuple(path for path, _ in paths.most_common(PATHS)),
        "session": occurrences[-1].session,
        "evidence_count": len(occurrences),
        "evidence": tuple(map(gotcha_evidence_of, occurrences)),
    }


def gotcha_evidence_of(occurrence: Occurrence) -> MemoryEvidence:
    return MemoryEvidence(at=iso(occurrence.at), conversation=occurrence.session, message=occurrence.tool_use_id)


def categorise(text: str, tool: str = "") -> str:
    """Return that of the failed tool or command, else the one that most words of the text tell of."""
    return _category(tool) or _category(text) or "general"


def severity_of(text: str) -> str:
    """Return ``critical`` for what loses data or opens a door, ``info`` for what only warns, else ``warning``."""
    folded = fold(text)
    words = _forms(folded)
    plain = " ".join(split_words(folded))
    phrases = read_words(_FILE)["critical-phrases"]
    if words & _listed("critical") or any(phrase in plain for phrase in phrases) or _category(text) == "security":
        return "critical"
    mild = words & _listed("mild") and not words & _listed("grave") and "error" not in plain
    return "info" if mild else "warning"


def severity_rank(severity: str) -> int:
    return SEVERITIES[::-1].index(severity) if severity in SEVERITIES else len(SEVERITIES)


def append_occurrence(
    shared: str, occurrence: Occurrence, retention: dict[str, Any], writer: str, agent: str = ""
) -> None:
    """Append the occurrence, redacted, to the writer's log. Raise OSError."""
    data = {
        "signature": redact(occurrence.signature),
        "sample": redact(occurrence.sample),
        "tool": redact(occurrence.tool),
        "tool_use_id": occurrence.tool_use_id,
        "paths": list(occurrence.paths),
        "at": occurrence.at,
    }
    actor = Actor(writer, occurrence.at, retention, occurrence.session, agent)
    append_event(shared, actor, KIND, data, _START + safe_name(writer))


def read_occurrences(shared: str, since: float) -> list[Occurrence]:
    """Return what failed since then (seconds since 1970), the oldest first; each log is read from its end, no further
    than needed. Lines that are no record of Limpet are passed over."""
    found: list[Occurrence] = []
    for log in newest_first(shared, _START):
        found += _since(filter(None, map(_read, log)), since)
    return sorted(found, key=lambda occurrence: occurrence.at)


def _body(occurrences: Sequence[Occurrence]) -> str:
    lines = [f"## {EVIDENCE}"]
    different = list({occurrence.sample: occurrence for occurrence in occurrences}.values())
    for occurrence in different[-SAMPLES:]:
        where = f" in conversation {occurrence.session}" if occurrence.session else ""
        lines += ["", f"{iso(occurrence.at)}, {occurrence.tool or 'a tool'}{where}:", ""]
        lines += [f"    {line}" for line in occurrence.sample.splitlines()]
    return "\n".join(lines) + "\n"


def _category(text: str) -> str:
    words = _forms(fold(text))
    claims = {kind: len(words & _listed(kind)) for kind in _KINDS}
    claims["build"] += any(_is_code(word) for word in words)
    best = max(claims, key=lambda kind: claims[kind])
    return best if claims[best] else ""


@cache
def _listed(section: str) -> frozenset[str]:
    words = " ".join(read_words(_FILE)[section]).split()
    return frozenset(word if word.startswith("=") else stem(word) for word in words)


def _forms(folded: str) -> set[str]:
    words = split_words(folded)
    return {*map(stem, words), *(f"={word}" for word in words)}


def _is_code(word: str) -> bool:
    letters = word.rstrip("0123456789")
    return letters in _CODE_STARTS and 3 <= len(word) - len(letters) <= 5


def _since(occurrences: Iterable[Occurrence], since: float) -> Iterator[Occurrence]:
    older = 0
    for occurrence in occurrences:
        older = 0 if occurrence.at >= since else older + 1
        if not older:
            yield occurrence
        elif older == OLDER:
            return


def _read(event: Event) -> Occurrence | None:
    try:
        data = event["data"]
        return Occurrence(
            signature=str(data["signature"]),
            sample=str(data["sample"]),
            tool=str(data["tool"]),
            at=float(data["at"]),
            session=str(event["session"]),
            tool_use_id=str(data["tool_use_id"]),
            paths=tuple(map(str, data["paths"])),
        )
    except (ValueError, TypeError, KeyError):
        return None
