"""What a step made, read at its output's path: a document, the stories, or the files of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import digest
from limpet.ground.storage.files import read_text
from limpet.ground.workspace import FOLDER, Workspace
from limpet.work.outputs import lies_inside
from limpet.work.stories.store import STORIES, iterate_stories
from limpet.work.stories.story import Story

_STORIES = f"{FOLDER}/{STORIES}/"
# Files of a folder that are looked at, and lines of a document that a person is shown.
MOST, LINES = 1000, 60


def read_output(workspace: Workspace, path: str) -> dict[str, str]:
    """Return name -> digest of what is there: of a document under its path, of each story by what it promises, of each
    file of a folder; empty where nothing is, and for a document without a word."""
    return _digests(_parts(workspace, path))


def output_digest(content: Mapping[str, str]) -> str:
    """Return one digest of what ``read_output`` returns, "" of nothing."""
    return digest("\n".join(f"{name} {one}" for name, one in sorted(content.items()))) if content else ""


def show_output(workspace: Workspace, path: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the same, and the lines of that very content that a person reads before they approve it, the last of them
    on what is left out."""
    parts = tuple(_parts(workspace, path))
    lines = [line.rstrip() for _, text in parts for line in text.splitlines() if line.strip()]
    left = len(lines) - LINES
    return _digests(parts), (*lines[:LINES], *((f"... and {left} more lines: {path}",) if left > 0 else ()))


def _digests(parts: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name: digest(text) for name, text in parts if text.strip()}


def _parts(workspace: Workspace, path: str) -> Iterator[tuple[str, str]]:
    if path == _STORIES:
        for name, story in iterate_stories(workspace):
            if isinstance(story, Story):
                yield name, _promise(story)
    elif path.endswith("/") and lies_inside(workspace.root, path):
        yield from _files(workspace.root, path)
    elif path and lies_inside(workspace.root, path):
        yield path, read_text(os.path.join(workspace.root, path), STATE_BYTES) or ""


def _promise(story: Story) -> str:
    """Return what a story promises, whatever of it is done."""
    return "\n".join((f"{story.id} {story.title}", *(f"  - {text}" for _, text in story.acceptance)))


def _files(root: str, path: str) -> Iterator[tuple[str, str]]:
    count = 0
    for folder, folders, names in os.walk(os.path.join(root, path)):
        folders.sort()
        for name in sorted(names):
            full = os.path.join(folder, name)
            yield os.path.relpath(full, root).replace(os.sep, "/"), read_text(full, STATE_BYTES) or ""
            count += 1
            if count >= MOST:
                return
