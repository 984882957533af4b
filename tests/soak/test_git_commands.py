"""What ``bench/git_commands.py`` does: git's own commands lose, publish and forge nothing that is private."""

import json
import os
import subprocess
import sys
from pathlib import Path

import limpet

from ..bench.bench_module import bench_module
from ..hook_host import POSIX
from .scale import amount

SOURCE = os.path.dirname(os.path.dirname(limpet.__file__))
BENCH = Path(__file__).parents[2] / "bench" / "git_commands.py"
SAMPLE = ("--layouts", "bare", "--acts", "clean", "pull", "switch")


@POSIX
def test_no_git_command_loses_publishes_or_forges_what_is_private():
    """Decision 64: memories, role, mode and trust stand, and nothing of a stranger's is believed."""
    command = [sys.executable, str(BENCH), "--json", *amount(SAMPLE, ())]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCE}, capture_output=True, text=True)
    assert done.stdout, done.stderr
    figures = json.loads(done.stdout)
    assert (figures["faults"], done.returncode) == ([], 0)
    assert figures["acts"] == amount(3, 44) and figures["looks"] >= 2 * figures["acts"]


@POSIX
def test_what_would_be_private_in_a_tree_is_found(tmp_path):
    """The judge can find it: in a file, by a name, and in what git keeps."""
    with bench_module("git_commands") as module:
        scene = module.Scene(tmp_path, tmp_path / "app", tmp_path / "app")
        (scene.root / ".limpet").mkdir(parents=True)
        scene.git("init", "-q")
        scene.commit("first")
        assert list(module.check_tree(scene, False)) == []
        (scene.root / ".limpet" / "session.yaml").write_text(module.PRIVATE)
        scene.git("stash", "push", "-q", "-a")
        assert len(list(module.check_tree(scene, False))) == 1
        scene.git("stash", "pop", "-q")
        assert len(list(module.check_tree(scene, False))) == 4
