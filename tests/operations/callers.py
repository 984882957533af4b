"""Who calls an operation in tests, at a moment that stands still."""

import json
import os

from limpet.ground.errors import LimpetError
from limpet.ground.event import Surroundings
from limpet.memory.model.layout import WHOLE_STORE as A_PERSON
from limpet.memory.model.layout import Reader
from limpet.operations.approval import PersonWord
from limpet.operations.caller import Caller
from limpet.operations.project import open_as

from ..places import private_path

NOW = 1_795_262_400.0
PERSON = Caller(reader=A_PERSON, now=NOW)
DEV = Caller(reader=Reader(agent="dev"), now=NOW, surroundings=Surroundings("claude-code", "talk"))


def opened(workspace, caller=PERSON):
    """The project as this caller finds it now."""
    return open_as(workspace, caller)


def agrees(says):
    """The word of a person who agrees to whatever they are asked."""
    return PersonWord(says=says, how="typed")


def refuses(says):
    """Nobody agrees."""
    raise LimpetError(f"Only a person can do this: {says}")


def events(workspace):
    """(kind, why) of each line in the audit log but accesses, all writers."""
    folder = private_path(workspace, "events")
    lines = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            lines += map(json.loads, file)
    return [(line["kind"], line["why"]) for line in lines if line["kind"] != "memory.access"]


def indexed(workspace):
    """Titles in the index as it is, without bringing it up to date."""
    from limpet.operations.figures import offered_cards

    return sorted(card.title for card in offered_cards(workspace, A_PERSON))
