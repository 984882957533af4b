"""Finds deeds in what is recorded anyway, the event log and a conversation's transcript, and observes each once.

It runs where a second process reads the conversation, and when a story or a step is done; never in the prompt's time.
A deed belongs to the story that was in progress then, whoever worked, else to its conversation.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain
from typing import Any

from limpet.ground.clock import iso, seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import event_data, read_events
from limpet.ground.message import Message
from limpet.ground.recording import record
from limpet.ground.safety.instructions import flags_of
from limpet.ground.storage.files import Lock
from limpet.ground.values import Value
from limpet.learning.model import Observation
from limpet.learning.observations import (
    BROKEN,
    CORRECTED,
    DEVIATED,
    MENDED,
    OF_CONVERSATION,
    REFUSED,
    ObservedDeed,
    observation_of,
    source_of,
)
from limpet.learning.store import observations_of, write_observation
from limpet.memory.capture.heard import paths_in
from limpet.memory.capture.outcomes import Mend, read_mends
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.files.evidence import ADDED, STRENGTHENED
from limpet.memory.model.entry import UNREVIEWED, Query
from limpet.operations.learning.consolidate import OBSERVED
from limpet.operations.learning.observe import cap_of, observed_without_secrets
from limpet.operations.memory.conversations.conversation import Conversation, is_kept_out, read_conversation
from limpet.operations.memory.library import open_library
from limpet.operations.project import Project
from limpet.operations.rules.checks import BROKEN as BROKEN_EVENT
from limpet.operations.rules.checks import KEPT, CheckedTurn, written_files
from limpet.rules.naming import read_catalogue
from limpet.transcripts.registry import transcript_of
from limpet.work.conversation import has_mark
from limpet.work.pipeline.deviation import OFF_TOPIC
from limpet.work.pipeline.gate import GATE_REFUSED
from limpet.work.stories.store import CHANGED, DONE, IN_PROGRESS, read_story

LOG = "deeds"
# Kinds of deviation that are about the way of working, and the end of a title that goes on in the memory's body.
OF_THE_PLAN, CUT = ("scope_change", "order_change"), " ..."
# Of a source's observations, those that deeds may make: the others are left to whoever works, whose words say more.
SHARE = 2 / 3
# Seconds to wait for another process that observes.
PATIENCE = 15.0

Event = dict[str, Any]


class Sign(Value):
    """What the events of a kind say of deeds of the kind ``deed``: that these ``went_wrong``, or were put right;
    ``keys`` returns of an event's data which."""

    deed: str
    went_wrong: bool
    keys: Callable[[dict[str, Any]], Iterable[object]]


class Period(Value):
    """When a story was in progress: ISO 8601, ``end`` "" for one that still is."""

    story: str
    begun: str
    end: str = ""


class Episode(Value):
    """Something that went wrong in a story or a conversation, once or more often, until it was put right; ``key``: of
    the gate, the rule, the deviation."""

    source: str
    kind: str
    key: str
    events: tuple[Event, ...] = ()
    is_resolved: bool = False


def observe_here(project: Project) -> int:
    """Return the number of new observations. What cannot be read or written costs them only."""
    caller, state, root = project.caller, project.conversation, project.workspace.root
    host, path = str(state.get("host") or ""), str(state.get("transcript") or "")
    here = Conversation(caller.conversation, caller.now, host, path, caller.reader.agent)
    reader = transcript_of(host) if path and not is_kept_out(here.session, host, path) else None
    with suppress(LimpetError, OSError):
        return observe_deeds(project, read_conversation(here, root, reader.epoch_start(path))[0] if reader else ())
    return 0


def observe_deeds(project: Project, messages: Sequence[Message] = (), ended: bool = False) -> int:
    """Return the number of new observations. ``messages`` hold no secrets. ``ended``: what is still open then, such as
    a rule that was broken and not kept since, is observed as that. Of a private conversation nothing is. What is most
    important comes first, as far as the source's share goes; an observation that is there never gives way, since an
    entry may have it as evidence."""
    workspace, cap, count = project.workspace, cap_of(project), 0
    if not project.settings["learning"]["observe"] or has_mark(project.caller.conversation):
        return 0
    with Lock(os.path.join(workspace.shared, "locks", "deeds.lock"), PATIENCE) as held:
        new = _new_observations(project, messages, ended) if held else {}
        present = {one.source: list(observations_of(workspace, one.source)[0]) for one in new.values()}
        for ref, one in sorted(new.items(), key=lambda pair: -pair[1].importance):
            there = present[one.source]
            # It is there already where a process was killed before it recorded that.
            kept = next((each for each in there if (each.at, each.text) == (one.at, one.text)), None)
            if kept is None and len(there) >= cap * SHARE:
                continue
            if kept is None:
                kept = write_observation(workspace, one, cap)
                there.append(kept)
                count += 1
            record(workspace, project.actor, OBSERVED, {"deed": ref, "source": one.source, "observation": kept.id}, LOG)
    return count


