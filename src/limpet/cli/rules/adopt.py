"""``limpet rules adopt``: shows in one list what can be adopted and what stays, and asks once."""

from __future__ import annotations

from collections.abc import Iterator

import click

from limpet.cli.caller import caller_of, obtain_for, open_project
from limpet.cli.output import counted, emit, json_option, paragraph, require_terminal, show, tell
from limpet.cli.screen import Line
from limpet.ground.text.escaping import clip
from limpet.ground.workspace import Workspace
from limpet.hosts.present import hosts_served
from limpet.operations.approval import Obtain, PersonWord
from limpet.operations.caller import from_root
from limpet.operations.project import Project
from limpet.operations.rules.adopt import CHECKED, Adoptable, AdoptionOffer, adopt_lines, find_adoptable


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--dry-run", is_flag=True, help="Show what would be adopted, write nothing.")
@click.option("--yes", is_flag=True, help="Adopt all of it without asking.")
@json_option
def adopt(files: tuple[str, ...], dry_run: bool, yes: bool, as_json: bool) -> None:
    """Make rules of what your instruction files ask for.

    Adopted is what your clients do not do by themselves. Rules for certain files (.cursor/rules/*.mdc,
    .github/instructions/*.instructions.md) become a domain that such files bring. A command that CLAUDE.md, AGENTS.md
    or the like wants run before the work counts as done is run when the agent stops. A line that you had to say again
    comes with every conversation. Each line keeps the heading or the words that lead to it.

    \b
    Examples:
      limpet rules adopt
      limpet rules adopt --dry-run
      limpet rules adopt .claude/rules/api.md --yes
    """
    project = open_project()
    workspace = project.workspace
    found = find_adoptable(project, [from_root(workspace, name) for name in files], _clients(workspace))
    if not found.offers or dry_run or (as_json and not yes):
        emit(_data(found, False), _listed(found), as_json)
        return
    if not yes:
        require_terminal()
        show(_listed(found), err=True)
    obtain = _ask(workspace, found, yes)
    if obtain is None:
        emit(_data(found.replace(offers=()), True), ["Nothing written."], as_json)
        return
    for offer in found.offers:
        tell(*adopt_lines(workspace, offer, caller_of(workspace).now, obtain).findings)
    emit(_data(found, True), _told(found), as_json)


def hint(workspace: Workspace) -> Iterator[str]:
    caller = caller_of(workspace)
    if offers := find_adoptable(Project(workspace, lambda _: caller), (), _clients(workspace)).offers:
        files = list(dict.fromkeys(offer.file for offer in offers))
        named = files[0] if len(files) == 1 else f"{len(files)} instruction files"
        count = counted(sum(len(offer.rules) for offer in offers), "rule")
        yield f"{count} can be made of {named}: limpet rules adopt"


def _clients(workspace: Workspace) -> list[str]:
    return [host.NAME for host in hosts_served(workspace.root)]


def _ask(workspace: Workspace, found: Adoptable, yes: bool) -> Obtain | None:
    """Return None for no; where a command will run, the word that this takes answers for all."""
    word = PersonWord(says="", how="")
    commands = [f"`{offer.command}`" for offer in found.offers if offer.command]
    if commands:
        says = f"Run {', '.join(commands)} in {workspace.root} whenever an agent stops after it wrote files"
        word = obtain_for(workspace, yes)(says)
    elif not yes:
        try:
            is_agreed = click.confirm("Write them?", err=True)
        except click.Abort:  # Ctrl-C or the end of the input
            click.echo("", err=True)
            is_agreed = False
        if not is_agreed:
            return None
    return lambda says, shown=None: word


def _listed(found: Adoptable) -> Iterator[Line]:
    if not found.files and not found.offers:
        yield "No instruction files here: CLAUDE.md, AGENTS.md, .cursor/rules and the like."
    elif not found.offers:
        yield f"Nothing to adopt in {', '.join(found.files)}."
    if found.files:
        yield "The files stay as they are. What a client reads by itself is not offered."
    for offer in found.offers:
        yield ""
        yield f"{offer.file}:{offer.line}  {offer.domain}"
        yield from paragraph(f"  {_when(offer)}")
        for rule in offer.rules:
            yield from paragraph(f"    {rule}")
    if found.withheld:
        yield ""
    for file, line, why in found.withheld:
        yield f"Not offered: {file}:{line}. {why.rstrip('.')}."


def _when(offer: AdoptionOffer) -> str:
    if offer.command:
        return f"`{offer.command}` runs when the agent stops after it wrote files; the agent is told if it fails."
    if offer.globs:
        return f"Comes when the agent opens or writes one of: {', '.join(offer.globs)}"
    return f'Comes with every conversation. You had to say it again: "{clip(" ".join(offer.said.split()), 70)}"'


def _told(found: Adoptable) -> Iterator[str]:
    domains = dict.fromkeys(offer.domain for offer in found.offers)
    yield f"Added {counted(sum(len(offer.rules) for offer in found.offers), 'rule')}: {', '.join(domains)}."
    if found.withheld:
        yield f"Not offered: {counted(len(found.withheld), 'line')}. To see them, run: limpet rules adopt --dry-run"
    yield "To undo, with what it added to .limpet/config.yaml:" if CHECKED in domains else "To undo:"
    yield from (f"  limpet rules remove {name.lower().replace('_', '-')}" for name in domains)


def _data(found: Adoptable, applied: bool) -> dict[str, object]:
    return {
        "applied": applied,
        "files": found.files,
        "offers": [{**offer.__dict__, "text": " ".join(offer.rules)} for offer in found.offers],
        "withheld": [{"file": file, "line": line, "why": why} for file, line, why in found.withheld],
    }
