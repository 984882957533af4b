"""Finds deeds in what is recorded anyway, the event log and a conversation's transcript, and observes each once.

It runs where a second process reads the conversation, and when a story or a step is done; never in the prompt's time.
A deed belongs to the story that was in progress then, whoever worked, else to its conversation.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from limpet.ground.clock import iso, seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.event_log.read import event_data, read_events
from limpet.ground.event_log.record import record
from limpet.ground.safety.instructions import flags_of
from limpet.ground.storage.files import Lock
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
from limpet.learning.store import observations_of
from limpet.learning.store import write_observation as append
from limpet.memory.capture.heard import paths_in
from limpet.memory.capture.outcomes import Mend, read_mends
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.files.store import ADDED, STRENGTHENED
from limpet.memory.model.entry import Query
from limpet.operations.learning.observe import cap_of, observed_without_secrets
from limpet.operations.memory.conversations.conversation import Conversation, is_kept_out, read_conversation
from limpet.operations.memory.library import open_library
from limpet.operations.project import Project
from limpet.operations.rules.checks import BROKEN as BROKEN_EVENT
from limpet.operations.rules.checks import KEPT, CheckedTurn, written_files
from limpet.operations.work.gate.checks import REFUSED as REFUSED_EVENT
from limpet.rules.naming import read_catalogue
from limpet.transcripts.messages import Message
from limpet.transcripts.registry import transcript_of
from limpet.work.conversation import has_mark
from limpet.work.pipeline.deviation import OFF_TOPIC
from limpet.work.stories.store import CHANGED, DONE, IN_PROGRESS, read_story

OBSERVED, LOG = "learning.observed", "deeds"
# Kinds of deviation that are about the way of working, and the end of a title that goes on in the memory's body.
OF_THE_PLAN, CUT = ("scope_change", "order_change"), " ..."
# Of a source's observations, those that deeds may make: the others are left to whoever works, whose words say more.
SHARE = 2 / 3
# Seconds to wait for another process that observes.
PATIENCE = 15.0

Event = dict[str, Any]


def observe_here(project: Project) -> int:
    """Observe what was done in the caller's conversation since its newest compaction, and in stories that are done;
    return the number of new observations. What cannot be read or written costs them only."""
    caller, state, root = project.caller, project.conversation, project.workspace.root
    host, path = str(state.get("host") or ""), str(state.get("transcript") or "")
    here = Conversation(caller.conversation, caller.now, host, path, caller.reader.agent)
    reader = transcript_of(host) if path and not is_kept_out(here.session, host, path) else None
    with suppress(LimpetError, OSError):
        return observe_deeds(project, read_conversation(here, root, reader.epoch_start(path))[0] if reader else ())
    return 0


def observe_deeds(project: Project, messages: Sequence[Message] = (), ended: bool = False) -> int:
    """Observe what was done in the caller's conversation and in the project's stories; return the number of new
    observations.

    ``messages``: of the conversation, without secrets. ``ended``: whether it is over: what is still open in it then,
    such as a rule that was broken and not kept since, is observed as that. Of a private conversation nothing is.

    What is most important comes first, as far as the source's share goes; an observation that is there never gives way,
    since an entry may have it as evidence.
    """
    workspace, cap, count = project.workspace, cap_of(project), 0
    if not project.settings["learning"]["observe"] or has_mark(project.caller.conversation):
        return 0
    with Lock(os.path.join(workspace.shared, "cache", "locks", "deeds.lock"), PATIENCE) as held:
        known = {str(event_data(event).get("deed")) for event in read_events(workspace.shared, OBSERVED, LOG)}
        found = Records(project, messages, ended).deeds() if held else ()
        new = {deed.ref: observation_of(deed, source) for source, deed in found if deed.ref not in known}
        made = [
            (ref, observed_without_secrets(project, one)) for ref, one in new.items() if one and not flags_of(one.text)
        ]
        present = {one.source: list(observations_of(workspace, one.source)[0]) for _, one in made}
        for ref, one in sorted(made, key=lambda pair: -pair[1].importance):
            there = present[one.source]
            # It is there already where a process was killed before it recorded that.
            kept = next((each for each in there if (each.at, each.text) == (one.at, one.text)), None)
            if kept is None and len(there) >= cap * SHARE:
                continue
            if kept is None:
                kept = append(workspace, one, cap)
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
        self.events = list(read_events(project.workspace.shared, (*_ABOUT, ADDED, STRENGTHENED)))
        self.periods = list(_periods(self.events))

    def deeds(self) -> Iterator[tuple[str, ObservedDeed]]:
        """Yield each deed with its source, but for those whose outcome is still open."""
        for mend in read_mends(self.messages):
            at = iso(mend.passed.at or self.project.caller.now)
            if source := self._source_of(at, self.own):
                yield source, self._mended(mend, at)
        for source, kind, key, bad, is_resolved in self._episodes():
            time, agent = _time(bad[0]), str(bad[0].get("agent") or "")
            deed = ObservedDeed(
                kind, f"{kind} {key} {source}", time, agent, what="", times=len(bad), resolved=is_resolved
            )
            yield source, self._told(deed, key, [event_data(event) for event in bad])
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

    def _told(self, deed: ObservedDeed, key: str, bad: Sequence[dict[str, Any]]) -> ObservedDeed:
        if deed.kind == DEVIATED:
            kind = str(bad[0].get("type"))
            tags = (kind.replace("_", "-"), *(("planning",) if kind in OF_THE_PLAN else ()))
            return deed.replace(what=str(bad[0].get("reason") or ""), tags=tags)
        if deed.kind == BROKEN:
            rule, domain = self._rules.get(key, ("", ""))
            found = (one["rules"].get(key) for one in bad if isinstance(one["rules"], dict))
            places = tuple(dict.fromkeys(str(place) for each in found for place in each or ()))
            named = domain.lower().replace("_", "-")
            return deed.replace(what=rule, details=places, files=paths_in(" ".join(places)), tags=(named,))
        story = read_story(self.project.workspace, key)
        reasons = dict.fromkeys(str(reason) for one in bad for reason in one.get("reasons") or ())
        names = (reason.split()[1] for reason in reasons if reason.startswith("check "))
        what = f'Story {key} "{story.title}"' if story else f"The step of {key}"
        files = self._files_since(deed.at) if deed.resolved else ()
        return deed.replace(what=what, details=tuple(reasons), files=files, tags=("gate", *dict.fromkeys(names)))

    def _corrected(self) -> Iterator[tuple[str, ObservedDeed]]:
        written = {
            (source, str(event_data(event).get("memory"))): _time(event)
            for source, event in self._events(ADDED, STRENGTHENED)
        }
        if not written:
            return
        library = open_library(self.project)
        query = Query(type="user_correction", limit=EVERYTHING, now=library.clock.now())
        known = {card.id for card in library.list(query).cards if not card.flags}
        for (source, memory), at in written.items():
            if memory in known:
                one = library.show(memory, count=False).entry
                ref, rest = f"{memory} {source}", one.body.partition("\n")[0]
                said = one.title.removesuffix(CUT) + rest[len(CUT) - 1 :] if one.title.endswith(CUT) else one.title
                yield source, ObservedDeed(CORRECTED, ref, at, "", said, files=one.paths, tags=one.tags)

    def _episodes(self) -> Iterator[tuple[str, str, str, list[Event], bool]]:
        """Yield (source, kind, key, what went wrong, whether it was put right) of what was put right, wherever, and of
        what was not when its story or conversation was over."""
        waiting: dict[tuple[str, str, str], list[Event]] = {}
        for source, event in self._events(*_ABOUT):
            kind, is_bad, keys = _ABOUT[event["kind"]]
            for key in map(str, keys(event_data(event))):
                if is_bad:
                    waiting.setdefault((source, kind, key), []).append(event)
                    continue
                for episode in [one for one in waiting if one[1:] == (kind, key)]:
                    yield *episode, waiting.pop(episode), True
        for (source, kind, key), bad in waiting.items():
            if self.ended if source.startswith(OF_CONVERSATION) else self._is_over(source):
                yield source, kind, key, bad, False

    def _events(self, *kinds: str) -> list[tuple[str, Event]]:
        """Return the events of these kinds in the order of time, each with its source, but for those of private
        conversations and of others that are no story's."""
        found = [(str(one.get("session") or ""), one) for one in self.events if one["kind"] in kinds]
        private = {session for session, _ in found if session and has_mark(session)}
        stories = {story for story, _, _ in self.periods}
        named = [(event_data(one).get("gate") or event_data(one).get("story"), by, one) for by, one in found]
        placed = [
            (name if name in stories else self._source_of(_time(one), by), one)
            for name, by, one in named
            if by not in private
        ]
        return sorted((pair for pair in placed if pair[0]), key=lambda pair: _time(pair[1]))

    def _source_of(self, at: str, session: str) -> str:
        """Return the story that was in progress then, the last begun of several, else the conversation where it is the
        caller's; "" for one that is observed elsewhere."""
        within = [(begun, story) for story, begun, end in self.periods if begun <= at and (not end or at <= end)]
        if within:
            return max(within)[1]
        return source_of(conversation=session) if session and session == self.own else ""

    def _is_over(self, story: str) -> bool:
        return all(end for name, _, end in self.periods if name == story)

    def _files_since(self, at: str) -> tuple[str, ...]:
        state = self.project.conversation
        host, transcript = str(state.get("host") or ""), str(state.get("transcript") or "")
        turn = CheckedTurn(seconds_of(at), self.project.caller.now, host, self.own, transcript, 0, "", ())
        return written_files(self.project.workspace, turn)

    @cached_property
    def _rules(self) -> dict[str, tuple[str, str]]:
        """Key -> rule and the domain that it is in."""
        catalogue = read_catalogue(self.project.workspace)
        return {key: (text, entry.domain.name) for entry in catalogue for key, text in entry.lines}


