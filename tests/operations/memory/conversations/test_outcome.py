"""What a conversation leaves beside candidates: its digest."""

import pytest

from limpet.ground.clock import iso
from limpet.ground.event import Surroundings
from limpet.memory.model.entry import DIGEST, Query
from limpet.operations.memory.conversations.capture import keep_digest
from limpet.operations.memory.library import open_library
from limpet.transcripts.messages import Message

from ...callers import NOW, PERSON, opened

RUN = Message(role="tool", tool="Bash", tool_input={"command": "pytest -q"}, at=NOW)


def edit(path):
    return Message(role="tool", tool="Edit", tool_input={"file_path": path}, edited=path, at=NOW)


@pytest.fixture
def library(workspace):
    """The library as the capture of a conversation opens it."""
    caller = PERSON.replace(surroundings=Surroundings("claude-code", "one"), by="capture:one")
    return open_library(opened(workspace, caller))


def digests(library):
    return [library.show(card.id, count=False).entry for card in library.list(Query(tag=DIGEST)).cards]


def test_the_digest_is_titled_by_its_subject_and_dated_by_the_conversation(library):
    """Whenever it is captured, and whatever comes later."""
    said = Message(role="user", text="Add a cache to the report", at=NOW - 86_400)
    keep_digest(library, [said, edit("src/model.py")], ())
    keep_digest(library, [said.replace(text="Now the login"), edit("src/login.py")], ())
    (entry,) = digests(library)
    day = iso(NOW - 86_400)[:10]
    assert (entry.title, entry.created_at[:10]) == (f"Add a cache to the report ({day})", day)


def test_the_digest_grows_with_each_capture(library):
    """One memory of the conversation, with the files of both captures; words alone are not worth one."""
    keep_digest(library, [Message(role="user", text="Good morning!", at=NOW)], ())
    assert digests(library) == []
    keep_digest(library, [edit("src/model.py"), RUN], ())
    keep_digest(library, [edit("src/endpoint.py")], ())
    (entry,) = digests(library)
    assert "src/model.py" in entry.body and "src/endpoint.py" in entry.body
    assert (entry.session, entry.storage, entry.type) == ("one", "daily", "episodic")
