"""The constitution with what holds agents to it: each article's checks, when they last fired, and what binds by words
only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from holdfast.ground.event_log.read import data_of, newest_first
from holdfast.ground.formats.json_text import read_shipped
from holdfast.ground.trust.allowance import DECIDED
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.rules.format.constitution import Article
from holdfast.rules.plan.sources import read_sources, shipped_constitution

GUARD, EVENT, PROGRAM, WORDS = "guard", "event", "program", "words"


class Check(Value):
    """What holds agents to an article.

    ``kind``: ``guard``, ``event`` (a command that leaves one), ``program`` (each time, without a trace) or ``words``.
    ``name``: the rule's id, or what it is in words.
    ``last``: when it last fired, ISO 8601; "" where it never did, and for what leaves no trace.
    """

    kind: str
    name: str
    last: str = ""


class ArticleChecks(Value):
    """An article and what holds agents to it."""

    numeral: str
    title: str
    severity: str
    checks: tuple[Check, ...]


def constitution_checks(workspace: Workspace | None) -> tuple[ArticleChecks, ...]:
    """Return every article in force with its checks; without a project the packaged ones, which never fired."""
    articles = read_sources(workspace).constitution.articles if workspace else shipped_constitution().articles
    rows = read_shipped("constitution-checks")["articles"]
    last = _last_fired(workspace, rows) if workspace else {}
    return tuple(_checks(article, rows.get(article.numeral, {}), last) for article in articles)


def _checks(article: Article, row: Mapping[str, Any], last: Mapping[str, str]) -> ArticleChecks:
    checks = [Check(GUARD, rule, last.get(rule, "")) for rule in row.get(GUARD, ())]
    checks += [Check(EVENT, name, last.get(kind, "")) for kind, name in row.get("events", {}).items()]
    checks += [Check(PROGRAM, name) for name in row.get(PROGRAM, ())]
    words = row.get(WORDS, "All of it.")
    checks += [Check(WORDS, words)] if words else []
    return ArticleChecks(article.numeral, article.title, article.severity, tuple(checks))


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
