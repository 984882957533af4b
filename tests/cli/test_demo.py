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
    """The scenes of one run, as JSON."""
    source = os.path.dirname(os.path.dirname(limpet.__file__))
    folders = tmp_path_factory.mktemp("user")
    own = {name: str(folders / name) for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME")}
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


def test_all_four_brackets_are_shown(scenes):
    """A session runs through every bracket."""
    assert {scene["bracket"] for scene in scenes if scene["bracket"] != "-"} == BRACKETS


def test_every_block_is_one_well_formed_element_that_names_its_bracket(scenes):
    """Each block parses, and says the bracket that the hook recorded."""
    for scene in scenes:
        if scene["block"]:
            root = ET.fromstring(scene["block"])
            assert (root.tag, root.get("bracket")) == ("limpet-context", scene["bracket"])


def test_a_block_has_tokens_and_silence_has_none(scenes):
    """Tokens are counted where something was said, and only there."""
    assert all(bool(scene["block"]) == (scene["tokens"] > 0) for scene in scenes)


def test_a_prompt_that_calls_nothing_gets_no_block(scenes):
    """After the session's start has sent the stable part, an ordinary greeting costs nothing."""
    assert _scene(scenes, "Good morning")["block"] == ""


def test_words_call_domains_and_a_star_calls_a_command(scenes):
    """The two ways to load rules by typing are both seen."""
    domains = [rules.get("domain") for rules in ET.fromstring(_scene(scenes, "Write a failing")["block"]).iter("rules")]
    commands = [command.get("name") for command in ET.fromstring(_scene(scenes, "*brief")["block"]).iter("command")]
    assert (domains, commands) == (["QA"], ["brief"])


def test_a_compaction_brings_the_whole_stable_part_back(scenes):
    """The same stable part, with the agent in it, as when the agent took over."""
    taken, rebuilt = _scene(scenes, "*agent dev"), next(scene for scene in scenes if scene["source"] == "compact")
    before, after = ET.fromstring(taken["block"]), ET.fromstring(rebuilt["block"])
    assert after.get("bracket") == "FRESH"
    assert after.find("agent").get("name") == "dev"
    assert [each.text for each in after.iter("constitution")] == [each.text for each in before.iter("constitution")]


def test_the_handoff_is_demanded_once_little_is_left(scenes):
    """Under 15 % the warning stands in the block itself."""
    block = ET.fromstring(_scene(scenes, "Go on.")["block"])
    assert block.find("handoff-warning") is not None


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
