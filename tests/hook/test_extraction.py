"""A model that the user chose is asked before a compaction and at the end, and nobody waits for it (decision 50)."""

import os
import sys
import time

import pytest

from limpet import SILENT
from limpet.ground.trust.signed import issue_token

from ..asked import Model
from ..event_log import logged
from ..hook_host import bare
from ..memories import configure, until
from .test_capture import Transcript, learned

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a program by its first line")

WISH = "Could the invoices keep the amounts as integers of cents, by the way?"
ITEM = {
    "message": "u1",
    "quote": "the amounts as integers of cents",
    "type": "lesson",
    "sentence": "Invoices: amounts as integers of cents",
}


@pytest.fixture
def model(tmp_path):
    """The host's command, which answers well."""
    made = Model(tmp_path / "model")
    made.answers([ITEM])
    return made


@pytest.fixture
def talk(workspace, memories):
    """A conversation in which a wish was typed as a question, which capture leaves alone."""
    configure(workspace, "memory: {capture_model: haiku}\n")
    transcript = Transcript(workspace)
    transcript.user(WISH)
    return transcript


@pytest.fixture
def tell(host, model, talk):
    """The host tells of an event; its environment names the command."""

    def send(event, **payload):
        around = {**bare(), "PATH": os.environ["PATH"], "LIMPET_CLAUDE": model.path}
        answer = host.send(event, process={"env": around}, transcript_path=talk.path, **payload)
        assert (answer.code, answer.err) == (0, b"")
        return answer

    return send


def outcomes(host):
    return [event["data"] for event in logged(host.workspace.shared, "extraction.outcome")]


@pytest.mark.parametrize(
    ("event", "payload"), [("PreCompact", {"trigger": "auto"}), ("SessionEnd", {"reason": "other"})]
)
def test_what_it_quotes_is_an_ordinary_memory(host, memories, tell, model, event, payload):
    """It comes with a later block, like any other."""
    assert tell(event, **payload).out == b""
    assert until(lambda: outcomes(host))
    assert outcomes(host) == [{"model": "haiku", "in": 1000, "out": 50, "usd": 0.0012, "added": 1, "dropped": 0}]
    (entry,) = learned(memories)["lesson"]
    assert (entry.title, entry.source) == (ITEM["sentence"], "model:haiku")
    memories.tell_index()
    assert any(ITEM["sentence"] in line for line in host.prompt("*recall amounts of invoices in cents").shown)


@pytest.mark.parametrize(
    "code", ["print('Sorry, I cannot.')", "sys.exit(1)", "while True: sys.stdout.write('x' * 65536)"]
)
def test_where_it_fails_the_heuristics_stand(host, memories, talk, tell, model, code):
    """A line in the log tells of it, and nobody else is told."""
    talk.user("Hello.")
    talk.user("Let's use Postgres for the job queue.")
    model.does(code)
    assert tell("PreCompact", trigger="auto").out == b""
    assert until(lambda: outcomes(host))
    assert outcomes(host)[0]["problem"]
    assert [entry.title for entry in learned(memories)["decision"]] == ["Let's use Postgres for the job queue"]


def test_one_that_never_answers_holds_nobody_up(host, talk, tell, model):
    """The hook has ended, with what the heuristics found, while the command still waits."""
    gate = model.folder / "gate"
    os.mkfifo(gate)
    model.does(f"open({str(gate)!r}).read()")
    tell("PreCompact", trigger="auto")
    tell("SessionEnd", reason="other")
    assert until(lambda: model.asked)
    assert outcomes(host) == []
    gate.write_text("")
    assert until(lambda: outcomes(host))


def test_a_hook_in_the_call_is_silent(host, talk, model):
    """It answers nothing, starts nothing and keeps nothing: there is no chain."""
    before = [sorted(os.walk(folder)) for folder in (host.workspace.home, host.workspace.data)]
    for event in ("SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd", "StatusLine"):
        around = {**bare(), SILENT: issue_token(SILENT, time.time() + 60), "LIMPET_CLAUDE": model.path}
        answer = host.send(event, process={"env": around}, transcript_path=talk.path, prompt="the endpoint")
        assert (answer.code, answer.out, answer.err) == (0, b"", b"")
    assert [sorted(os.walk(folder)) for folder in (host.workspace.home, host.workspace.data)] == before
    assert model.asked == []


OTHERS = {
    "a constant": lambda: "1",
    "unsigned": lambda: f"{time.time() + 60:.0f}.{'0' * 32}",
    "of another purpose": lambda: issue_token("other", time.time() + 60),
    "ended": lambda: issue_token(SILENT, time.time() - 1),
    "longer": lambda: "9" + issue_token(SILENT, time.time() + 60),
    "no number": lambda: "9" * 5000 + ".\udcff",
}


@pytest.mark.parametrize("other", OTHERS)
def test_only_a_token_of_ours_silences_the_hook(host, other):
    """S25: no value that somebody wrote into a client's settings does, nor one that has ended."""
    given = OTHERS[other]()
    answer = host.send("UserPromptSubmit", process={"env": {**bare(), SILENT: given}}, prompt="the endpoint")
    assert answer.code == 0 and b"additionalContext" in answer.out
