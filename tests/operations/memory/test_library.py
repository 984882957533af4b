"""The memories as a caller may use them."""

from limpet.ground.clock import iso
from limpet.operations.memory.library import open_library, owner_of

from ..callers import DEV, NOW, PERSON, opened


def test_the_caller_decides_reader_writer_conversation_and_moment(workspace):
    """All that is written carries them."""
    library = open_library(opened(workspace, DEV))
    assert (library.reader, library.writer, library.session) == (DEV.reader, "agent:dev", "talk")
    entry = library.add({"type": "lesson", "title": "One"}).entry
    assert (entry.created_at, entry.session, entry.agent) == (iso(NOW), "talk", "dev")


def test_a_door_may_have_a_name_of_its_own_in_the_audit_log(workspace):
    """Whoever the reader is."""
    assert open_library(opened(workspace, PERSON.replace(by="upkeep"))).writer == "upkeep"


def test_an_owner_has_many_names():
    """Aliases and an @ are the agent's, everything else is itself."""
    assert [owner_of(name) for name in ("@dev", "SHARED", " Nobody ")] == ["dev", "shared", "nobody"]
