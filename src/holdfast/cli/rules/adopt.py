"""``holdfast rules adopt``: shows the domain that each offer would make, and asks once for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from holdfast.cli.caller import caller_of, obtain_for, open_project
from holdfast.cli.output import emit, json_option, require_terminal, show, tell
from holdfast.cli.screen import Line
from holdfast.cli.table import counted, paragraph
from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.escaping import clip
from holdfast.ground.workspace import Workspace
from holdfast.operations.paths import from_root
from holdfast.operations.project import Project
from holdfast.operations.rules.adopt import CHECKED, Adoptable, Offer, find_adoptable
from holdfast.operations.rules.adopt import adopt as write_rules
from holdfast.operations.rules.past_prompts import PastPrompt, past_prompts
from holdfast.rules.edit.difference import changed_lines

UNTOUCHED = "CLAUDE.md stays as it is: Claude Code reads it by itself, at the start and after a compaction."
UNTRIED = "No past prompts to try it on."
EXAMPLES, SHOWN = 2, 70
_YES, _NO, _STOP = "y", "n", "s"


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--dry-run", is_flag=True, help="Show what would be offered, write nothing.")
@click.option("--yes", is_flag=True, help="Take every offer without asking.")
@json_option
def adopt(files: tuple[str, ...], dry_run: bool, yes: bool, as_json: bool) -> None:
    """Make rules of what your instruction files ask for.

    Offered is what Claude Code does not do by itself. Rules for certain files (.cursor/rules/*.mdc,
    .github/instructions/*.instructions.md) become a domain that such files bring. A command that CLAUDE.md, AGENTS.md
    or the like wants run before the work counts as done is run when the agent stops. A line that you had to say again
    comes with every conversation. The files themselves stay as they are.

    \b
    Examples:
      holdfast rules adopt
      holdfast rules adopt --dry-run
      holdfast rules adopt .claude/rules/api.md --yes
    """
    project = open_project()
    workspace = project.workspace
    found = find_adoptable(project, [from_root(workspace, name) for name in files])
    prompts = past_prompts(workspace) if found.offers and not yes else []
    taken: list[Offer] = []
    if not found.offers:
        emit(_data(found, (), False), [_nothing(found), UNTOUCHED], as_json)
    elif dry_run or (as_json and not yes):
        emit(_data(found, found.offers, False), _listed(workspace, found, prompts), as_json)
    else:
        if not yes:
            require_terminal()
            click.echo("\n".join(paragraph(UNTOUCHED)), err=True)
        for place, offer in enumerate(found.offers):
            number = f"{place + 1}/{len(found.offers)}  "
            try:
                answer = _YES if yes else _ask(workspace, offer, number, prompts)
                if answer == _YES and _take(workspace, offer, yes):
                    taken.append(offer)
            except click.Abort:  # Ctrl-C or the end of the input
                click.echo("", err=True)
                break
            if answer == _STOP:
                break
        emit(_data(found, taken, True), _told(taken), as_json)


def hint(workspace: Workspace) -> Iterator[str]:
    """Yield a line if the project's instruction files have something to offer."""
    caller = caller_of(workspace)
    if offers := find_adoptable(Project(workspace, lambda _: caller)).offers:
        files = list(dict.fromkeys(offer.file for offer in offers))
        named = files[0] if len(files) == 1 else f"{len(files)} instruction files"
        yield f"{counted(len(offers), 'rule')} can be made of {named}. See them: holdfast rules adopt"


def _take(workspace: Workspace, offer: Offer, yes: bool) -> bool:
    """Write the offer, after a person's word on its command; return whether it was written."""
    try:
        tell(*write_rules(workspace, offer, caller_of(workspace).now, obtain_for(workspace, yes)).findings)
    except HoldfastError as error:
        tell(f"{offer.file}:{offer.line}: {error}")
        return False
    return True


def _ask(workspace: Workspace, offer: Offer, number: str, prompts: Sequence[PastPrompt]) -> str:
    """Show the offer and return y, n or s. A command is not asked about here: its answer is the word that it takes."""
    click.echo("", err=True)
    show(_offer_lines(workspace, offer, number, prompts), err=True)
    if offer.command:
        click.echo("Any other answer writes nothing. To stop here, press Ctrl-C.", err=True)
        return _YES
    choices = click.Choice([_YES, _NO, _STOP], case_sensitive=False)
    return str(click.prompt("Write it? (s: stop here)", type=choices, default=_NO, err=True))


def _listed(workspace: Workspace, found: Adoptable, prompts: Sequence[PastPrompt]) -> Iterator[Line]:
    yield UNTOUCHED
    for place, offer in enumerate(found.offers):
        yield ""
        yield from _offer_lines(workspace, offer, f"{place + 1}/{len(found.offers)}  ", prompts)
    yield from (f"Not offered: {file}:{line} looks unsafe." for file, line in found.withheld)


def _offer_lines(workspace: Workspace, offer: Offer, number: str, prompts: Sequence[PastPrompt]) -> Iterator[Line]:
    """Yield where it stands and when it comes, the lines of each file that result, and the prompts it is tried on."""
    yield f"{number}{offer.file}:{offer.line}"
    yield from paragraph(f"  {_when(offer)}")
    for change in write_rules(workspace, offer, 0).changes:
        yield f"  {change.path}"
        yield from (line for one in changed_lines(change) if one.text for line in paragraph(f"    {one.text}"))
    called = [prompt for prompt in prompts if offer.brought_by(prompt)]
    what = "run it" if offer.command else "brought it"
    tried = f"Of your last {counted(len(prompts), 'prompt')} here {len(called)} would have {what}."
    yield f"  {tried if prompts else UNTRIED}"
    if len(called) < len(prompts):
        yield from (f'    "{clip(" ".join(one.text.split()), SHOWN)}"' for one in called[:EXAMPLES])


def _when(offer: Offer) -> str:
    if offer.command:
        return f"`{offer.command}` runs when the agent stops after it wrote files; the agent is told if it fails."
    if offer.globs:
        return f"Comes when the agent opens or writes one of: {', '.join(offer.globs)}"
    return f'Comes with every conversation. You had to say it again: "{clip(" ".join(offer.said.split()), SHOWN)}"'


def _told(taken: Sequence[Offer]) -> Iterator[str]:
    if not taken:
        yield "Nothing written."
        return
    domains = dict.fromkeys(offer.domain for offer in taken)
    yield f"Added {counted(sum(len(offer.rules) for offer in taken), 'rule')}: {', '.join(domains)}."
    yield "To undo, with what it added to .holdfast/config.yaml:" if CHECKED in domains else "To undo:"
    yield from (f"  holdfast rules remove {name.lower().replace('_', '-')}" for name in domains)


def _nothing(found: Adoptable) -> str:
    if not found.files:
        return "No instruction files here: CLAUDE.md, AGENTS.md, .cursor/rules and the like."
    return f"Nothing to adopt in {', '.join(found.files)}."


def _data(found: Adoptable, offers: Sequence[Offer], applied: bool) -> dict[str, object]:
    return {
        "applied": applied,
        "files": found.files,
        "offers": [{**offer.__dict__, "text": " ".join(offer.rules)} for offer in offers],
        "withheld": [{"file": file, "line": line} for file, line in found.withheld],
    }
