"""Tells what happened to the conversations of a project in the order of time: what was sent, what was shown, kept,
changed and used of the memories, how the work moved, and compactions."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby, islice
from typing import Any

from limpet.ground.event_log import BLOCK, event_data, metrics_path, newest_first
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.json_lines import read_newest_first
from limpet.ground.text.escaping import clip
from limpet.ground.trust.allowance import DECIDED
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.model.entry import PERSON
from limpet.operations.approval import GIVEN, HOW
from limpet.operations.caller import Caller
from limpet.operations.conversations import find_conversation, read_states
from limpet.operations.learning.decisions import APPROVED, REJECTED, WITHDRAWN
from limpet.operations.memory.conversations.conversation import (
    LONGEST_TITLE,
    WHY_DIGEST,
    captured_title,
    is_kept_out,
)
from limpet.operations.memory.find import titles_of
from limpet.transcripts.registry import transcript_of
from limpet.transcripts.tail import size_of
from limpet.work.conversation import read_private
from limpet.work.session import TRIAL

Line = dict[str, Any]

# Memories that an entry names, and characters of an act of the guard.
NAMED, LONGEST_ACT = 5, 80
# Events of the log that an entry of the metrics tells already, and those of which there are many that nobody asks for.
_LEFT_OUT = (BLOCK, "memory.shown", "learning.observed")
# What a person reads of an event of the log, by its kind.
_WORDS = {
    "memory.added": "memory kept",
    "memory.changed": "memory changed",
    "memory.moved": "memory moved",
    "memory.archived": "memory archived, which a search still finds",
    "memory.restored": "memory restored",
    "memory.forgotten": "memory forgotten",
    "memory.purged": "memory purged",
    "memory.superseded": "memory replaced",
    "memory.withdrawn": "withdrawn, for the person went back before it was said",
    "memory.strengthened": "memory confirmed",
    "memory.access": "memory opened",
    "memory.confirmed": "memory used",
    "rule.kept": "rules kept",
    "rule.broken": "rules broken",
    "learning.applied": "lesson applied",
    "learning.consolidated": "lessons gathered",
    "learning.undone": "gathering undone",
    "learning.reworded": "lesson reworded",
    "guard.allowed": "act allowed once",
    "guard.mode": "permission mode set",
    "lock.taken": "session locked",
    "lock.lifted": "session lock lifted",
    "recovery.spawned": "fresh conversation started",
    "extraction.call": "model asked what was said",
    "extraction.outcome": "model answered",
    "page.refused": "page refused a request",
}
# What became of a proposal, by what was decided.
_DECIDED = {APPROVED: "kept for good", REJECTED: "not wanted as a rule", WITHDRAWN: "decision taken back"}
# Of the guard's answers.
_JUDGED = {"allow": "allowed", "ask": "asked", "deny": "refused", "told": "told you"}
# What a person reads of an element of the block, by its tag; one that is not named here goes by its name.
_ELEMENTS = {
    "constitution": "basic rules",
    "record": "how to keep a memory",
    "directory": "where more rules are",
    "in-force": "which rules hold",
    "candidates": "words of yours that are unclear",
    "continuation": "where it was",
    "next": "next step",
}
# Bytes of a transcript that is read for the title of a conversation that was not captured yet.
LONGEST_READ = 20_000_000
# Letters of an id that lists show, and more where fewer do not tell two apart.
SHORT = 8


class TimelineEntry(Value):
    """``time``: ISO 8601. ``kind``: ``sent``, ``start``, ``subagent``, ``file``, ``compaction``, ``end``, ``private``,
    ``failure``, or the kind of an event of the log. ``text``: a line for people. ``data``: the record itself, for
    programs."""

    time: str
    session: str
    kind: str
    text: str
    data: Line


def read_timeline(workspace: Workspace, caller: Caller, last: int, session: str = "") -> list[TimelineEntry]:
    """The oldest first; of all conversations where ``session`` is "". Memories have titles that the caller may see."""
    wanted = find_conversation(workspace, session) if session else ""
    metrics = _told_once(_entry_of_metrics(line) for line in read_newest_first(metrics_path(workspace)))
    logs = [map(_entry_of_event, events) for events in newest_first(workspace.shared, "")]
    found = [_of_session(stream, wanted) for stream in (metrics, *logs)]
    newest = heapq.merge(*found, key=lambda entry: entry.time, reverse=True)
    return _with_titles(workspace, caller, list(islice(newest, last)))[::-1]


def list_conversations(workspace: Workspace) -> list[dict[str, Any]]:
    """The one heard of last first, without the doctor's trials. ``short``: enough of the id's beginning to name it;
    ``title``: "" where it is not known, or private; ``bracket``: at the last prompt; ``state``: ``open``, ``ended`` or
    ``private``, where ``paused`` tells whether it is now."""
    states = [state for state in read_states(workspace) if not state["id"].startswith(TRIAL)]
    states.sort(key=lambda state: str(state.get("last_activity") or ""), reverse=True)
    ids = [state["id"] for state in states]
    return [_described(workspace, state, ids) for state in states]


def short_session_id(name: str, ids: Iterable[str]) -> str:
    """Enough of an id's beginning to name it among these: some clients' begin with the time."""
    known = set(ids)
    for length in range(SHORT, len(name)):
        short = name[:length]
        if sum(one.startswith(short) for one in known) == 1:
            return short
    return name


def element_in_words(tag: str, name: str, count: int = 0) -> str:
    """What a person reads of an element of a block; ``count``: of the memories in it."""
    memories = "memory" if count == 1 else "memories"
    several = {
        "standing-wishes": f"{count} of your wishes",
        "memory": f"{count} {memories}",
        "contents": f"{count} {memories} by title",
    }
    return several.get(tag) or _ELEMENTS.get(tag, name)


def name_in_words(name: str) -> str:
    """Of an element that is known by its name alone; those of rules are in capitals."""
    known = {
        **_ELEMENTS,
        "CONSTITUTION": _ELEMENTS["constitution"],
        "wishes": "your wishes",
        "memory": "memories",
        "contents": "memories by title",
    }
    return known.get(name, name)


def memories_in(line: Mapping[str, Any], tag: str) -> list[str]:
    """The ids of those in the element with this tag of the block that the line records."""
    wishes = line.get("wishes") or ()
    others = [key for key in line.get("memories") or () if key not in wishes]
    return list({"standing-wishes": wishes, "memory": others, "contents": line.get("listed") or ()}.get(tag, ()))


def is_by_hand(entry: TimelineEntry) -> bool:
    """Whether a person did it at a terminal, and no conversation."""
    is_of_person = not entry.session and entry.data.get("writer") == PERSON
    return is_of_person or entry.session.startswith(f"{PERSON} ")


def session_title_of(workspace: Workspace, state: Mapping[str, Any]) -> str:
    """The title that it was given, else what its transcript begins with; "" for a private one."""
    session, path, host = str(state["id"]), str(state.get("transcript") or ""), str(state.get("host") or "")
    kept = state.get("title")
    if isinstance(kept, str) and kept:
        return kept
    reader = transcript_of(host)
    if reader is None or is_kept_out(session, host, path):
        return ""
    # Only here: they take most of the time of a list of conversations that have their titles.
    from limpet.memory.capture.digest import find_subject

    if found := captured_title(workspace, session):
        return found
    if not 0 < size_of(path) <= LONGEST_READ:
        return ""
    subject = find_subject(reader.read_messages(path, root=workspace.root)[0])
    return clip(redact(subject, known=read_secrets(workspace.root)), LONGEST_TITLE)


def _with_titles(workspace: Workspace, caller: Caller, entries: list[TimelineEntry]) -> list[TimelineEntry]:
    ids = [_memories_of(entry) for entry in entries]
    wanted = dict.fromkeys(chain.from_iterable(ids))
    titles = titles_of(workspace, caller, wanted) if wanted else {}
    told = []
    for entry, own in zip(entries, ids, strict=True):
        named = ", ".join(f'"{titles[key]}" ({key})' for key in dict.fromkeys(key[-SHORT:] for key in own))
        told.append(entry.replace(text=f"{entry.text}: {named}") if named else entry)
    return told


def _memories_of(entry: TimelineEntry) -> list[str]:
    if not entry.kind.startswith(("memory.", "learning.decided")):
        return []
    data = event_data(entry.data)
    ids = data["ids"] if isinstance(data.get("ids"), list) else [data.get("memory") or data.get("id")]
    return [str(each) for each in ids if each][:NAMED]


def _told_once(newest_first: Iterator[TimelineEntry | None]) -> Iterator[TimelineEntry]:
    """Of what a private conversation has in a row the first alone."""
    for (_, kind), several in groupby(filter(None, newest_first), lambda entry: (entry.session, entry.kind)):
        entries = [*several]
        yield from entries[-1:] if kind == "private" else entries


def _of_session(entries: Iterator[TimelineEntry | None], session: str) -> Iterator[TimelineEntry]:
    for entry in entries:
        if entry and entry.time and (entry.session == session if session else not entry.session.startswith(TRIAL)):
            yield entry


def _entry_of_metrics(line: Line) -> TimelineEntry | None:
    event = str(line.get("event") or "")
    if line.get("private"):
        kind, text = "private", "private: nothing sent, nothing kept"
    elif "crash" in line:
        kind, text = "failure", f"{event} failed: {line['crash']} {line.get('where') or ''}".rstrip()
    else:
        kind, text = _tell(event, line)
    return _entry(line, kind, text) if text else None


def _tell(event: str, line: Line) -> tuple[str, str]:
    sent = _sent(line)
    follows = sent or "nothing sent"
    if event == "prompt":
        return "sent", sent
    if event == "session_start" and line.get("source") == "compact":
        return "compaction", f"compacted; {follows}"
    if event == "session_start":
        source = str(line.get("source") or "")
        return "start", f"conversation begins{f' ({source})' if source not in ('', 'startup') else ''}; {follows}"
    if event == "subagent_start":
        who = f" as {line['agent']}" if line.get("agent") else ""
        return "subagent", f"subagent {line.get('subagent') or ''}{who} begins; {follows}"
    if event == "tool_before":
        return "file", f"a file was opened; {sent}" if sent else ""
    return "end", "conversation ends" if event == "session_end" else ""


def _sent(line: Line) -> str:
    if not line.get("tokens"):
        return ""
    if all(tag == "command" for tag, _, _ in line.get("pieces") or [("", "", 0)]):
        return ""  # the answer to what was typed to Limpet, which the person saw
    names = [element_in_words(tag, name, len(memories_in(line, tag))) for tag, name, _ in line.get("pieces") or ()]
    return f"sent about {line['tokens']} tokens: {', '.join(names) or 'notes'}"


def _entry_of_event(event: Line) -> TimelineEntry | None:
    kind = str(event.get("kind") or "")
    if not kind or kind in _LEFT_OUT or event.get("why") == WHY_DIGEST:
        return None
    data = event_data(event)
    text = _WORDS.get(kind) or kind.replace(".", " ", 1).replace("_", " ")
    about = "" if kind.startswith("memory.") else _about(data)
    if kind == GIVEN:
        text, about = f"you agreed, {HOW.get(str(data.get('how')), '')}", str(data.get("says"))
    if kind == "learning.decided":
        is_rule = data.get("decided") == APPROVED and data.get("rule")
        text, about = "made a rule" if is_rule else _DECIDED.get(str(data.get("decided")), "proposed again"), ""
    if kind == DECIDED:
        answer = str(data.get("answer"))
        act = clip(str(data.get("act") or data.get("target") or data.get("tool")), LONGEST_ACT)
        rule = ", ".join(filter(None, (str(data.get("rule")), about)))
        text, about = f"guard {_JUDGED.get(answer, answer)}", f"{act} ({rule})"
    return _entry(event, kind, f"{text}{': ' if about else ''}{about}")


def _entry(record: Line, kind: str, text: str) -> TimelineEntry:
    time, session = str(record.get("time") or ""), str(record.get("session") or "")
    return TimelineEntry(time=time, session=session, kind=kind, text=text, data=record)


def _about(data: Line) -> str:
    if isinstance(data.get("rules"), (dict, list)):
        return ", ".join(map(str, data["rules"]))
    keys = ("id", "story", "agent", "to", "gate", "workflow", "session", "model", "permission", "reason")
    return next((str(data[key]) for key in keys if isinstance(data.get(key), str) and data[key]), "")


def _described(workspace: Workspace, state: Mapping[str, Any], ids: list[str]) -> dict[str, Any]:
    private = read_private(state["id"])
    ended = "ended" if state.get("ended") else "open"
    return {
        "id": state["id"],
        "short": short_session_id(state["id"], ids),
        "host": str(state.get("host") or ""),
        "title": session_title_of(workspace, state),
        "last_activity": state.get("last_activity"),
        "prompts": _count(state.get("prompt_count")),
        "compactions": _count(state.get("compactions")),
        "bracket": state.get("bracket"),
        "state": "private" if private else ended,
        "paused": private is not None and private.paused,
    }


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
