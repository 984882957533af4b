"""``limpet work handoff`` by its door."""

import json
import os
import subprocess
import sys

import pytest

from limpet.ground.storage.files import read_text
from limpet.work.handoff_store import read_handoff
from limpet.work.project import read_project

from ...conftest import SOURCE
from ...conversation import write

WHOLE = ("work", "handoff", "--write", "@dev", "--to", "qa", "--summary", "Login works.", "--status", "partial")


def ask(run, *arguments):
    done = run("work", "handoff", *arguments, "--json")
    return done.returncode, json.loads(done.stdout)


def test_write_says_where_and_tells_the_session(workspace, run):
    """Aliases are resolved; the newest handoff stands in session.yaml and in the mirror."""
    done = run(*WHOLE, "--decision", "Auth: JWT", "--met", "a", "--score", "99")
    told, note = done.stdout.splitlines()
    assert told == "Handed over from dev to qa-implementation: .limpet/handoffs/dev.md"
    assert note.startswith("note   .limpet/handoffs/dev.md: score 99 is claimed")
    assert read_handoff(workspace, "dev").decisions == (("Auth", "JWT"),)
    assert read_project(workspace)[0]["last_handoff"] == ".limpet/handoffs/dev.md"
    mirror = json.loads(read_text(workspace.cached("mirror.json")))
    assert mirror["session"]["last_handoff"] == ".limpet/handoffs/dev.md"


def test_a_refusal_names_every_reason_and_fails(workspace, run):
    """Exit code 1, nothing written, the session unchanged."""
    arguments = ("dev", "--write", "--to", "qa", "--summary", "x", "--output", "a.py", "--output", "../b.py")
    done = run("work", "handoff", *arguments)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "Refused: the handoff of dev was not written.",
        "error  .limpet/handoffs/dev.md: output a.py does not exist (create it, or remove it from the list)",
        "error  .limpet/handoffs/dev.md: output ../b.py is outside the project (name it from the project's root)",
    ]
    code, answer = ask(run, *arguments)
    assert (code, answer["written"], len(answer["reasons"])) == (1, False, 2)
    assert os.listdir(workspace.home) == []


def test_a_file_is_handed_over_from_stdin(workspace):
    """Whatever it says of itself, its score is claimed; its own bytes stay."""
    text = "---\nstatus: complete\nverified: true\nmine: 1 # ours\nscore: 99\n---\r\n\r\n## Summary\r\n\r\nx\r\n"
    command = [sys.executable, "-m", "limpet", "work", "handoff", "--write", "dev", "--to", "ux", "--file", "-"]
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    done = subprocess.run(command, input=text.encode(), cwd=workspace.root, env=environment, capture_output=True)
    assert done.returncode == 0, done.stdout
    found = read_handoff(workspace, "dev")
    assert (found.to, found.score, found.verified) == ("ux", 99.0, False)
    with open(workspace.path("handoffs", "dev.md"), "rb") as file:
        raw = file.read()
    assert b"mine: 1 # ours\n" in raw and raw.endswith(b"---\r\n\r\n## Summary\r\n\r\nx\r\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("dev", "--write", "--to", "qa"),
        ("dev", "--write", "--summary", "x"),
        ("dev", "--write", "--to", "qa", "--file", "a.md", "--summary", "x"),
        ("dev", "--write", "--to", "qa", "--summary", "x", "--score", "101"),
        ("dev", "--write", "--to", "qa", "--summary", "x", "--status", "nearly"),
        ("--check", "dev", "--file", "a.md"),
        ("dev", "--to", "qa"),
        ("dev", "--layer", "3"),
    ],
)
def test_a_wrong_use_is_told(workspace, run, arguments):
    """Exit code 2, nothing written."""
    assert run("work", "handoff", *arguments).returncode == 2
    assert os.listdir(workspace.home) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("dev", "--write", "--to", "qa", "--file", "none.md"), "(No such file or directory): none.md"),
        (("dev", "--write", "--to", "qa", "--file", "."), "Not a file: ."),
        (("../dev", "--write", "--to", "qa", "--summary", "x"), "Unknown agent: ../dev. Did you mean dev?"),
        (("dev",), "No handoff from this agent: dev"),
        (("--check", "dev"), "No handoff from this agent: dev"),
    ],
)
def test_what_goes_wrong_is_one_line(run, arguments, told):
    """On stderr, exit code 1."""
    done = run("work", "handoff", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_check_tells_of_all_of_one_and_of_a_draft(workspace, run):
    """Exit code 1 where one would be refused."""
    assert run("work", "handoff", "--check").stdout == "No handoffs yet.\n"
    run(*WHOLE)
    assert run("work", "handoff", "--check").stdout == "ok     dev\n"
    draft = os.path.join(workspace.root, "draft.md")
    write(draft, "---\nto: qa\n---\n")
    done = run("work", "handoff", "--check", "--file", draft)
    assert (done.returncode, "the summary is empty" in done.stdout) == (1, True)
    os.rename(draft, workspace.path("handoffs", "ux.md"))
    code, answer = ask(run, "--check")
    assert (code, [(one["of"], one["refused"]) for one in answer]) == (1, [("dev", False), ("ux", True)])
    assert ask(run, "--check", "dev")[0] == 0


def test_show_has_two_layers(run):
    """The first with its heading; the second alone."""
    run(*WHOLE, "--details", "Deep \x1b[31mthings.", "--task", "S-1")
    lines = run("work", "handoff", "dev").stdout.splitlines()
    assert lines[0].startswith("dev to qa-implementation, partial, task S-1, 20")
    assert "Login works." in lines
    assert run("work", "handoff", "qa", "--json").returncode == 1
    assert run("work", "handoff", "dev", "--layer", "2").stdout == "Deep \ufffd[31mthings.\n"
    code, answer = ask(run, "dev")
    assert (code, answer["to"], answer["summary"]) == (0, "qa-implementation", "Login works.")


def test_a_draft_is_held_against_the_gate_of_the_agent_that_wrote_it(workspace, run):
    """As the handoff itself would be."""
    draft = os.path.join(workspace.root, "draft.md")
    head = "from_agent: dev\nfrom_phase: build\nto: qa\ntimestamp: 2026-11-21T12:00:00Z\nstatus: complete\nscore: 85\n"
    write(draft, f"---\n{head}---\n\n## Summary\n\nLogin works.\n")
    done = run("work", "handoff", "--check", "--file", draft)
    assert (done.returncode, "score 85 is below 95" in done.stdout) == (1, True)
    assert run("config", "set", "work.gate", "80", "--yes").returncode == 0
    assert run("work", "handoff", "--check", "--file", draft).returncode == 0


def test_the_layers_are_as_long_as_the_configuration_lets_them(workspace, run):
    """150 and 500 lines where it says nothing (article VIII)."""
    long = [*WHOLE, "--details", "\n".join(f"line {number}" for number in range(30))]
    assert run(*long).returncode == 0
    assert run("config", "set", "work.handoff.second_lines", "20").returncode == 0
    done = run(*long)
    assert (done.returncode, "the second layer has 30 lines, the limit is 20" in done.stdout) == (1, True)
