"""``holdfast rules adopt``: offers lines of the project's instruction files as rules, one question each."""

from __future__ import annotations

from collections.abc import Sequence

import click

from holdfast.cli.output import emit, json_option, require_terminal, require_workspace, tell
from holdfast.cli.table import counted
from holdfast.ground.text.escaping import visible
from holdfast.ground.workspace import Workspace
from holdfast.operations.paths import from_root
from holdfast.operations.rules.adopt import Adoptable, find_adoptable
from holdfast.operations.rules.adopt import adopt as write_rules
from holdfast.rules.adoption.offers import Offer

WHY = "Claude reads these files once. Rules come back when a prompt calls for them."
_YES, _NO, _ALL, _STOP = "y", "n", "a", "s"


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--dry-run", is_flag=True, help="Show what would be offered, write nothing.")
@click.option("--yes", is_flag=True, help="Take every offered line without asking.")
@json_option
def adopt(files: tuple[str, ...], dry_run: bool, yes: bool, as_json: bool) -> None:
    """Turn lines of CLAUDE.md or AGENTS.md into rules.

    Without FILE it reads CLAUDE.md, AGENTS.md, GEMINI.md, .cursorrules, .cursor/rules/*.mdc and
    .github/copilot-instructions.md. The files stay as they are.

    \b
    Examples:
      holdfast rules adopt
      holdfast rules adopt --dry-run
      holdfast rules adopt AGENTS.md --yes
    """
    workspace = require_workspace()
    found = find_adoptable(workspace, [from_root(workspace, name) for name in files])
    if not found.best:
        emit(_data(found, (), False), [_nothing(found)], as_json)
    elif dry_run or (as_json and not yes):
        emit(_data(found, found.best, False), _listed(found), as_json)
    else:
        taken = found.best if yes else _ask(found)
        edit = write_rules(workspace, taken)
        emit(_data(found, taken, True), _told(taken), as_json)
        tell(*edit.findings)


def offer_rules(workspace: Workspace, ask: bool) -> None:
    """Offer lines of the instruction files: one by one, or in one sentence where nobody is to be asked."""
    found = find_adoptable(workspace)
    if not found.best:
        return
    if not ask:
        emit(None, [f"{_count(found)} can become rules. Run: holdfast rules adopt"], False)
        return
    click.echo("")
    taken = _ask(found)
    write_rules(workspace, taken)
    emit(None, _told(taken), False)


def _ask(found: Adoptable) -> tuple[Offer, ...]:
    """Return the offers that a person at the terminal takes. Raise HoldfastError where there is none."""
    require_terminal()
    click.echo(f"{_count(found)} can become rules.\n{WHY}", err=True)
    click.echo("y = yes, n = no, a = all that are left, s = stop", err=True)
    taken: list[Offer] = []
    for place, offer in enumerate(found.best):
        click.echo("", err=True)
        for line in _offer_lines(offer, f"{place + 1}/{len(found.best)}  "):
            click.echo(visible(line), err=True)
        answer = _answer()
        if answer == _STOP:
            break
        if answer == _ALL:
            return (*taken, *found.best[place:])
        taken += [offer] if answer == _YES else []
    return tuple(taken)


def _answer() -> str:
    """Return y, n, a or s; whoever breaks off, by Ctrl-C or the end of the input, stops and keeps what was taken."""
    choices = click.Choice([_YES, _NO, _ALL, _STOP], case_sensitive=False)
    try:
        return str(click.prompt("Make it a rule?", type=choices, default=_NO, err=True))
    except click.Abort:
        click.echo("", err=True)
        return _STOP


def _listed(found: Adoptable) -> list[str]:
    lines = [f"{_count(found)} can become rules.", WHY]
    for offer in found.best:
        lines += ["", *_offer_lines(offer)]
    if len(found.offers) > len(found.best):
        lines += ["", f"{len(found.offers) - len(found.best)} more. Run again after taking some of these."]
    return lines + [f"Not offered: {file}:{line} looks unsafe." for file, line in found.withheld]


def _offer_lines(offer: Offer, number: str = "") -> list[str]:
    heading = f"  {offer.heading}" if offer.heading else ""
    called = f"  sent when a prompt mentions: {', '.join(offer.keywords)}"
    return [f"{number}{offer.file}:{offer.line}{heading}", f"  {offer.text}", called]


def _told(taken: Sequence[Offer]) -> list[str]:
    if not taken:
        return ["No rules added."]
    domains = ", ".join(dict.fromkeys(offer.domain for offer in taken))
    return [f"Added {counted(len(taken), 'rule')}: {domains}. Edit or remove them in .holdfast/rules/."]


def _nothing(found: Adoptable) -> str:
    if not found.files:
        return "No instruction files here: CLAUDE.md, AGENTS.md, GEMINI.md, .cursorrules and the like."
    return f"Nothing new in {', '.join(found.files)} reads as a rule."


def _count(found: Adoptable) -> str:
    files = list(dict.fromkeys(offer.file for offer in found.best))
    named = files[0] if len(files) == 1 else f"{len(files)} instruction files"
    return f"{counted(len(found.best), 'line')} of {named}"


def _data(found: Adoptable, offers: Sequence[Offer], applied: bool) -> dict[str, object]:
    return {
        "applied": applied,
        "files": found.files,
        "offers": [offer.__dict__ for offer in offers],
        "withheld": [{"file": file, "line": line} for file, line in found.withheld],
    }
