"""What a project learned, as revisions say it beside memories: an entry of the knowledge with its evidence, and the
observations of stories that it rests on. Git brings both to the project's other machines, so that no file is written of
them; the team's server learns from them. Pure."""

from __future__ import annotations

from limpet.ground.digest import digest
from limpet.ground.errors import LimpetError
from limpet.learning.model import FILES, KnowledgeEntry, Observation
from limpet.learning.observations import add_observation, read_observations
from limpet.learning.stores import read_entries, write_entries
from limpet.sharing.revision import Revision

MEMORY, KNOWLEDGE, OBSERVATION = "entry", "knowledge", "observation"
"""Kinds of what a revision says. The folder of the last two is named so."""
_BEGINNINGS = {"kn-": KNOWLEDGE, "ob-": OBSERVATION}
_KINDS = {file: kind for kind, file in FILES.items()}
_YAML = ".yml"


def knowledge_store(store: str) -> str:
    """Of revisions that are applied to no file."""
    return f"{store}#{KNOWLEDGE}"


def kind_of_name(entry: str) -> str:
    return _BEGINNINGS.get(entry[:3], MEMORY)


def say_knowledge(entry: KnowledgeEntry) -> tuple[str, str, str]:
    """(Its name, which follows from its words, for numbers differ between branches; a file's name; its text)."""
    name, file = digest(f"{entry.kind}\0{entry.text}", 16), FILES[entry.kind]
    return f"kn-{name}", file, write_entries(entry.kind, "", (entry,), file)


def say_observation(observation: Observation) -> tuple[str, str, str]:
    """As ``say_knowledge``; ``source`` is a story's id."""
    name = digest(f"{observation.source}\0{observation.id}\0{observation.at}", 16)
    file = f"{observation.source}{_YAML}"
    return f"ob-{name}", file, add_observation("", observation, observation.source, file)


def knowledge_in(revision: Revision) -> KnowledgeEntry:
    """Raise LimpetError where it says no entry, or more than one."""
    kind = _KINDS.get(revision.file, "")
    found, mistakes = read_entries(kind, revision.said.text, revision.file) if kind else ((), ("Unknown kind",))
    if len(found) != 1 or mistakes or say_knowledge(found[0])[0] != revision.entry:
        raise LimpetError("Not an entry of the knowledge", revision.entry)
    return found[0]


def observation_in(revision: Revision) -> Observation:
    source = revision.file.removesuffix(_YAML)
    found, mistakes = read_observations(revision.said.text, source, revision.file)
    if len(found) != 1 or mistakes or say_observation(found[0])[0] != revision.entry:
        raise LimpetError("Not an observation", revision.entry)
    return found[0]