class Records:
    """What is recorded of the deeds of a conversation and of its project's stories."""

    def __init__(self, project: Project, messages: Sequence[Message], ended: bool) -> None:
        self.project, self.messages, self.ended = project, messages, ended
        self.own = project.caller.conversation
        # The log may be large: it is read once, for all that is looked for.
        self.events = list(read_events(project.workspace.shared, (*_SIGNS, ADDED, STRENGTHENED)))
        self.periods = list(_periods(self.events))
        sessions = {_session(event) for event in self.events}
        self.private = {session for session in sessions if session and has_mark(session)}

    def deeds(self) -> Iterator[tuple[str, ObservedDeed]]:
        """Yield each deed with its source, but for those whose outcome is still open."""
        for mend in read_mends(self.messages):
            at = iso(mend.passed.at or self.project.caller.now)
            if source := self._source_of(at, self.own):
                yield source, self._mended(mend, at)
        for episode in self._episodes():
            yield episode.source, self._told(episode)
        yield from self._corrected()

    def _mended(self, mend: Mend, at: str) -> ObservedDeed:
        failed, passed = mend.failure, mend.passed
        return ObservedDeed(
            kind=MENDED,
            ref=passed.id or f"{self.own}:{passed.offset}",
            at=at,
            agent=self.project.caller.reader.agent,
            what=failed.command,
            details=tuple(dict.fromkeys((failed.first, failed.error))),
            times=failed.times,
            files=tuple(path for path in failed.edited if not os.path.isabs(path)),
            words=mend.reason,
            tags=tuple(failed.command.split()[:1]),
        )

    def _told(self, episode: Episode) -> ObservedDeed:
        kind, key, first = episode.kind, episode.key, episode.events[0]
        bad = [event_data(event) for event in episode.events]
        deed = ObservedDeed(
            kind=kind,
            ref=f"{kind} {key} {episode.source}",
            at=_time(first),
            agent=str(first.get("agent") or ""),
            what="",
            times=len(bad),
            resolved=episode.is_resolved,
        )
        if kind == DEVIATED:
            type = str(bad[0].get("type"))
            tags = (type.replace("_", "-"), *(("planning",) if type in OF_THE_PLAN else ()))
            return deed.replace(what=str(bad[0].get("reason") or ""), tags=tags)
        return self._told_broken(deed, key, bad) if kind == BROKEN else self._told_refused(deed, key, bad)

    def _told_broken(self, deed: ObservedDeed, key: str, bad: Sequence[dict[str, Any]]) -> ObservedDeed:
        rule, domain = self._rules.get(key, ("", ""))
        found = (one["rules"].get(key) or () for one in bad if isinstance(one["rules"], dict))
        places = dict.fromkeys(map(str, chain.from_iterable(found)))
        named = domain.lower().replace("_", "-")
        return deed.replace(what=rule, details=tuple(places), files=paths_in(" ".join(places)), tags=(named,))

    def _told_refused(self, deed: ObservedDeed, key: str, bad: Sequence[dict[str, Any]]) -> ObservedDeed:
        story = read_story(self.project.workspace, key)
        reasons = dict.fromkeys(map(str, chain.from_iterable(one.get("reasons") or () for one in bad)))
        names = (reason.split()[1] for reason in reasons if reason.startswith("check "))
        what = f'Story {key} "{story.title}"' if story else f"The step of {key}"
        files = self._files_since(deed.at) if deed.resolved else ()
        return deed.replace(what=what, details=tuple(reasons), files=files, tags=("gate", *dict.fromkeys(names)))

    def _corrected(self) -> Iterator[tuple[str, ObservedDeed]]:
        written = {}
        for source, event in self._events(ADDED, STRENGTHENED):
            written[source, str(event_data(event).get("memory"))] = _time(event)
        if not written:
            return
        library = open_library(self.project)
        query = Query(type="user_correction", limit=EVERYTHING, now=library.clock.now())
        cards = library.list(query).cards
        known = {card.id for card in cards if not (card.flags or UNREVIEWED in card.tags)}
        for (source, memory), at in written.items():
            if memory in known:
                one = library.show(memory, count=False).entry
                ref, what = f"{memory} {source}", one.title
                if what.endswith(CUT):
                    what = what.removesuffix(CUT) + one.body.partition("\n")[0][len(CUT) - 1 :]
                yield source, ObservedDeed(CORRECTED, ref, at, "", what, files=one.paths, tags=one.tags)

    def _episodes(self) -> Iterator[Episode]:
        waiting: dict[Episode, list[Event]] = {}
        for source, event in self._events(*_SIGNS):
            sign = _SIGNS[event["kind"]]
            for key in map(str, sign.keys(event_data(event))):
                if sign.went_wrong:
                    waiting.setdefault(Episode(source, sign.deed, key), []).append(event)
                    continue
                for episode in [one for one in waiting if (one.kind, one.key) == (sign.deed, key)]:
                    yield episode.replace(events=tuple(waiting.pop(episode)), is_resolved=True)
        under_way = {period.story for period in self.periods if not period.end}
        for episode, bad in waiting.items():
            if self.ended if episode.source.startswith(OF_CONVERSATION) else episode.source not in under_way:
                yield episode.replace(events=tuple(bad))

    def _events(self, *kinds: str) -> list[tuple[str, Event]]:
        """In the order of time, each with its source; without those of private and of other conversations."""
        stories = {period.story for period in self.periods}
        placed = []
        for event in self.events:
            session = _session(event)
            if event["kind"] not in kinds or session in self.private:
                continue
            data = event_data(event)
            name = data.get("gate") or data.get("story")
            if source := name if name in stories else self._source_of(_time(event), session):
                placed.append((source, event))
        return sorted(placed, key=lambda pair: _time(pair[1]))

    def _source_of(self, at: str, session: str) -> str:
        """The story in progress, the last begun of several, else the caller's conversation; "" where it is another."""
        within = [one for one in self.periods if one.begun <= at and (not one.end or at <= one.end)]
        if within:
            return max(within, key=lambda one: (one.begun, one.story)).story
        return source_of(conversation=session) if session and session == self.own else ""

    def _files_since(self, at: str) -> tuple[str, ...]:
        state = self.project.conversation
        host, transcript = str(state.get("host") or ""), str(state.get("transcript") or "")
        turn = CheckedTurn(seconds_of(at), self.project.caller.now, host, self.own, transcript, 0, "", ())
        return written_files(self.project.workspace, turn)

    @cached_property
    def _rules(self) -> dict[str, tuple[str, str]]:
        rules = {}
        for entry in read_catalogue(self.project.workspace):
            for key, text in entry.lines:
                rules[key] = text, entry.domain.name
        return rules


