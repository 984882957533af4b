"""``limpet learn proposals``: what may become a rule, or durable, and a person's decision about it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from limpet.cli.caller import obtain_for, open_project, yes_option
from limpet.cli.output import counted, emit, json_option, tell
from limpet.cli.screen import Line
from limpet.ground.text.escaping import clip
from limpet.memory.model.ids import short_id
from limpet.operations.learning.deciding import approve_proposal, reject, withdraw
from limpet.operations.learning.decisions import RULE
from limpet.operations.learning.proposals import RuleProposal, describe_proposal, find_proposal, list_proposals

NOTHING = "Nothing is proposed: what you say often enough, in several conversations, appears here."
BY_PERSON = " (user, "
MOST_QUOTED, LONGEST_QUOTE = 3, 200
HOW = "To decide: limpet review, or --approve ID, --reject ID."


@click.command()
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
    emit({"proposals": [*map(describe_proposal, found)]}, _listed(found), as_json)


def proposal_lines(one: RuleProposal) -> Iterator[str]:
    """Yield what is proposed and why, and the newest words of the person's that it rests on."""
    where = f" in {counted(len(one.conversations), 'conversation')}" if one.conversations else ""
    what = f"make it a rule of {one.domain}?" if one.kind == RULE else "keep it for good?"
    yield f"Said {counted(one.evidence, 'time')}{where}: {what}"
    yield f"  {one.sentence}"
    own = [quote for quote in one.quotes if BY_PERSON in quote] or one.quotes
    shown = dict.fromkeys(clip(quote, LONGEST_QUOTE) for quote in own)
    yield from (f"  > {quote}" for quote in [*shown][-MOST_QUOTED:])
    if one.check:
        yield f"  It has `{one.check}` run whenever the agent stops after it wrote files."


def _listed(found: tuple[RuleProposal, ...]) -> Iterator[Line]:
    for one in found:
        first, *lines = proposal_lines(one)
        yield f"{short_id(one.id)}  {first}"
        yield from lines
    yield HOW if found else NOTHING
