"""From memory to rule: what was said often enough, in several conversations, is proposed as a rule, and what proved
itself as durable. A person approves, rejects or withdraws."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from limpet.ground.clock import Clock, iso
from limpet.ground.errors import LimpetError
from limpet.ground.event_log.record import record
from limpet.ground.formats.markdown import one_line
from limpet.ground.formats.yaml_edit import remove_value, set_yaml_value
from limpet.ground.safety.instructions import flags_of
from limpet.ground.text.globs import find_glob
from limpet.ground.values import Value
from limpet.learning.model import ACTIVE, ANTI_PATTERN, CONTRADICT, WEAKEN
from limpet.learning.store import read_stores
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.index.wishes import WISH
from limpet.memory.model.entry import MemoryEntry, Query
from limpet.memory.model.ids import is_id, proposed, short_id
from limpet.memory.model.layout import WHOLE_STORE, memories
from limpet.memory.model.results import CONTRADICTED
from limpet.operations.approval import Obtain, PersonWord
from limpet.operations.learning.decisions import (
    APPROVED,
    DURABLE,
    PATH,
    REJECTED,
    RULE,
    TOP,
    WITHDRAWN,
    ProposalDecision,
    read_decisions,
)
from limpet.operations.memory import change
from limpet.operations.memory.library import open_library
from limpet.operations.memory.view import quotes_of, wording
from limpet.operations.memory.write import CONFLICT
from limpet.operations.project import Project, clean, open_as
from limpet.operations.rules.adopt import CHECKED, REPEATED, AdoptionOffer, adopt_lines, same_form
from limpet.operations.rules.edit import DomainPatch, add_domain, delete_domain, edit_domain
from limpet.operations.rules.places import find_place
from limpet.operations.rules.transaction import Edit, carry_out_edit, read_rule_file
from limpet.operations.rules.view import paths_of, say_when
from limpet.rules.adoption import read_commands
from limpet.rules.edit.difference import RuleFileChange
from limpet.rules.edit.domain import rule_lines
from limpet.rules.format.domain import split_setting
from limpet.rules.matching import EXCLUDE, RECALL, build_index, find_matches, keywords_of
from limpet.rules.naming import RuleDomain as Domain
from limpet.rules.naming import read_catalogue, spell
from limpet.rules.plan.compiler import PROJECT

DECIDED = "learning.decided"
# What was rejected or withdrawn is proposed again once so many times as much speaks for it.
AGAIN = 2
# The domain of rules that are about everything, where the project has its own.
USUAL = "GLOBAL"
NEW_DOMAIN = "{} is a new domain: its rules come with {}. For one with keywords: limpet rules add"
UNDO = "To undo:\n  limpet learn proposals --withdraw {}"
LISTED = "To list them, run: limpet learn proposals"


class RuleProposal(Value):
    """What a memory, or an entry of the knowledge, may become.

    ``id``: the memory's or the entry's. ``kind``: a rule, or durable.
    ``sentence``: what it says, in one line.
    ``domain``: where the rule would stand. ``paths``: the files that it names. ``check``: the command that it wants
    run, "" for none.
    ``evidence``: how often it was borne out; ``conversations``: in which, the one of the newest evidence first.
    ``quotes``: the words that it rests on. ``refs``: where these are: ``conversation/message``, ``source/observation``.
    """

    id: str
    kind: str
    sentence: str
    confidence: float
    evidence: int
    conversations: tuple[str, ...]
    refs: tuple[str, ...]
    domain: str = ""
    paths: tuple[str, ...] = ()
    check: str = ""
    quotes: tuple[str, ...] = ()


def list_proposals(project: Project, as_is: bool = False) -> tuple[RuleProposal, ...]:
    """Return what waits for a person's decision and the caller may see: rules first, the best borne out first;
    ``as_is``: as the index has it, without a look at the files. Raise LimpetError."""
    decided = read_decisions(project.workspace)

    def is_open(one: RuleProposal) -> bool:
        before = decided.get(one.id)
        return not before or (before.decided != APPROVED and one.evidence >= AGAIN * before.evidence_count)

    found = filter(is_open, _find(project, as_is))
    return tuple(sorted(found, key=lambda one: (one.kind != RULE, -one.evidence, one.id)))


def find_proposal(project: Project, key: str) -> RuleProposal:
    """Return the proposal of this id, also one that was rejected. Raises LimpetError where there is none."""
    before = _named(read_decisions(project.workspace), key)
    if before and before.decided == APPROVED:
        raise LimpetError("Approved already", key, f"To take it back: limpet learn proposals --withdraw {key}")
    found: RuleProposal | None = _named({one.id: one for one in _find(project)}, key)
    if not found:
        raise LimpetError("No proposal with this ID", key, LISTED)
    return found


def propose_rules(project: Project, entry: MemoryEntry) -> RuleProposal:
    """Return the memory as a proposed rule, however much speaks for it."""
    return _placed(_of_memory(entry), read_catalogue(project.workspace))


def describe_proposal(proposal: RuleProposal) -> dict[str, Any]:
    """Return the proposal as data for programs."""
    told = {name: value for name, value in proposal.__dict__.items() if name != "refs"}
    return {**told, "conversations": len(proposal.conversations)}


def approve_proposal(
    project: Project, proposal: RuleProposal, obtain: Obtain, text: str = "", domain: str = "", dry_run: bool = False
) -> Edit:
    """Do what is proposed, with a person's word: make the memory durable, or write the rule and archive the memory, so
    that nothing is said twice. ``text``, ``domain``: in place of the proposal's; either makes a rule of it.

    Return the edit of the rules; its note says what was done, of a dry run what the domain is. Raises LimpetError,
    with nothing written.
    """
    person, undo = _for_person(project), UNDO.format(short_id(proposal.id))
    if proposal.kind == DURABLE and not (text or domain):
        word = obtain(f'Keep for good: "{proposal.sentence}"')
        change.move_memory(person, proposal.id, storage=DURABLE, why="approved as durable")
        _record(project, _decision(project, proposal, APPROVED), word)
        return Edit((), note=f'Kept "{proposal.sentence}" for good. {undo}')
    sentence = one_line(clean(project, text)) or proposal.sentence
    placed = _placed(proposal.replace(kind=RULE, sentence=sentence), read_catalogue(project.workspace))
    placed = placed.replace(domain=domain or placed.domain)
    placed = placed if spell(placed.domain) == CHECKED else placed.replace(check="")
    planned = _write_rule(project, placed, dry_run=True)
    if dry_run:
        return planned
    read_rule_file(project.workspace, PATH)  # which is refused before anything is written
    runs = f", and run `{placed.check}` in {project.workspace.root} whenever an agent stops after it wrote files"
    word = obtain(f'Make a rule of {placed.domain}: "{sentence}"{runs * bool(placed.check)}')
    edit = _write_rule(project, placed, dry_run=False)
    name = find_place(project.workspace, placed.domain).name
    entry = next(one for one in read_catalogue(project.workspace) if one.domain.name == name)
    rule = next(key for key, said in reversed(entry.lines) if said == sentence)
    made = {"domain": name, "rule": rule, "text": sentence, "made": edit.changes[0].before is None}
    _record(project, _decision(project, placed, APPROVED, **made), word)
    if is_id(proposal.id):
        change.archive_memory(person, proposal.id, f"made a rule of {name}")
    return edit.replace(note=f"Made a rule of {name}: {rule}={sentence}. {undo}")


def reject(project: Project, proposal: RuleProposal, obtain: Obtain) -> str:
    """Remember that a person does not want it; return what was done. Raises LimpetError."""
    word = obtain(f'Reject: "{proposal.sentence}"')
    _record(project, _decision(project, proposal, REJECTED), word)
    return f'Rejected "{proposal.sentence}", until twice as much speaks for it. {UNDO.format(short_id(proposal.id))}'


def withdraw(project: Project, key: str, obtain: Obtain) -> str:
    """Take a decision back, and return what was done: an approved rule goes out of the rules and its memory comes back,
    what is durable is daily again, and neither is proposed soon; what was rejected or withdrawn is proposed again.
    Raises LimpetError."""
    found, person = _named(read_decisions(project.workspace), key), _for_person(project)
    if not found:
        raise LimpetError("Nothing was decided about this ID", key, LISTED)
    if found.decided != APPROVED:
        _record(project, found, obtain(f"Propose {key} again, which was {found.decided}"), forget=True)
        return f"{key} is proposed again."
    what = f'the rule "{found.text}" of {found.domain}' if found.kind == RULE else f"that {key} is kept for good"
    word = obtain(f"Withdraw {what}")
    with suppress(LimpetError):  # it is of another machine, deleted, or so already
        if found.kind == DURABLE:
            change.move_memory(person, found.id, storage="daily", why="withdrawn as durable")
    if found.kind == RULE:
        _remove_rule(project, found)
        with suppress(LimpetError):
            change.undo_change(person, found.id, "its rule was withdrawn")
    now = iso(project.caller.now)
    _record(project, found.replace(decided=WITHDRAWN, at=now, by=change.name_of_user(project.workspace)), word)
    return f"Withdrew {what}."


def _find(project: Project, as_is: bool = False) -> list[RuleProposal]:
    found = [*_of_memories(project, as_is), *_of_knowledge(project)]
    if not found:
        return []
    domains = read_catalogue(project.workspace)
    known = {same_form(rule) for domain in domains for rule in domain.text.rules}
    return [_placed(one, domains) for one in found if same_form(one.sentence) not in known]


def _of_memories(project: Project, as_is: bool) -> Iterator[RuleProposal]:
    """Yield the memories that enough speaks for, and that nothing said later stands against."""
    if not os.path.isdir(memories(project.workspace.shared)):  # no index is made for nothing
        return
    library, least = open_library(project), project.settings["learning"]
    with library.at_once(as_is):
        cards = library.list(Query(limit=EVERYTHING, now=project.caller.now)).cards
        durable = {card.id for card in proposed(cards, library.settings["durable_evidence"])}
        against = "".join(library.show(card.path, count=False).entry.body for card in cards if CONFLICT in card.tags)
        for card in cards:
            is_proved = card.evidence >= least["rule_evidence"] and card.confidence > least["rule_confidence"]
            is_wish = card.type == WISH and is_proved and not card.flags
            if not (is_wish or card.id in durable) or CONFLICT in card.tags or card.id in against:
                continue
            entry = library.show(card.path, count=False).entry
            if entry.evidence and max(entry.evidence, key=lambda each: each.at).how == CONTRADICTED:
                continue
            one = _of_memory(entry)
            if is_wish and len(one.conversations) >= least["rule_conversations"]:
                yield one
            elif card.id in durable:
                yield one.replace(kind=DURABLE)


def _of_memory(entry: MemoryEntry) -> RuleProposal:
    said = [each for each in entry.evidence if each.conversation and each.how != CONTRADICTED]
    said.sort(key=lambda each: each.at, reverse=True)
    return RuleProposal(
        id=entry.id,
        kind=RULE,
        sentence=wording(entry),
        confidence=entry.confidence,
        evidence=entry.evidence_count,
        conversations=tuple(dict.fromkeys(each.conversation for each in said)),
        refs=tuple(f"{each.conversation}/{each.message}".rstrip("/") for each in said),
        paths=entry.paths,
        quotes=tuple(quotes_of(entry)),
    )


def _of_knowledge(project: Project) -> Iterator[RuleProposal]:
    least = project.settings["learning"]
    for entry in (one for entries in read_stores(project.workspace)[0].values() for one in entries):
        said = [each for each in entry.evidence if each.effect not in (WEAKEN, CONTRADICT)]
        is_proved = entry.confidence > least["rule_confidence"] and len(said) >= least["rule_evidence"]
        if entry.status == ACTIVE and is_proved and max(entry.evidence, key=lambda each: each.at) in said:
            is_failure = entry.kind == ANTI_PATTERN and entry.guidance
            sentence = one_line(f"{entry.guidance[0]} Not: {entry.text}" if is_failure else entry.text)
            refs = tuple(f"{each.source}/{each.observation}" for each in said)
            sources = tuple(dict.fromkeys(each.source for each in reversed(said)))
            if not flags_of(sentence):
                yield RuleProposal(entry.id, RULE, sentence, entry.confidence, len(said), sources, refs)


def _placed(proposal: RuleProposal, domains: Sequence[Domain]) -> RuleProposal:
    """Return the proposal with the command that it wants run, and the domain that suits a rule best: the one of such
    commands, the one that its files bring, the one that its words call, else the project's own."""
    if proposal.kind == DURABLE:
        return proposal
    commands = read_commands(proposal.sentence)
    if len(commands) == 1:
        return proposal.replace(check=commands[0], domain=CHECKED)
    own = [one for one in domains if one.origin == PROJECT and one.file and one.domain.active]
    by_files = [one for one in own if all(find_glob(paths_of(one), path) for path in proposal.paths)]
    if proposal.paths and by_files:
        return proposal.replace(domain=by_files[0].domain.name)
    called = [one for one in own if one.kind == "keyword" and not one.domain.on_demand]
    keywords = [(place, *keyword) for place, one in enumerate(called) for keyword in keywords_of(one.domain)]
    index = build_index((place, role, word, "words") for place, role, word in keywords if role in (RECALL, EXCLUDE))
    found, excluded = find_matches(index, proposal.sentence)
    best = max(found.keys() - excluded.keys(), key=lambda place: len(found[place]), default=None)
    usual = USUAL if any(one.domain.name == USUAL for one in own) else REPEATED
    return proposal.replace(domain=usual if best is None else called[best].domain.name)


