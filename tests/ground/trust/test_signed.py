"""The user's key: made once, for its owner only, and needed to sign."""

import os

import pytest

from limpet.ground.trust.giving import give_trust
from limpet.ground.trust.signed import BYTES, is_signed, key_path, read_key, sign
from limpet.ground.workspace import workspace_at

from ...conversation import write


@pytest.fixture
def project(tmp_path):
    (tmp_path / "shop" / ".limpet").mkdir(parents=True)
    return workspace_at(str(tmp_path / "shop"))


def test_there_is_none_until_it_is_needed(project):
    assert read_key() is None
    give_trust(project, {}, 0.0)
    assert len(read_key()) == BYTES


def test_it_is_made_once(project):
    give_trust(project, {}, 0.0)
    key = read_key()
    give_trust(project, {"x": 1}, 0.0)
    assert read_key() == key


def test_what_it_signed_is_known(project):
    give_trust(project, {}, 0.0)
    mark = sign(b"text", read_key())
    assert is_signed(b"text", mark)
    assert not is_signed(b"test", mark)
    assert not is_signed(b"text", "")


@pytest.mark.parametrize("spoilt", [b"", b"short", bytes(BYTES + 1)])
def test_a_spoilt_key_is_replaced(project, spoilt):
    write(key_path(), spoilt)
    assert not is_signed(b"text", "0" * 32)
    give_trust(project, {}, 0.0)
    assert len(read_key()) == BYTES


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_a_key_that_others_may_read_is_replaced(project):
    give_trust(project, {}, 0.0)
    key = read_key()
    os.chmod(key_path(), 0o640)
    assert read_key() is None
    give_trust(project, {}, 0.0)
    assert read_key() not in (None, key)
