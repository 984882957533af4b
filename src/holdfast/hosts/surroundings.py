"""Finds the coding agent that started this process by the variables in the environment of commands that it runs."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.hosts.registry import HOSTS, events_of
from holdfast.operations.surroundings import Surroundings


def find_surroundings(environment: Mapping[str, str]) -> Surroundings:
    """Return the host and the conversation around this process."""
    for name in HOSTS:
        events = events_of(name)
        if events and any(map(environment.get, events.MARKERS)):
            return Surroundings(name, environment.get(events.CONVERSATION, ""))
    return Surroundings()


def variables_of_hosts() -> frozenset[str]:
    """Return the variables by which hosts mark the commands that they run."""
    known = filter(None, map(events_of, HOSTS))
    return frozenset(name for events in known for name in (*events.MARKERS, events.CONVERSATION))
