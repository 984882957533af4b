"""``limpet rules list|show|match|check``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.caller import surroundings
from limpet.cli.completion import complete_domain
from limpet.cli.output import counted, emit, json_fields, json_option, minute, require_workspace, table
from limpet.cli.screen import Line, is_terminal, styled
from limpet.engine.explanation import Explanation, explain_domains, preview
from limpet.engine.mistakes import find_mistakes
from limpet.ground.clock import Clock
from limpet.ground.text.escaping import clip
from limpet.operations.agents.known import check_agents
from limpet.operations.rules import view
from limpet.operations.rules.checks import rule_record
from limpet.operations.rules.transaction import suggest_words
from limpet.rules.check.domain import ERROR
from limpet.rules.naming import RuleDomain
from limpet.rules.plan.compiler import PROJECT, SHIPPED


@click.command("list")
@click.option("--record", "recorded", is_flag=True, help="List the rules that are checked: how often kept and broken.")
@click.option("--all", "everything", is_flag=True, help="List the shipped rules of agents too.")
@json_option
def list_domains(recorded: bool, everything: bool, as_json: bool) -> None:
    """List the domains with state, rules and keywords.

    \b
    Examples:
      limpet rules list
      limpet rules list --record
      limpet rules list --json
    """
    workspace = require_workspace()
    if recorded:
        found = rule_record(workspace)
        emit([{"rule": key, **one} for key, one in found.items()], _record_lines(found), as_json)
        return
    domains = view.listed_domains(workspace)
    heading = {"name": "domain", "kind": "kind", "state": "state", "rules": "rules", "file": "file"}
    if is_terminal():
        heading = {column: heading[column] for column in ("name", "state", "rules")}
    folded = [one for one in domains if (one["kind"], one["origin"]) == ("agent", SHIPPED) and not everything]
    listed = [one for one in domains if one not in folded]
    shown = [{**one, "file": one["file"] or ("-" if one["origin"] == PROJECT else one["origin"])} for one in listed]
    rows = []
    for one in shown:
        rows.append((*(one[column] for column in heading), clip(one["called_by"], 80)))
    more = f"and {counted(len(folded), 'domain')} with the rules of agents: limpet rules list --all"
    lines = table([(*heading.values(), "called by"), *rows], heading=True, styles=("bold",), spare=("rules",))
    emit(domains, [*lines, more] if folded else lines, as_json)


@click.command("show")
@click.argument("domain", shell_complete=complete_domain)
@click.option("--suggest", is_flag=True, help="Suggest keywords: common in its rules and rare in other domains.")
@json_option
def show_rule_domain(domain: str, suggest: bool, as_json: bool) -> None:
    """Print the rules of a domain.

    `rules edit` takes the numbers shown. CONSTITUTION prints all articles, COMMANDS the text of each star-command.

    \b
    Examples:
      limpet rules show qa
      limpet rules show qa --suggest
      limpet rules show COMMANDS
    """
    if suggest:
        _suggest(domain, as_json)
        return
    workspace = require_workspace()
    contents = view.show_domain(workspace, domain)
    if isinstance(contents, RuleDomain):
        view.note_read(workspace, contents, surroundings().conversation)
    lines = _domain_lines(contents) if isinstance(contents, RuleDomain) else _article_lines(contents)
    emit(view.describe_contents(contents), lines, as_json)


def _suggest(domain: str, as_json: bool) -> None:
    found = suggest_words(require_workspace(), domain)
    rows = [(one.word, one.count, one.others, f"{one.score:g}") for one in found]
    best = ", ".join(one.word for one in found[:2])
    take = ["", f'To add some: limpet rules edit {domain} --add-recall "{best}"']
    lines = [*table([("word", "in its rules", "other domains", "score"), *rows], heading=True), *take]
    emit([one.__dict__ for one in found], lines if found else ["No more keywords to suggest."], as_json)


def _record_lines(found: dict[str, dict[str, Any]]) -> Iterator[Line]:
    if not found:
        return iter(["No rule has a check."])
    rows = [("rule", "kept", "broken", "last", "check")]
    for key, one in found.items():
        last = f"{one['state']} {minute(one['last'])}".strip()
        rows.append((key, one["kept"], one["broken"], last or "-", one["check"]))
    return table(rows, heading=True, styles=("bold",), spare=("last", "kept"))


def _domain_lines(entry: RuleDomain) -> Iterator[Line]:
    domain = entry.domain
    if entry.text.commands:
        for name, texts in entry.text.commands.items():
            yield f"*{name}"
            yield from (f"  {number}  {text}" for number, text in enumerate(texts))
    elif entry.lines:
        is_plain = all(key.rpartition("_RULE_")[2] == str(place) for place, (key, _) in enumerate(entry.lines))
        lines = enumerate(entry.lines)
        yield from table([(place, *(() if is_plain else (key,)), rule) for place, (key, rule) in lines])
    else:
        yield "No rules."
    yield ""
    yield f"{domain.name} ({entry.kind}, {view.domain_state_of(domain)}), {entry.shown_file}"
    yield f"called by {clip(view.called_by(entry), 300)}"


def _article_lines(articles: view.Articles) -> Iterator[str]:
    adds = False
    for article in articles:
        severity = f" ({article['severity']})" if article["severity"] else ""
        yield f"{article['article']}. {article['title']}{severity}"
        for duty in article["duties"]:
            yield f"  {'+' if duty['project'] else '-'} {duty['text']}"
            adds = adds or duty["project"]
    if adds:
        yield "+ added by the project"


@click.command()
@click.argument("prompt")
@click.option("--all", "everything", is_flag=True, help="Also show why the other domains do not match.")
@json_option
def match(prompt: str, everything: bool, as_json: bool) -> None:
    """Show which rules PROMPT would bring, and why.

    \b
    Examples:
      limpet rules match "fix the failing test"
      limpet rules match "write a story" --all
    """
    explanations = explain_domains(preview(require_workspace(), prompt, clock=Clock()))
    shown = [explanation for explanation in explanations if everything or explanation.fires]
    emit([explanation.__dict__ for explanation in shown], _explanation_lines(shown), as_json)


@click.command("check")
@json_option
def check_rule_files(as_json: bool) -> None:
    """Check the rules for mistakes. Exit code 1 if there is an error.

    Each mistake is printed with its place and a fix. Squads' rules and agent files are checked too, as are keywords
    that match most prompts, or none.

    \b
    Examples:
      limpet rules check
      limpet rules check --json
    """
    workspace = require_workspace()
    findings = [*check_agents(workspace), *find_mistakes(workspace, Clock())]
    errors = sum(finding.severity == ERROR for finding in findings)
    data = [{**json_fields(finding), "where": finding.where} for finding in findings]
    warnings = len(findings) - errors
    total = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}" if findings else "Rules OK"
    lines = [*map(str, findings), total]
    emit({"findings": data, "errors": errors, "warnings": warnings}, lines, as_json)
    sys.exit(1 if errors else 0)


def _explanation_lines(explanations: list[Explanation]) -> Iterator[Line]:
    if not explanations:
        return iter(["No domains match this prompt."])
    rows = []
    for one in explanations:
        squad = f"[squad {one.squad}, {one.mode}] " if one.squad else ""
        rows.append((styled(("fires", "green")) if one.fires else "-", one.name, squad + one.why))
    return table(rows, styles=("", "bold"))
