"""The knowledge (principles, anti-patterns, procedures) as entries of the index, so that hook, commands and MCP find it
as they find memories. Separate, because one file of it has many entries."""

from __future__ import annotations

from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import stamp
from limpet.learning.arithmetic import is_contested
from limpet.learning.briefing import headline
from limpet.learning.model import ACTIVE, ANTI_PATTERN, CONTRADICT, FILES, PROCEDURE
from limpet.learning.model import Entry as Learned
from limpet.learning.stores import read_entries
from limpet.memory.model.entry import DURABLE, Entry
from limpet.memory.model.evidence import CONTRADICTED, SAID, Evidence
from limpet.memory.model.layout import KNOWLEDGE, OF_ENTRY, full_path
from limpet.memory.model.lookup import ALIAS
from limpet.memory.model.results import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.storage.files import Stamp

PATHS = {f"{KNOWLEDGE}/{name}": kind for kind, name in FILES.items()}
CONTESTED = "contested"
SECTORS = {ANTI_PATTERN: "reflective", PROCEDURE: "procedural"}
# Until when an entry held that is not in force.
OVER = "1970-01-02T00:00:00Z"


def scan(shared: str) -> dict[str, Stamp]:
    """Return path and stamp of every file that is there."""
    marks = {path: stamp(full_path(shared, path)) for path in PATHS}
    return {path: mark for path, mark in marks.items() if mark is not None}


def read(path: str, raw: bytes) -> tuple[dict[str, Entry], tuple[Problem, ...]]:
    """Return the entries of a file, each with a path of its own, and what is wrong with it."""
    try:
        found, mistakes = read_entries(PATHS[path], raw.decode(), path)
    except (LimpetError, UnicodeDecodeError):
        return {}, (Problem(path, 0, "Unreadable", "Run: limpet learn consolidate --dry-run"),)
    problems = tuple(Problem(path, 0, str(mistake), "") for mistake in mistakes)
    return {f"{path}{OF_ENTRY}{entry.id}": as_memory(entry) for entry in found}, problems


def as_memory(entry: Learned) -> Entry:
    """Return an entry of the knowledge as a memory has its fields: what makes it doubtful stands in its title, since
    that is what lists tell."""
    return Entry(
        id=entry.id,
        type=entry.kind,
        title=headline(entry, is_contested(entry.evidence)),
        body="\n\n".join(filter(None, (entry.failure_mode, *(f"- {one}" for one in entry.guidance)))),
        tags=(
            *dict.fromkeys((*entry.categories, *entry.tags)),
            *(f"{ALIAS}{one}" for one in entry.aliases),
            *((CONTESTED,) if is_contested(entry.evidence) else ()),
        ),
        confidence=entry.confidence,
        sector=SECTORS.get(entry.kind, "semantic"),
        storage=DURABLE,
        created_at=entry.created,
        evidence_count=entry.source_count,
        evidence=tuple(
            Evidence(each.at, CONTRADICTED if each.effect == CONTRADICT else SAID) for each in entry.evidence
        ),
        source=entry.source,
        valid_until="" if entry.status == ACTIVE else OVER,
    )
