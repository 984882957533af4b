"""The processes that ``memory_kills`` kills: each acts until then, and says each act after it was done."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parent))

from nobody import trusted_project

from limpet.ground.clock import Clock, iso
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.digest import digest
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor, append_event, events_folder
from limpet.ground.formats.json_text import dumps
from limpet.ground.trust.consent import admit, root_of
from limpet.ground.trust.giving import give_trust
from limpet.ground.workspace import workspace_at
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.library import Library
from limpet.memory.model.entry import Query
from limpet.memory.model.layout import WHOLE_STORE
from limpet.memory.model.results import MemoryEvidence
from limpet.operations.memory.conversations.capture import capture
from limpet.operations.memory.conversations.conversation import Conversation
from limpet.operations.trust import survey, trust_project

ROLES = ("add", "add", "edit", "strengthen", "supersede", "move", "capture", "rebuild", "trust", "take over", "admit")
TARGETS = 4
TARGET = "Target "
LONGEST_PAUSE = 0.12

Say = Callable[..., None]


def library(shared: Path) -> Library:
    actor = Actor(f"writer-{os.getpid()}", 0.0, DEFAULTS["retention"], "kills")
    return Library(str(shared), DEFAULTS["memory"], WHOLE_STORE, Clock(), actor)


def work(role: str, shared: Path, seed: int) -> None:
    """Act until killed."""
    library_of_worker, random = library(shared), Random(seed)
    targets = find_targets(library_of_worker)

    def say(did: str, **more: object) -> None:
        print(dumps({"did": did, **more}), flush=True)

    say("ready")
    act = ACTS[role](library_of_worker, targets, random, say)
    while True:
        try:
            next(act)
        except LimpetError as error:
            say("failed", what=str(error))
            act = ACTS[role](library_of_worker, targets, random, say)


def find_targets(keeper: Library) -> list[str]:
    """The entries that everybody changes, and no others: a search also finds their neighbours, which nobody but their
    own process may change. On a busy machine the index's lock may have to be waited for again."""
    while True:
        with suppress(LimpetError):
            found = [card.id for card in keeper.list(Query(limit=EVERYTHING)).cards if card.title.startswith(TARGET)]
            if len(found) == TARGETS:
                return found


def adding(keeper: Library, targets: list[str], random: Random, say: Say) -> Iterator[None]:
    """With pauses: hundreds a second would keep all others waiting for an index that knows them."""
    for number in count():
        time.sleep(random.uniform(0, LONGEST_PAUSE))
        title, body = f"Added {number} by {os.getpid()}", f"{random.getrandbits(64):x} " * random.randrange(1, 400)
        stored = keeper.add({"type": "decision", "title": title, "body": body})
        say("add", id=stored.entry.id, digest=digest(title + body.strip()))
        yield


def editing(keeper: Library, targets: list[str], random: Random, say: Say) -> Iterator[None]:
    """The only one that changes bodies: others change the same files, and none may take the other's change back."""
    for number in count():
        key, line = random.choice(targets), f"Line {number} of {os.getpid()}"
        stored = keeper.show(key, count=False)
        keeper.edit(key, {"body": f"{stored.entry.body}\n{line}"})
        say("edit", id=key, line=line)
        yield


def strengthening(keeper: Library, targets: list[str], random: Random, say: Say) -> Iterator[None]:
    for number in count():
        key, moment = random.choice(targets), iso(os.getpid() * 10_000 + number)
        keeper.strengthen(key, (MemoryEvidence(at=moment),))
        say("strengthen", id=key, moment=moment)
        yield


def superseding(keeper: Library, targets: list[str], random: Random, say: Say) -> Iterator[None]:
    old = keeper.add({"type": "decision", "title": "Version 0"}).entry
    for number in count(1):
        new = keeper.supersede(old.id, {"type": "decision", "title": f"Version {number}"}).entry
        say("supersede", id=new.id, old=old.id)
        old = new
        yield


