"""What waits for a person's word: signed records by conversation, and lines for the person's next message."""

import os
import re

import pytest

from limpet.ground.storage.user_folders import approvals_folder
from limpet.ground.trust.approvals import (
    HOUR,
    TYPED,
    Approval,
    forget_ended,
    is_word,
    leave_line,
    make_word,
    read_approvals,
    remove_approval,
    seal_approval,
    take_lines,
    write_approval,
)
from limpet.ground.trust.giving import make_key

NOW = 1_800_000_000.0
ONE = Approval(act="a1", says="Set x", words=("config", "set", "x"), until=NOW + HOUR, given=TYPED)


@pytest.fixture(autouse=True)
def key():
    make_key()


def path_of(conversation, act="a1"):
    return os.path.join(approvals_folder(), conversation, act)


def test_a_record_is_read_as_it_was_written():
    """In its conversation, and in no other; one of two that remove it may use it."""
    write_approval("talk", ONE)
    assert read_approvals("talk", NOW) == (ONE,)
    assert read_approvals("other", NOW) == read_approvals("", NOW) == ()
    write_approval("talk", ONE)
    assert (remove_approval("talk", "a1"), remove_approval("talk", "a1")) == (True, False)


@pytest.mark.parametrize("forge", ["copied", "renamed", "edited", "unsigned"])
def test_a_record_that_we_did_not_write_counts_for_nothing(forge):
    """One of another conversation, of another act, one that was changed, and one of somebody's own."""
    write_approval("talk", ONE.replace(given=""))
    with open(path_of("talk"), "rb") as file:
        raw = file.read()
    place = {"copied": path_of("other"), "renamed": path_of("talk", "a2")}.get(forge, path_of("talk"))
    changed = {"edited": raw.replace(b'"given": ""', b'"given": "typed"'), "unsigned": raw.partition(b"\n")[2]}
    assert forge not in changed or changed[forge] != raw
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb") as file:
        file.write(changed.get(forge, raw))
    found = [one for name in ("talk", "other") for one in read_approvals(name, NOW)]
    assert found == ([] if forge in changed else [ONE.replace(given="")])


def test_without_a_key_nothing_is_kept(monkeypatch, tmp_path):
    """It could not be told from what an agent writes."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    with pytest.raises(PermissionError):
        write_approval("talk", ONE)
    assert seal_approval("bafim") == "" and not is_word(ONE, "")


def test_a_record_ends_after_its_hour():
    """And goes when it is looked for; others go when something new is asked."""
    write_approval("talk", ONE)
    assert read_approvals("talk", NOW + HOUR) == ()
    assert not os.path.exists(approvals_folder())
    write_approval("talk", ONE)
    os.utime(path_of("talk"), (NOW, NOW))
    forget_ended(NOW + HOUR)
    assert os.path.exists(path_of("talk"))
    forget_ended(NOW + HOUR + 1)
    assert not os.path.exists(path_of("talk"))


def test_a_word_can_be_typed_and_is_not_in_the_record():
    """In either case; what is kept of it is bound to the user's key."""
    shown = ONE.replace(word=seal_approval("bafim"))
    write_approval("talk", shown)
    with open(path_of("talk"), "rb") as file:
        assert b"bafim" not in file.read()
    assert is_word(shown, "bafim") and is_word(shown, "BAFIM")
    assert not (is_word(shown, "bafin") or is_word(shown, "") or is_word(ONE, "bafim"))


def test_no_word_is_one_of_a_language():
    """Letters without vowels, parted by digits that do not read as vowels: nobody is shown an insult to type."""
    words = {make_word() for _ in range(50)}
    assert len(words) > 40 and all(re.fullmatch(r"([b-df-hj-np-tv-z]\d){2}[b-df-hj-np-tv-z]", word) for word in words)
    assert not {*"".join(words)} & {*"aeiouyl013458"}


def test_lines_are_taken_once():
    """Each in one line, whatever it holds; then the folder is gone, for which the hook looks."""
    assert take_lines() == ()
    leave_line("one\nline")
    leave_line("another")
    assert take_lines() == ("one line", "another")
    assert take_lines() == () and not os.path.exists(approvals_folder())
