"""What a project learned, as it is committed: entries of its knowledge in force, and the observations of stories that
they rest on. What is in no commit, and what is a conversation's, leaves by no way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TypeVar

from limpet.ground.errors import LimpetError
from limpet.ground.git import entries_at, git, read_contents
from limpet.ground.safety.instructions import Told
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER
from limpet.learning.model import (
    ALIVE,
    FILES,
    SPOKEN_OF_ENTRY,
    SPOKEN_OF_OBSERVATION,
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
_LARGEST = 1_000_000
# Kind -> the folder that its revisions name.
_FOLDERS = {KNOWLEDGE: KNOWLEDGE, OBSERVATION: OBSERVATIONS}
_Named = tuple[str, str, str]
Entry = TypeVar("Entry")


class _Committed(Value):
    """``said``: (name, file, text) of each entry and observation. ``is_whole``: no file has anything else."""

    said: tuple[_Named, ...]
    is_whole: bool


def find_learned(project: Project, ledger: Ledger, store: str) -> Iterator[LocalChange]:
    """Against what was gathered before; a base's path begins with the commit in which its text was found. What a commit
    lacks that comes after that one is gone; another branch may lack what it never had. Of a commit that git or a broken
    file hides in part nothing is gone."""
    root, commit, store = project.workspace.root, _head(project.workspace.root), knowledge_store(store)
    gathered = f"{commit} {ledger.fact(WRITER)}"
    if not commit or gathered == ledger.fact(_GATHERED):
        return
    found = _committed(project, commit)
    if found is None:
        return
    seen = set[str]()
    for name, file, text in found.said:
        seen.add(name)
        base = ledger.base(store, name).replace(path=f"{commit}/{name}/{file}")
        yield LocalChange(_upon_all(ledger, store, base), Said(CURRENT, _FOLDERS[kind_of_name(name)], text))
    bases = [ledger.base(store, name) for name in ledger.heads(store) if name not in seen]
    bases = [base for base in bases if base.path and found.is_whole]
    after = {one: _comes_after(root, commit, one) for one in {base.path.partition("/")[0] for base in bases}}
    for base in bases:
        if after[base.path.partition("/")[0]]:
            yield LocalChange(_upon_all(ledger, store, base.replace(path="")), Said(ERASED))
    ledger.note(_GATHERED, gathered)


def _upon_all(ledger: Ledger, store: str, base: Base) -> Base:
    """Branches are merged by git: whoever says it newly stands for all that was said."""
    return base.replace(heads=tuple(heads_of(ledger.parents(store, base.entry))))


def _committed(project: Project, commit: str) -> _Committed | None:
    """Without secrets. None where git does not tell. What cannot be read is left out: verification names it."""
    root, named = project.workspace.root, dict[str, set[str]]()
    said, is_whole = list[_Named](), True
    stores = _texts(root, commit, {kind: store_name(kind) for kind in FILES})
    for kind, text in (stores or {}).items():
        entries, is_read = _read(partial(read_entries, kind, text, store_name(kind)))
        is_whole = is_whole and is_read
        for entry in entries:
            if entry.status in ALIVE:
                _note_stories(entry, named)
                said += _said(say_knowledge, _clean(project, entry, SPOKEN_OF_ENTRY))
    paths = {story: f"{FOLDER}/{STORIES}/{story}/{OBSERVATIONS}.yml" for story in named}
    told = _texts(root, commit, paths)
    for story, text in (told or {}).items():
        seen, is_read = _read(partial(read_observations, text, story, paths[story]))
        is_whole = is_whole and is_read
        for one in seen:
            if one.id in named[story]:
                said += _said(say_observation, _clean(project, one, SPOKEN_OF_OBSERVATION))
    return None if stores is None or told is None else _Committed(tuple(said), is_whole)


def _read(read: Callable[[], tuple[tuple[Entry, ...], tuple[str, ...]]]) -> tuple[tuple[Entry, ...], bool]:
    """What a file has, and whether that is all of it."""
    try:
        found, mistakes = read()
    except LimpetError:
        return (), False
    return found, not mistakes


def _note_stories(entry: KnowledgeEntry, named: dict[str, set[str]]) -> None:
    for piece in entry.evidence:
        if STORY_ID.fullmatch(piece.source) and not piece.source.startswith(OF_CONVERSATION):
            named.setdefault(piece.source, set()).add(piece.observation)


def _said(say: Callable[[Told], _Named], told: Told) -> Iterator[_Named]:
    with suppress(LimpetError):
        name, file, text = say(told)
        if len(text) <= _LARGEST:
            yield name, file, text


def _clean(project: Project, told: Told, spoken: Iterable[str]) -> Told:
    """By its fields, so that the text that is made of them can be read back."""
    return told.replace(**{name: _without(project, getattr(told, name)) for name in spoken})


def _without(project: Project, value: object) -> object:
    if isinstance(value, tuple):
        return tuple(_without(project, each) for each in value)
    if isinstance(value, KnowledgeEvidence):
        return value.replace(**{name: clean(project, text) for name, text in value.__dict__.items()})
    return clean(project, value) if isinstance(value, str) else value


def _texts(root: str, commit: str, paths: Mapping[str, str]) -> dict[str, str] | None:
    """Of the files that the commit has; None where git does not tell."""
    found = entries_at(root, commit, list(paths.values())) if paths else {}
    raw = read_contents(root, [content for content, _ in found.values()]) if found else {}
    if found is None or any(content not in raw for content, _ in found.values()):
        return None
    texts = {path: raw[content].decode("utf-8", "replace") for path, (content, _) in found.items()}
    return {key: texts[path] for key, path in paths.items() if path in texts}


def _head(root: str) -> str:
    done = git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return done.stdout.decode("ascii", "replace").strip() if done and not done.returncode else ""


def _comes_after(root: str, commit: str, before: str) -> bool:
    done = git(root, "merge-base", "--is-ancestor", before, commit)
    return done is not None and done.returncode == 0
