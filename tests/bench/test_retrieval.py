"""The bench that measures the search: it reads LoCoMo's shape and scores as LoCoMo's annotations ask for."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import limpet

from .bench_module import bench_module

BENCH = Path(__file__).parents[2] / "bench" / "retrieval.py"
SOURCE = Path(limpet.__file__).parents[1]
TALKS = [
    {
        "sample_id": "t",
        "conversation": {
            "speaker_a": "Ana",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "dia_id": "D1:1", "text": "Which lighthouse did you paint?"},
                {"speaker": "Bob", "dia_id": "D1:2", "text": "The northern one.", "blip_caption": "a lighthouse"},
            ],
            "session_2_date_time": "no moment",
            "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "I moved to Lisbon."}],
        },
        "qa": [
            {"question": "Where did Ana move?", "category": 1, "evidence": ["D2:1"], "answer": "Lisbon"},
            {"question": "Who painted a lighthouse?", "category": 5, "evidence": ["D1:1; D1:2"]},
            {"question": "Nothing to it?", "category": 3, "evidence": ["D9:9"]},
        ],
    }
]


@pytest.fixture(scope="module")
def retrieval():
    """The bench as a module, which imports what lies beside it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCH.parent)
        with bench_module("retrieval") as module:
            yield module


def test_it_scores_a_file_in_locomos_shape(tmp_path):
    data, run = tmp_path / "talks.json", tmp_path / "run.json"
    data.write_text(json.dumps(TALKS))
    command = [sys.executable, str(BENCH), "--data", str(data), "--json", "--run", str(run)]
    done = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": str(SOURCE)}, check=True)
    figures = json.loads(done.stdout)
    assert figures["all"] == {"n": 2, "R@5": 100.0, "R@10": 100.0, "MRR": 100.0, "nDCG@10": 100.0}
    assert (figures["cats 1-4"]["n"], figures["adversarial"]["n"], figures["session"]["all"]["n"]) == (1, 1, 2)
    ranked = json.loads(run.read_text())
    assert ranked["t/q0"][0] == "D2:1"
    assert set(ranked["t/q1"][:2]) == {"D1:1", "D1:2"}


def test_the_measures_of_a_ranking(retrieval):
    """What is not found counts nothing."""
    row = retrieval.measure(["a", "x", "b", "y", "z", "c"], frozenset("abc"))
    assert (row["R@5"], row["R@10"], row["MRR"]) == (pytest.approx(2 / 3), 1.0, 1.0)
    assert row["nDCG@10"] == pytest.approx((1 + 0.5 + 1 / 2.8073549) / (1 + 1 / 1.5849625 + 0.5))
    assert set(retrieval.measure(["x"], frozenset("a")).values()) == {0.0}
