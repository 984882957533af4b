"""Changes to a memory: what it says, where it is kept, for how long, and whether the team has it."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor
from limpet.ground.git import is_ignored, setting
from limpet.ground.storage.files import read_bytes
from limpet.ground.trust.consent import root_of
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.files.codec import LONGEST_TITLE, read_body, split_evidence, with_quote
from limpet.memory.files.copies import drop_copies
from limpet.memory.files.evidence import CHANGED, NO_EVIDENCE, read_own_evidence
from limpet.memory.files.store import read_entry, record_change
from limpet.memory.files.verify import verify_text
from limpet.memory.library import Library
from limpet.memory.model.entry import DIGEST, DURABLE, PERSON, UNREVIEWED, MemoryEntry, Query
from limpet.memory.model.ids import LEAST
from limpet.memory.model.results import Gone, MemoryProblem, Stored
from limpet.memory.model.rights import refuse_agents
from limpet.operations.caller import Caller
from limpet.operations.conversations import newest_conversation
from limpet.operations.memory.conversations.conversation import refuse_private
from limpet.operations.memory.library import open_library, owner_of, personal_workspace, update_index
from limpet.operations.memory.view import shown_full_path, shown_path, wording
from limpet.operations.project import Project, clean, open_as

BY_HAND = "edited by hand"
LONGEST_NAME = 80
IGNORED = "git ignores the file, so your team will not get it. Check .gitignore and .git/info/exclude"
EVIDENCE = "it quotes a conversation: read the file before you commit it"
MARK = "[redacted:"
REDACTED = "a secret was removed before saving"
FLAGGED = "this reads like an instruction, so agents see that it exists but not its text"


class PutAway(Value):
    """A memory that was put away, or brought back; where its file cannot be read ``id`` is what the caller asked for,
    and ``title`` the file's name. ``short``: the part of the id that commands take; ``days``: how long ``undo``
    restores what was forgotten, 0 for ever; ``notice``: why the index could not be brought up to date."""

    id: str
    title: str
    short: str
    path: str
    days: int = 0
    notice: str = ""


def edit_memory(
    project: Project,
    key: str,
    changes: Mapping[str, Any],
    add_tags: tuple[str, ...] = (),
    remove_tags: tuple[str, ...] = (),
    why: str = "",
) -> KeptMemory:
    """The file's other bytes are kept. ``add_tags``, ``remove_tags`` change the tags of ``changes``, else its own. What
    a person changes they have looked at."""
    refuse_private(project.caller)
    library = open_library(project)
    fields = dict(changes)
    if UNREVIEWED in library.find(key).entry.tags:
        if project.caller.reader.person:
            remove_tags = (*remove_tags, UNREVIEWED)
        elif remove_tags or "tags" in fields:  # an agent's look is none
            add_tags = (*add_tags, UNREVIEWED)
            remove_tags = tuple(tag for tag in remove_tags if tag != UNREVIEWED)
    if add_tags or remove_tags:
        known = (*fields.get("tags", library.find(key).entry.tags), *add_tags)
        fields["tags"] = tuple(tag for tag in dict.fromkeys(known) if tag not in remove_tags)
    before = library.find(key).entry
    stored = library.edit(key, fields, why)
    if stored.entry.title != before.title:
        _clear_digests(library, before)
    if UNREVIEWED in remove_tags:
        _settle(library, stored.entry.id)
    notices = notices_on(library, stored.entry, changes)
    return KeptMemory(stored=library.handed(stored), changed=tuple(fields), notices=notices)


def open_by_hand(project: Project, key: str) -> Stored:
    """Raises LimpetError, for an agent always."""
    stored = open_library(project).show(key, count=False)
    instead = f"To read it: limpet memory show {key}. To change it: limpet memory edit {key} --title TEXT --body TEXT"
    refuse_agents(project.caller.reader, "open the file of a memory", instead)
    return stored


def check_by_hand(project: Project, before: Stored, why: str = "") -> tuple[MemoryProblem, ...]:
    """Return the mistakes in the file; without any, record the changes in the audit log."""
    problems = verify_text(before.path, read_bytes(shown_full_path(project.workspace, before.path)) or b"")
    if not problems:
        library = open_library(project)
        after = library.show(before.path, count=False)
        if after.entry != before.entry:
            actor = Actor(library.writer, library.clock.now(), library.retention, why=why or BY_HAND)
            record_change(library.shared, actor, CHANGED, before, after)
            update_index(library)
            if UNREVIEWED in after.entry.tags:
                edit_memory(project, after.entry.id, {}, why=why or BY_HAND)
    return tuple(problems)


def pin_memory(project: Project, key: str, pinned: bool = True, why: str = "") -> KeptMemory:
    """A pinned memory does not fade. Raises LimpetError, for an agent always."""
    library = open_library(project)
    return _kept(library, library.pin(key, pinned, why))


def move_memory(project: Project, key: str, owner: str = "", storage: str = "", why: str = "") -> KeptMemory:
    library = open_library(project)
    return _kept(library, library.move(key, owner_of(owner) if owner else "", storage, why))


def share_memory(project: Project, key: str, why: str = "") -> KeptMemory:
    """Raise LimpetError with the reason for what must stay on this machine, and for an agent always."""
    library = open_library(project)
    try:
        stored = library.share(key, name_of_user(project.workspace), why)
    except Gone:
        _refuse_personal(project.caller, key)
        raise
    ignored = is_ignored(root_of(library.shared), shown_full_path(project.workspace, stored.path))
    doubt = IGNORED if ignored else ""
    if ignored is None:
        doubt = "this project is not in git yet; your team gets the memory once you commit it"
    return _kept(library, stored, doubt, EVIDENCE if split_evidence(stored.entry.body)[1] else "")


def unshare_memory(project: Project, key: str, why: str = "") -> KeptMemory:
    library = open_library(project)
    return _kept(library, library.unshare(key, why))


def archive_memory(project: Project, key: str, why: str = "") -> PutAway:
    return _put(project, key, lambda library: library.archive(key, why))


def forget_memory(project: Project, key: str, why: str = "") -> PutAway:
    """What a conversation's digest says of it goes for good."""

    def forget(library: Library) -> str:
        with suppress(LimpetError):  # a file that nobody can read
            _clear_digests(library, library.find(key).entry)
        return library.forget(key, why)

    return _put(project, key, forget)


