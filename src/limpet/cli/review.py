"""``limpet review``: what is proposed, then what was heard and not looked at, one at a time, each with one answer."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from shlex import quote

import click

from limpet.cli.caller import open_project
from limpet.cli.learn import proposal_lines
from limpet.cli.memory.view import ID_STYLE, shown_id
from limpet.cli.output import counted, emit, json_option, minute, paragraph, show, table, tell
from limpet.cli.review_others import LATER, Question, beside, of_approved, of_pasted, of_teammate, of_unknown
from limpet.cli.screen import Line, is_terminal
from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.ground.trust.approvals import TERMINAL
from limpet.memory.candidates import Candidate
from limpet.memory.looked_at import look_at
from limpet.memory.model.entry import CAPTURED, Card
from limpet.memory.model.ids import short_id
from limpet.operations.approval import PersonWord
from limpet.operations.inbox import read_unknown
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
from limpet.operations.memory.find import find_reversed
from limpet.operations.memory.view import Opened, describe_entry, flag_lines, short_lines, wording
from limpet.operations.memory.waiting import count_kept, is_said, list_unkept, waits_for_look
from limpet.operations.project import Project, handed
from limpet.operations.rules.adopt import REPEATED
from limpet.operations.sharing.joined import ApprovedWords, list_approved
from limpet.operations.sharing.team import Teammates, list_teammates

KEYS = {"k": "keep", "e": "edit", "d": "drop", "m": "merge", "r": "make a rule", **LATER}
AGAINST = {"k": "keep", "o": "keep, drop the older", **KEYS}
PROPOSED = {"y": "yes", "e": "edit", "n": "no", **LATER}
LEFT_ALONE = "{} left as heard: your agent goes on getting them, and you are not asked again."
SHOWN, LONGEST = 20, 100


@click.command()
@json_option
def review(as_json: bool) -> None:
    """Look at what was heard, and keep or drop it.

    In a terminal you see one at a time: your words, what they answered, and with what they will come. A letter decides:
    keep, edit, drop, merge with another memory (which gets these words), make a rule. Later leaves it for the next
    look, leave all takes the rest as it is and asks no more. Rules that are proposed come first, what agents wrote down
    stands between your words, and what was not kept comes last: it stood beside a pasted text, or a task. Elsewhere all
    of it is listed.

    \b
    Examples:
      limpet review
      limpet review --json
    """
    project = open_project()
    found, pasted = operations.list_waiting(project), list_unkept(project.workspace)
    proposals, teammates = list_proposals(project), list_teammates(project)
    asks = project.caller.reader.person and sys.stdin.isatty() and is_terminal() and not as_json
    unknown, withdrawn = read_unknown(project.workspace), list_withdrawn(project.workspace)
    approved = list_approved(project.workspace)
    left = [f'Withdrawn, for you went back before it was said: "{clip(text, LONGEST)}"' for text in withdrawn]
    if asks and (proposals or found or unknown or pasted or teammates or approved):
        proposed = {proposal.id for proposal in proposals}
        show([*left, *_beyond(project)], err=True)
        heard = [one for one in found if one.stored.entry.id not in proposed]
        _ask_all(project, proposals, heard, pasted, unknown, teammates, approved)
    else:
        entries, lines = [], list[Line]()
        for one in found:
            words = [*operations.called_by_words(one.stored.entry)]
            entries.append({**describe_entry(one.workspace, one.stored), "called_by": words})
        for proposal in proposals:
            lines += (*proposal_lines(proposal), "")
        lines += _listed(found)
        lines += [
            f'Shared by {one.author}, not in use yet: "{clip(one.opened.stored.entry.title, LONGEST)}"'
            for one in teammates
        ]
        offered = [handed(project, one, "title", "decided_by") for one in approved]
        lines += [f'Approved by {one.decided_by} for all projects: "{clip(one.title, LONGEST)}"' for one in offered]
        if not (found or proposals or pasted or unknown or teammates or approved):
            kept = counted(count_kept(project.workspace)["kept"], "memory")
            lines.append(f"Nothing new to look at. Kept so far: {kept} (limpet memory list).")
        lines += [f'Not kept, {beside(one)}: "{clip(one.quote, LONGEST)}"' for one in pasted]
        unkept = [{"id": one.id, "quote": one.quote, "at": iso(one.at)} for one in pasted]
        shared = [
            {"id": one.id, "by": one.author, "title": clip(one.opened.stored.entry.title, LONGEST)} for one in teammates
        ]
        data = {
            "team": shared,
            "approved": [one.__dict__ for one in offered],
            "waiting": len(found),
            "memories": entries,
            "pasted": unkept,
            "withdrawn": withdrawn,
        }
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
    if not found:
        return
    heard = sum(is_said(one.stored.entry) for one in found)
    written = len(found) - heard
    counts = {"heard": heard, "written by an agent" if written == 1 else "written by agents": written}
    yield f"{' and '.join(f'{count} {what}' for what, count in counts.items() if count)}, not looked at yet:"
    rows = []
    for one in found[:SHOWN]:
        entry = one.stored.entry
        rows.append((shown_id(entry.id), minute(entry.created_at), clip(entry.title, LONGEST)))
    yield from table(rows, styles=ID_STYLE)
    if len(found) > SHOWN:
        yield f"and {len(found) - SHOWN} more"
    yield "To decide, run in a terminal of your own: limpet review"


def _ask_all(
    project: Project,
    proposals: Sequence[RuleProposal],
    found: list[Opened],
    pasted: Sequence[Candidate],
    unknown: Sequence[str],
    teammates: Sequence[Teammates],
    approved: Sequence[ApprovedWords],
) -> None:
    against = find_reversed(project, [one.stored.entry.id for one in found])
    questions = [
        *(Question(proposal_lines(one), PROPOSED, partial(_decide, project, one)) for one in proposals),
        *(_question(project, one, against.get(one.stored.entry.id, ())) for one in found),
        *(of_pasted(project, one) for one in pasted),
        *(of_unknown(project, text) for text in unknown),
        *(of_teammate(project, one) for one in teammates),
        *(of_approved(project, one) for one in approved),
    ]
    answers, ids = set(), list[str]()
    for place, one in enumerate(questions):
        first, *others = one.lines
        lines = ("", f"{place + 1}/{len(questions)} {first}", *others)
        while (answer := _ask(lines, one.keys)) != "q":
            try:
                show(one.carry_out(answer))
                break
            except (LimpetError, click.Abort) as error:
                tell(str(error) or "left as it is")
        answers.add(answer)
        seen = {"q": [], "s": [], "a": questions[place:]}.get(answer, [one])
        ids = [each.memory for each in seen if each.memory]
        look_at(project.workspace, ids)
        if answer == "a" and ids:
            show(paragraph(LEFT_ALONE.format(counted(len(ids), "memory"))))
        if answer in "qa":
            break
    if answers <= ({*"sq"} if ids else {*"saq"}):
        show(["Nothing changed."])


def _ask(lines: Iterable[str], keys: Mapping[str, str]) -> str:
    show(lines, err=True)
    try:
        choices = click.Choice(list(keys), case_sensitive=False)
        # A key stays on the line of its word.
        offered = ", ".join(f"{key} {what}".replace(" ", "_") for key, what in keys.items())
        question = "\n".join(paragraph(f"{offered}:")).replace("_", " ")
        return str(click.prompt(question, type=choices, show_choices=False, prompt_suffix=" ", err=True))
    except click.Abort:
        click.echo("", err=True)
        return "q"


def _question(project: Project, opened: Opened, older: Sequence[Card]) -> Question:
    told = (paragraph(f'Against "{card.title}" ({short_id(card.id)}), kept before.') for card in older)
    lines, keys = chain(_shown(opened), *told), AGAINST if older else KEYS
    return Question(lines, keys, partial(_carry_out, project, opened, older), opened.stored.entry.id)


def _shown(opened: Opened) -> Iterator[str]:
    entry = opened.stored.entry
    if waits_for_look(entry):
        again = f", {counted(entry.evidence_count, 'time')} in all" if entry.evidence_count > 1 else ""
        said, before = operations.words_heard(entry)
        yield f"heard on {minute(entry.created_at)}{again}:"
        yield from (f'  "{words}"' for words in said)
        if not any(entry.title.rstrip(". ") in words for words in said):
            yield f'  in short: "{entry.title}"'
        yield from (f'  after "{clip(words, LONGEST)}"' for words in before)
        yield from flag_lines(entry.flags)
    else:
        who = "an agent" if entry.source.startswith(CAPTURED) else entry.source.replace(":", " ")
        yield f"{'heard' if is_said(entry) else f'written by {who}'} on {minute(entry.created_at)}:"
        yield from short_lines(opened)
    yield f"Comes with: {', '.join(operations.called_by_words(entry)) or 'a search alone'}"


def _agree(says: str, shown: Sequence[str] | None = None) -> PersonWord:
    return PersonWord(says=says, how=TERMINAL)


def _decide(project: Project, proposal: RuleProposal, answer: str) -> list[str]:
    if answer in "ye":
        text = _reworded(proposal.sentence) if answer == "e" else ""
        return approve_proposal(project, proposal, _agree, text).note.splitlines()
    return reject(project, proposal, _agree).splitlines() if answer == "n" else []


def _carry_out(project: Project, opened: Opened, older: Sequence[Card], answer: str) -> Iterator[str]:
    entry = opened.stored.entry
    short = short_id(entry.id)
    if answer in ("k", "o"):
        operations.confirm(project, opened)
        yield f'Kept: "{entry.title}"'
        for card in older if answer == "o" else ():
            yield from _drop(project, card.id, card.title)
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
    elif answer == "d":
        yield from _drop(project, entry.id, entry.title)
    elif answer == "r":
        proposal = propose_rules(project, entry)
        show(name_domains(project, proposal), err=True)
        usual = REPEATED if proposal.check else proposal.domain  # what runs a command is asked for by its name
        domain = str(click.prompt(f"Domain (Enter: {usual})", default=usual, show_default=False, err=True)).strip()
        planned = approve_proposal(project, proposal, _agree, domain=domain, dry_run=True)
        show(("It would read:", *planned.lines()), err=True)
        click.confirm("Write it?", abort=True, err=True)
        yield from approve_proposal(project, proposal, _agree, domain=domain).note.splitlines()


def _drop(project: Project, id: str, title: str) -> Iterator[str]:
    change.forget_memory(project, id, "reviewed")
    yield f'Dropped "{title}". To undo:'
    yield f"  limpet memory undo {short_id(id)}"


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
