"""Every measurement starts, so that what it imports and declares is still there."""

import os
import subprocess
import sys

import pytest

from .bench_module import BENCH, bench_module

PROGRAMS = {path.stem for path in BENCH.glob("*.py") if "__name__ ==" in path.read_text(encoding="utf-8")}
# Those without options are loaded only; the last needs a package that is no dependency.
WITHOUT_OPTIONS = {"common_terms", "memory_writers", "remembering"}
NOT_HERE = {"tokens_calibrate"}


@pytest.mark.parametrize("name", sorted(PROGRAMS - WITHOUT_OPTIONS - NOT_HERE))
def test_it_says_how_it_is_used(name, tmp_path):
    command = [sys.executable, os.path.join(BENCH, f"{name}.py"), "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "") and "usage:" in done.stdout


@pytest.mark.parametrize("name", sorted(WITHOUT_OPTIONS))
def test_it_can_be_loaded(name, monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    with bench_module(name) as module:
        assert {"main", "work", "remember"} & set(vars(module))
