"""``limpet review``: what is proposed, then what was captured since the last look, one at a time, each with one
answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from shlex import quote
from typing import NamedTuple

import click

from limpet.cli.caller import open_project
from limpet.cli.learn import proposal_lines
from limpet.cli.memory.view import ID_STYLE, count_memories, shown_id
from limpet.cli.output import emit, json_option, paragraph, show, table, tell
from limpet.cli.screen import Line, is_terminal
from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.ground.trust.approvals import TERMINAL
from limpet.memory.candidates import Candidate
from limpet.memory.model.ids import short_id
from limpet.operations.approval import PersonWord
from limpet.operations.inbox import drop_unknown, read_unknown
from limpet.operations.learning.deciding import approve_proposal, reject
from limpet.operations.learning.proposals import (
    RuleProposal,
    describe_proposal,
    list_proposals,
    name_domains,
    propose_rules,
)
from limpet.operations.memory import change
from limpet.operations.memory import review as operations
from limpet.operations.memory.conversations.withdrawal import list_withdrawn
from limpet.operations.memory.view import Opened, describe_entry, quoted_words, short_lines, wording
from limpet.operations.memory.waiting import look_at
from limpet.operations.project import Project

KEYS = {"k": "keep", "e": "edit", "m": "same as", "f": "forget", "r": "rule", "s": "skip", "a": "skip all", "q": "quit"}
PROPOSED = {"y": "approve", "e": "edit", "r": "reject", "s": "skip", "a": "skip all", "q": "quit"}
LEFT = {"k": "keep", "d": "drop", "s": "skip", "a": "skip all", "q": "quit"}
SHOWN, LONGEST = 20, 100


class Question(NamedTuple):
    """What is shown, the answers to it, and what carries one out; ``memory``: the id of what is then looked at."""

    lines: Iterable[str]
    keys: Mapping[str, str]
    carry_out: Callable[[str], Iterable[str]]
    memory: str = ""


@click.command()
@json_option
def review(as_json: bool) -> None:
    """Look at what was captured since your last look.

    What is proposed as a rule, or to be kept for good, comes first, with the words that it rests on: approve, edit,
    reject, skip. Then in a terminal each memory that an agent or the capture wrote is shown with the words that it
    rests on and with what brings it. A letter decides: keep (it counts as confirmed by you), edit, same as another
    memory (which gets its words), forget, make a rule of it, skip (it waits for the next look). Quit leaves the rest
    for the next look. Elsewhere they are listed. What you may have said in a message that held somebody's text too
    comes last.

    \b
    Examples:
      limpet review
      limpet review --json
    """
    project = open_project()
    found, pasted = operations.list_waiting(project), operations.list_pasted(project.workspace)
    proposals = list_proposals(project)
    asks = project.caller.reader.person and sys.stdin.isatty() and is_terminal() and not as_json
    unknown, withdrawn = read_unknown(project.workspace), list_withdrawn(project.workspace)
    left = [f'Withdrawn, for you went back before it was said: "{clip(text, LONGEST)}"' for text in withdrawn]
    if asks and (proposals or found or unknown or pasted):
        proposed = {proposal.id for proposal in proposals}
        show([*left, *_beyond(project)], err=True)
        _ask_all(project, proposals, [one for one in found if one.stored.entry.id not in proposed], pasted, unknown)
    else:
        entries, lines = [], list[Line]()
        for one in found:
            words = [*operations.called_by_words(one.stored.entry)]
            entries.append({**describe_entry(one.workspace, one.stored), "called_by": words})
        for proposal in proposals:
            lines += (*proposal_lines(proposal), "")
        lines += _listed(found) if found else ["Nothing was captured since your last look."]
        lines += [f'Beside a pasted text: "{clip(one.quote, LONGEST)}"' for one in pasted]
        beside = [{"id": one.id, "quote": one.quote, "at": iso(one.at)} for one in pasted]
        data = {"waiting": len(found), "memories": entries, "pasted": beside, "withdrawn": withdrawn}
        lines += left
        lines += [f'Left by a script, nobody knows by whom: "{text}"' for text in unknown]
        lines += _beyond(project)
        emit({**data, "unknown": list(unknown), "proposals": [*map(describe_proposal, proposals)]}, lines, as_json)


def _beyond(project: Project) -> Iterator[str]:
    """What to do about more wishes than fit."""
    count, tokens = operations.wishes_beyond(project)
    if count:
        yield from paragraph(
            f"Your {count} standing wishes ({tokens:,} tokens) do not all fit the start of a conversation any more. "
            "Those that name a file or a kind of work wait for it. Make rules of some (r): with paths they come with "
            "these files."
        )


def _listed(found: list[Opened]) -> Iterator[Line]:
    yield f"{count_memories(len(found))} captured since your last look."
    entries = [one.stored.entry for one in found[:SHOWN]]
    rows = [(shown_id(one.id), one.created_at[:10], one.type, clip(one.title, LONGEST)) for one in entries]
    yield from table(rows, styles=ID_STYLE)
    if len(found) > SHOWN:
        yield f"and {len(found) - SHOWN} more"
    yield "In a terminal of your own, `limpet review` goes through them."


def _ask_all(
    project: Project,
    proposals: Sequence[RuleProposal],
    found: list[Opened],
    pasted: Sequence[Candidate],
    unknown: Sequence[str],
) -> None:
    questions = [
        *(Question(proposal_lines(one), PROPOSED, partial(_decide, project, one)) for one in proposals),
        *(Question(_shown(one), KEYS, partial(_carry_out, project, one), one.stored.entry.id) for one in found),
        *(Question(_pasted(one), LEFT, partial(_judge_pasted, project, one)) for one in pasted),
        *(Question(_left(text), LEFT, partial(_judge_left, project, text)) for text in unknown),
    ]
    answers = set()
    for place, one in enumerate(questions):
        lines = ("", f"{place + 1}/{len(questions)}", *one.lines)
        while (answer := _ask(lines, one.keys)) != "q":
            try:
                show(one.carry_out(answer))
                break
            except (LimpetError, click.Abort) as error:
                tell(str(error) or "left as it is")
        answers.add(answer)
        seen = {"q": [], "s": [], "a": questions[place:]}.get(answer, [one])
        look_at(project.workspace, [each.memory for each in seen if each.memory])
        if answer in "qa":
            break
    if answers <= {*"saq"}:
        show(["Nothing changed."])


def _ask(lines: Iterable[str], keys: Mapping[str, str]) -> str:
    show(lines, err=True)
    try:
        choices = click.Choice(list(keys), case_sensitive=False)
        question = "\n".join(paragraph(", ".join(f"{key} {what}" for key, what in keys.items()) + ":"))
        return str(click.prompt(question, type=choices, show_choices=False, prompt_suffix=" ", err=True))
    except click.Abort:
        click.echo("", err=True)
        return "q"


def _shown(opened: Opened) -> Iterator[str]:
    yield from short_lines(opened)
    yield f"Comes with: {', '.join(operations.called_by_words(opened.stored.entry)) or 'a search alone'}"


def _pasted(candidate: Candidate) -> Iterator[str]:
    yield f"Said on {iso(candidate.at)[:10]} beside a pasted text:"
    yield from quoted_words(candidate.quote)


def _judge_pasted(project: Project, candidate: Candidate, answer: str) -> Iterator[str]:
    if answer in "kd":
        title = operations.settle_pasted(project, candidate, is_kept=answer == "k")
        yield f'Kept "{title}".' if title else "Dropped."


def _left(text: str) -> Iterator[str]:
    yield "Left by a script, nobody knows by whom:"
    yield f"  {text}"


def _judge_left(project: Project, text: str, answer: str) -> Iterator[str]:
    if answer == "k":
        kept = change.remember_memory(project, {}, text, "reviewed")
        yield f'Kept "{kept.stored.entry.title}".'
    if answer in "kd":
        drop_unknown(project.workspace, text)


def _agree(says: str, shown: Sequence[str] | None = None) -> PersonWord:
    return PersonWord(says=says, how=TERMINAL)


def _decide(project: Project, proposal: RuleProposal, answer: str) -> list[str]:
    if answer in "ye":
        text = _reworded(proposal.sentence) if answer == "e" else ""
        return approve_proposal(project, proposal, _agree, text).note.splitlines()
    return reject(project, proposal, _agree).splitlines() if answer == "r" else []


def _carry_out(project: Project, opened: Opened, answer: str) -> Iterator[str]:
    entry = opened.stored.entry
    short = short_id(entry.id)
    if answer == "k":
        operations.confirm(project, opened)
        yield f'Kept "{entry.title}" as confirmed by you.'
    elif answer == "e":
        kept = operations.restate(project, opened, _reworded(wording(entry)))
        yield f'Changed to "{kept.stored.entry.title}". To undo:'
        body = f" --body {quote(entry.body)}" if kept.stored.entry.body != entry.body else ""
        yield f"  limpet memory edit {short} --title {quote(entry.title)}{body}"
    elif answer == "m":
        other = str(click.prompt("As which memory (ID; nothing: leave it)", default="", show_default=False, err=True))
        if not other.strip():
            raise click.Abort
        change.same_as(project, entry.id, other.strip(), "reviewed")
        yield f'"{entry.title}" counts for {other.strip()} now. To undo:'
        yield f"  limpet memory undo {short}"
    elif answer == "f":
        change.forget_memory(project, entry.id, "reviewed")
        yield f'Forgot "{entry.title}". To undo:'
        yield f"  limpet memory undo {short}"
    elif answer == "r":
        proposal = propose_rules(project, entry)
        show(name_domains(project, proposal), err=True)
        domain = str(click.prompt("Domain (nothing: leave it)", default="", show_default=False, err=True)).strip()
        if not domain:
            raise click.Abort
        planned = approve_proposal(project, proposal, _agree, domain=domain, dry_run=True)
        show(("It would read:", *planned.lines()), err=True)
        click.confirm("Write it?", abort=True, err=True)
        yield from approve_proposal(project, proposal, _agree, domain=domain).note.splitlines()


def _reworded(text: str) -> str:
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
