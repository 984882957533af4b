"""A conversation's own state: any file is read, none is lost, and no id leads astray (decisions 12, 36)."""

import json
import os
import string
from pathlib import Path

import pytest
from hypothesis import given

from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError
from limpet.work.session import (
    KEPT_CLAIMS,
    change_session,
    claim,
    complete,
    is_future,
    new_session,
    read_session,
    read_state,
    remaining_window,
    session_lock,
    session_path,
    session_paths,
    write_session,
)

from ..conversation import write
from ..places import private_path
from ..strategies import QUICK, any_text, st

NOW = 1_800_000_000.0
PLAIN = {*string.ascii_letters, *string.digits, "-", "_"}
leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5))
anything = st.recursive(
    leaves, lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(max_size=5), inner)), max_leaves=8
)
FIELDS = sorted(new_session("", "", "", NOW)) + ["active_agent", "workflow", "task", "mode", "last", "model", "mine"]


def new(**changes):
    return {**new_session("one", "claude-code", "/project", NOW), **changes}


def finish(found):
    return complete(found, "one", "claude-code", "/project", NOW)


# Names


@QUICK
@given(any_text)
def test_a_file_name_is_plain_whatever_the_id(session):
    """Letters, digits, hyphen and underscore only, of bounded length, on every system."""
    name = safe_name(session)
    assert 0 < len(name) <= 80
    assert set(name) <= PLAIN


@QUICK
@given(any_text, any_text)
def test_two_ids_have_two_files(one, other):
    """However alike their plain characters are."""
    assert (safe_name(one) == safe_name(other)) == (one == other)


def test_a_plain_id_is_its_own_name():
    """So that a person finds the file."""
    assert safe_name("00000000-0000-4000-8000-000000000001") == "00000000-0000-4000-8000-000000000001"
    assert safe_name("x" * 5000).startswith("x" * 24 + "-")


# Reading


def test_an_unknown_conversation_is_none_and_cannot_be_changed(workspace):
    """Without a note, a file or a folder, also for a mistyped id."""
    assert (read_session(workspace, "one"), session_paths(workspace)) == ((None, ""), [])
    with pytest.raises(LimpetError, match="No conversation with this ID"):
        change_session(workspace, "one", {"active_agent": "dev"})
    assert not os.path.exists(private_path(workspace, "sessions"))


def test_a_look_changes_nothing_and_reads_what_is_there(workspace):
    """What cannot be read, and what nobody has, is an empty state."""
    for name, text in (("good", '{"id": "good"}'), ("torn", '{"id": '), ("list", "[]")):
        write(session_path(workspace, name), text)
    write(private_path(workspace, "sessions", "good.captured"), "{}")
    found = [read_state(workspace, name) for name in ("good", "torn", "list", "none", "")]
    assert found == [{"id": "good"}, {}, {}, {}, {}]
    assert session_paths(workspace) == [session_path(workspace, name) for name in ("good", "list", "torn")]


def test_every_damaged_file_is_kept(workspace):
    """One after the other, each under a name of its own."""
    for text in ("{", "[1]", "half"):
        write(session_path(workspace, "one"), text)
        assert read_session(workspace, "one")[0] is None
    kept = {path.name: path.read_text() for path in Path(private_path(workspace, "sessions")).iterdir()}
    assert kept == {"one.json.damaged": "{", "one.json.damaged.1": "[1]", "one.json.damaged.2": "half"}


@QUICK
@given(st.dictionaries(st.sampled_from(FIELDS), anything))
def test_any_mapping_becomes_a_whole_state(found):
    """Every field is there in its shape; what nobody knows stays."""
    session = finish(found)
    blank = new()
    assert set(blank) <= set(session) <= set(blank) | set(found)
    assert session["id"] == "one"
    assert all(type(session[name]) is type(blank[name]) for name in blank if blank[name] is not None)
    assert repr(session.get("mine")) == repr(found.get("mine"))
    assert all(isinstance(one, str) for name in ("star_commands", "domains_last") for one in session["history"][name])
    claimed = claim(session, "key", NOW, lasting=True)
    assert claimed is None or json.dumps(claimed)


