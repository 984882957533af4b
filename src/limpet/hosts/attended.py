"""Tells whether a person sits at the client above this process, where none of its variables does."""

from __future__ import annotations

import os

from limpet.ground.processes import read_ancestors
from limpet.hosts.surroundings import find_surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Which terminal this process has, if any.
TERMINAL = "CONIN$" if os.name == "nt" else "/dev/tty"


def is_attended(host: str, prints: Callable[[str], bool]) -> bool:
    """Return whether the nearest process of the host's client is seen, none of its words says that it has its prompts
    from elsewhere than a terminal (``prints``), and there is one."""
    client = next((each for each in read_ancestors() if find_surroundings({}, (each,)).host == host), None)
    if client is None or any(map(prints, client.words[1:])):
        return False
    try:
        os.close(os.open(TERMINAL, os.O_RDONLY))
    except OSError:
        return False
    return True
