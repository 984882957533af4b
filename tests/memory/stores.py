"""A project's memories for tests, opened for several readers at a time that the test sets."""

import json
import os

import pytest

from limpet.ground.clock import Clock
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor
from limpet.memory.library import Library
from limpet.memory.model.layout import WHOLE_STORE, Reader

from ..places import private_path

SETTINGS = DEFAULTS["memory"]
NOW = 1_795_000_000.0
DAY = 86_400.0
DEV, ARCHITECT, NOBODY = Reader("dev"), Reader("architect"), Reader()
SECRET = "ghp_" + "a1B2c3D4e5" * 4


class World:
    """One project's memories; ``shared`` is the project's ``.limpet``."""

    def __init__(self, folder):
        self.folder = folder
        self.now = NOW
        self.shared = str(folder / ".limpet")
        os.makedirs(self.shared)

    def of(self, reader=WHOLE_STORE, session=""):
        """The library as the reader may use it."""
        clock = Clock(now=lambda: self.now)
        return Library(self.shared, SETTINGS, reader, clock, Actor("tests", 0.0, DEFAULTS["retention"], session))

    def add(self, title="JWT", reader=WHOLE_STORE, owner="", **fields):
        return self.of(reader).add({"type": "decision", "title": title, "body": "Because.", **fields}, owner)

    def elsewhere(self):
        """Another project's memories, empty."""
        return World(self.folder / "elsewhere")

    def path(self, path):
        return private_path(self, "memories", *path.split("/"))

    def write(self, path, text):
        os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
        with open(self.path(path), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, path):
        with open(self.path(path), encoding="utf-8") as file:
            return file.read()

    def events(self, kind):
        with open(private_path(self, "events", "tests.jsonl"), encoding="utf-8") as file:
            return [event for event in map(json.loads, file) if event["kind"] == kind]


def titles(listing):
    return sorted(card.title for card in listing.cards)


def told(act):
    """What an error says."""
    with pytest.raises(LimpetError) as raised:
        act()
    return str(raised.value)
