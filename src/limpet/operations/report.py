"""A page to share: what a team has in its repository, and counts; of what is private only what a person names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from string import Template

import limpet
from limpet.ground.clock import local_minute
from limpet.ground.errors import LimpetError
from limpet.ground.git import is_tracked
from limpet.ground.storage.files import read_text, write_atomic
from limpet.ground.values import Value
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.model.entry import Query
from limpet.memory.model.layout import TEAM
from limpet.operations.conversations import read_metrics
from limpet.operations.memory.find import list_memories, open_memories
from limpet.operations.memory.view import Opened
from limpet.operations.memory.waiting import count_kept
from limpet.operations.project import Project, clean
from limpet.operations.rules.checks import rule_record
from limpet.operations.timeline import list_conversations
from limpet.rules.naming import RuleDomain, read_catalogue
from limpet.rules.plan.compiler import PROJECT

PAGE = "report.html"
MARK = "<!-- a report of Limpet -->"
LINES = 100_000


class Report(Value):
    """``rules``: those in files that git tracks. ``private``: what a person named. ``counts``: (what, how many), of
    everything. ``kept``: rule -> in how many turns it was kept and broken, where a check judges it."""

    project: str
    rules: tuple[RuleDomain, ...]
    team: tuple[Opened, ...]
    private: tuple[Opened, ...]
    counts: tuple[tuple[str, int], ...]
    kept: dict[str, str]


def make_report(project: Project, include: Sequence[str] = ()) -> Report:
    """``include``: ids of memories. Raises LimpetError for one that is none, or not the caller's to read."""
    workspace = project.workspace
    listing, _ = list_memories(project, Query(owners=(TEAM,), digests=False, limit=EVERYTHING, now=project.caller.now))
    of_team = [card.id for card in listing.cards if card.owner == TEAM]
    team, _ = open_memories(project, of_team, count=False)
    private, errors = open_memories(project, include, count=False)
    if errors:
        raise errors[0]
    domains = read_catalogue(workspace)
    own = (one for one in domains if one.origin == PROJECT and one.file and one.lines)
    rules = tuple(one for one in own if is_tracked(workspace.root, workspace.path("rules", one.file)))
    conversations, memories = list_conversations(workspace), count_kept(workspace)
    counts = (
        ("rules tracked", sum(len(one.lines) for one in rules)),
        ("memories of the team", len(team)),
        ("memories in all", memories["kept"]),
        ("heard, not looked at", memories["heard"]),
        ("conversations", len(conversations)),
        ("prompts", sum(one["prompts"] for one in conversations)),
        ("tokens sent", sum(line.get("tokens") or 0 for line in read_metrics(workspace, LINES))),
    )
    judged = {key: one for key, one in rule_record(workspace).items() if one["last"]}
    kept = {key: f"kept {one['kept']}, broken {one['broken']} times" for key, one in judged.items()}
    return Report(os.path.basename(workspace.root), rules, tuple(team), tuple(private), counts, kept)


def write_report(project: Project, report: Report, path: str) -> None:
    """Raises LimpetError where there is a file that is no report."""
    there = read_text(path)
    if os.path.lexists(path) and MARK not in (there or ""):
        raise LimpetError("Not written: a file is there that is no report", path, "Choose another: --out FILE")
    write_atomic(path, render_report(project, report))


def render_report(project: Project, report: Report) -> str:
    """All texts are without secrets, and texts only."""
    template = Template(read_text(f"{limpet.__path__[0]}/framework/{PAGE}") or "")
    named = _memories(project, report.private)
    private = f"<h2>Private, put in by name</h2>\n{named}" if report.private else ""
    return template.substitute(
        project=_text(project, report.project),
        date=local_minute(project.caller.now)[:10],
        counts="".join(f"<div><dt>{what}</dt><dd>{number:,}</dd></div>" for what, number in report.counts),
        rules="\n".join(_domains(project, report)) or "<p>No rules are in files that git tracks.</p>",
        memories=_memories(project, report.team) or "<p>None. To give one to the team: limpet memory share ID</p>",
        private=private,
    )


def _domains(project: Project, report: Report) -> Iterator[str]:
    for one in report.rules:
        words = ", ".join(one.domain.recall)
        called = f'<p class="soft">{_text(project, f"Called by: {words}")}</p>' if words else ""
        lines = []
        for key, text in one.lines:
            judged = f' <span class="soft">({report.kept[key]})</span>' if key in report.kept else ""
            lines.append(f"<li>{_text(project, text)}{judged}</li>")
        yield f"<article><h3>{_text(project, one.domain.name)}</h3>{called}<ul>{''.join(lines)}</ul></article>"


def _memories(project: Project, memories: Iterable[Opened]) -> str:
    articles = []
    for one in memories:
        entry = one.stored.entry
        about = f'<p class="soft">{_text(project, f"{entry.type}, {entry.created_at[:10]}")}</p>'
        said = entry.body.strip()
        body = f"<pre>{_text(project, said)}</pre>" if said not in ("", entry.title) else ""
        articles.append(f"<article><h3>{_text(project, entry.title)}</h3>{about}{body}</article>")
    return "\n".join(articles)


def _text(project: Project, text: str) -> str:
    return escape(clean(project, text))
