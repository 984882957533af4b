"""Notes as values, in their files, and found by words."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.memory.notes.files import LARGEST_DAY, add_notes, read_files, remove_notes
from holdfast.memory.notes.note import LONGEST, Note, make_note, read_record, write_record
from holdfast.memory.notes.search import find_same, rank_notes

DAY = 86_400.0


@pytest.fixture
def shared(tmp_path):
    """The folder that notes lie in."""
    folder = tmp_path / ".holdfast"
    folder.mkdir()
    return str(folder)


def note(text, at=0.0, key="k"):
    return make_note(key, at, "talk", text)


@given(st.text(min_size=1), st.floats(0, 4e9))
def test_a_note_comes_back_as_it_was_written(text, at):
    """Whatever its characters."""
    made = note(f"x{text}", at)
    assert read_record(write_record(made)) == made
    assert len(made.text) <= LONGEST


@pytest.mark.parametrize("record", [{}, {"id": 3, "text": "x"}, {"id": "n", "text": ""}, {"id": "n"}])
def test_what_is_no_note_is_none(record):
    """Such as a line that somebody edited."""
    assert read_record(record) is None


def test_the_same_words_of_the_same_message_have_one_id():
    """Others another."""
    assert note("a").id == note("a", at=9.0).id
    assert len({note("a").id, note("b").id, note("a", key="other").id}) == 3


def test_notes_lie_in_a_file_a_day_for_the_owner_only(shared):
    """Out of git, each once."""
    notes = [note("The first one.", 1.0), note("The second one.", DAY + 1)]
    assert add_notes(shared, notes) == 2
    assert add_notes(shared, notes) == 0
    assert read_files(shared) == notes
    folder = os.path.join(shared, "notes")
    assert sorted(os.listdir(folder)) == [".gitignore", "1970-01-01.jsonl", "1970-01-02.jsonl"]
    assert (Path(folder) / ".gitignore").read_text() == "*\n"
    if os.name == "posix":
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        assert stat.S_IMODE(os.stat(os.path.join(folder, "1970-01-01.jsonl")).st_mode) == 0o600


def test_a_removed_note_is_gone(shared):
    """The others stay."""
    notes = [note("The first one.", 1.0), note("The second one.", 2.0)]
    add_notes(shared, notes)
    remove_notes(shared, {notes[0].id})
    assert read_files(shared) == notes[1:]


def test_a_full_day_takes_no_more(shared):
    """A day's file stays bounded."""
    many = [note(f"{number} " + "x" * LONGEST, 1.0) for number in range(LARGEST_DAY // LONGEST + 10)]
    assert 0 < add_notes(shared, many) < len(many)
    assert os.path.getsize(os.path.join(shared, "notes", "1970-01-01.jsonl")) <= LARGEST_DAY


def test_broken_lines_are_passed_over(shared):
    """The others count."""
    add_notes(shared, [note("A note.", 1.0)])
    path = os.path.join(shared, "notes", "1970-01-01.jsonl")
    with open(path, "ab") as file:
        file.write(b'{"torn": \n[]\n\xff\n')
    assert [each.text for each in read_files(shared)] == ["A note."]


def test_a_link_out_of_the_project_is_not_read_or_written(shared, tmp_path_factory):
    """It may have come with a checkout."""
    outside = tmp_path_factory.mktemp("outside")
    os.symlink(outside, os.path.join(shared, "notes"))
    with pytest.raises(OSError):
        add_notes(shared, [note("A note.")])
    assert read_files(shared) == [] and os.listdir(outside) == []


def test_the_best_comes_first_and_what_shares_no_word_not_at_all():
    """A rare word weighs more than one that all hold; of equals the newer comes first."""
    notes = [
        note("The export button belongs to the toolbar."),
        note("The import button is fine."),
        note("Nothing of it."),
        note("The import button is fine.", 5.0, "later"),
    ]
    found = rank_notes(notes, "where does the export button go", 3)
    assert [each.text[:11] for each in found] == ["The export ", "The import ", "The import "]
    assert [each.at for each in found[1:]] == [5.0, 0.0]
    assert rank_notes(notes, "export button", 1) == found[:1]
    assert rank_notes(notes, "zebra", 3) == ()


def test_the_same_said_again_is_known():
    """In nearly the same words; not what shares a word only."""
    notes = [note("Keep the toolbar compact."), note("The export goes to the toolbar.")]
    assert find_same("keep toolbars compact!", notes, 0.8) == notes[0]
    assert find_same("hide the toolbar", notes, 0.8) is None
    assert find_same("anything", [], 0.8) is None


def test_a_note_is_a_value():
    """With the fields that doors print."""
    assert Note.fields == ("id", "at", "session", "text")