def _periods(events: Iterable[Event]) -> Iterator[tuple[str, str, str]]:
    begun: dict[str, str] = {}
    for event in sorted((one for one in events if one["kind"] == CHANGED), key=_time):
        data, at = event_data(event), _time(event)
        story, status = str(data.get("story")), data.get("status")
        if status == IN_PROGRESS:
            begun.setdefault(story, at)
        elif status and story in begun:
            yield story, begun.pop(story), at
    yield from ((story, at, "") for story, at in begun.items())


def _time(event: Event) -> str:
    return str(event.get("time") or "")


def _story(data: dict[str, Any]) -> tuple[object, ...]:
    return (data.get("story"),) if data.get("status") == DONE and not data.get("anyway") else ()


def _rules(data: dict[str, Any]) -> tuple[object, ...]:
    found = data.get("rules")
    return tuple(found) if isinstance(found, (dict, list)) else ()


# Kind of an event -> that of the deed, whether it is one that went wrong, and how its keys are found.
_ABOUT: dict[str, tuple[str, bool, Callable[[dict[str, Any]], Iterable[object]]]] = {
    REFUSED_EVENT: (REFUSED, True, lambda data: (data.get("gate"),)),
    "work.advanced": (REFUSED, False, lambda data: (data.get("agent"),)),
    CHANGED: (REFUSED, False, _story),
    BROKEN_EVENT: (BROKEN, True, _rules),
    KEPT: (BROKEN, False, _rules),
    "work.deviated": (DEVIATED, True, lambda data: () if data.get("type") == OFF_TOPIC else (data.get("id"),)),
    "work.resolved": (DEVIATED, False, lambda data: (data.get("id"),)),
}
