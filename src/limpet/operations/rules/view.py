"""Rules as data for programs, as ``--json`` prints them and other doors send them."""

from __future__ import annotations

from typing import Any

from limpet.context.repetition import with_rules
from limpet.context.values import Rules
from limpet.ground.config.mirror import read_mirror
from limpet.ground.git import is_ignored, is_tracked
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.rules.transaction import SHOWN, Edit, resolve_domain
from limpet.rules.edit.difference import changed_lines
from limpet.rules.format.constitution import Constitution
from limpet.rules.format.manifest import AT_WORK, ON_DEMAND, Domain
from limpet.rules.matching import FAILED_CHECK, STORY
from limpet.rules.naming import RuleDomain, read_catalogue
from limpet.rules.plan.compiler import PROJECT, SHIPPED
from limpet.rules.plan.sources import read_sources
from limpet.rules.plan.store import open_all
from limpet.work.session import EPOCH, change_epoch, read_state

CONSTITUTION = "CONSTITUTION"
# Kinds of domains that come with every prompt.
UNASKED = ("constitution", "global", "context", "always")
# What a domain comes with, in words.
SAID = {FAILED_CHECK: "a check that failed", STORY: "a story under way"}

Articles = tuple[dict[str, Any], ...]


def listed_domains(workspace: Workspace) -> list[dict[str, Any]]:
    """In the manifest's order, then the squads'."""
    return [describe_domain(entry) for entry in read_catalogue(workspace)]


# Bytes of rules up to which whoever shows other things too looks for their mistakes.
CHECKED_BESIDE = 131_072


class DomainFigures(Value):
    """``kind``, ``state``, ``origin``, ``rules``: as ``describe_domain`` says them; ``size``: bytes of its files."""

    name: str
    kind: str
    state: str
    origin: str
    rules: int
    size: int


def count_rules_by_domain(workspace: Workspace) -> list[DomainFigures]:
    """In the order of ``listed_domains``, of the compiled rules: no file of them is read that is compiled already."""
    plan = open_all(workspace, str(read_mirror(workspace).settings["rules"]["match"]))
    matcher, figures = plan.matcher, []
    origins: dict[int, str] = {}
    for origin, numbers in matcher["elsewhere"].items():
        origins |= dict.fromkeys(numbers, origin)
    states = dict.fromkeys(matcher["on_demand"], ON_DEMAND) | dict.fromkeys(matcher["at_work"], AT_WORK)
    for number, record in enumerate(plan.records):
        state = states.get(number) or ("active" if matcher["active"][number] else "inactive")
        groups = (*record["brackets"].values(), *record["commands"].values(), *record["articles"].values())
        count = len(record["rules"]) + len(record["authority"]) + sum(map(len, groups))
        size, origin = sum(mark[1] for _, mark in record["files"] if mark), origins.get(number, PROJECT)
        figures.append(DomainFigures(record["name"], record["kind"], state, origin, count, size))
    return figures


def are_large(found: list[DomainFigures]) -> bool:
    return sum(one.size for one in found if one.origin != SHIPPED) > CHECKED_BESIDE


def show_domain(workspace: Workspace, typed: str) -> RuleDomain | Articles:
    """For the constitution its articles."""
    entries = {entry.domain.name: entry for entry in read_catalogue(workspace)}
    name = resolve_domain(typed, [*entries, *(() if CONSTITUTION in entries else (CONSTITUTION,))])
    if name == CONSTITUTION:
        return _articles(read_sources(workspace).constitution, entries.get(name))
    return entries[name]


def note_read(workspace: Workspace, entry: RuleDomain, conversation: str) -> None:
    """Let the rules that an agent read count as sent to its conversation."""
    state = read_state(workspace, conversation)
    rules = Rules(name=entry.domain.name, rules=(*entry.text.authority, *entry.text.rules), digest="")
    if not (isinstance(state.get(EPOCH), dict) and rules.rules):
        return
    epoch = with_rules(state.get(EPOCH, {}), rules, int(state.get("prompt_count", 0)))
    change_epoch(workspace, conversation, epoch)


def describe_domain(entry: RuleDomain) -> dict[str, Any]:
    domain = entry.domain
    return {
        "name": domain.name,
        "kind": entry.kind,
        "state": domain_state_of(domain),
        "origin": entry.origin,
        "rules": entry.count,
        "file": entry.file,
        "agent": domain.agent,
        "workflow": domain.workflow,
        "recall": list(domain.recall),
        "exclude": list(domain.exclude),
        "hints": [list(line) for line in domain.hints],
        "doubts": [list(line) for line in domain.doubts],
        "paths": list(paths_of(entry)),
        "comes_with": list(domain.comes_with),
        "when": domain.when,
        "called_by": called_by(entry),
    }


