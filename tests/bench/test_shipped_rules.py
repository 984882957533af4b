"""The bench of the shipped domains counts what is wanted and what is called."""

import json

import pytest

from .bench_module import bench_module

ROWS = [
    {"prompt": "the build is broken", "lang": "en", "want": ["QA"]},
    {"prompt": "hello there", "lang": "en", "want": ["STORY"]},
    {"prompt": "o build quebrou", "lang": "pt", "want": []},
]


@pytest.fixture(scope="module")
def bench():
    with bench_module("shipped_rules") as module:
        yield module


def test_precision_and_recall_are_over_pairs_of_prompt_and_domain(bench):
    """Of three pairs wanted or called, one is both."""
    prompts = bench.read_prompts("\n".join(map(json.dumps, ROWS)))
    calls = bench.call_domains(prompts, bench.shipped_domains())
    assert bench.score(calls) == (0.5, 0.5)
    assert bench.score([]) == (0.0, 0.0)


@pytest.mark.parametrize(("rows", "code"), [(ROWS, 1), (ROWS[:1], 0)])
def test_check_fails_under_what_was_promised(bench, rows, code, tmp_path, monkeypatch, capsys):
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    monkeypatch.setattr("sys.argv", ["shipped_rules.py", str(path), "--check", "--misses"])
    with pytest.raises(SystemExit) as ended:
        bench.main()
    assert ended.value.code == code
    assert ("missed  STORY  en 'hello there'" in capsys.readouterr().out) == (code == 1)