@QUICK
@given(st.dictionaries(st.sampled_from(["began", "reminded", "stable", "bracket", "notes", "sent", "mine"]), anything))
def test_a_stretch_of_another_shape_is_mended(stretch):
    """What the context room reads without a further look has its shape or is gone."""
    sound = finish({"stretch": stretch})["stretch"]
    shapes = {"began": int, "reminded": int, "stable": str, "bracket": str, "notes": list, "sent": dict}
    assert all(isinstance(sound[name], shape) for name, shape in shapes.items() if name in sound)
    assert all(isinstance(text, str) and isinstance(number, int) for text, number in sound["sent"].values())


def test_a_state_that_was_written_is_left_as_it_is():
    """Mending changes nothing that is sound."""
    stretch = {"began": 3, "stable": "s", "bracket": "FRESH", "notes": ["n"], "sent": {"L6 API": ["d", 4]}}
    session = new(
        stretch=stretch, claims=[["prompt x", NOW]], active_agent="dev", task={"id": "1", "title": "t"}, mine=[1]
    )
    assert finish(session) == session


def test_synapses_agent_is_taken_by_its_id():
    """Its session keeps the agent as a mapping."""
    assert finish({"active_agent": {"id": "dev", "activated_at": "x"}})["active_agent"] == "dev"


@pytest.mark.parametrize(("version", "future"), [(1, False), (2, True), ("2.0", False), (None, False), (99, True)])
def test_a_later_schema_is_known(version, future):
    """SYNAPSE's "2.0" is a foreign one, not a later one of ours."""
    assert is_future({"schema_version": version}) == future


# Claims


def test_a_lasting_claim_is_for_good_and_another_for_ten_seconds():
    """Decision 12."""
    lasting = claim(new(), "key", NOW, lasting=True)
    assert claim(lasting, "key", NOW + 9999, lasting=True) is None
    assert claim(lasting, "key", NOW + 9, lasting=False) is None
    assert claim(lasting, "key", NOW + 11, lasting=False)
    assert claim(lasting, "other", NOW, lasting=True)


def test_claims_do_not_grow_without_end():
    """The newest are kept."""
    session = new()
    for number in range(40):
        session = claim(session, f"key {number}", NOW, lasting=True)
    assert len(session["claims"]) == KEPT_CLAIMS
    assert claim(session, "key 39", NOW, lasting=True) is None


# Changes from outside


def test_a_change_keeps_all_else(workspace):
    """And the revision grows (decision 36); with None the project's own value holds again."""
    write_session(workspace, new(prompt_count=3, mine="kept", title="größe \ud800"))
    change_session(workspace, "one", {"active_agent": "dev"})
    found, note = read_session(workspace, "one")
    assert (found["active_agent"], found["prompt_count"], found["mine"], found["revision"]) == ("dev", 3, "kept", 2)
    assert (found["title"], note) == ("größe \ud800", "")
    assert change_session(workspace, "one", {"active_agent": None, "mode": None})["active_agent"] is None
    assert "mode" not in read_session(workspace, "one")[0]


def test_a_later_versions_state_cannot_be_changed(workspace):
    """It is read only (decision 36)."""
    text = json.dumps({"schema_version": 99, "id": "one"})
    write(session_path(workspace, "one"), text)
    with pytest.raises(LimpetError, match="A newer Limpet"):
        change_session(workspace, "one", {"active_agent": "dev"})
    with open(session_path(workspace, "one"), encoding="utf-8") as file:
        assert file.read() == text


def test_a_locked_state_cannot_be_changed(workspace, monkeypatch):
    """Nothing is overwritten blindly."""
    monkeypatch.setattr("limpet.work.session.session_lock.__defaults__", (0.0,))
    write_session(workspace, new())
    with session_lock(workspace, "one") as held, pytest.raises(TimeoutError):
        assert held
        change_session(workspace, "one", {"active_agent": "dev"})


@pytest.mark.parametrize(("usage", "left"), [({"remaining": 12.5}, 12.5), ({"remaining": "x"}, None), (None, None)])
def test_what_is_left_of_the_window_is_known_where_it_was_measured(usage, left):
    """A state of another shape tells nothing."""
    assert remaining_window(new(usage=usage)) == left
