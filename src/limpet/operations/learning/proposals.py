"""From memory to rule: what was said often enough, in several conversations, is proposed as a rule, and what proved
itself as durable. What a person decides about it is ``deciding``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from limpet.ground.digest import digest
from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import one_line
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.safety.instructions import flags_of
from limpet.ground.storage.files import read_text
from limpet.ground.text.escaping import clip
from limpet.ground.text.globs import find_glob
from limpet.ground.trust.approvals import HOUR, OFFERED, Approval, forget_ended, write_approval
from limpet.ground.trust.giving import make_key
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.learning.model import ACTIVE, ANTI_PATTERN, CONTRADICT, WEAKEN, KnowledgeEvidence
from limpet.learning.observations import OF_CONVERSATION
from limpet.learning.store import read_stores
from limpet.memory.capture.statements import as_rule
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.files.evidence import NO_EVIDENCE, read_own_evidence
from limpet.memory.index.wishes import practices_of
from limpet.memory.model.entry import WISH, Card, MemoryEntry, Query
from limpet.memory.model.ids import proposed
from limpet.memory.model.layout import WHOLE_STORE, has_entries
from limpet.memory.model.results import CONTRADICTED
from limpet.operations.approval import LONGEST
from limpet.operations.caller import Caller
from limpet.operations.learning.consolidate import OwnKnowledge, explain_entry, read_own_knowledge
from limpet.operations.learning.decisions import APPROVED, DURABLE, RULE, named, read_decisions
from limpet.operations.memory.candidates import CONFLICT
from limpet.operations.memory.library import open_library
from limpet.operations.memory.view import quotes_of, wording
from limpet.operations.project import Project, open_as
from limpet.operations.rules.adopt import CHECKED, REPEATED, same_form
from limpet.operations.rules.transaction import SHOWN
from limpet.operations.rules.view import called_by, paths_of
from limpet.rules.matching import EXCLUDE, RECALL, build_index, find_matches, keywords_of
from limpet.rules.naming import RuleDomain, read_catalogue
from limpet.rules.passages import read_commands
from limpet.rules.plan.compiler import PROJECT

# What was rejected or withdrawn is proposed again once so many times as much speaks for it.
AGAIN = 2
# The domain of rules that are about everything, where the project has its own.
USUAL = "GLOBAL"
# Where what nobody said here is from.
BY_HAND, IN_GIT = "a file that Limpet did not write", "knowledge in git"
ALWAYS = "every prompt"
LISTED = "To list them, run: limpet learn proposals"


class RuleProposal(Value):
    """What a memory, or an entry of the knowledge, may become.

    ``domain``: where the rule would stand. ``paths``: the files that it names. ``check``: the command that it wants
    run.
    ``evidence``: how often it was borne out; ``conversations``: in which, the one of the newest evidence first.
    ``quotes``: the words that it rests on. ``refs``: where these are: ``conversation/message``, ``source/observation``.
    ``comes_with``: what brings the rules of that domain. ``stories``: those that bore it out.
    ``practices``: those of work at which the wish was said, which the rule keeps.
    ``origin``: of what only a file claims, and this machine's log does not know: where that file is from.
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
    comes_with: str = ""
    stories: tuple[str, ...] = ()
    practices: tuple[str, ...] = ()
    origin: str = ""


def list_proposals(project: Project, as_is: bool = False) -> tuple[RuleProposal, ...]:
    """Rules first, the best borne out first; ``as_is``: as the index has it, without a look at the files."""
    decided = read_decisions(project.workspace)
    waiting = []
    for one in _find(project, as_is):
        before = decided.get(one.id)
        if not before or (before.decided != APPROVED and one.evidence >= AGAIN * before.evidence_count):
            waiting.append(one)
    return tuple(sorted(waiting, key=lambda one: (one.kind != RULE, -one.evidence, one.id)))


def list_claims(project: Project) -> tuple[RuleProposal, ...]:
    """What files say was borne out often enough, and was not on this machine: nobody is asked about it."""
    return tuple(one for one in _all_found(project, False) if one.origin)


def find_proposal(project: Project, key: str) -> RuleProposal:
    """Also one that was rejected. Raises LimpetError for none."""
    before = named(read_decisions(project.workspace), key)
    if before and before.decided == APPROVED:
        raise LimpetError("Approved already", key, f"To take it back: limpet learn proposals --withdraw {key}")
    found: RuleProposal | None = named({one.id: one for one in _find(project)}, key)
    if not found:
        raise LimpetError("No proposal with this ID", key, LISTED)
    return found