def moving(keeper: Library, targets: list[str], random: Random, say: Say) -> Iterator[None]:
    while True:
        key = keeper.add({"type": "lesson", "title": "Put away"}).entry.id
        acts = (keeper.archive, "archive"), (keeper.undo, "current"), (keeper.forget, "forgotten")
        for act, state in acts:
            say("begin", id=key, state=state)
            act(key)
            say("move", id=key, state=state)
            yield


def capturing(keeper: Library, targets: list[str], random: Random, say: Say) -> Iterator[None]:
    """A conversation that takes a decision after the other, each unlike any before, and is captured after each."""
    workspace, session = workspace_at(root_of(keeper.shared)), f"talk-{os.getpid()}"
    transcript = os.path.join(os.path.dirname(workspace.root), f"{session}.jsonl")
    for number in count():
        tool, purpose, place = (make_word(random) for _ in range(3))
        text = f"Decision: we use {tool} for the {purpose} of the {place}."
        line = {"type": "user", "uuid": f"{session}-{number}", "timestamp": iso(time.time()), "sessionId": session}
        with open(transcript, "a", encoding="utf-8") as file:
            file.write(dumps({**line, "message": {"role": "user", "content": text}}) + "\n")
        capture(workspace, Conversation(session, time.time(), "claude-code", transcript))
        say("capture", id=session, word=tool)
        yield


def make_word(random: Random) -> str:
    return "".join(random.choice("bcdfgklmnprstv") + random.choice("aeiou") for _ in range(5))


def rebuilding(keeper: Library, targets: list[str], random: Random, say: Say) -> Iterator[None]:
    while True:
        keeper.refresh(anew=True)
        say("rebuild")
        time.sleep(random.uniform(0, LONGEST_PAUSE))
        yield


def trusting(keeper: Library, targets: list[str], random: Random, say: Say) -> Iterator[None]:
    """The project's user agrees to other settings again and again."""
    workspace = workspace_at(root_of(keeper.shared))
    for number in count():
        give_trust(workspace, {"work.gate": number}, time.time())
        say("trust", id=os.getpid(), turn=number)
        time.sleep(random.uniform(0, LONGEST_PAUSE))
        yield


def taking_over(keeper: Library, targets: list[str], random: Random, say: Say) -> Iterator[None]:
    """Projects beside this one are moved, and trusted where they lie then."""
    around = os.path.dirname(root_of(keeper.shared))
    actor = Actor(f"mover-{os.getpid()}", 0.0, DEFAULTS["retention"])
    for number in count():
        old, new = (os.path.join(around, f"{place}-{os.getpid()}-{number}") for place in ("here", "there"))
        before = trusted_project(old, time.time())
        append_event(before.shared, actor, "lesson", {"said": old})
        os.rename(old, new)
        after = workspace_at(new)
        say("moved", id=new, old=old, folders=[events_folder(place.shared) for place in (before, after)])
        append_event(after.shared, actor, "lesson", {"said": new})  # as the command does with a person's word
        trust_project(after, survey(after), time.time())
        say("take over", id=new)
        yield


def admitting(keeper: Library, targets: list[str], random: Random, say: Say) -> Iterator[None]:
    """What every event of the hook asks first."""
    workspace = workspace_at(root_of(keeper.shared))
    while True:
        if admit(workspace).stranger:
            say("failed", what="the record of trust was not to be read")
        say("admit", id=os.getpid())
        time.sleep(random.uniform(0, LONGEST_PAUSE / 10))
        yield


ACTS: dict[str, Callable[[Library, list[str], Random, Say], Iterator[None]]] = {
    "add": adding,
    "edit": editing,
    "strengthen": strengthening,
    "supersede": superseding,
    "move": moving,
    "capture": capturing,
    "rebuild": rebuilding,
    "trust": trusting,
    "take over": taking_over,
    "admit": admitting,
}


if __name__ == "__main__":
    work(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
