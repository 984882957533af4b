"""Candidates in their files, and the list of the open ones."""

import os
import stat
from pathlib import Path

import pytest

from limpet.memory.candidates import (
    LARGEST_DAY,
    LONGEST,
    Candidate,
    candidate_id_of,
    read_candidate_files,
    read_open,
    save,
    write_open,
)

DAY = 86_400.0


@pytest.fixture
def shared(tmp_path):
    """The folder that candidates lie in."""
    folder = tmp_path / ".limpet"
    folder.mkdir()
    return str(folder)


def candidate(quote, at=0.0, **fields):
    return Candidate(id=candidate_id_of(quote), at=at, session="talk", quote=quote, **fields)


def test_candidates_lie_in_a_file_a_day_for_the_owner_only(shared):
    """Out of git, each once, and each as it was saved last."""
    found = [candidate("The first one.", 1.0), candidate("The second one.", DAY + 1)]
    save(shared, found)
    save(shared, [found[0].replace(asked=("talk",))])
    assert read_candidate_files(shared) == [found[0].replace(asked=("talk",)), found[1]]
    folder = os.path.join(shared, "candidates")
    assert sorted(os.listdir(folder)) == [".gitignore", "1970-01-01.jsonl", "1970-01-02.jsonl"]
    assert (Path(folder) / ".gitignore").read_text() == "*\n"
    if os.name == "posix":
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        assert stat.S_IMODE(os.stat(os.path.join(folder, "1970-01-01.jsonl")).st_mode) == 0o600


def test_what_is_taken_out_is_gone(shared):
    """The others stay."""
    found = [candidate("The first one.", 1.0), candidate("The second one.", 2.0)]
    save(shared, found)
    save(shared, [], removed=found[:1])
    assert read_candidate_files(shared) == found[1:]


def test_a_full_day_takes_no_more_and_changes_what_it_has(shared):
    """A day's file stays bounded."""
    many = [candidate(f"{number} " + "x" * (LONGEST - 10), 1.0) for number in range(LARGEST_DAY // LONGEST + 10)]
    save(shared, many)
    kept = read_candidate_files(shared)
    assert 0 < len(kept) < len(many)
    assert os.path.getsize(os.path.join(shared, "candidates", "1970-01-01.jsonl")) <= LARGEST_DAY
    save(shared, [kept[-1].answered()])
    assert read_candidate_files(shared)[-1] == kept[-1].answered()


def test_broken_lines_are_passed_over(shared):
    """The others count."""
    save(shared, [candidate("A line.", 1.0)])
    with open(os.path.join(shared, "candidates", "1970-01-01.jsonl"), "ab") as file:
        file.write(b'{"torn": \n[]\n\xff\n')
    assert [each.quote for each in read_candidate_files(shared)] == ["A line."]


def test_the_notes_of_earlier_versions_are_candidates_without_a_type(shared):
    """Where they lie, until the first is written; then in the folder of today."""
    notes = Path(shared) / "notes"
    notes.mkdir()
    line = '{"id": "note-0123456789", "at": 5, "session": "talk", "text": "The invoices come from billing."}\n'
    (notes / "1970-01-01.jsonl").write_text(line)
    (old,) = read_candidate_files(shared)
    assert (old.type, old.quote, old.at, old.id) == ("", "The invoices come from billing.", 5.0, "01234567")
    save(shared, [candidate("A new one.", 9.0)])
    assert not notes.exists() and {each.quote for each in read_candidate_files(shared)} == {old.quote, "A new one."}


@pytest.mark.parametrize("name", ["candidates", "notes"])
def test_a_link_out_of_the_project_is_not_read_or_written(shared, tmp_path_factory, name):
    """It may have come with a checkout."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "1970-01-01.jsonl").write_text('{"id": "abcdef", "at": 1, "session": "x", "quote": "Not ours."}\n')
    os.symlink(outside, os.path.join(shared, name))
    assert read_candidate_files(shared) == [] and read_open(shared) == []
    if name == "candidates":
        with pytest.raises(OSError):
            save(shared, [candidate("A line.")])
    else:
        save(shared, [candidate("A line.")])
    assert os.listdir(outside) == ["1970-01-01.jsonl"]


def test_the_list_of_the_open_ones_is_replaced_whole(shared):
    """What is no list is an empty one."""
    write_open(shared, [{"id": "abcdef"}])
    assert read_open(shared) == [{"id": "abcdef"}]
    for text in ("[", '{"open": 3}', '{"open": [3]}'):
        Path(shared, "candidates", "open.json").write_text(text)
        assert read_open(shared) == []