def _new_observations(project: Project, messages: Sequence[Message], ended: bool) -> dict[str, Observation]:
    known = {str(event_data(event).get("deed")) for event in read_events(project.workspace.shared, OBSERVED, LOG)}
    new = {}
    for source, deed in Records(project, messages, ended).deeds():
        one = observation_of(deed, source) if deed.ref not in known else None
        if one and not flags_of(one.text):
            new[deed.ref] = observed_without_secrets(project, one)
    return new


def _periods(events: Iterable[Event]) -> Iterator[Period]:
    begun: dict[str, str] = {}
    for event in sorted((one for one in events if one["kind"] == CHANGED), key=_time):
        data, at = event_data(event), _time(event)
        story, status = str(data.get("story")), data.get("status")
        if status == IN_PROGRESS:
            begun.setdefault(story, at)
        elif status and story in begun:
            yield Period(story, begun.pop(story), at)
    for story, at in begun.items():
        yield Period(story, at)


def _time(event: Event) -> str:
    return str(event.get("time") or "")


def _session(event: Event) -> str:
    return str(event.get("session") or "")


def _story(data: dict[str, Any]) -> tuple[object, ...]:
    return (data.get("story"),) if data.get("status") == DONE and not data.get("anyway") else ()


def _rules(data: dict[str, Any]) -> tuple[object, ...]:
    found = data.get("rules")
    return tuple(found) if isinstance(found, (dict, list)) else ()


def _deviation(data: dict[str, Any]) -> tuple[object, ...]:
    return () if data.get("type") == OFF_TOPIC else (data.get("id"),)


# By the kind of an event.
_SIGNS = {
    GATE_REFUSED: Sign(REFUSED, True, lambda data: (data.get("gate"),)),
    "work.advanced": Sign(REFUSED, False, lambda data: (data.get("agent"),)),
    CHANGED: Sign(REFUSED, False, _story),
    BROKEN_EVENT: Sign(BROKEN, True, _rules),
    KEPT: Sign(BROKEN, False, _rules),
    "work.deviated": Sign(DEVIATED, True, _deviation),
    "work.resolved": Sign(DEVIATED, False, lambda data: (data.get("id"),)),
}
