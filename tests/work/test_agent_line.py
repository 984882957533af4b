"""The agent's line in session.yaml: changed where it stands as commands write it, else left to who reads YAML."""

import json
import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.yaml_text import load_yaml
from holdfast.ground.storage.files import is_reliable, stamp
from holdfast.roles.roster import AGENTS
from holdfast.work.agent_line import change_agent, edit_agent

TEXT = "# Ours.\nschema_version: 1\nrevision: 7\ncurrent_agent: dev\nmode: build  # now\n"
AFTER = "# Ours.\nschema_version: 1\nrevision: 8\ncurrent_agent: architect\nmode: build  # now\n"


@pytest.fixture
def session(workspace):
    def write(text):
        path = workspace.path("session.yaml")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return path

    return write


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def test_agent_and_revision_change_and_nothing_else(workspace, session):
    path = session(TEXT)
    assert change_agent(workspace, TEXT, "architect")
    assert read(path) == AFTER


def test_the_new_file_can_be_relied_on_at_once(workspace, session):
    """Nobody has to wait until an edit in the same tick of the clock is ruled out."""
    path = session(TEXT)
    change_agent(workspace, TEXT, "architect")
    mark = stamp(path)
    assert is_reliable(mark, time.time_ns())
    session(AFTER)
    assert stamp(path) != mark


def test_what_somebody_else_wrote_meanwhile_stays(workspace, session):
    path = session(f"{TEXT}squad: backend\n")
    assert not change_agent(workspace, TEXT, "architect")
    assert read(path) == f"{TEXT}squad: backend\n"


def test_a_link_is_left_to_who_knows_where_it_leads(workspace, tmp_path):
    (tmp_path / "elsewhere.yaml").write_text(TEXT)
    os.symlink(tmp_path / "elsewhere.yaml", workspace.path("session.yaml"))
    assert not change_agent(workspace, TEXT, "architect")


def test_a_file_that_cannot_be_written_is_named(workspace, session, monkeypatch):
    path = session(TEXT)

    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("holdfast.work.agent_line.write_atomic", refuse)
    with pytest.raises(HoldfastError, match=r"No space left on device.*session\.yaml"):
        change_agent(workspace, TEXT, "architect")
    assert read(path) == TEXT


@pytest.mark.parametrize(
    "text",
    [
        "",
        "revision: 7\n",
        "current_agent: dev\n",
        "current_agent: dev # for now\nrevision: 7\n",
        "current_agent: pm\nrevision: 7\n",
        'current_agent: "dev"\nrevision: 7\n',
        "current_agent: dev\nrevision: seven\n",
        "current_agent: dev\ncurrent_agent: qa-planning\nrevision: 7\n",
        "current_agent: null\nrevision: 7\n",
        "{current_agent: dev, revision: 7}\n",
        "current_agent: dev\r\nrevision: 7\r\n",
    ],
)
def test_any_other_form_is_left_to_who_reads_yaml(text):
    assert edit_agent(text, "architect") == ""


@pytest.mark.parametrize("agent", ["pm", "null", "mara"])
def test_only_packaged_agents_are_written(agent):
    """Nothing that YAML could read as anything but a name."""
    assert edit_agent(TEXT, agent) == ""


WORDS = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=20)
OTHERS = st.dictionaries(st.sampled_from(["mode", "squad", "language", "task", "note"]), WORDS, max_size=4)


@given(others=OTHERS, old=st.sampled_from(AGENTS), new=st.sampled_from(AGENTS), revision=st.integers(0, 10**9))
def test_yaml_reads_the_same_but_for_the_two(others, old, new, revision):
    """Whatever the other lines hold, quoted as JSON quotes it."""
    lines = [f"{key}: {json.dumps(value)}" for key, value in others.items()]
    text = "\n".join([*lines, f"current_agent: {old}", f"revision: {revision}", ""])
    told = load_yaml(edit_agent(text, new), "session.yaml")
    assert told == {**(load_yaml(text, "session.yaml") or {}), "current_agent": new, "revision": revision + 1}