def same_as(project: Project, key: str, other: str, why: str = "") -> PutAway:
    """The memory says the same as the other one, which gets its words and what was heard of it on this machine; it goes
    into the archive. Raise LimpetError, with nothing changed, for an agent always."""
    refuse_agents(project.caller.reader, "say that two memories are one")
    library = open_library(project)
    gone, kept = library.find(key).entry, library.find(other).entry
    if gone.id == kept.id:
        raise LimpetError("A memory cannot repeat itself", key)
    own = read_own_evidence(library.shared).get(gone.id, NO_EVIDENCE)
    is_heard = bool(own.says) and own.is_of(gone)
    evidence = [each for each in gone.evidence if is_heard and (each.by != PERSON or each.conversation in own.said)]
    speaker = "user" if gone.source == PERSON else gone.source
    quote = split_evidence(gone.body)[1].strip() or f"> {wording(gone)} ({speaker}, {gone.created_at[:10]})"
    because = why or f"{gone.id} says the same"
    tags = tuple(tag for tag in kept.tags if tag != UNREVIEWED)
    library.edit(kept.id, {"body": with_quote(kept.body, quote), "tags": tags}, because)
    library.strengthen(kept.id, evidence, because)
    return archive_memory(project, gone.id, why or f"repeats {kept.id}")


def undo_change(project: Project, key: str, why: str = "") -> PutAway:
    """Raise LimpetError, for an agent always."""
    return _put(project, key, lambda library: library.undo(key, why))


def name_of_user(workspace: Workspace) -> str:
    name = setting(workspace.root, "user.name")
    with suppress(OSError, KeyError, ImportError):  # a system that knows no user by name
        name = name or getpass.getuser()
    return " ".join(name.split())[:LONGEST_NAME] or "unknown"


