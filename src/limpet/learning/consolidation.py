"""What observations make of the stores (Shaktra Intelligence System, "SYNTHESIZE"), as a program: the same for the same
files, and nothing the second time. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.values import Value
from limpet.learning.briefing import KINDS_OF_WORK
from limpet.learning.matching import (
    CLOSE,
    GUIDANCE,
    ROLES,
    TEXT,
    TextIndex,
    Waiting,
    evidence_of,
    kind_of,
    make_entry,
    sign_words,
    worst,
)
from limpet.learning.model import (
    ACTIVE,
    ALIVE,
    ANTI_PATTERN,
    ARCHIVED,
    CHECK,
    CREATE,
    KINDS,
    PRINCIPLE,
    PROCEDURE,
    REINFORCE,
    RULED,
    SUPERSEDED,
    KnowledgeEntry,
    KnowledgeEvidence,
    Observation,
    Stores,
    confidence_of,
    moved,
    once,
)
from limpet.learning.observations import ref_of
from limpet.learning.stores import entry_id_of, next_number, number_of

STRONG = 7
"""Importance from which an observation alone makes a principle."""

WAITING = 500
"""Observations of the way of working among which those that make a procedure are looked for, the newest."""

_CAPS = {PRINCIPLE: "max_principles", ANTI_PATTERN: "max_anti_patterns", PROCEDURE: "max_procedures"}
# What is asked of whoever made an entry without it, and how it is said.
_OPTIONS = {
    "failure_mode": '--failure-mode "how it fails"',
    "recommended_approach": '--guidance "what to do instead"',
    "roles": f"--role {'|'.join(ROLES)}",
    "applies_to": f"--applies-to {'|'.join(KINDS_OF_WORK)}",
}
_VERBS = {CREATE: "created from", REINFORCE: "reinforced by"}


class EntryChange(Value):
    """What a run did to an entry. ``before``, ``after``: its confidence, None for a new one. ``what``: what happened,
    in words, with the observations that made it so; ``because``: these alone. ``unites``: it stands for several texts
    now and has the words of one, which is for whoever reads to mend; ``lacks``: what nobody said of a new one."""

    id: str
    before: float | None
    after: float
    what: str
    because: tuple[str, ...] = ()
    unites: bool = False
    lacks: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.id}  {'new' if self.before is None else self.before} -> {self.after}  {self.what}"

    @property
    def lines(self) -> tuple[str, ...]:
        if not (self.unites or self.lacks):
            return (str(self),)
        lacks = f"lacks {' and '.join(self.lacks)}: say what you know"
        why = "unites several: say it in one sentence" if self.unites else lacks
        words = (self.id, *(['"..."'] if self.unites else []), *map(_OPTIONS.__getitem__, self.lacks))
        return str(self), f"  It {why}: limpet learn reword {' '.join(words)}"


class ConsolidationOutcome(Value):
    """``mistakes``: a line for each in the files."""

    stores: Stores
    changes: tuple[EntryChange, ...]
    mistakes: tuple[str, ...] = ()


def consolidate(
    stores: Stores, observations: Iterable[Observation], settings: Mapping[str, Any], now: float
) -> ConsolidationOutcome:
    """``observations``: those of each source together, the sources in their order; walked twice where something new was
    made, since earlier observations may speak for it. ``settings``: the section ``learning``."""
    run = _Run(stores, settings, now)
    run.walk(observations)
    if any(live.before is None for live in run.lives.values()):
        run.walk(observations)
    return run.outcome(stores)


class _Live:
    def __init__(self, entry: KnowledgeEntry, before: float | None) -> None:
        self.entry = entry
        self.before = before
        self.signature = sign_words(entry.text, entry.guidance, (*entry.categories, *entry.tags))
        self.confidence = Decimal(str(entry.confidence))
        self.said = set(map(once, entry.evidence))
        self.new: list[KnowledgeEvidence] = []
        self.told: dict[str, list[str]] = {}
        self.unites = False

    @property
    def evidence(self) -> tuple[KnowledgeEvidence, ...]:
        return (*self.entry.evidence, *self.new)

    def tell(self, what: str, *refs: str) -> None:
        self.told.setdefault(what, []).extend(refs)

    def story(self) -> tuple[str, tuple[str, ...]]:
        happened, because = [], []
        for verb, refs in self.told.items():
            happened.append(f"{verb} {', '.join(refs)}".strip())
            because += [ref.partition(" ")[0] for ref in refs]
        return "; ".join(happened), tuple(because)

    def change(self, **fields: Any) -> None:
        self.entry = self.entry.replace(**fields)


class _Run:
    def __init__(self, stores: Stores, settings: Mapping[str, Any], now: float) -> None:
        self.settings = settings
        self.today = iso(now)
        self.lives: dict[str, _Live] = {}
        self.aliases: dict[str, str] = {}
        self.active = {kind: TextIndex() for kind in KINDS}
        self.free = {kind: next_number(stores[kind]) for kind in KINDS}
        self.seen: dict[tuple[str, str], set[str]] = {}
        self.fresh: list[_Live] = []
        for kind in KINDS:
            for entry in stores[kind]:
                self._add(entry, entry.confidence)
        self._settle()

    def walk(self, observations: Iterable[Observation]) -> None:
        """Put the stores in order after each source."""
        failures, ways = Waiting(self.settings["anti_pattern_within"]), Waiting(WAITING)
        waiting = {ANTI_PATTERN: failures, PROCEDURE: ways}
        for failures.place, (_, group) in enumerate(groupby(observations, key=lambda each: each.source)):
            for each in group:
                kind = kind_of(each)
                ways.place += kind == PROCEDURE
                if not self._is_seen(each):
                    self._take(each, kind, waiting)
            self._settle()

    def outcome(self, stores: Stores) -> ConsolidationOutcome:
        made = {id: self._finish(live) for id, live in self.lives.items()}
        changes = []
        for id, live in self.lives.items():
            if live.told:
                lacks = tuple(_lacking(made[id])) if live.before is None else ()
                changes.append(EntryChange(id, live.before, made[id].confidence, *live.story(), live.unites, lacks))
        changes.sort(key=lambda change: (KINDS.index(made[change.id].kind), number_of(change.id)))
        found = {**stores}
        for kind in KINDS:
            found[kind] = tuple(entry for entry in made.values() if entry.kind == kind)
        return ConsolidationOutcome(found, tuple(changes))

    def _is_seen(self, observation: Observation) -> bool:
        """It is evidence already; two branches may have given one id to two, at different times."""
        times = self.seen.get((observation.source, observation.id))
        return times is not None and (not observation.at or not times.isdisjoint((observation.at, "")))

    def _take(self, observation: Observation, kind: str, waiting: Mapping[str, Waiting]) -> None:
        if observation.type == CHECK:
            named = self._find(observation.principle_id)
            if named:
                self._count(named, observation, observation.relationship)
            return
        if not kind:
            return
        signature = sign_words(observation.text, observation.guidance, observation.tags)
        alike = self.settings["match"], self.settings["merge"]
        matched = self.active[kind].matches(signature, *alike)
        if matched:
            self._count(self.lives[matched[0]], observation, REINFORCE)
        elif kind == PRINCIPLE:
            if observation.importance >= STRONG:
                self._create(kind, (observation,))
        else:
            others = waiting[kind].alike(signature, *alike)
            group = (*others.values(), observation)
            is_failure = kind == ANTI_PATTERN
            found = len(group) if is_failure else len({each.source for each in group})
            if found >= self.settings["anti_pattern_failures" if is_failure else "procedure_sources"]:
                waiting[kind].drop(others)
                self._create(kind, group)
            else:
                waiting[kind].add(observation, signature)

    def _find(self, id: str) -> _Live | None:
        live = self.lives.get(id)
        return live if live and live.entry.status != SUPERSEDED else self.lives.get(self.aliases.get(id, ""), live)

    def _count(self, live: _Live, observation: Observation, effect: str) -> None:
        piece = evidence_of(observation, effect)
        live.new.append(piece)
        self._see(piece)
        if once(piece) in live.said:
            live.tell(f"{'confirm' if effect == REINFORCE else effect}ed again by", _named(observation))
            return
        live.said.add(once(piece))
        live.tell(_VERBS.get(effect, f"{effect}ed by"), _named(observation))
        live.confidence = moved(live.confidence, effect, self.settings)
        if effect == REINFORCE:
            last = max(live.entry.last_reinforced, observation.at or self.today)
            severity = worst(live.entry.severity, observation.severity) if live.entry.kind == ANTI_PATTERN else ""
            live.change(source_count=live.entry.source_count + 1, last_reinforced=last, severity=severity)

    def _create(self, kind: str, group: Sequence[Observation]) -> None:
        id, start = entry_id_of(kind, self.free[kind]), self.settings["confidence_start"]
        entry = make_entry(id, kind, group, start, self.today)
        self.free[kind] += 1
        live = self._add(entry, None)
        live.tell(_VERBS[CREATE], *map(_named, group))
        live.unites = len({each.text for each in group}) > 1

    def _add(self, entry: KnowledgeEntry, before: float | None) -> _Live:
        live = self.lives[entry.id] = _Live(entry, before)
        for piece in entry.evidence:
            self._see(piece)
        if entry.status != SUPERSEDED:
            self.aliases.update(dict.fromkeys(entry.aliases, entry.id))
        if entry.status in ALIVE:
            self.active[entry.kind].add(entry.id, live.signature)
            self.fresh.append(live)
        return live

    def _see(self, piece: KnowledgeEvidence) -> None:
        self.seen.setdefault((piece.source, piece.observation), set()).add(piece.at)

    def _settle(self) -> None:
        """Merge what is new with what says the same, and archive what is beyond the caps."""
        fresh, self.fresh = self.fresh, []
        for live in fresh:
            for key in self._same(live):
                self._merge(live, self.lives[key])
        for kind in {live.entry.kind for live in fresh}:
            index, cap = self.active[kind], self.settings[_CAPS[kind]]
            if len(index.signatures) > cap:
                lives = (self.lives[key] for key in index.signatures)
                ranked = sorted(lives, key=lambda live: (live.confidence, live.entry.created, number_of(live.entry.id)))
                for live in ranked[: len(ranked) - cap]:
                    index.remove(live.entry.id)
                    live.change(status=ARCHIVED)
                    live.tell(f"archived (more than {cap} active)")

    def _same(self, live: _Live) -> list[str]:
        index, part = self.active[live.entry.kind], GUIDANCE if live.entry.guidance else TEXT
        if live.entry.id not in index.signatures:
            return []
        alike = index.alike(live.signature, part)
        keys = (key for key, likeness in alike.items() if likeness > self.settings["merge"] + CLOSE)
        same = (key for key in keys if part == GUIDANCE or not self.lives[key].entry.guidance)
        return sorted((key for key in same if key != live.entry.id), key=number_of)

    def _merge(self, *two: _Live) -> None:
        """Have the entry of lower confidence, or the later one, superseded by the other, which gets its evidence."""
        gone, kept = sorted(two, key=lambda live: (live.confidence, -number_of(live.entry.id)))
        if gone.entry.status not in ALIVE or kept.entry.status not in ALIVE:
            return
        aliases = dict.fromkeys((*kept.entry.aliases, gone.entry.id, *gone.entry.aliases))
        known = set(kept.evidence)
        kept.new += [piece for piece in gone.evidence if piece not in known]
        kept.said |= gone.said
        kept.change(
            source_count=kept.entry.source_count + gone.entry.source_count,
            last_reinforced=max(kept.entry.last_reinforced, gone.entry.last_reinforced),
            severity=worst(kept.entry.severity, gone.entry.severity),
            status=kept.entry.status if gone.entry.status == ACTIVE else RULED,
            supersedes=gone.entry.id,
            aliases=tuple(aliases),
        )
        kept.confidence = confidence_of(kept.entry.start, kept.evidence, self.settings)
        kept.tell(f"merged with {gone.entry.id}")
        kept.unites = kept.unites or gone.entry.text != kept.entry.text
        self.aliases.update(dict.fromkeys(aliases, kept.entry.id))
        self.active[gone.entry.kind].remove(gone.entry.id)
        gone.change(status=SUPERSEDED)
        gone.tell(f"merged into {kept.entry.id}")

    def _finish(self, live: _Live) -> KnowledgeEntry:
        evidence, confidence, status = live.evidence, live.entry.confidence, live.entry.status
        if evidence:
            confidence = float(confidence_of(live.entry.start, evidence, self.settings))
            if confidence != live.before and not live.told:
                live.tell("recomputed from its evidence")
        least = self.settings["confidence_archive"]
        if status == ACTIVE and confidence < least:
            status = ARCHIVED
            live.tell(f"archived (below {least})")
        return live.entry.replace(evidence=evidence, confidence=confidence, status=status)


def _lacking(entry: KnowledgeEntry) -> Iterator[str]:
    if entry.kind == PROCEDURE and not entry.applies_to:
        yield "applies_to"
    if entry.kind == ANTI_PATTERN:
        said = {"failure_mode": entry.failure_mode, "recommended_approach": entry.guidance, "roles": entry.roles}
        yield from (name for name, value in said.items() if not value)


def _named(observation: Observation) -> str:
    ref = ref_of(observation.source, observation.id)
    return f"{ref} ({observation.agent})" if observation.agent else ref
