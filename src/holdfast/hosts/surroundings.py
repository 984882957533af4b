"""Which coding agent started this process, by what it leaves in the environment of the commands that it runs."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.hosts.registry import all_hosts
from holdfast.operations.caller import Surroundings


def find_surroundings(environment: Mapping[str, str]) -> Surroundings:
    """Return the host and the conversation around this process."""
    for host in all_hosts():
        if any(map(environment.get, host.MARKS.markers)):
            return Surroundings(host.NAME, environment.get(host.MARKS.conversation, ""))
    return Surroundings()


def variables_of_hosts() -> frozenset[str]:
    """Return the variables by which hosts mark the commands that they run."""
    marks = [host.MARKS for host in all_hosts()]
    return frozenset(name for each in marks for name in (*each.markers, each.conversation))
