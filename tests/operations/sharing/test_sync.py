"""Machines of one person come in step, whatever happens in between."""

import os
import shutil

import pytest

from limpet.sharing.transport import Moved

from ...homes import Home, bare_repository


@pytest.fixture
def remote(tmp_path):
    return bare_repository(tmp_path / "remote.git")


@pytest.fixture
def homes(tmp_path, remote):
    return [Home(tmp_path / name, remote) for name in "abc"]


def test_what_one_machine_writes_comes_to_another(homes):
    a, b, _ = homes
    entry = a.write("Amounts are integers in cents", "Never floats.")
    assert a.sync().sent == 1
    done = b.sync()
    assert (done.received, done.changed) == (1, 1)
    assert b.texts() == a.texts()
    assert "Never floats." in b.texts()[entry][1]
    assert b.sync().sent == 0


def test_an_edit_and_a_move_travel(homes):
    a, b, _ = homes
    entry = a.write("Amounts are integers", storage="daily")
    a.sync()
    b.sync()
    b.edit(entry, title="Amounts are integers in cents")
    b.sync()
    a.sync()
    assert a.texts() == b.texts()
    assert "in cents" in a.texts()[entry][1]


def test_edits_of_different_fields_are_merged(homes):
    a, b, c = homes
    entry = a.write("Amounts are integers", "One.")
    for home in homes:
        home.sync()
    a.edit(entry, paths=("src/a.py",))
    b.edit(entry, body="Two.")
    for home in (*homes, *homes):
        home.sync()
    assert a.texts() == b.texts() == c.texts()
    assert list(a.texts()) == [entry]
    assert "Two." in a.texts()[entry][1] and "src/a.py" in a.texts()[entry][1]


def test_edits_that_clash_are_both_kept(homes):
    a, b, c = homes
    entry = a.write("Amounts are integers", "One.")
    for home in homes:
        home.sync()
    a.edit(entry, body="Two.")
    b.edit(entry, body="Three.")
    a.sync()
    beside = b.sync().beside
    for home in (*homes, *homes):
        home.sync()
    assert a.texts() == b.texts() == c.texts()
    assert set(a.texts()) == {entry, *beside} and len(beside) == 1
    assert {text.rsplit("\n", 2)[-2] for _, text in a.texts().values()} == {"Two.", "Three."}


def test_a_deletion_travels(homes):
    a, b, _ = homes
    kept, forgotten, erased = a.write("Kept"), a.write("Forgotten"), a.write("Erased")
    a.sync()
    b.sync()
    a.forget(forgotten)
    a.forget(erased, for_good=True)
    assert a.sync().deleted == 2
    b.sync()
    assert set(b.texts()) == {kept}
    found = [os.path.join(f, n) for f, _, names in os.walk(b.folder) for n in names if n.endswith(".md")]
    assert sorted(os.path.basename(path).split("-")[3] for path in found) == ["forgotten", "kept"]


def test_a_file_that_was_lost_is_no_deletion(homes):
    """A disk that lost them must not take them from the other machines."""
    a, b, _ = homes
    entry = a.write("Kept")
    a.sync()
    b.sync()
    os.unlink(b.full(entry))
    b.sync()
    a.sync()
    assert set(a.texts()) == set(b.texts()) == {entry}


def test_what_the_store_lost_is_sent_again(homes, remote):
    a, b, c = homes
    a.write("One")
    a.sync()
    head = os.path.join(remote, "refs", "heads", "main")
    with open(head) as file:
        old = file.read()
    a.write("Two")
    a.sync()
    b.sync()
    with open(head, "w") as file:  # as a forced push does
        file.write(old)
    assert b.sync().restored == 1
    a.write("Three")
    for home in homes:
        home.sync()
    assert len(c.texts()) == 3 and a.texts() == b.texts() == c.texts()


def test_the_copy_here_may_be_deleted(homes):
    a, b, _ = homes
    a.write("One")
    a.sync()
    shutil.rmtree(os.path.join(a.folder, "data", "sync", "copy.git"))
    a.write("Two")
    assert a.sync().sent == 1
    b.sync()
    assert a.texts() == b.texts()


def test_a_copy_of_a_home_becomes_a_writer_of_its_own(homes, tmp_path):
    a, b, _ = homes
    a.write("One")
    a.sync()
    os.system(f"cp -a {a.folder} {tmp_path}/copy")
    copy = Home(tmp_path / "copy", a.remote)
    a.write("Two")
    copy.write("Three")
    a.sync()
    for home in (copy, b, a, copy):
        home.sync()
    assert len(a.texts()) == 3 and a.texts() == b.texts() == copy.texts()


def test_a_new_history_begins_only_where_nobody_wrote_meanwhile(homes):
    a, b, _ = homes
    a.write("One")
    a.sync()
    b.sync()
    b.write("Two")

    def write_meanwhile(words):
        if words[0] == "push":
            a.hook = lambda words: None
            b.sync()

    a.hook = write_meanwhile
    with pytest.raises(Moved):
        a.sync(anew=True)
    a.sync()
    assert a.texts() == b.texts() and len(a.texts()) == 2


def test_a_new_history_has_only_what_is_now(homes, remote):
    a, b, c = homes
    entry, gone = a.write("One", "old words"), a.write("Gone")
    a.sync()
    b.sync()
    a.edit(entry, body="new words")
    a.forget(gone, for_good=True)
    b.edit(entry, paths=("b.py",))
    a.sync(anew=True)
    b.sync()
    c.sync()
    a.sync()
    b.sync()
    assert a.texts() == b.texts() == c.texts()
    assert gone not in a.texts()
    assert os.popen(f"git -C {remote} rev-list --count main").read().strip() == "2"


def test_tags_of_two_machines_are_united(homes):
    a, b, _ = homes
    entry = a.write("Amounts are integers")
    a.sync()
    b.sync()
    a.edit(entry, tags=("money", "shop"))
    b.edit(entry, tags=("cents",))
    for home in (a, b, a):
        home.sync()
    assert a.texts() == b.texts()
    assert "tags: [cents, money, shop]" in a.texts()[entry][1]
