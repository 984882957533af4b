"""Gotchas: errors that came back so often within the window that they are worth remembering (decision 26), and which of
them matter to a task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.digest import digest
from holdfast.ground.safety.redaction import redact
from holdfast.ground.text.escaping import clip
from holdfast.ground.text.stems import stem
from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.text.words import fold, split_words
from holdfast.ground.values import Value
from holdfast.memory.capture.signatures import find_error, sign
from holdfast.memory.model.entry import Entry
from holdfast.memory.model.kinds import categorise, severity_of, severity_rank

HOUR = 3600.0
TITLE = 120
SAMPLES = 3
# A little more than signatures are read from, so that no secret is cut in two where they are.
READ = 70_000
SAMPLE = 600
PATHS = 10
TOLD = 1000


class Occurrence(Value):
    """A tool that failed once, ``at`` in seconds since 1970: the error's ``signature`` ("" for what says nothing), its
    text, the tool (and its command, where it has one), and the files in play."""

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
    """The occurrence that a failure's text tells of, without secrets (``secrets``: those of no known form)."""
    told = redact(text[:READ], known=secrets).strip()
    line, signature = find_error(told)
    sample = clip(told if told.startswith(line) else f"{line}\n{told}", SAMPLE)
    return Occurrence(signature, sample, redact(tool, known=secrets), at, session, tool_use_id, tuple(paths))


def find_gotchas(
    occurrences: Iterable[Occurrence], now: float, settings: dict[str, Any]
) -> dict[str, tuple[Occurrence, ...]]:
    """Signature -> its occurrences, the oldest first, for those that came ``gotcha_times`` times within some
    ``gotcha_hours``. A failure that is told twice counts once, one from the future not yet."""
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
    """The tag by which the gotcha of a signature is found again."""
    return f"error-{digest(signature, 4)}"


def draft(signature: str, occurrences: Sequence[Occurrence]) -> dict[str, Any]:
    """The fields of the entry that remembers these occurrences (the oldest first), as ``Entry`` names them."""
    samples = "\n".join(occurrence.sample for occurrence in occurrences)
    line = find_error(occurrences[-1].sample)[0] or signature
    tools = " ".join(dict.fromkeys(occurrence.tool for occurrence in occurrences))
    category = categorise(line, tools)
    return {
        "type": "gotcha",
        "title": clip(" ".join(line.split()), TITLE),
        "body": _body(signature, occurrences),
        "category": category,
        "severity": severity_of(samples),
        "workaround": "",
        "resolved": False,
        "tags": (category, signature_tag(signature)),
        "paths": _paths(occurrences),
        "session": occurrences[-1].session,
        "evidence_count": len(occurrences),
        "seen": tuple(dict.fromkeys(iso(occurrence.at) for occurrence in occurrences)),
    }


def sort_by_severity(gotchas: Iterable[Entry]) -> list[Entry]:
    """Critical first, then what was seen most often, then the newest."""
    newest = sorted(gotchas, key=lambda gotcha: gotcha.created_at, reverse=True)
    return sorted(newest, key=lambda gotcha: (severity_rank(gotcha.severity), -gotcha.evidence_count))


def choose_for_task(gotchas: Iterable[Entry], task: str, paths: Collection[str] = (), most: int = 5) -> list[Entry]:
    """The unresolved gotchas that matter to a task, the most relevant first, of equals the gravest."""
    scored = [(relevance_to_task(gotcha, task, paths), gotcha) for gotcha in sort_by_severity(gotchas)]
    relevant = [pair for pair in scored if pair[0] and not pair[1].resolved]
    return [gotcha for _, gotcha in sorted(relevant, key=lambda pair: -pair[0])[:most]]


def relevance_to_task(gotcha: Entry, task: str, paths: Collection[str] = ()) -> int:
    """3 for the same category, 1 for each word in common, 2 for each file, 5 when the task tells of this very error."""
    category = categorise(task)
    same_category = category == gotcha.category and category != "general"
    words = len(_words(task) & _words(f"{gotcha.title} {gotcha.workaround} {' '.join(gotcha.tags)}"))
    files = len(set(gotcha.paths) & set(paths))
    return 3 * same_category + words + 2 * files + 5 * _tells_of(task, gotcha)


def _distinct(occurrences: Iterable[Occurrence]) -> list[Occurrence]:
    """In order of time; without an id, two within a second of one conversation are one that two hooks told."""
    found: dict[object, Occurrence] = {}
    for each in sorted(occurrences, key=lambda occurrence: occurrence.at):
        found.setdefault(each.tool_use_id or (each.session, int(each.at), each.signature), each)
    return list(found.values())


def _body(signature: str, occurrences: Sequence[Occurrence]) -> str:
    first, last = iso(occurrences[0].at), iso(occurrences[-1].at)
    lines = [f"Seen {len(occurrences)} times from {first} to {last}.", "", f"Signature: `{signature}`"]
    different = list({occurrence.sample: occurrence for occurrence in occurrences}.values())
    for occurrence in different[-SAMPLES:]:
        where = f" in conversation {occurrence.session}" if occurrence.session else ""
        lines += ["", f"{iso(occurrence.at)}, {occurrence.tool or 'a tool'}{where}:", ""]
        lines += [f"    {line}" for line in occurrence.sample.splitlines()]
    return "\n".join(lines) + "\n"


def _paths(occurrences: Iterable[Occurrence]) -> tuple[str, ...]:
    counted = Counter(path for occurrence in occurrences for path in dict.fromkeys(occurrence.paths))
    return tuple(path for path, _ in counted.most_common(PATHS))


def _words(text: str) -> set[str]:
    """The subjects of a text, by their stems."""
    return {stem(word) for word in split_words(fold(text)) if len(word) > 2 and word not in STOP_WORDS}


def _tells_of(task: str, gotcha: Entry) -> bool:
    signature = sign(gotcha.title)
    return bool(signature) and any(signature in sign(line[:TOLD]) for line in task.splitlines())