def propose_rules(project: Project, entry: MemoryEntry) -> RuleProposal:
    """Return the memory as a proposed rule, however much speaks for it."""
    return place_rule(_of_memory(entry), read_catalogue(project.workspace))


def describe_proposal(proposal: RuleProposal) -> dict[str, Any]:
    told = {name: value for name, value in proposal.__dict__.items() if name not in ("refs", "origin")}
    return {**told, "conversations": len(proposal.conversations), "stories": len(proposal.stories)}


def place_rule(proposal: RuleProposal, domains: Sequence[RuleDomain]) -> RuleProposal:
    """The domain: the one of commands, else the one that the files bring, the one that the words call, the project's
    own; and what it comes with."""
    placed = _place(proposal, domains)
    entry = next((one for one in domains if one.domain.name == placed.domain), None)
    new = ", ".join(placed.paths) or ("" if placed.check else ALWAYS)
    return placed.replace(comes_with=clip(called_by(entry) if entry else new, SHOWN))


def name_domains(project: Project, proposal: RuleProposal) -> Iterator[str]:
    """Say what a domain is, which there are, and what a new one would be."""
    yield "A domain is a group of rules that come together. Yours:"
    own = (one for one in read_catalogue(project.workspace) if one.origin == PROJECT and one.file)
    yield from (f"  {one.domain.name}: comes with {clip(called_by(one), SHOWN)}" for one in own)
    yield f"  another name: a new one, which comes with {', '.join(proposal.paths) or ALWAYS}"


def _place(proposal: RuleProposal, domains: Sequence[RuleDomain]) -> RuleProposal:
    commands = read_commands(proposal.sentence)
    if len(commands) == 1:
        return proposal.replace(check=commands[0], domain=CHECKED)
    own = [one for one in domains if one.origin == PROJECT and one.file and one.domain.active]
    for one in own if proposal.paths else ():
        if all(find_glob(paths_of(one), path) for path in proposal.paths):
            return proposal.replace(domain=one.domain.name)
    usual = USUAL if any(one.domain.name == USUAL for one in own) else REPEATED
    return proposal.replace(domain=_called_by(proposal.sentence, own) or usual)


def _find(project: Project, as_is: bool = False) -> list[RuleProposal]:
    found = [one for one in _all_found(project, as_is) if not one.origin]
    if not found:
        return []
    domains = read_catalogue(project.workspace)
    known: set[str] = set()
    for domain in domains:
        known.update(map(same_form, domain.text.rules))
    new = [one for one in found if same_form(one.sentence) not in known]
    return [place_rule(one, domains) if one.kind == RULE else one for one in new]


def _all_found(project: Project, as_is: bool) -> Iterator[RuleProposal]:
    return chain(_of_memories(project, as_is), _of_knowledge(project))


def _of_memories(project: Project, as_is: bool) -> Iterator[RuleProposal]:
    if not has_entries(project.workspace):  # no index is made for nothing
        return
    library, least = open_library(project), project.settings["learning"]
    with library.at_once(as_is):
        cards = library.list(Query(limit=EVERYTHING, now=project.caller.now)).cards
        durable = {card.id for card in proposed(cards, library.settings["durable_evidence"])}
        conflicts = [card for card in cards if CONFLICT in card.tags]
        against = "".join(library.show(card.path, count=False).entry.body for card in conflicts)
        wishes = {card.id for card in cards if card.type == WISH and not card.flags and _is_proved(card, least)}
        asked = [card for card in cards if card.id in wishes | durable]
        heard = read_own_evidence(project.workspace.shared) if asked else {}
        for card in asked:
            if CONFLICT in card.tags or card.id in against:
                continue
            entry = library.show(card.path, count=False).entry
            if entry.evidence and max(entry.evidence, key=lambda each: each.at).how == CONTRADICTED:
                continue
            own = heard.get(card.id, NO_EVIDENCE)
            own = own if own.is_of(entry) else NO_EVIDENCE
            claimed, times = _of_memory(entry), sum(own.said.values())
            one = claimed.replace(conversations=tuple(each for each in claimed.conversations if each in own.said))
            is_wish = card.id in wishes
            if is_wish and times >= least["rule_evidence"] and len(one.conversations) >= least["rule_conversations"]:
                yield one.replace(evidence=times)
            elif card.id in durable and own.times >= library.settings["durable_evidence"]:
                yield one.replace(evidence=own.times, kind=DURABLE)
            elif card.id in durable or len(claimed.conversations) >= least["rule_conversations"]:
                yield claimed.replace(origin=f"the team memory by {card.author}" if card.author else BY_HAND)


def _is_proved(card: Card, least: Mapping[str, Any]) -> bool:
    return bool(card.evidence >= least["rule_evidence"] and card.confidence > least["rule_confidence"])


