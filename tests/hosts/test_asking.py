"""A model asked by a host's own command: outside the project, silent, and ended in time."""

import os
import sys
import time
from pathlib import Path

import pytest

from limpet import SILENT
from limpet.ground.trust.signed import is_token
from limpet.hosts import asking
from limpet.hosts.asking import ask_model
from limpet.memory.extraction import ExtractionPrompt

from ..asked import Model, is_gone
from ..memories import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a program by its first line")
PROMPT = ExtractionPrompt(instruction="Pick out what matters.", text="<user>é\ud800 text</user>", typed=())
HOST = "claude-code"


@pytest.fixture
def model(tmp_path):
    return Model(tmp_path / "model")


@pytest.fixture
def question(workspace, model):
    """Asks the model of this name."""

    def put(name="haiku", seconds=30.0, host=HOST, **around):
        environment = {"PATH": os.environ["PATH"], "LIMPET_CLAUDE": model.path, **around}
        return ask_model(workspace, host, name, PROMPT, seconds, environment)

    return put


def test_the_answer_comes_with_its_cost(model, question):
    """As the host reports it, what was read from a cache counted in."""
    model.says("hello")
    found = question()
    assert (found.text, found.problem) == ("hello", "")
    assert (found.tokens_in, found.tokens_out, found.money) == (1000, 50, 0.0012)


def test_the_command_is_told_to_bring_nothing_of_the_project(workspace, model, question):
    """No hooks, no tools, no settings of a project: it starts elsewhere, as no part of a conversation."""
    model.says("hello")
    question(CLAUDECODE="1", CLAUDE_CODE_SESSION_ID="talk", OTHER="stays")
    (asked,) = model.asked
    words = asked["words"]
    assert {"-p", "--safe-mode", "--no-session-persistence"} <= set(words)
    assert (words[words.index("--tools") + 1], words[words.index("--model") + 1]) == ("", "haiku")
    assert (words[words.index("--system-prompt") + 1], asked["given"]) == (PROMPT.instruction, "<user>é? text</user>")
    assert not os.path.realpath(asked["folder"]).startswith(os.path.realpath(workspace.root) + os.sep)
    assert os.listdir(asked["folder"]) == []
    around = asked["around"]
    assert around["OTHER"] == "stays"
    assert [is_token(around[SILENT], SILENT, time.time() + later) for later in (0, 31)] == [True, False]
    assert not {"CLAUDECODE", "CLAUDE_CODE_SESSION_ID"} & set(around)


@pytest.mark.parametrize("name", ["--dangerously-skip-permissions", "-p", "haiku --add-dir /", "", "a\nb", "x" * 200])
def test_a_model_is_never_an_option(model, question, name):
    """Nothing is started."""
    assert "cannot ask" in question(name).problem
    assert model.asked == []


def test_a_host_without_such_a_command_says_so(model, question):
    """So does one that nobody knows; a program that is missing is told with the way to name it."""
    assert question(host="unknown").problem == "unknown cannot ask haiku from a command"
    assert question(host="").problem == "this host cannot ask haiku from a command"
    assert "Program not found" in question(LIMPET_CLAUDE="/no/such").problem


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("print('not json')", "its output is not JSON"),
        ("print('[1]')", "its output is not a JSON object"),
        ("print('[' * 100000)", "its output is not JSON"),
        ("pass", "its output is not JSON"),
        ("sys.exit(3)", "its output is not JSON"),
        ("print('{}')", "it reported an error: unknown"),
        ("print(json.dumps({'is_error': True, 'result': 'API Error: no'}))", "it reported an error: API Error: no"),
        ("print(json.dumps({'result': 'x'})); sys.exit(7)", "it ended with exit code 7"),
        ("os.kill(os.getpid(), 9)", "its output is not JSON"),
    ],
)
def test_a_command_that_fails_says_why(model, question, code, problem):
    """In words for the log."""
    model.does(code)
    assert problem in question().problem


@pytest.mark.parametrize("end", ["time.sleep(600)", "print('x')"], ids=["never", "with a child left behind"])
def test_one_that_does_not_end_is_ended(model, question, end):
    """With all that it started: a child holds its output, and nobody waits longer than was said."""
    model.does(
        "import subprocess, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open(os.path.join(here, 'child'), 'w').write(str(child.pid))\n{end}"
    )
    assert question(seconds=2.0).problem == "ended after 2 s, or 1048576 bytes"
    number = int(Path(model.folder, "child").read_text())
    assert until(lambda: is_gone(number))


def test_one_that_prints_without_end_is_ended(model, question, monkeypatch):
    """Long before its time is over, and no more is kept than may be printed."""
    monkeypatch.setattr(asking, "MOST_OUTPUT", 100_000)
    model.does("while True: sys.stdout.write('x' * 65536)")
    assert "100000 bytes" in question(seconds=500.0).problem
