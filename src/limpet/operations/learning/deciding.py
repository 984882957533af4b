"""What a person decides about a proposal: approved, rejected, withdrawn. Separate from ``proposals``, so that whoever
only lists them loads nothing that writes rules.

An approval is written in the order in which a kill does least harm: the rule, the decision, the memory's place. A rule
that stands is proposed no more, with or without its decision.
"""

from __future__ import annotations

from contextlib import suppress

from limpet.ground.clock import Clock, iso
from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import one_line
from limpet.ground.formats.yaml_edit import remove_value, set_yaml_value
from limpet.ground.recording import record
from limpet.ground.text.escaping import clip
from limpet.learning.model import ACTIVE, RULED
from limpet.memory.model.ids import is_id, short_id
from limpet.memory.model.layout import WHOLE_STORE
from limpet.operations.approval import Obtain, PersonWord
from limpet.operations.learning.consolidate import change_entry
from limpet.operations.learning.decisions import (
    APPROVED,
    DURABLE,
    PATH,
    REJECTED,
    RULE,
    TOP,
    WITHDRAWN,
    ProposalDecision,
    named,
    read_decisions,
)
from limpet.operations.learning.proposals import ALWAYS, LISTED, RuleProposal, place_rule
from limpet.operations.memory import change
from limpet.operations.project import Project, clean, open_as
from limpet.operations.rules.adopt import CHECKED, AdoptionOffer, adopt_lines
from limpet.operations.rules.edit import DomainPatch, add_domain, delete_domain, edit_domain
from limpet.operations.rules.transaction import SHOWN, Edit, carry_out_edit, find_place, read_rule_file
from limpet.operations.rules.view import called_by, say_when
from limpet.rules.edit.difference import RuleFileChange
from limpet.rules.edit.domain import rule_lines
from limpet.rules.format.domain import split_setting
from limpet.rules.naming import read_catalogue, spell

NOTED = f"Who decided it, and when, is in {PATH}."
NEW_DOMAIN = "{} is a new domain: its rules come with {}. For one with keywords: limpet rules add"


def approve_proposal(
    project: Project, proposal: RuleProposal, obtain: Obtain, text: str = "", domain: str = "", dry_run: bool = False
) -> Edit:
    """The memory becomes durable, or a rule and is archived, so that nothing is said twice. ``text``, ``domain``: in
    place of the proposal's; either makes a rule of it."""
    if proposal.kind == DURABLE and not (text or domain):
        word = obtain(f'Keep for good: "{proposal.sentence}"')
        change.move_memory(_for_person(project), proposal.id, storage=DURABLE, why="approved as durable")
        _record(project, _decision(project, proposal, APPROVED), word)
        return Edit((), note=f'Kept "{proposal.sentence}" for good. {_undo(proposal)}')
    sentence = one_line(clean(project, text)) or proposal.sentence
    placed = place_rule(proposal.replace(kind=RULE, sentence=sentence), read_catalogue(project.workspace))
    placed = placed.replace(domain=domain or placed.domain)
    if spell(placed.domain) != CHECKED:
        placed = placed.replace(check="")
    planned = _write_rule(project, placed, dry_run=True)
    return planned if dry_run else _make_rule(project, placed, obtain)


def reject(project: Project, proposal: RuleProposal, obtain: Obtain) -> str:
    word = obtain(f'Reject: "{proposal.sentence}"')
    _record(project, _decision(project, proposal, REJECTED), word)
    return f'Rejected "{proposal.sentence}", until twice as much speaks for it. {_undo(proposal)}'


def withdraw(project: Project, key: str, obtain: Obtain) -> str:
    """An approved rule goes out of the rules and its memory comes back, what is durable is daily again, and neither is
    proposed soon; what was rejected or withdrawn is proposed again."""
    found = named(read_decisions(project.workspace), key)
    if not found:
        raise LimpetError("Nothing was decided about this ID", key, LISTED)
    if found.decided != APPROVED:
        _record(project, found, obtain(f"Propose {key} again, which was {found.decided}"), forget=True)
        return f"{key} is proposed again."
    what = f'the rule "{found.text}" of {found.domain}' if found.kind == RULE else f"that {key} is kept for good"
    word = obtain(f"Withdraw {what}")
    if found.kind == RULE:
        _remove_rule(project, found)
    with suppress(LimpetError):  # the memory is of another machine, deleted, or so already
        if not is_id(found.id):
            change_entry(project, found.id, RULED, status=ACTIVE)
        elif found.kind == RULE:
            change.undo_change(_for_person(project), found.id, "its rule was withdrawn")
        else:
            change.move_memory(_for_person(project), found.id, storage="daily", why="withdrawn as durable")
    at, by = _signature(project)
    _record(project, found.replace(decided=WITHDRAWN, at=at, by=by), word)
    return f"Withdrew {what}."


