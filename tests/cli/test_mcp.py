"""``limpet package``: the command around the package."""

import json

import pytest
from click.testing import CliRunner

from limpet.cli import limpet
from limpet.hosts.packages import render_package


def run(*words):
    return CliRunner().invoke(limpet, ["package", *words])


@pytest.mark.parametrize(
    ("word", "host", "line"),
    [
        ("claude-code", "claude-code", "claude plugin marketplace add"),
        ("codex", "codex-cli", "codex plugin marketplace add"),
        ("copilot", "copilot-cli", "copilot plugin marketplace add"),
        ("gemini", "gemini-cli", "gemini extensions install"),
    ],
)
def test_it_writes_the_package_and_says_how_to_install_it(tmp_path, word, host, line):
    """By the name or what people call the host; a program gets the same as JSON."""
    out = tmp_path / "out"
    done = run(word, "--out", str(out))
    assert done.exit_code == 0, done.output
    assert f"{line} {out}" in done.output
    files = render_package(host)
    assert all((out / path).read_bytes() == raw for path, raw in files.items())
    again = json.loads(run(word, "--out", str(out), "--json").output)
    assert again == {"host": host, "folder": str(out), "files": list(files)}


def test_a_relative_folder_is_shown_as_one(tmp_path, monkeypatch):
    """Without ``./`` a client would take it for a repository's name."""
    monkeypatch.chdir(tmp_path)
    assert "claude plugin marketplace add ./plug\n" in run("claude", "--out", "plug").output


def test_an_unknown_host_is_answered_with_the_nearest(tmp_path):
    done = run("claud", "--out", str(tmp_path / "out"))
    assert done.exit_code == 2 and "claude" in done.output
    assert not (tmp_path / "out").exists()
