"""Opens the project for a call of a client: which project it is about, who calls, and how a person gives their word.

A call has an agent's rights, never a person's. In a shell the same agent can name any conversation in the variables by
which ``limpet`` knows it, so that a client that names one gets nothing that ``limpet`` would refuse it there.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from limpet.ground.errors import LimpetError
from limpet.ground.trust.approvals import TYPED
from limpet.ground.trust.giving import refuse_untrusted
from limpet.ground.workspace import Workspace, no_project
from limpet.hosts.surroundings import project_around, ways_in
from limpet.operations.approval import ELSEWHERE, Obtain, PersonWord, Presence, obtain_word
from limpet.operations.caller import Caller, find_client_reader
from limpet.operations.project import Project
from limpet.operations.surroundings import Surroundings

CONVERSATION = "limpet/conversation"
"""The key of a request's ``_meta`` under which a client names the conversation that calls."""


def open_called(folder: str, around: Surroundings, roots: Iterable[str], meta: Mapping[str, Any]) -> Project:
    """Return the project, opened for who calls; nothing of an earlier call is in it.

    ``folder``: the one that the server was given, "" for none.
    ``around``: the coding agent that started the server, and the conversation in which it did.
    ``roots``: the URIs of the folders in which the client works, empty where it names none.
    ``meta``: the request's ``_meta``. Raises LimpetError where there is no project that the user trusts.
    """
    workspace, now = _find_workspace(folder, roots), time.time()
    refuse_untrusted(workspace)
    named = meta.get(CONVERSATION)
    conversation = named if isinstance(named, str) and named else around.conversation
    known = Surroundings(around.host or "mcp", conversation)
    return Project(
        workspace, lambda _: Caller(reader=find_client_reader(workspace, conversation), now=now, surroundings=known)
    )


def obtain_for_server(project: Project, words: Sequence[str]) -> Obtain:
    """Return what gets a person's word for a call: typed in the conversation where the client has our hook, else not at
    all; ``words`` are the command that they run in its place, in a terminal of their own."""
    around = project.caller.surroundings
    typed = tuple(way for way in ways_in(around.host) if way == TYPED)
    presence = Presence(surroundings=around, ways=typed, words=tuple(words))

    def obtain(says: str, shown: Sequence[str] | None = None) -> PersonWord:
        try:
            return obtain_word(project.workspace, presence, says, project.caller.now, shown)
        except LimpetError as error:
            if error.hint != ELSEWHERE:
                raise
            raise LimpetError(
                error.what, "", f"In a terminal of their own they run: limpet {' '.join(words)}"
            ) from None

    return obtain


def _find_workspace(folder: str, roots: Iterable[str]) -> Workspace:
    """Return the project around the folder, without one that around the client's roots, else around the working folder.
    Raises LimpetError for none."""
    named = [folder] if folder else [*(url2pathname(urlsplit(uri).path) for uri in roots), os.getcwd()]
    folders = list(map(os.path.abspath, named))
    workspace = next(filter(None, (project_around(each, os.environ) for each in folders)), None)
    if workspace is None:
        raise no_project(folders[0])
    return workspace
