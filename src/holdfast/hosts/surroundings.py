"""Which coding agent started this process, by what it leaves in the environment of the commands that it runs."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.ground.values import Value
from holdfast.operations.caller import Surroundings


class Marks(Value):
    """What a host leaves in the environment.

    ``markers``: variables that mark a command as the host's.
    ``conversation``: the variable that names the conversation.
    """

    markers: tuple[str, ...]
    conversation: str


HOSTS = {
    "claude-code": Marks(
        markers=("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"),
        conversation="CLAUDE_CODE_SESSION_ID",
    )
}


def find_surroundings(environment: Mapping[str, str]) -> Surroundings:
    """Return the host and the conversation around this process."""
    host = next((name for name, marks in HOSTS.items() if any(map(environment.get, marks.markers))), "")
    return Surroundings(host, environment.get(HOSTS[host].conversation, "") if host else "")
