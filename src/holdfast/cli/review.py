"""``holdfast review``: what was captured since the last look, one memory at a time, each with one answer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from shlex import quote

import click

from holdfast.cli.caller import open_project
from holdfast.cli.memory.view import ID_STYLE, count_memories, shown_id
from holdfast.cli.output import emit, json_option, show, tell
from holdfast.cli.screen import Line, is_terminal
from holdfast.cli.table import counted, paragraph, table
from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.escaping import clip
from holdfast.memory.model.ids import short_id
from holdfast.operations.memory import change
from holdfast.operations.memory import review as operations
from holdfast.operations.memory.find import Opened
from holdfast.operations.memory.lines import short_lines
from holdfast.operations.memory.view import describe_entry
from holdfast.operations.memory.waiting import look_at
from holdfast.operations.project import Project
from holdfast.rules.edit.difference import changed_lines

NOTHING = "Nothing was captured since your last look."
KEYS = {"k": "keep", "e": "edit", "f": "forget", "r": "rule", "s": "skip", "a": "skip all", "q": "quit"}
SHOWN, LONGEST = 20, 100


@click.command()
@json_option
def review(as_json: bool) -> None:
    """Look at what was captured since your last look.

    In a terminal each memory that an agent or the capture wrote is shown with the words that it rests on and with
    what brings it. A letter decides: keep (it counts as confirmed by you), edit, forget, make a rule of it, skip (it
    stays as it is). Quit leaves the rest for the next look. Elsewhere they are listed. Digests of conversations are
    left out.

    \b
    Examples:
      holdfast review
      holdfast review --json
    """
    project = open_project()
    found, candidates, digests = operations.list_waiting(project)
    asks = project.caller.reader.person and sys.stdin.isatty() and is_terminal() and not as_json
    if found and asks:
        _ask_all(project, found)
    else:
        entries = [
            {**describe_entry(one.workspace, one.stored), "called_by": [*operations.called_by(one.stored.entry)]}
            for one in found
        ]
        data = {"waiting": len(found), "candidates": candidates, "digests": digests, "memories": entries}
        emit(data, _listed(found) if found else [NOTHING], as_json)
    if digests and not as_json:
        tell(f"left out: {counted(digests, 'digest')} of conversations. To see them: holdfast memory list --tag digest")
    if candidates and not as_json:
        tell(f"{counted(candidates, 'candidate')} not written down yet: holdfast memory write")


def _listed(found: list[Opened]) -> Iterator[Line]:
    yield f"{count_memories(len(found))} captured since your last look."
    entries = [one.stored.entry for one in found[:SHOWN]]
    rows = [(shown_id(one.id), one.created_at[:10], one.type, clip(one.title, LONGEST)) for one in entries]
    yield from table(rows, styles=ID_STYLE)
    if len(found) > SHOWN:
        yield f"and {len(found) - SHOWN} more"
    yield "In a terminal of your own, `holdfast review` goes through them."


def _ask_all(project: Project, found: list[Opened]) -> None:
    """Ask about each until an answer is carried out; say at once what was done, with how to undo it."""
    answers = set()
    for place, opened in enumerate(found):
        while (answer := _ask(opened, f"{place + 1}/{len(found)}")) != "q":
            try:
                show(_carry_out(project, opened, answer))
                break
            except (HoldfastError, click.Abort) as error:
                tell(str(error) or "left as it is")
        answers.add(answer)
        seen = {"q": [], "a": found[place:]}.get(answer, [opened])
        look_at(project.workspace, [one.stored.entry.id for one in seen])
        if answer in "qa":
            break
    if answers <= {*"saq"}:
        show(["Nothing changed."])


def _ask(opened: Opened, number: str) -> str:
    """Show a memory and return the answer; whoever breaks off, by Ctrl-C or the end of the input, quits."""
    calls = f"Comes with: {', '.join(operations.called_by(opened.stored.entry)) or 'a search alone'}"
    show(("", number, *short_lines(opened), calls), err=True)
    try:
        choices = click.Choice(list(KEYS), case_sensitive=False)
        question = "\n".join(paragraph(", ".join(f"{key} {what}" for key, what in KEYS.items()) + ":"))
        return str(click.prompt(question, type=choices, show_choices=False, prompt_suffix=" ", err=True))
    except click.Abort:
        click.echo("", err=True)
        return "q"


def _carry_out(project: Project, opened: Opened, answer: str) -> Iterator[str]:
    """Do what was answered; yield what was done, and on lines of their own the commands that undo it. Raise click.Abort
    where the person takes the answer back."""
    entry = opened.stored.entry
    short = short_id(entry.id)
    if answer == "k":
        operations.confirm(project, opened)
        yield f'Kept "{entry.title}" as confirmed by you.'
    elif answer == "e":
        kept = operations.restate(project, opened, _reworded(operations.wording(entry)))
        yield f'Changed to "{kept.stored.entry.title}". To undo:'
        body = f" --body {quote(entry.body)}" if kept.stored.entry.body != entry.body else ""
        yield f"  holdfast memory edit {short} --title {quote(entry.title)}{body}"
    elif answer == "f":
        change.forget(project, entry.id, "reviewed")
        yield f'Forgot "{entry.title}". To undo:'
        yield f"  holdfast memory undo {short}"
    elif answer == "r":
        domain = str(click.prompt("Domain (nothing: leave it)", default="", show_default=False, err=True)).strip()
        if not domain:
            raise click.Abort
        planned = operations.make_rule(project, opened, domain, dry_run=True)
        show(("It would read:", *planned.lines()), err=True)
        is_copied = any(file.base and file.before is None for file in planned.changes)
        is_new = is_copied or any("_ALWAYS_ON=" in line for line in planned.lines())
        click.confirm("Write it?", abort=True, err=True)
        edit = operations.make_rule(project, opened, domain)
        lines = (one for file in edit.changes for one in changed_lines(file) if one.text.endswith(entry.title))
        added = next(lines).text
        yield f"Made a rule: {added}. To undo:"
        undo = f"remove {domain}" if is_new else f"edit {domain} --remove-rule {added.partition('=')[0]}"
        yield f"  holdfast rules {undo}"
        yield f"  holdfast memory undo {short}"


def _reworded(text: str) -> str:
    """Return what a person makes of the text, at a prompt that begins with it where readline can do that. Raise
    click.Abort where it stays."""
    prefilled = False
    if sys.platform != "win32":
        with suppress(ImportError):
            import readline

            prefilled = "libedit" not in (readline.__doc__ or "")  # which would not show it
            readline.set_startup_hook((lambda: readline.insert_text(text)) if prefilled else None)
    said = str(click.prompt("It says (nothing: leave it)", default=text, show_default=not prefilled)).strip()
    if said in ("", text):
        raise click.Abort
    return said
