"""The lock as the hook has it turned: orders in, lines out."""

from limpet.jobs.lock import run
from limpet.work.project import read_project

from ..places import private_path

ORDERS = {"by": "/limpet", "now": 1_800_000_000.0, "session": "one"}


def test_the_words_language_answers_where_the_project_has_none(workspace):
    """``sair do limpet`` is confirmed in Portuguese."""
    taken = run(workspace, {**ORDERS, "do": "resume"})
    assert taken["changed"] is True and taken["lock"]["active"] is True
    left = run(workspace, {**ORDERS, "do": "exit", "by": "words", "language": "pt"})
    assert left["lines"] == ["Sessão salva. Digite /limpet para retomar."]
    assert left["lock"] == read_project(workspace)[0]["lock"] and left["lock"]["active"] is False


def test_showing_changes_nothing(workspace):
    """``/limpet status``."""
    answer = run(workspace, {**ORDERS, "do": "status"})
    assert answer["changed"] is False and answer["lock"] is None
    assert read_project(workspace) == ({}, [])


def test_what_is_wrong_is_said(workspace):
    """A file that cannot be read is named, and the hook is not left without an answer."""
    with open(private_path(workspace, "session.yaml"), "w") as file:
        file.write("mode: [\n")
    answer = run(workspace, {**ORDERS, "do": "exit"})
    assert answer["changed"] is False and "session.yaml:2" in answer["lines"][0]
