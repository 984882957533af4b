"""The demo is the product's own account of itself: what it shows must be what the hook does."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

import limpet

BRACKETS = {"FRESH", "MODERATE", "DEPLETED", "CRITICAL"}


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    source = os.path.dirname(os.path.dirname(limpet.__file__))
    folders = tmp_path_factory.mktemp("user")
    own = {name: str(folders / name) for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-m", "limpet", "demo", "--json"],
        cwd=tmp_path_factory.mktemp("elsewhere"),
        env={**os.environ, **own, "PYTHONPATH": source},
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [path for path in folders.rglob("*") if path.is_file()] == []
    return json.loads(done.stdout)


def test_every_block_is_one_well_formed_element_of_its_bracket(scenes):
    """All four brackets are there, and each block says the one that the hook recorded; tokens are those of a block."""
    assert {scene["bracket"] for scene in scenes if scene["bracket"] != "-"} == BRACKETS
    assert all(bool(scene["block"]) == (scene["tokens"] > 0) for scene in scenes)
    for scene in scenes:
        if scene["block"]:
            root = ET.fromstring(scene["block"])
            assert (root.tag, root.get("bracket", "FRESH")) == ("limpet-context", scene["bracket"])


def test_words_call_domains_and_a_star_calls_a_command(scenes):
    """A prompt that calls nothing gets no block after the start; with little left a handoff is demanded."""
    assert _scene(scenes, "Good morning")["block"] == ""
    domains = [rules.get("domain") for rules in ET.fromstring(_scene(scenes, "Write a failing")["block"]).iter("rules")]
    commands = [command.get("name") for command in ET.fromstring(_scene(scenes, "*brief")["block"]).iter("command")]
    assert (domains, commands) == (["QA"], ["brief"])
    assert ET.fromstring(_scene(scenes, "Go on.")["block"]).find("handoff-warning") is not None


def test_a_compaction_brings_the_whole_stable_part_back(scenes):
    """The same stable part, with the agent in it, as when the agent took over."""
    taken, rebuilt = _scene(scenes, "*agent dev"), next(scene for scene in scenes if scene["source"] == "compact")
    before, after = ET.fromstring(taken["block"]), ET.fromstring(rebuilt["block"])
    assert (after.get("bracket"), after.find("agent").get("name")) == (None, "dev")
    assert [each.text for each in after.iter("constitution")] == [each.text for each in before.iter("constitution")]


def test_a_kept_project_stays(run, tmp_path):
    """--keep leaves rules, transcript and records for a person to look at, and prints for people."""
    done = run("demo", "--keep", str(tmp_path / "kept"))
    assert "== Summary ==" in done.stdout
    assert (tmp_path / "kept" / ".limpet" / "rules" / "manifest").exists()
    assert (tmp_path / "kept" / "transcript.jsonl").exists()


def test_a_folder_in_use_is_refused(run, tmp_path):
    """Nothing is written beside files of the user's."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("")
    done = run("demo", "--keep", str(tmp_path / "mine"))
    assert done.returncode == 1
    assert "is not empty" in done.stderr
    assert [entry.name for entry in (tmp_path / "mine").iterdir()] == ["file"]


def _scene(scenes, prompt):
    return next(scene for scene in scenes if scene["prompt"].startswith(prompt))
