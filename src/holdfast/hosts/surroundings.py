"""Finds the coding agent that started this process by the variables in the environment of commands that it runs."""

from __future__ import annotations

import os
from collections.abc import Mapping

from holdfast.ground.storage.confinement import lies_in
from holdfast.ground.workspace import Workspace, find_workspace
from holdfast.hosts.registry import HOSTS, events_of
from holdfast.operations.surroundings import Surroundings
from holdfast.work.conversation import known_project


def find_surroundings(environment: Mapping[str, str]) -> Surroundings:
    """Return the host and the conversation around this process."""
    for name in HOSTS:
        events = events_of(name)
        if events and any(map(environment.get, events.MARKERS)):
            return Surroundings(name, environment.get(events.CONVERSATION, ""))
    return Surroundings()


def project_around(folder: str, environment: Mapping[str, str]) -> Workspace | None:
    """Return the project that a command run in this folder is about: the one of the conversation around this process if
    the folder lies in it, whatever ``.holdfast`` is nearer; else the nearest, None for none."""
    own = known_project(find_surroundings(environment).conversation)
    inside = own and lies_in(os.path.realpath(own.root), os.path.realpath(folder))
    return own if inside else find_workspace(folder)


def variables_of_hosts() -> frozenset[str]:
    """Return the variables by which hosts mark the commands that they run."""
    known = filter(None, map(events_of, HOSTS))
    return frozenset(name for events in known for name in (*events.MARKERS, events.CONVERSATION))
