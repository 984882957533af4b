"""A lock for which one waits one's turn."""

from limpet.ground.storage.files import Lock
from limpet.ground.storage.text_file import fair_lock


def test_one_holds_it_and_nobody_else(tmp_path):
    path = str(tmp_path / "a.lock")
    with fair_lock(path, 1.0) as first, fair_lock(path, 0.0) as second:
        assert (first, second) == (True, False)
    with fair_lock(path, 0.0) as third:
        assert third


def test_while_somebody_waits_nobody_else_gets_it(tmp_path):
    path = str(tmp_path / "a.lock")
    with Lock(f"{path}.next", 0.0) as waiting, fair_lock(path, 0.0) as held:
        assert (waiting, held) == (True, False)


def test_what_cannot_be_locked_is_not_held(tmp_path):
    (tmp_path / "file").write_text("")
    with fair_lock(str(tmp_path / "file" / "a.lock"), 0.0) as held:
        assert not held
