"""``limpet eval`` by its door: a person's questions against their own store."""

import json

import pytest

from ..conversation import RULES, write, write_rules
from ..hook_host import MANIFEST
from ..memories import Memories, configure

QUESTIONS = """\
- question: How do deploys go through the blue cluster?
  memory: blue cluster
- question: add the endpoint
  rule: api
- question: add the route, and say how deploys go through the blue cluster
- question: What of the zanzibar branch?
  memory: [zanzibar, {id}]
  rule: [api, GLOBAL]
"""


@pytest.fixture
def ask(workspace, run, tmp_path):
    """Evaluates a text as a file."""
    configure(workspace)
    write_rules(workspace, MANIFEST, **RULES)
    kept = Memories(workspace).add("Deploys go through the blue cluster")

    def evaluate(text, *words, name="questions.yaml"):
        write(str(tmp_path / name), text.replace("{id}", kept))
        return run("eval", str(tmp_path / name), *words)

    return evaluate


def test_what_came_is_counted_against_what_was_expected(ask):
    """What came in full, by its title or by a search alone, and what nobody expected."""
    found = json.loads(ask(QUESTIONS, "--json").stdout)
    first, second, third, fourth = found["answers"]
    assert first["found"][0][1] in ("in full", "by title")
    assert (second["found"], second["beside"]) == ([["api", "in full"]], [])
    assert (third["found"], third["beside"]) == ([], [*third["beside"][:-1], "API"])
    ways = dict(fourth["found"])
    assert (ways["zanzibar"], ways["api"], ways["GLOBAL"]) == ("missing", "missing", "in full")
    came = [way for answer in found["answers"] for _, way in answer["found"]]
    assert found["recall"] == pytest.approx(came.count("in full") / len(came), abs=0.001)
    assert found["in_sight"] == pytest.approx(sum(way in ("in full", "by title") for way in came) / 6, abs=0.001)
    assert found["recall"] <= found["in_sight"] <= found["searched"] < 1
    called = sum(answer["called"] for answer in found["answers"])
    beside = sum(len(answer["beside"]) for answer in found["answers"])
    assert found["precision"] == pytest.approx(1 - beside / called, abs=0.001)


def test_tokens_and_latency_are_figures(ask):
    """Of the block that each question would get."""
    found = json.loads(ask(QUESTIONS, "--json").stdout)
    tokens = [answer["tokens"] for answer in found["answers"]]
    assert min(tokens) > 0 and found["tokens"]["sum"] == sum(tokens) and found["tokens"]["max"] == max(tokens)
    assert all(answer["milliseconds"] > 0 for answer in found["answers"])


def test_a_perfect_store_has_a_recall_and_precision_of_one(ask):
    """JSON is read as well; where nothing was asked for there is no share."""
    right = json.loads(ask('[{"question": "add the endpoint", "rule": "API"}]', "--json", name="q.json").stdout)
    assert (right["recall"], right["precision"]) == (1.0, 1.0)
    idle = json.loads(ask("- question: thanks\n", "--json").stdout)
    assert (idle["recall"], idle["precision"]) == (None, None)


def test_the_screen_names_what_is_missing(ask):
    shown = ask(QUESTIONS).stdout
    assert "missing: zanzibar" in shown and "beside: " in shown and "recall" in shown


def test_a_question_is_no_use_of_a_memory_and_no_prompt(ask, workspace):
    """Nothing is recorded."""
    before = {card.id: card.accesses for card in Memories(workspace).cards()}
    ask(QUESTIONS)
    assert {card.id: card.accesses for card in Memories(workspace).cards()} == before


@pytest.mark.parametrize("text", ["", "question: x", "- memory: x", "- question: ''", "- {question: x, memories: y}"])
def test_what_is_no_list_of_questions_is_refused_with_the_shape(ask, text):
    done = ask(text)
    assert done.returncode == 1 and "questions.yaml" in done.stderr and "a list of: question" in done.stderr


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_it_fits_the_terminal(ask, screen, tmp_path, columns):
    ask(QUESTIONS)
    lines = screen(columns, "eval", str(tmp_path / "questions.yaml"))
    assert len(lines) > 8 and max(map(len, lines)) <= columns
