"""``holdfast rules``: lists, shows, matches, checks and suggests rules; ``edit`` has the commands that change them."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from holdfast.cli.completion import complete_domain
from holdfast.cli.output import emit, json_fields, json_option, require_workspace
from holdfast.cli.rules.edit import add, edit, remove, rename, toggle
from holdfast.cli.table import counted, table
from holdfast.engine.explain.explanation import Explanation, explain_domains
from holdfast.engine.explain.mistakes import find_mistakes
from holdfast.engine.explain.preview import preview
from holdfast.ground.clock import Clock
from holdfast.ground.text.escaping import clip
from holdfast.operations.rules import view
from holdfast.operations.rules.suggest import suggest_words
from holdfast.rules.catalogue import Entry
from holdfast.rules.check.finding import ERROR
from holdfast.rules.layout import HOLDFAST

SHOWN = 80
NOTHING = "its rules suggest no more keywords"


@click.group()
def rules() -> None:
    """List, show, try, check and change the rules.

    \b
    Examples:
      holdfast rules list
      holdfast rules match "fix the failing test" --all
      holdfast rules edit qa --add-rule "Name the test after the behaviour."
    """


for command in (add, edit, toggle, rename, remove):
    rules.add_command(command)


@rules.command("list")
@json_option
def list_domains(as_json: bool) -> None:
    """List the domains: kind, state, rules, what calls them, file.

    \b
    Examples:
      holdfast rules list
      holdfast rules list --json
    """
    domains = view.list_domains(require_workspace())
    columns = ("name", "kind", "state", "rules", "file")
    rows = [(*(one[column] or "-" for column in columns), clip(one["called_by"], SHOWN)) for one in domains]
    emit(domains, table([("domain", "kind", "state", "rules", "file", "called by"), *rows]), as_json)


@rules.command()
@click.argument("domain", shell_complete=complete_domain)
@json_option
def show(domain: str, as_json: bool) -> None:
    """Print the rules of DOMAIN, numbered as `rules edit` counts them; CONSTITUTION prints every article, COMMANDS what
    each star-command says.

    \b
    Examples:
      holdfast rules show qa
      holdfast rules show COMMANDS
      holdfast rules show constitution --json
    """
    contents = view.show_domain(require_workspace(), domain)
    lines = _domain_lines(contents.entry) if contents.entry else _article_lines(contents.articles)
    emit(view.describe_contents(contents), lines, as_json)


@rules.command()
@click.argument("prompt")
@click.option("--all", "everything", is_flag=True, help="Also say why the others stay out.")
@json_option
def match(prompt: str, everything: bool, as_json: bool) -> None:
    """Print the domains that PROMPT would bring, and what calls each.

    \b
    Examples:
      holdfast rules match "fix the failing test"
      holdfast rules match "write a story" --all
    """
    explanations = explain_domains(preview(require_workspace(), prompt, clock=Clock()))
    shown = [explanation for explanation in explanations if everything or explanation.fires]
    emit([explanation.__dict__ for explanation in shown], _explanation_lines(shown), as_json)


@rules.command()
@json_option
def check(as_json: bool) -> None:
    """Print every mistake in the rules with its place and its mend; exit code 1 if one is an error.

    Squads' rules are checked too, and keywords that fire on most prompts, or on none.

    \b
    Examples:
      holdfast rules check
      holdfast rules check --json
    """
    findings = find_mistakes(require_workspace(), Clock())
    errors = sum(finding.severity == ERROR for finding in findings)
    data = [{**json_fields(finding), "where": finding.where} for finding in findings]
    lines = [*map(str, findings), _total(errors, len(findings) - errors)]
    emit({"findings": data, "errors": errors, "warnings": len(findings) - errors}, lines, as_json)
    sys.exit(1 if errors else 0)


@rules.command()
@click.argument("domain", shell_complete=complete_domain)
@json_option
def suggest(domain: str, as_json: bool) -> None:
    """Propose keywords for DOMAIN: words that its rules say often and other domains seldom.

    \b
    Examples:
      holdfast rules suggest qa
      holdfast rules suggest story --json
    """
    found = suggest_words(require_workspace(), domain)
    rows = [(one.word, one.count, one.others, f"{one.score:g}") for one in found]
    best = ", ".join(one.word for one in found[:2])
    take = ["", f'take some: holdfast rules edit {domain} --add-recall "{best}"']
    lines = [*table([("word", "in its rules", "other domains", "score"), *rows]), *take] if found else [NOTHING]
    emit([one.__dict__ for one in found], lines, as_json)


def _domain_lines(entry: Entry) -> Iterator[str]:
    domain = entry.domain
    state = view.describe_domain(entry)["state"]
    file = entry.file if "/" in entry.file else f"{HOLDFAST.folder}/{entry.file}"
    yield f"{domain.name} ({entry.kind}, {state}), {file if entry.file else 'no file'}"
    yield f"called by {view.called_by(entry)}"
    yield ""
    if entry.text.commands:
        for name, texts in entry.text.commands.items():
            yield f"*{name}"
            yield from (f"  {number}  {text}" for number, text in enumerate(texts))
    elif entry.lines:
        keys = [() if key == str(place) else (key,) for place, (key, _) in enumerate(entry.lines)]
        yield from table([(place, *keys[place], rule) for place, (_, rule) in enumerate(entry.lines)])
    else:
        yield "no rules"


def _article_lines(articles: view.Articles) -> Iterator[str]:
    for article in articles:
        severity = f" ({article['severity']})" if article["severity"] else ""
        yield f"{article['article']}. {article['title']}{severity}"
        for duty in article["duties"]:
            yield f"  {'+' if duty['project'] else '-'} {duty['text']}"
    if any(duty["project"] for article in articles for duty in article["duties"]):
        yield "+ added by the project"


def _explanation_lines(explanations: list[Explanation]) -> Iterator[str]:
    if not explanations:
        return iter(["nothing fires"])
    squads = [f"[squad {one.squad}, {one.mode}] " if one.squad else "" for one in explanations]
    marks = ["fires" if one.fires else "-" for one in explanations]
    return table(
        [(mark, one.name, squad + one.why) for mark, one, squad in zip(marks, explanations, squads, strict=True)]
    )


def _total(errors: int, warnings: int) -> str:
    if not errors and not warnings:
        return "the rules hold no mistake"
    return f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
