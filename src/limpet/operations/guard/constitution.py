"""The constitution with what holds agents to it: each article's checks, when they last fired, and what binds by words
only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from limpet.ground.event_log.read import data_of, newest_first
from limpet.ground.formats.json_text import read_shipped
from limpet.ground.trust.allowance import DECIDED
from limpet.ground.workspace import Workspace
from limpet.rules.plan.sources import read_sources, shipped_constitution

GUARD, EVENT, PROGRAM, WORDS = "guard", "event", "program", "words"


def constitution_checks(workspace: Workspace | None) -> list[dict[str, Any]]:
    """Return every article in force with its checks; without a project the packaged ones, which never fired.

    ``numeral``, ``title``, ``severity``: of the article. ``checks``: what holds agents to it, each with

    ``kind``: ``guard``, ``event`` (a command that leaves one), ``program`` (each time, without a trace) or ``words``.
    ``name``: the rule's id, or what it is in words.
    ``last``: when it last fired, ISO 8601; "" where it never did, and for what leaves no trace.
    """
    articles = read_sources(workspace).constitution.articles if workspace else shipped_constitution().articles
    rows = read_shipped("constitution-checks")["articles"]
    last = _last_fired(workspace, rows) if workspace else {}
    named = ("numeral", "title", "severity")
    return [
        {
            **{name: getattr(article, name) for name in named},
            "checks": [
                {"kind": kind, "name": name, "last": last.get(key, "")}
                for kind, name, key in _checks(rows.get(article.numeral, {}))
            ],
        }
        for article in articles
    ]


def _checks(row: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, name, what is recorded when it fires) of an article's checks."""
    yield from ((GUARD, rule, rule) for rule in row.get(GUARD, ()))
    yield from ((EVENT, name, kind) for kind, name in row.get("events", {}).items())
    yield from ((PROGRAM, name, "") for name in row.get(PROGRAM, ()))
    if words := row.get(WORDS, "All of it."):
        yield WORDS, words, ""


def _last_fired(workspace: Workspace, rows: Mapping[str, Any]) -> dict[str, str]:
    """Return when each rule and each kind of event was last recorded; no more of a log is read than is needed."""
    wanted = {name for row in rows.values() for name in (*row.get(GUARD, ()), *row.get("events", {}))}
    found: dict[str, str] = {}
    for events in newest_first(workspace.shared, ""):
        left = set(wanted)
        for name, time in _named(events):
            if name in left:
                left.discard(name)
                found[name] = max(time, found.get(name, ""))
            if not left:
                break
    return found


def _named(events: Iterator[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for event in events:
        kind = str(event.get("kind") or "")
        yield (str(data_of(event).get("rule") or "") if kind == DECIDED else kind), str(event.get("time") or "")