def _of_memory(entry: MemoryEntry) -> RuleProposal:
    said = [each for each in entry.evidence if each.conversation and each.how != CONTRADICTED]
    said.sort(key=lambda each: each.at, reverse=True)
    return RuleProposal(
        id=entry.id,
        kind=RULE,
        sentence=as_rule(wording(entry)),
        confidence=entry.confidence,
        evidence=entry.evidence_count,
        conversations=tuple(dict.fromkeys(each.conversation for each in said)),
        refs=tuple(f"{each.conversation}/{each.message}".rstrip("/") for each in said),
        paths=entry.paths,
        practices=practices_of(entry.type, entry.title),
        quotes=tuple(quotes_of(entry)),
    )


def _of_knowledge(project: Project) -> Iterator[RuleProposal]:
    least, shared = project.settings["learning"], project.workspace.shared
    heard: OwnKnowledge | None = None
    for entries in read_stores(project.workspace)[0].values():
        for entry in entries:
            said = [each for each in entry.evidence if each.effect not in (WEAKEN, CONTRADICT)]
            is_proved = entry.confidence > least["rule_confidence"] and len(said) >= least["rule_evidence"]
            if entry.status != ACTIVE or not is_proved or max(entry.evidence, key=lambda each: each.at) not in said:
                continue
            sentence = one_line(entry.text)
            if entry.kind == ANTI_PATTERN and entry.guidance:
                sentence = one_line(f"{entry.guidance[0]} Not: {entry.text}")
            if flags_of(sentence):
                continue
            heard = heard or read_own_knowledge(shared)
            own = [each for each in said if heard.holds(entry, each)]
            counted = own if len(own) >= least["rule_evidence"] else said
            sources = tuple(dict.fromkeys(each.source for each in reversed(counted)))
            yield RuleProposal(
                id=entry.id,
                kind=RULE,
                sentence=sentence,
                confidence=entry.confidence,
                evidence=len(counted),
                conversations=tuple(each for each in sources if each.startswith(OF_CONVERSATION)),
                stories=tuple(each for each in sources if not each.startswith(OF_CONVERSATION)),
                refs=tuple(f"{each.source}/{each.observation}" for each in counted),
                quotes=tuple(_quotes(project, entry.id, counted)),
                origin="" if counted is own else IN_GIT,
            )


def _quotes(project: Project, id: str, evidence: Sequence[KnowledgeEvidence]) -> Iterator[str]:
    """What was observed, as far as it can be read and handed on."""
    for step in explain_entry(project, id).steps:
        piece = step.evidence
        if step.text and piece in evidence:
            yield f"{step.text} ({', '.join(filter(None, (piece.agent, piece.source, piece.at[:10])))})"


def _called_by(sentence: str, domains: Sequence[RuleDomain]) -> str:
    called = [one for one in domains if one.kind == "keyword" and not one.domain.on_demand]
    keywords = []
    for place, one in enumerate(called):
        for role, word in keywords_of(one.domain):
            if role in (RECALL, EXCLUDE):
                keywords.append((place, role, word, "words"))
    found, excluded = find_matches(build_index(keywords), sentence)
    best = max(found.keys() - excluded.keys(), key=lambda place: len(found[place]), default=None)
    return "" if best is None else called[best].domain.name


def offer_rule(workspace: Workspace, conversation: str, now: float) -> None:
    """Offer the best rule that was said last in this conversation, each once; long ones and commands wait for ``limpet
    review``."""
    shown = (read_text(os.path.join(workspace.data, OFFERED)) or "").split()
    for one in list_proposals(open_as(workspace, Caller(reader=WHOLE_STORE, now=now)), as_is=True):
        always = ", which comes with every prompt" if one.comes_with == ALWAYS else ""
        says = f'Said {one.evidence} times: make it a rule of {one.domain}{always}? "{one.sentence}"'
        is_here = one.kind == RULE and one.conversations[:1] == (conversation,) and one.id not in shown
        if not is_here or one.check or len(says) > LONGEST or without_secrets(workspace, says) != says:
            continue
        act = digest(f"{workspace.home}\n{says}", 16)
        orders = f"{one.id} {one.domain} {one.sentence}"
        with suppress(OSError):
            forget_ended(now)
            make_key()
            write_approval(conversation, Approval(act, says, (), now + HOUR, orders=orders))
        return


def count_rules(workspace: Workspace, now: float) -> int:
    """0 where that cannot be read."""
    try:
        found = list_proposals(open_as(workspace, Caller(reader=WHOLE_STORE, now=now)), as_is=True)
    except LimpetError:
        return 0
    return sum(one.kind == RULE for one in found)