def _write_rule(project: Project, proposal: RuleProposal, dry_run: bool) -> Edit:
    workspace, name = project.workspace, proposal.domain
    if len(name) < 2:  # a slip of the key
        raise LimpetError(f"{name!r} is too short for a domain", hint="Type two letters of its name or more.")
    if proposal.check:
        offer = AdoptionOffer("", 0, spell(name), (proposal.sentence,), command=proposal.check)
        agreed = PersonWord(says="", how="")  # to the rule, with its command
        return adopt_lines(workspace, offer, project.caller.now, None if dry_run else lambda says, shown=None: agreed)
    patch, files = DomainPatch(add_rules=(proposal.sentence,)), ", ".join(proposal.paths)
    try:
        find_place(workspace, name)
    except LimpetError:
        called = patch.replace(paths=files) if files else patch.replace(always_on=True)
        edit = add_domain(workspace, name, called, dry_run=dry_run)
        return edit.replace(note=NEW_DOMAIN.format(name, files or "every prompt"))
    known = say_when(workspace, name)
    edit = edit_domain(workspace, name, patch, dry_run)
    return edit.replace(note=f"{known}\n{edit.note}")


def _remove_rule(project: Project, decision: ProposalDecision) -> None:
    """Take the rule out again, and the domain's file that was made for it where nothing of anybody's is in it beside
    the rule. Raises LimpetError for a rule that says something else by now."""
    workspace, name = project.workspace, decision.domain
    lines = next((one.lines for one in read_catalogue(workspace) if one.domain.name == name), ())
    rules = {key: text for key, text in lines if not split_setting(key)[1]}
    rule = next((key for key, text in rules.items() if text == decision.text), "")
    if not rule and decision.rule in rules and not decision.rule.isdecimal():
        remove = f"limpet rules edit {name.lower()} --remove-rule {decision.rule}"
        raise LimpetError(f"{decision.rule} says something else by now", name, f"To remove it: {remove}")
    if rule:
        shipped = find_place(workspace, name).shipped
        known = rule_lines(name, shipped.read() or "") if shipped else ()
        texts = [one.text for one in known if not split_setting(one.key)[1]]
        if decision.made and [text for key, text in rules.items() if key != rule] == texts:
            delete_domain(workspace, name, Clock(now=lambda: project.caller.now))
        else:
            edit_domain(workspace, name, DomainPatch(remove_rules=(rule,)))


