"""The memories as a caller may use them."""

import pytest

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.workspace import workspace_at
from limpet.operations.memory.change import forget_memory, remember_memory
from limpet.operations.memory.library import export_memories, import_memories, open_library, owner_of

from ..callers import DEV, NOW, PERSON, indexed, opened


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


@pytest.fixture
def elsewhere(tmp_path):
    """Another project."""
    (tmp_path / "elsewhere" / ".limpet").mkdir(parents=True)
    return workspace_at(str(tmp_path / "elsewhere"))


@pytest.mark.parametrize(("name", "form"), [("out.tar", "md-tar"), ("out.json", "json"), ("out", "json")])
def test_the_ending_says_the_format(workspace, elsewhere, tmp_path, name, form):
    """What was exported comes in elsewhere, and its index knows it at once."""
    remember_memory(opened(workspace), {}, "The queue is Redis.")
    assert export_memories(opened(workspace), str(tmp_path / name), "") == (form, 1, ())
    (tmp_path / name).rename(tmp_path / f"in.{'tar' if form == 'md-tar' else 'json'}")
    taken = import_memories(opened(elsewhere), str(tmp_path / f"in.{'tar' if form == 'md-tar' else 'json'}"))
    assert (len(taken.added), indexed(elsewhere)) == (1, ["The queue is Redis."])


def test_what_was_forgotten_stays_behind(workspace, tmp_path):
    """Nobody asked to have it elsewhere."""
    forget_memory(opened(workspace), remember_memory(opened(workspace), {}, "The queue is Redis.").stored.entry.id)
    assert export_memories(opened(workspace), str(tmp_path / "out.json"))[1] == 0


def test_an_agent_imports_nothing(workspace, tmp_path):
    """What comes in speaks for a person."""
    with pytest.raises(LimpetError, match="Only a person can import memories"):
        import_memories(opened(workspace, DEV), str(tmp_path))
