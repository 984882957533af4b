"""Entries, files and indexes for tests."""

import os
import shutil
from contextlib import closing

from limpet.ground.config.defaults import DEFAULTS
from limpet.memory.files.codec import write_entry_text
from limpet.memory.index import sync as index
from limpet.memory.index.reading import get_cards, know_tiers, open_index
from limpet.memory.model.entry import MemoryEntry, Query
from limpet.memory.model.layout import memories
from limpet.memory.search.candidates import THOROUGH
from limpet.memory.search.search import search_entries

SETTINGS = DEFAULTS["memory"]
NOW = 1_800_000_000.0
MADE = "2026-11-21T10:00:00Z"


def make_entry(name, title="A title", body="", **fields):
    """An entry whose id ends in ``name`` (8 characters of base32, or fewer)."""
    plain = {"id": f"mem-2026-11-21-{name:a<8}", "type": "decision", "created_at": MADE}
    return MemoryEntry(**{**plain, "title": title, "body": body, **fields})


def write(shared, path, entry):
    """Write the entry's file and make it old enough for its stamp to be trusted."""
    full = os.path.join(memories(shared), *path.split("/"))
    os.makedirs(os.path.dirname(full), exist_ok=True)
    text = entry if isinstance(entry, str) else write_entry_text(entry)
    with open(full, "w", encoding="utf-8") as file:
        file.write(text)
    age(full)
    return full


def age(full, seconds=1_700_000_000):
    os.utime(full, (seconds, seconds))


def path_of(name, owner="shared", storage="durable"):
    return f"{owner}/{storage}/{name}.md"


def indexed(shared, entries, owner="shared"):
    """An index of these entries alone."""
    return index_entries(shared, [(path_of(entry.id, owner), entry) for entry in entries])


def index_entries(shared, placed):
    """An index of these entries (path and entry) alone."""
    shutil.rmtree(memories(shared), ignore_errors=True)
    for path, entry in placed:
        write(shared, path, entry)
    return index.refresh_index(shared, SETTINGS, NOW, anew=True)


def cards(shared, **fields):
    """Everybody's cards, or what these fields of a query leave, newest first."""
    wanted = {"owners": None, "now": NOW, "limit": 1000, **fields}
    with closing(open_index(shared)) as connection:
        know_tiers(connection, SETTINGS, NOW)
        return get_cards(connection, Query(**wanted))


def found(shared, text, limits=THOROUGH, **fields):
    """The hits of a search over everybody's entries."""
    wanted = {"text": text, "owners": None, "now": NOW, **fields}
    with closing(open_index(shared)) as connection:
        know_tiers(connection, SETTINGS, NOW)
        return search_entries(connection, Query(**wanted), SETTINGS, limits=limits)


def titles(hits):
    return [hit.card.title for hit in hits]