class KeptMemory(Value):
    """A memory as it is on the disk now; ``changed``: fields, () for a new one; ``notices``: for the writer."""

    stored: Stored
    changed: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def remember_memory(project: Project, fields: Mapping[str, Any], text: str = "", why: str = "") -> KeptMemory:
    """Without a title the first line of ``text`` becomes it, else all is the body. Without a storage a person's memory
    is durable and an agent's daily."""
    refuse_private(project.caller)
    library = open_library(project)
    words = _words(text, fields)
    said = {**fields, **words}
    if len(text) > LONGEST_TITLE:
        # The title is cut to its length first: half a secret would not be recognised any more.
        words = _words(clean(project, text), fields)
    complete = {"type": "semantic", "storage": DURABLE if project.caller.reader.person else "daily", **fields, **words}
    if complete["storage"] == "session":
        complete.setdefault("session", _conversation(project))
    if "agent" in complete:
        agent = complete["agent"] = owner_of(str(complete["agent"]))
        if not library.reader.person and agent != library.reader.agent:
            raise LimpetError(f"Only a person can write as {agent}", "", "Omit --agent.")
    stored = library.add(complete, why=why)
    return KeptMemory(stored=library.handed(stored), notices=notices_on(library, stored.entry, said))


def notices_on(library: Library, entry: MemoryEntry, said: Mapping[str, Any]) -> tuple[str, ...]:
    """Bring the index up to date; return the notices for the writer of these fields, of which ``entry`` was made."""
    kept = f"{entry.title}\n{entry.body}\n{entry.workaround}"
    redacted = kept.count(MARK) > sum(str(said.get(name)).count(MARK) for name in ("title", "body", "workaround"))
    flagged = "instruction" in entry.flags
    notices = (REDACTED if redacted else "", FLAGGED if flagged else "", update_index(library))
    return tuple(filter(None, notices))


def _kept(library: Library, stored: Stored, *notices: str) -> KeptMemory:
    return KeptMemory(stored=library.handed(stored), notices=tuple(filter(None, (*notices, update_index(library)))))


def _put(project: Project, key: str, act: Callable[[Library], str]) -> PutAway:
    library = open_library(project)
    path = act(library)
    name, title = key, path.rpartition("/")[2]
    with suppress(LimpetError):  # a file that nobody can read is put away as well
        entry = library.handed(read_entry(library.shared, path)).entry
        name, title = entry.id, entry.title
    _settle(library, name)
    return PutAway(
        id=name,
        title=title,
        short=name.rpartition("-")[2] if len(name.rpartition("-")[2]) >= LEAST else path,
        path=shown_path(project.workspace, title, path),
        days=int(library.settings["undo_days"]),
        notice=update_index(library),
    )


def _settle(library: Library, id: str) -> None:
    from limpet.operations.memory.candidates import settle_entry  # with the cues of capture, which few changes need

    settle_entry(library.shared, id)


def _clear_digests(library: Library, entry: MemoryEntry) -> None:
    """What was heard of it stands there in its first words; what it says now is its own."""
    said = " ".join(f"{entry.title} {entry.body}".split())
    digests = library.list(Query(session=entry.session, tag=DIGEST)).cards if entry.session else ()
    for card in digests:
        body = library.find(card.id).entry.body
        kept = [line for line in body.split("\n") if not (line.startswith("- ") and line[2:] in said)]
        subject = card.title.rpartition(" (")[0].removesuffix("...")
        is_named = bool(subject) and subject in said
        title = f"Conversation of {iso(card.created)[:10]}" if is_named else card.title
        if "\n".join(kept) != body or is_named:
            library.edit(card.id, {"title": title, "body": "\n".join(kept)}, "one of its lines no longer holds")
            drop_copies(library.shared, "", card.id)


def _refuse_personal(caller: Caller, key: str) -> None:
    with suppress(Gone):
        open_library(open_as(personal_workspace(), caller)).show(key, count=False)
        first = 'To share it, add it to this project first: limpet memory add "TEXT"'
        raise LimpetError("Memory is personal, not the project's", key, first)


def _words(text: str, fields: Mapping[str, Any]) -> dict[str, str]:
    if not text:
        return {}
    title, body = (fields["title"], text) if fields.get("title") else read_body(text)
    return {"title": title, "body": body}


def _conversation(project: Project) -> str:
    found = project.caller.conversation or str((newest_conversation(project.workspace) or {}).get("id") or "")
    if not found:
        raise LimpetError("No conversation to keep it for", "", "Use --daily or --durable.")
    return found
