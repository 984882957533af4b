"""What makes a statement a wish, and which practices of work a text names."""

import pytest

from limpet.memory.index.terms import terms
from limpet.memory.index.wishes import (
    count_names,
    count_requests,
    generality,
    is_of_practice,
    name_practices,
    practice_term,
    practice_terms,
    refuses,
    reverses,
)
from limpet.memory.model.entry import Card


def practices(text):
    return sorted(name_practices(terms(text)))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Run the linter on the whole project", ["linting"]),
        ("static analysis is red on this branch", ["committing", "linting"]),
        ("this map lookup is copied in three places", ["reusing"]),
        ("open a pull request", ["committing"]),
        ("Escribe pruebas para cada función", ["testing"]),
        ("Os comentários ficam em inglês", ["documenting", "talking"]),
        ("Relire chaque diff", ["reviewing"]),
        ("The invoice has two totals", []),
        ("an analysis of static pages", []),
    ],
)
def test_a_practice_is_named_by_many_words(text, named):
    """In four languages; a pair of words counts only side by side."""
    assert practices(text) == named


@pytest.mark.parametrize(
    ("text", "general"),
    [
        ("Never push to main without a review", 2),
        ("Después de cada cambio, corre los tests", 2),
        ("Toujours en français", 1),
        ("Todas as datas são UTC, sempre", 2),
        ("The button is still green", 0),
        ("Allow the company's forever-key", 0),
    ],
)
def test_how_general_a_statement_is(text, general):
    """By whole words, with their accents or without."""
    assert generality(text) == general


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("Don't touch the seeds", True),
        ("Don\u2019t touch the seeds", True),
        ("dont touch them", True),
        ("Não mexa nas migrações", True),
        ("Ne touche pas aux migrations", True),
        ("Note the nobility of it", False),
    ],
)
def test_a_statement_may_say_what_is_not_to_be(text, refused):
    """In four languages, by whole words."""
    assert refuses(text) is refused


@pytest.mark.parametrize(
    ("text", "requests"),
    [
        ("I need to add and show a total", 2),
        ("Update the session start command", 1),
        ("Ask before you touch anything that I did not write myself", 0),
        ("The endpoint that we add later is versioned", 1),
    ],
)
def test_a_request_is_known_by_its_beginning(text, requests):
    """What is to be added or changed is over once it is done."""
    assert count_requests(text) == requests


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Paths are built in path_utils like GetLogPath, never by join()", 3),
        ("Pass --json and see src/app.py", 2),
        ("Fixes are to be kept DRY.", 0),
        ("Ask, then act (always).", 0),
    ],
)
def test_names_in_code_are_counted(text, names):
    """A word in capitals is none."""
    assert count_names(text) == names


def test_only_a_wish_about_practices_is_found_by_them():
    """Not a decision, and not one about code."""

    def found(title, kind="user_correction"):
        return practice_terms(Card("k", "p", "shared", kind, "general", "daily", title))

    assert found("Fixes are to be kept DRY") == (practice_term("reusing"),)
    assert found("Fixes are to be kept DRY", "decision") == ()
    assert found("reuse path_utils and GetLogPath") == ()
    assert is_of_practice("Write the tests first") and not is_of_practice("The button is green")


@pytest.mark.parametrize(
    ("later", "earlier", "reversed", "wholly"),
    [
        ("No, use ruff, not flake8", "Always run flake8 before you commit", True, True),
        ("No, use ruff, not flake8, for Bolt", "Always run flake8 before you commit", True, False),
        ("Use ruff instead of flake8", "Please use flake8.", True, True),
        ("We no longer use flake8.", "Run flake8 on every change", True, True),
        ("Nein, nimm ruff statt flake8", "Nimm flake8", True, True),
        ("Utilise ruff, pas flake8", "Utilise flake8", True, True),
        ("Usa ruff, no flake8", "Usa flake8 siempre", True, True),
        ("Use ruff, não flake8", "Sempre use flake8", True, True),
        ("Use tabs, not spaces", "Use spaces around operators", False, False),
        ("Use tabs, not spaces, in Go", "Use spaces in Python", False, False),
        ("Use the new API, not the old one", "Use the old API", False, False),
        ("Use uv, not pip", "Use pip to install tox", False, False),
        ("Use ruff, not flake8", "Don't use flake8", False, False),
        ("Never use flake8", "Never use flake8", False, False),
        ("Run ruff and flake8", "Run flake8", False, False),
    ],
)
def test_a_wish_reverses_what_asked_for_the_thing_that_it_refuses(later, earlier, reversed, wholly):
    """Not what is only alike, and for a part of the work not the whole."""
    assert (reverses(later, earlier), reverses(later, earlier, wholly=True)) == (reversed, wholly)
