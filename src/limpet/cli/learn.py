"""``limpet learn``: what work shows becomes knowledge and rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import click

from limpet.cli.caller import obtain_for, open_project, yes_option
from limpet.cli.groups import Commands, SuggestingChoice
from limpet.cli.output import counted, emit, json_fields, json_option, tell
from limpet.cli.screen import Line, show_progress
from limpet.ground.text.escaping import clip
from limpet.learning.briefing import KINDS_OF_WORK
from limpet.learning.model import PHASES, RELATIONSHIPS, SEVERITIES, TYPES, Observation
from limpet.learning.observations import ref_of
from limpet.memory.model.ids import is_id, short_id
from limpet.operations.learning import consolidate as learning
from limpet.operations.learning.deciding import approve_proposal, reject, withdraw
from limpet.operations.learning.decisions import RULE
from limpet.operations.learning.observe import apply, observe, observed
from limpet.operations.learning.proposals import (
    RuleProposal,
    describe_proposal,
    find_proposal,
    list_claims,
    list_proposals,
)

MOST_CLAIMS = 10
SECTIONS = {
    "Observe": ("observe",),
    "Know": ("consolidate", "explain", "reword"),
    "Rules": ("proposals",),
}


@click.group(cls=Commands, sections=SECTIONS)
def learn() -> None:
    """Turn what work shows into knowledge and rules.

    \b
    Examples:
      limpet learn observe
      limpet learn consolidate --dry-run
      limpet learn explain PR-001
      limpet learn proposals
    """


@learn.command("observe")
@click.argument("type", required=False, type=SuggestingChoice(TYPES), metavar="[TYPE]")
@click.argument("text", required=False)
@click.option("--tag", "tags", multiple=True, help="What it is about; may be repeated.")
@click.option(
    "--importance", type=click.IntRange(1, 10), default=5, show_default=True, help="7 and more: an entry of its own."
)
@click.option("--entry", "principle_id", default="", metavar="ID", help="The entry that a consistency-check is about.")
@click.option("--relationship", type=SuggestingChoice(RELATIONSHIPS), help="What it shows about the entry.")
@click.option("--severity", type=SuggestingChoice(SEVERITIES), help="Of a finding.")
@click.option("--resolved/--open", default=None, help="Whether a finding was mended, or a deviation justified.")
@click.option("--guidance", multiple=True, help="What to do the next time; may be repeated.")
@click.option("--phase", type=SuggestingChoice(PHASES), help="Of the work, where no step of it is under way.")
@click.option("--story", default="", metavar="ID", help="Another story than the one in progress.")
@click.option("--applied", default="", metavar="ID", help="Say instead that you applied this entry of the knowledge.")
@click.option("--note", default="", metavar="TEXT", help="With --applied: how, in a few words.")
@json_option
def observe_work(
    type: str | None, text: str | None, story: str, applied: str, note: str, as_json: bool, **stated: Any
) -> None:
    """Write down what the work showed.

    It goes to the story in progress, else to this conversation. Without arguments, list what is there. TYPE is one of
    discovery, quality-loop-finding, fix-rationale, deviation, observation and consistency-check; TEXT stands alone, in
    one to three sentences. An applied entry is borne out by it; an ID that stands in the code that a story wrote counts
    too, once the story is done.

    \b
    Examples:
      limpet learn observe
      limpet learn observe discovery "The API sorts by name, not by date." --tag api --importance 7
      limpet learn observe consistency-check "The service checks it." --entry PR-001 --relationship reinforce
      limpet learn observe --applied PR-001 --note "email validation in the service layer"
    """
    if type and applied:
        raise click.UsageError("TYPE and --applied cannot be combined")
    project = open_project()
    if applied:
        done, line = apply(project, applied, note, story)
        known = {"entry": done.principle_id, "source": done.source, "observation": done.id}
        emit({**known, "log": line}, [f"{line} ({done.source})"], as_json)
        return
    if type is None:
        source, found = observed(project, story)
        lines = [*map(_line, found)] or [f"No observations in {source} yet."]
        emit({"source": source, "observations": [json_fields(one) for one in found]}, lines, as_json)
        return
    if not text:
        raise click.UsageError("Missing argument 'TEXT'.")
    given = {name: value for name, value in stated.items() if value is not None}
    made = observe(project, type, text, story, **given)
    if not made.phase:
        tell(f"It has no phase, as no step is under way. The next time say it: --phase {'|'.join(PHASES)}")
    emit(json_fields(made), [f"Observed as {ref_of(made.source, made.id)}"], as_json)


def _line(one: Observation) -> str:
    about = f" {one.relationship} {one.principle_id}" if one.principle_id else ""
    state = {True: " resolved", False: " open", None: ""}[one.resolved]
    return f"{one.id} {one.type}{about}{state} ({one.importance}): {one.text}"


@learn.command("consolidate")
@click.option("--dry-run", is_flag=True, help="Show what would change without changing it.")
@click.option("--undo", is_flag=True, help="Take back the last run, unless the knowledge was changed since.")
@json_option
def consolidate_knowledge(dry_run: bool, undo: bool, as_json: bool) -> None:
    """Update the knowledge with all observations.

    Run twice, it changes nothing the second time; after --undo it counts the same observations again.

    \b
    Examples:
      limpet learn consolidate
      limpet learn consolidate --dry-run
      limpet learn consolidate --undo
    """
    if dry_run and undo:
        raise click.UsageError("--dry-run and --undo cannot be combined")
    project = open_project()
    if undo:
        changes = learning.undo_run(project)
        emit({"undone": learning.rows_of(changes)}, ["Took back:", *(f"  {each}" for each in changes)], as_json)
        return
    with show_progress("Consolidating observations"):
        outcome = learning.consolidate_project(project, dry_run)
    tell(*outcome.mistakes)
    data = {"dry_run": dry_run, "changes": learning.rows_of(outcome.changes), "mistakes": list(outcome.mistakes)}
    told = chain.from_iterable(each.lines for each in outcome.changes)
    emit(data, told if outcome.changes else ["Nothing new to learn."], as_json)


@learn.command("explain")
@click.argument("entry", metavar="ID")
@json_option
def explain_knowledge(entry: str, as_json: bool) -> None:
    """Show an entry and how its confidence came about.

    \b
    Examples:
      limpet learn explain PR-001
      limpet learn explain AP-002 --json
    """
    found = learning.explain_entry(open_project(), entry)
    steps = [{**each.evidence.__dict__, "after": each.after, "text": each.text} for each in found.steps]
    wordings = [each.__dict__ for each in found.wordings]
    told = {**found.entry.__dict__, "evidence": steps, "contested": found.is_contested, "wordings": wordings}
    emit(told, _explanation(found), as_json)


@learn.command()
@click.argument("entry", metavar="ID")
@click.argument("text", default="")
@click.option("--guidance", multiple=True, help="What to do, in place of what it says; may be repeated.")
@click.option("--failure-mode", default="", metavar="TEXT", help="Of an anti-pattern: how it fails.")
@click.option("--role", "roles", multiple=True, metavar="ROLE", help="Whose work it concerns; may be repeated.")
@click.option("--applies-to", type=SuggestingChoice(KINDS_OF_WORK), help="Of a procedure: the kind of work.")
@json_option
def reword(entry: str, as_json: bool, **said: Any) -> None:
    """Say an entry in other words, and what it lacks.

    For one that unites what several observations said, and for what no observation says of a new one. Its evidence
    stays; `learn explain` shows the words before.

    \b
    Examples:
      limpet learn reword AP-002 "API routes import concrete repositories instead of taking them as arguments."
      limpet learn reword PC-001 --applies-to tdd
    """
    done = learning.reword_entry(open_project(), entry, **said)
    data = done.__dict__ | {"evidence": [each.__dict__ for each in done.evidence]}
    emit(data, [f"{done.id} says: {done.text}"], as_json)


def _explanation(found: learning.Explained) -> Iterator[str]:
    entry = found.entry
    state = [entry.kind, entry.status, f"confidence {entry.confidence}", *(["contested"] if found.is_contested else [])]
    yield f"{entry.id}  {', '.join(state)}"
    yield f"  {entry.text}"
    yield from (f"  - {line}" for line in entry.guidance)
    if entry.aliases:
        yield f"  Also known as: {', '.join(entry.aliases)}"
    yield from (f"  Until {each.until[:10]}, reworded by {each.by}: {each.text}" for each in found.wordings)
    yield f"{entry.start}  start"
    for step in found.steps:
        piece = step.evidence
        who = f" ({piece.agent})" if piece.agent else ""
        told = f": {step.text}" if step.text else ""
        after = "-" if step.after is None else step.after
        yield f"{after}  {piece.effect} by {ref_of(piece.source, piece.observation)}{who}{told}"


@learn.command("proposals")
@click.option("--approve", "approved", default="", metavar="ID", help="Do what is proposed. Takes a person's word.")
@click.option(
    "--text", default="", metavar="TEXT", help="With --approve: the rule's text, in place of the proposed one."
)
@click.option("--domain", default="", metavar="NAME", help="With --approve: where it goes, a new one if there is none.")
@click.option("--reject", "rejected", default="", metavar="ID", help="Do not propose it again. Takes a person's word.")
@click.option("--withdraw", "withdrawn", default="", metavar="ID", help="Take a decision back. Takes a person's word.")
@yes_option
@json_option
def proposals(
    approved: str, text: str, domain: str, rejected: str, withdrawn: str, agreed: bool, as_json: bool
) -> None:
    """List what may become a rule, and decide about it.

    What you said five times, in three conversations or more, is proposed as a rule, with your words; what proved itself
    five times as a memory for good. An approved rule goes into its domain, and its memory into the archive. What was
    rejected is proposed again once twice as much speaks for it.

    \b
    Examples:
      limpet learn proposals
      limpet learn proposals --approve k7q2m9xa --domain testing
      limpet learn proposals --reject k7q2m9xa
      limpet learn proposals --withdraw k7q2m9xa
    """
    if sum(map(bool, (approved, rejected, withdrawn))) > 1 or ((text or domain) and not approved):
        raise click.UsageError("give one of --approve (with --text, --domain), --reject and --withdraw")
    project = open_project()
    obtain = obtain_for(project.workspace, agreed)
    if key := approved or rejected or withdrawn:
        if approved:
            edit = approve_proposal(project, find_proposal(project, key), obtain, text, domain)
            tell(*edit.findings)
            done = edit.note
        else:
            done = withdraw(project, key, obtain) if withdrawn else reject(project, find_proposal(project, key), obtain)
        emit({"id": key, "done": done.splitlines()[0]}, done.splitlines(), as_json)
        return
    found = list_proposals(project)
    emit({"proposals": [*map(describe_proposal, found)]}, _listed(found, list_claims(project)), as_json)


def proposal_lines(one: RuleProposal) -> Iterator[str]:
    stories, conversations = len(one.stories), len(one.conversations)
    in_stories = counted(stories, "story") if stories else ""
    in_conversations = counted(conversations, "conversation") if conversations else ""
    where = " and ".join(filter(None, (in_stories, in_conversations)))
    said = "Said" if is_id(one.id) else "Borne out"
    what = f"make it a rule of {one.domain}?" if one.kind == RULE else "keep it for good?"
    yield f"{said} {counted(one.evidence, 'time')}{where and f' in {where}'}: {what}"
    yield f"  {one.sentence}"
    own = [quote for quote in one.quotes if " (user, " in quote] or one.quotes
    yield from (f"  > {quote}" for quote in [*dict.fromkeys(own)][-3:])
    if one.comes_with:
        yield f"  {one.domain} comes with: {one.comes_with}"
    if one.check:
        yield f"  It has `{one.check}` run whenever the agent stops after it wrote files."


def _listed(found: Sequence[RuleProposal], claims: Sequence[RuleProposal]) -> Iterator[Line]:
    for one in found:
        first, *lines = proposal_lines(one)
        yield f"{short_id(one.id)}  {first}"
        yield from lines
    if found:
        yield "To decide: limpet review, or --approve ID, --reject ID."
    else:
        yield "Nothing is proposed: what you say often enough, in several conversations, appears here."
    for one in claims[:MOST_CLAIMS]:
        yield f'Not counted: {one.id} "{clip(one.sentence, 100)}" ({one.origin}: nobody said it often enough here)'
    if len(claims) > MOST_CLAIMS:
        yield f"Not counted: {len(claims) - MOST_CLAIMS} more"