def _make_rule(project: Project, proposal: RuleProposal, obtain: Obtain) -> Edit:
    workspace, sentence = project.workspace, proposal.sentence
    read_rule_file(workspace, PATH)  # which is refused before anything is written
    says = f'Make a rule of {proposal.domain}: "{sentence}"'
    if proposal.check:
        says += f", and run `{proposal.check}` in {workspace.root} whenever an agent stops after it wrote files"
    word = obtain(says)
    edit = _write_rule(project, proposal, dry_run=False)
    name = find_place(workspace, proposal.domain).name
    entry = next(one for one in read_catalogue(workspace) if one.domain.name == name)
    rule = next(key for key, said in reversed(entry.lines) if said == sentence)
    is_new = edit.changes[0].before is None
    decision = _decision(project, proposal, APPROVED)
    _record(project, decision.replace(domain=name, rule=rule, text=sentence, made=is_new), word)
    if is_id(proposal.id):
        change.archive_memory(_for_person(project), proposal.id, f"made a rule of {name}")
    else:
        change_entry(project, proposal.id, ACTIVE, status=RULED)
    when = f"{name} comes with: {clip(called_by(entry), SHOWN)}"
    said = f'Made a rule of {name}: "{sentence}". {_undo(proposal)}'
    return edit.replace(note=f"{said}\n{when}\n{NOTED}")


def _write_rule(project: Project, proposal: RuleProposal, dry_run: bool) -> Edit:
    workspace, name = project.workspace, proposal.domain
    if len(name) < 2:  # a slip of the key
        raise LimpetError(f"{name!r} is too short for a domain", hint="Type two letters of its name or more.")
    if proposal.check:
        offer = AdoptionOffer("", 0, spell(name), (proposal.sentence,), (), proposal.check, "", proposal.practices)
        agreed = PersonWord(says="", how="")  # to the rule, with its command
        return adopt_lines(workspace, offer, project.caller.now, None if dry_run else lambda says, shown=None: agreed)
    patch = DomainPatch(add_rules=(proposal.sentence,), deeds=proposal.practices)
    try:
        find_place(workspace, name)
    except LimpetError:
        files = ", ".join(proposal.paths)
        patch = patch.replace(paths=files) if files else patch.replace(always_on=True)
        edit = add_domain(workspace, name, patch, dry_run=dry_run)
        return edit.replace(note=NEW_DOMAIN.format(name, files or ALWAYS))
    known = say_when(workspace, name)
    edit = edit_domain(workspace, name, patch, dry_run)
    return edit.replace(note=f"{known}\n{edit.note}")


def _remove_rule(project: Project, decision: ProposalDecision) -> None:
    """Also the domain's file that was made for it, where nothing else is in it."""
    workspace, name = project.workspace, decision.domain
    lines = next((one.lines for one in read_catalogue(workspace) if one.domain.name == name), ())
    rules = {key: text for key, text in lines if not split_setting(key)[1]}
    rule = next((key for key, text in rules.items() if text == decision.text), "")
    if not rule:
        if decision.rule in rules and not decision.rule.isdecimal():
            remove = f"limpet rules edit {name.lower()} --remove-rule {decision.rule}"
            raise LimpetError(f"{decision.rule} says something else by now", name, f"To remove it: {remove}")
        return
    shipped = find_place(workspace, name).shipped
    known = rule_lines(name, shipped.read() or "") if shipped else ()
    texts = [one.text for one in known if not split_setting(one.key)[1]]
    others = [text for key, text in rules.items() if key != rule]
    if decision.made and others == texts:
        delete_domain(workspace, name, Clock(now=lambda: project.caller.now))
    else:
        edit_domain(workspace, name, DomainPatch(remove_rules=(rule,)))


def _decision(project: Project, proposal: RuleProposal, decided: str) -> ProposalDecision:
    at, by = _signature(project)
    return ProposalDecision(
        id=proposal.id,
        decided=decided,
        at=at,
        by=by,
        kind=proposal.kind,
        evidence_count=proposal.evidence,
        evidence=proposal.refs,
    )


def _record(project: Project, decision: ProposalDecision, word: PersonWord, forget: bool = False) -> None:
    path = (TOP, decision.id)

    def plan() -> tuple[RuleFileChange, ...]:
        file = read_rule_file(project.workspace, PATH)
        text = file.before or ""
        left = remove_value(text, path, PATH) if forget else set_yaml_value(text, path, decision.told(), PATH)
        return (file.replace(after=left if left.strip() else None),)

    carry_out_edit(project.workspace, plan, dry_run=False)
    decided = "" if forget else decision.decided
    data = {"id": decision.id, "decided": decided, "rule": decision.rule, "how": word.how}
    record(project.workspace, project.actor, "learning.decided", data)


def _signature(project: Project) -> tuple[str, str]:
    return iso(project.caller.now), change.name_of_user(project.workspace)


def _undo(proposal: RuleProposal) -> str:
    return f"To undo:\n  limpet learn proposals --withdraw {short_id(proposal.id)}"


def _for_person(project: Project) -> Project:
    return open_as(project.workspace, project.caller.replace(reader=WHOLE_STORE))