def _decision(project: Project, proposal: RuleProposal, decided: str, **made: Any) -> ProposalDecision:
    at, by = iso(project.caller.now), change.name_of_user(project.workspace)
    count, refs = proposal.evidence, proposal.refs
    told = {"kind": proposal.kind, "evidence_count": count, "evidence": refs, **made}
    return ProposalDecision(id=proposal.id, decided=decided, at=at, by=by, **told)


def _record(project: Project, decision: ProposalDecision, word: PersonWord, forget: bool = False) -> None:
    """Write the decision, in place of an older one about the same, or with ``forget`` take it out."""
    path = (TOP, decision.id)

    def plan() -> tuple[RuleFileChange, ...]:
        file = read_rule_file(project.workspace, PATH)
        text = file.before or ""
        left = remove_value(text, path, PATH) if forget else set_yaml_value(text, path, decision.told(), PATH)
        return (file.replace(after=left if left.strip() else None),)

    carry_out_edit(project.workspace, plan, dry_run=False)
    decided = "" if forget else decision.decided
    data = {"id": decision.id, "decided": decided, "rule": decision.rule, "how": word.how}
    record(project.workspace, project.actor, DECIDED, data)


def _named(known: Mapping[str, Any], key: str) -> Any:
    """Return what stands under this id, or one of which this is the part that commands take; None for nothing."""
    return next((one for name, one in known.items() if key.strip() in (name, short_id(name))), None)


def _for_person(project: Project) -> Project:
    return open_as(project.workspace, project.caller.replace(reader=WHOLE_STORE))
