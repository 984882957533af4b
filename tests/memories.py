"""Memories of a project as tests need them: kept by a person, and told to the index; and transcripts that say how full
the window is and what was said."""

import json
import os
import time

from limpet.ground.clock import Clock, iso
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log import Actor
from limpet.memory.files.evidence import digest_of_words
from limpet.memory.files.reviewed import Look, note_reviewed
from limpet.memory.files.store import read_entry, scan_files
from limpet.memory.index.sync import refresh_index
from limpet.memory.library import Library
from limpet.memory.model.entry import Query
from limpet.memory.model.layout import WHOLE_STORE, full_path
from limpet.operations.mirror import refresh_mirror as compile_settings

from .conftest import write_settings
from .conversation import MODEL, write
from .places import private_path

SETTINGS = DEFAULTS["memory"]
WINDOW = 200_000
# Percent of the window that is left in each bracket.
LEFT = {"FRESH": 80, "MODERATE": 50, "DEPLETED": 30, "CRITICAL": 20}
DAY = 86_400
ALL = 10_000
# Letters of an id by which a block tells of a memory.
NAME = 4


def look_at_team(shared, author):
    """As a person did in ``limpet review``, where git named this author."""
    looks = {}
    for path, _ in scan_files(shared):
        if path.startswith("team/"):
            entry = read_entry(shared, path).entry
            looks[entry.id] = Look(digest_of_words(entry), author)
            os.utime(full_path(shared, path))
    note_reviewed(shared, looks)


class Memories:
    """The memories of a project, each change known to the index at once."""

    def __init__(self, workspace):
        self.shared = workspace.shared
        self.library = Library(
            workspace.shared, SETTINGS, WHOLE_STORE, Clock(), Actor("test", 0.0, DEFAULTS["retention"])
        )

    def add(self, title, body="", owner="shared", days_ago=0.0, **fields):
        """A daily decision of full confidence; its id."""
        usual = {
            "type": "decision",
            "storage": "daily",
            "confidence": 1.0,
            "created_at": iso(time.time() - days_ago * DAY),
        }
        added = self.library.add({**usual, **fields, "title": title, "body": body}, owner)
        self.tell_index()
        return added.entry.id

    def add_many(self, entries):
        """One after the other, each as the arguments of ``add``."""
        for fields in entries:
            self.library.add({"type": "decision", "storage": "daily", "confidence": 1.0, **fields}, "shared")
        self.tell_index()

    def path(self, key):
        """The entry's file."""
        return private_path(self, "memories", self.library.show(key, count=False).path)

    def tell_index(self):
        """What changed since."""
        refresh_index(self.shared, SETTINGS, time.time())

    def cards(self, **query):
        """The cards of all entries that are in force, newest first."""
        return self.library.list(Query(owners=(), limit=ALL, **query)).cards

    def entries(self, **query):
        """All entries that are in force, newest first."""
        return [self.library.show(card.id, count=False).entry for card in self.cards(**query)]


def configure(workspace, text=""):
    """The project's settings: these, and locks that are waited for as long as a slow machine holds them."""
    write_settings(workspace, f"hosts: {{lock_patience_ms: 30000}}\n{text}\n")
    compile_settings(workspace)


def fill(workspace, bracket, name="transcript", lines=()):
    """The path of a transcript that leaves as much of the window as is usual in the bracket, after these lines."""
    path = os.path.join(workspace.root, f"{name}.jsonl")
    used = WINDOW * (100 - LEFT[bracket]) // 100
    usage = {"input_tokens": used, "output_tokens": 0}
    last = {"type": "assistant", "message": {"role": "assistant", "model": MODEL, "content": [], "usage": usage}}
    write(path, "".join(json.dumps(line) + "\n" for line in (*lines, last)))
    return path


def remembered(answer):
    """The lines of the block's memories, none where there are none."""
    found = (answer.block or {"memory": None})["memory"]
    return found["lines"] if found else []


def wished(answer):
    """The lines of what the person wants always, none where there are none."""
    return (answer.block or {"standing_wishes": []})["standing_wishes"]


def ids(answer):
    """What the block calls its memories, in their order: see ``short``."""
    return [_cut(line.split()[0].rstrip(":")) for line in remembered(answer)]


def listed(answer):
    """What the block calls the memories whose titles it lists, in their order."""
    return [_cut(line.split()[0]) for line in (answer.block or {"contents": []})["contents"]]


def _cut(name):
    """The letters that ``short`` gives; an entry of the knowledge has a whole name."""
    return name if "-" in name else name[:NAME]


def short(key):
    """The part of an id by which blocks tell of a memory and commands know it; longer where another one has it too."""
    return key[-8:][:NAME]


def until(holds, times=6000):
    """Whether it holds, asked so often, a hundredth of a second between: a bounded wait for a background process,
    which has the processor meanwhile."""
    return any(holds() or time.sleep(0.01) for _ in range(times))


def entry_text(entry, title, body="", **fields):
    """A memory as its file has it."""
    about = {"id": entry, "type": "decision", "created_at": "2026-11-29T10:00:00Z", **fields}
    return (
        "---\n"
        + "".join(f"{key}: {json.dumps(value)}\n" for key, value in about.items())
        + f"---\n\n# {title}\n\n{body}\n"
    )
