"""What a project learned, as it is committed: entries of its knowledge in force, and the observations of stories that
they rest on. What is in no commit, and what is a conversation's, leaves by no way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from limpet.ground.errors import LimpetError
from limpet.ground.git import entries_at, git, read_contents
from limpet.ground.safety.instructions import Told
from limpet.ground.workspace import FOLDER
from limpet.learning.model import (
    ALIVE,
    FILES,
    KnowledgeEntry,
    KnowledgeEvidence,
)
from limpet.learning.observations import OF_CONVERSATION, read_observations
from limpet.learning.store import OBSERVATIONS, STORIES, STORY_ID, store_name
from limpet.learning.stores import read_entries
from limpet.memory.model.layout import CURRENT
from limpet.operations.project import Project, clean
from limpet.operations.sharing.local import LocalChange
from limpet.sharing.knowledge import (
    KNOWLEDGE,
    OBSERVATION,
    kind_of_name,
    knowledge_store,
    say_knowledge,
    say_observation,
)
from limpet.sharing.ledger import WRITER, Base, Ledger
from limpet.sharing.revision import ERASED, Said, heads_of

# The fact that says of which commit all was gathered, and by which writer.
_GATHERED = "gathered"
_FOLDERS = {KNOWLEDGE: KNOWLEDGE, OBSERVATION: OBSERVATIONS}
_LARGEST = 1_000_000
_UNREAD = ("", "", "")
"""Where something of the commit could not be read."""


def find_learned(project: Project, ledger: Ledger, store: str) -> Iterator[LocalChange]:
    """Against what was gathered before. What a commit lacks that comes after one that had it is gone; another branch
    may lack what it never had."""
    root, commit, store = project.workspace.root, _head(project.workspace.root), knowledge_store(store)
    gathered = f"{commit} {ledger.fact(WRITER)}"
    if not commit or gathered == ledger.fact(_GATHERED):
        return
    seen = set[str]()
    for name, file, text in _committed(project, commit):
        seen.add(name)
        if not name:
            continue
        base = ledger.base(store, name).replace(path=f"{commit}/{name}/{file}")
        yield LocalChange(_upon_all(ledger, store, base), Said(CURRENT, _FOLDERS[kind_of_name(name)], text))
    if "" in seen:  # it may say all that was known: nothing is gone, and the next run looks again
        return
    for path, name in ledger.entries_at(store, ledger.stamps(store)).items():
        if name not in seen and _comes_after(root, commit, path.partition("/")[0]):
            yield LocalChange(_upon_all(ledger, store, ledger.base(store, name).replace(path="")), Said(ERASED))
    ledger.note(_GATHERED, gathered)


def _upon_all(ledger: Ledger, store: str, base: Base) -> Base:
    """Branches are merged by git: whoever says it newly stands for all that was said."""
    return base.replace(heads=tuple(heads_of(ledger.parents(store, base.entry))))


def _committed(project: Project, commit: str) -> Iterator[tuple[str, str, str]]:
    """(Name, file, text) of each, without secrets. For what cannot be read _UNREAD: verification names it."""
    root, named = project.workspace.root, dict[str, set[str]]()
    try:
        for kind, text in _texts(root, commit, {kind: store_name(kind) for kind in FILES}).items():
            entries, mistakes = read_entries(kind, text, store_name(kind))
            yield from [_UNREAD] * len(mistakes)
            for entry in entries:
                if entry.status in ALIVE:
                    _note_stories(entry, named)
                    yield _said(say_knowledge, _clean(project, entry))
        paths = {story: f"{FOLDER}/{STORIES}/{story}/{OBSERVATIONS}.yml" for story in named}
        for story, text in _texts(root, commit, paths).items():
            observations, mistakes = read_observations(text, story, paths[story])
            yield from [_UNREAD] * len(mistakes)
            for one in observations:
                if one.id in named[story]:
                    yield _said(say_observation, _clean(project, one))
    except LimpetError:
        yield _UNREAD


def _note_stories(entry: KnowledgeEntry, named: dict[str, set[str]]) -> None:
    for piece in entry.evidence:
        if STORY_ID.fullmatch(piece.source) and not piece.source.startswith(OF_CONVERSATION):
            named.setdefault(piece.source, set()).add(piece.observation)


def _said(say: Callable[[Told], tuple[str, str, str]], told: Told) -> tuple[str, str, str]:
    with suppress(LimpetError):
        name, file, text = say(told)
        if len(text) <= _LARGEST:
            return name, file, text
    return _UNREAD


def _clean(project: Project, told: Told) -> Told:
    """By its fields, so that the text that is made of them can be read back."""
    return told.replace(**{name: _without(project, value) for name, value in told.__dict__.items()})


def _without(project: Project, value: object) -> object:
    if isinstance(value, tuple):
        return tuple(_without(project, each) for each in value)
    if isinstance(value, KnowledgeEvidence):
        return value.replace(**{name: clean(project, text) for name, text in value.__dict__.items()})
    return clean(project, value) if isinstance(value, str) else value


def _texts(root: str, commit: str, paths: Mapping[str, str]) -> dict[str, str]:
    """Of the files that the commit has. Raise LimpetError where git cannot tell."""
    found = entries_at(root, commit, list(paths.values()))
    contents = [content for content, _ in found.values()] if found else []
    raw = read_contents(root, contents) if contents else {}
    if found is None or not raw.keys() >= set(contents):
        raise LimpetError("Git cannot read the commit", commit)
    texts = {path: raw[content].decode("utf-8", "replace") for path, (content, _) in found.items()}
    return {key: texts[path] for key, path in paths.items() if path in texts}


def _head(root: str) -> str:
    done = git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return done.stdout.decode("ascii", "replace").strip() if done and not done.returncode else ""


def _comes_after(root: str, commit: str, before: str) -> bool:
    done = git(root, "merge-base", "--is-ancestor", before, commit)
    return done is not None and done.returncode == 0
