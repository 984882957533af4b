"""Looks at what a document names as evidence of a criterion: a file, a story, a check or a command that ran. What
cannot be looked at is a claim."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cached_property

from limpet.ground.safety.redaction import redact
from limpet.memory.capture.activity import activity
from limpet.memory.capture.runs import same_command
from limpet.operations.project import Project
from limpet.transcripts.registry import transcript_of
from limpet.work.outputs import lies_inside, path_of
from limpet.work.stories.check import is_done
from limpet.work.stories.store import iterate_stories
from limpet.work.stories.story import Story

CLAIM = ""
FILE, STORY, CHECK, COMMAND = "file", "story", "check", "command"
_QUOTED = re.compile(r"`([^`]+)`")
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")


class Proof:
    """What a project has that evidence may name; each kind is read when evidence is first looked at for it."""

    def __init__(self, project: Project, checks: Iterable[tuple[str, str]], builds: bool) -> None:
        """``checks``: (name, command line) of those that ran for the step and succeeded; ``builds``: whether the step
        is one in which stories are to be done."""
        self._project = project
        self._checks = tuple(checks)
        self._builds = builds

    def kind_of(self, words: str) -> str:
        """Return what the evidence is: FILE, STORY, CHECK or COMMAND, CLAIM where it is none that could be found."""
        names = {word.lstrip(",;:()`'\"").rstrip(".,;:()`'\"") for word in words.split()}
        if any(os.path.isfile(self._place(name)) for name in (path_of(words), *names)):
            return FILE
        if names & self._stories:
            return STORY
        if any(name in names or line in words for name, line in self._checks):
            return CHECK
        said = {same_command(text) for text in (*_QUOTED.findall(words), words)}
        return COMMAND if said & self._commands else CLAIM

    def absent(self, words: str) -> str:
        """Return the path that the evidence names, alone or in quotes, and that is not there; "" for none."""
        named = [text for text in (*_QUOTED.findall(words), words.strip()) if not any(map(str.isspace, text))]
        paths = (path_of(text) for text in named if _is_path(text))
        gone = (path for path in paths if path and not os.path.exists(self._place(path)))
        return next((path for path in gone if path not in self._known), "")

    def _place(self, path: str) -> str:
        """Return where the path is on the disk, "" for none of the project's."""
        root = self._project.workspace.root
        return os.path.join(root, path) if _is_path(path) and lies_inside(root, path) else ""

    @property
    def _known(self) -> set[str]:
        return {line for _, line in self._checks} | self._commands

    @cached_property
    def _stories(self) -> set[str]:
        """The stories that are done; before anything is built, those that are written."""
        found = iterate_stories(self._project.workspace)
        return {name for name, story in found if isinstance(story, Story) and (is_done(story) or not self._builds)}

    @cached_property
    def _commands(self) -> set[str]:
        """The commands that the conversation's transcript has since its newest compaction, and that succeeded last."""
        state, root = self._project.conversation, self._project.workspace.root
        reader, path = transcript_of(str(state.get("host") or "")), str(state.get("transcript") or "")
        if not reader or not path:
            return set()
        messages = reader.read_messages(path, reader.epoch_start(path), root=root)[0]
        runs = activity(messages).runs
        return {redact(run.command, known=self._project.secrets) for run in runs if not run.failing}


def _is_path(text: str) -> bool:
    """Return whether a word is meant as a path; ``14/14`` is a figure."""
    return _ENDING.search(text) is not None or ("/" in text and any(map(str.isalpha, text)))
