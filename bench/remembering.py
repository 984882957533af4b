"""Run in a project's folder: its user trusts it, and remembers each text; the first argument is the memories' owner."""

from __future__ import annotations

import os
import sys
import time

sys.path.append(os.path.dirname(os.path.abspath(__file__)))

from nobody import trusted_project

from limpet.ground.clock import Clock
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log import Actor
from limpet.memory.library import Library
from limpet.memory.model.layout import WHOLE_STORE


def work(owner: str, texts: list[str]) -> None:
    workspace = trusted_project(os.getcwd(), time.time())
    actor = Actor("person", time.time(), DEFAULTS["retention"], "bench")
    library = Library(workspace.shared, DEFAULTS["memory"], WHOLE_STORE, Clock(), actor)
    for text in texts:
        library.add({"type": "decision", "title": text}, owner)


if __name__ == "__main__":
    work(sys.argv[1], sys.argv[2:])
