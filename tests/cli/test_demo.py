"""The demo is the product's own account of itself: what it shows must be what the hook does."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

import limpet
from limpet.ground.workspace import workspace_at
from limpet.hosts.demo import SCENES, play
from limpet.operations.registry import check_health
from limpet.registry.health import HEALTHY

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


def test_the_correction_comes_back_the_next_day_and_after_a_compaction(scenes):
    """In the person's words; the same stable part goes out once and again after the compaction."""
    (said,) = [scene for scene in scenes if scene["prompt"] == "No, use pnpm, not npm."]
    starts = [ET.fromstring(scene["block"]) for scene in scenes if scene["event"] == "SessionStart"]
    first, second, compacted = starts
    assert said["day"] == 1 and first.find("standing-wishes") is None
    for root in (second, compacted):
        assert "No, use pnpm, not npm" in root.find("standing-wishes").text
        assert root.find("constitution").text == first.find("constitution").text


def test_a_prompt_that_calls_nothing_gets_nothing(scenes):
    assert [_scene(scenes, prompt)["block"] for prompt in ("add zod", "write a schema")] == ["", ""]


def test_its_project_is_healthy(tmp_path):
    """What the demonstration leaves is whole."""
    assert len(list(play(str(tmp_path)))) == len(SCENES)
    assert check_health(workspace_at(str(tmp_path))).status == HEALTHY


def test_it_takes_a_dozen_lines_and_blocks_show_the_rest(run):
    """For people no element of a block; with --blocks each event has its heading."""
    told = run("demo").stdout
    assert len(told.splitlines()) <= 12 and told.count("No, use pnpm, not npm") == 3
    assert "<" not in told and max(map(len, told.splitlines())) <= 80
    whole = run("demo", "--blocks").stdout
    assert whole.count("\n== ") + whole.startswith("== ") == 14 and "<standing-wishes>" in whole


def test_a_kept_project_stays(run, tmp_path):
    """--keep leaves transcripts and records for a person to look at, and prints for people."""
    done = run("demo", "--keep", str(tmp_path / "kept"))
    assert done.stdout.startswith("Day 1")
    assert (tmp_path / "kept" / ".limpet").is_dir()
    assert (tmp_path / "kept" / "day-2.jsonl").exists()


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
