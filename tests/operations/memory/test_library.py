"""The memories as a caller may use them."""

import pytest

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.workspace import workspace_at
from limpet.operations.memory.change import forget_memory, remember_memory
from limpet.operations.memory.library import export_memories, import_memories, open_library, owner_of

from ..callers import DEV, NOW, PERSON, indexed, opened


def test_the_caller_decides_reader_writer_conversation_and_moment(workspace):
    """All that is written carries them; a door may have a name of its own in the audit log, whoever the reader is."""
    library = open_library(opened(workspace, DEV))
    assert (library.reader, library.writer, library.session) == (DEV.reader, "agent:dev", "talk")
    entry = library.add({"type": "lesson", "title": "One"}).entry
    assert (entry.created_at, entry.session, entry.agent) == (iso(NOW), "talk", "dev")
    assert open_library(opened(workspace, PERSON.replace(by="upkeep"))).writer == "upkeep"


def test_an_owner_has_many_names():
    """Aliases and an @ are the agent's, everything else is itself."""
    assert [owner_of(name) for name in ("@dev", "SHARED", " Nobody ")] == ["dev", "shared", "nobody"]


@pytest.fixture
def elsewhere(tmp_path):
    """Another project."""
    (tmp_path / "elsewhere" / ".limpet").mkdir(parents=True)
    return workspace_at(str(tmp_path / "elsewhere"))


@pytest.mark.parametrize(("name", "form"), [("out.tar", "md-tar"), ("out.json", "json"), ("out", "json")])
def test_the_ending_says_the_format(workspace, elsewhere, tmp_path, name, form):
    """What was exported comes in elsewhere by a person, and its index knows it; what was forgotten stays behind."""
    remember_memory(opened(workspace), {}, "The queue is Redis.")
    forget_memory(opened(workspace), remember_memory(opened(workspace), {}, "Forgotten.").stored.entry.id)
    assert export_memories(opened(workspace), str(tmp_path / name), "") == (form, 1, ())
    came = (tmp_path / name).rename(tmp_path / f"in.{'tar' if form == 'md-tar' else 'json'}")
    with pytest.raises(LimpetError, match="Only a person can import memories"):
        import_memories(opened(elsewhere, DEV), str(came))
    assert (len(import_memories(opened(elsewhere), str(came)).added), indexed(elsewhere)) == (
        1,
        ["The queue is Redis."],
    )