def domain_state_of(domain: Domain) -> str:
    waits = AT_WORK * domain.at_work or ON_DEMAND * domain.on_demand
    return waits or ("active" if domain.active else "inactive")


def describe_contents(contents: RuleDomain | Articles) -> dict[str, Any] | Articles:
    if not isinstance(contents, RuleDomain):
        return contents
    lines = [{"key": key, "rule": rule} for key, rule in contents.lines]
    return {**describe_domain(contents), "lines": lines, "commands": contents.text.commands}


def sharing_note(workspace: Workspace) -> tuple[str, ...]:
    """What git makes of the rules, where nobody decided that yet."""
    if is_tracked(workspace.root, workspace.home) or is_ignored(workspace.root, workspace.home) is not False:
        return ()
    return ("git shows .limpet/ as new. Commit it to share the rules,", "or list it in .git/info/exclude.")


def describe_edit(edit: Edit, dry_run: bool) -> dict[str, Any]:
    """Not ``applied`` in a dry run."""
    changed: list[dict[str, Any]] = []
    for change in edit.changes:
        changed += [line.__dict__ for line in changed_lines(change)]
    return {
        "applied": bool(edit.changes) and not dry_run,
        "files": [change.path for change in edit.changes],
        "changed": changed,
        "kept": edit.kept,
        "findings": [{**finding.__dict__, "where": finding.where} for finding in edit.findings],
    }


def say_when(workspace: Workspace, typed: str) -> str:
    known = {one["name"]: one for one in listed_domains(workspace)}
    one = known[resolve_domain(typed, known)]
    return f"{one['name']} is {one['state']}, called by: {clip(one['called_by'], SHOWN)}"


def called_by(entry: RuleDomain) -> str:
    domain = entry.domain
    always = "every prompt" if entry.kind in UNASKED else ""
    parts = (
        "how full the window is" if entry.kind == "context" else always,
        " ".join(f"*{name}" for name in entry.text.commands),
        f"agent {domain.agent}" if domain.agent else "",
        f"workflow {domain.workflow}" if domain.workflow else "",
        " or ".join(SAID.get(deed, deed) for deed in domain.comes_with),
        f"work on {', '.join(practices)}" if (practices := dict(entry.text.deeds)) else "",
        f'the agent ("before you {domain.when}")' if domain.when else "",
        "once switched on: " * bool(domain.on_demand and domain.recall) + ", ".join(domain.recall),
        f"hints: {_lines(domain.hints)}" if domain.hints else "",
        f"doubts: {_lines(domain.doubts)}" if domain.doubts else "",
        f"files: {', '.join(paths)}" if (paths := paths_of(entry)) else "",
        f"not with: {', '.join(domain.exclude)}" if domain.exclude else "",
    )
    return "; ".join(filter(None, parts)) or ("its checks, where one fails" if entry.text.checks else "nothing")


def _lines(lines: tuple[tuple[str, ...], ...]) -> str:
    return " | ".join(", ".join(line) for line in lines)


def paths_of(entry: RuleDomain) -> tuple[str, ...]:
    return () if entry.kind in (*UNASKED, "commands") else (*entry.domain.paths, *entry.text.paths)


def _articles(constitution: Constitution, entry: RuleDomain | None) -> Articles:
    """Each duty says whether it is the project's; the articles of a rules file (SYNAPSE) come last."""
    own = dict.fromkeys((article.number for article in constitution.articles), 0)
    for article in constitution.added:
        own[article.number] += len(article.duties)
    articles = []
    for article in constitution.articles:
        first_own = len(article.duties) - own[article.number]
        duties = [{"text": duty, "project": place >= first_own} for place, duty in enumerate(article.duties)]
        articles.append(_article(article.numeral, article.title, article.severity, duties))
    return (*articles, *(_filed_articles(entry) if entry else ()))


def _article(number: str, title: str, severity: str, duties: list[dict[str, Any]]) -> dict[str, Any]:
    return {"article": number, "title": title, "severity": severity, "duties": duties}


def _filed_articles(entry: RuleDomain) -> list[dict[str, Any]]:
    groups = {f"{number} of {entry.file}": (texts[0], texts[1:]) for number, texts in entry.text.articles.items()}
    plain = (*entry.text.authority, *entry.text.rules)
    if plain:
        groups[entry.file] = ("Constitution", list(plain))
    articles = []
    for number, (title, texts) in groups.items():
        duties = [{"text": text, "project": True} for text in texts]
        articles.append(_article(number, title, "", duties))
    return articles
