"""The shipped domains QA and STORY hear faults and work being started as people speak of them, and no idioms (R1)."""

import os

import pytest

from limpet.rules.format.manifest import read_manifest
from limpet.rules.matching import build_index, find_matches, keywords_of
from limpet.rules.plan.sources import FRAMEWORK

HEARD = [
    *("the build is broken", "npm run build fails", "npm run build fails with TS2345", "pytest shows 3 failures"),
    *("fix eslint errors", "why does the login page return 500?", "the page returns 500", "deploy failed"),
    *("o build quebrou", "os testes falharam", "hay un error en producción", "el test falla"),
    *("ça plante au démarrage", "la compilation échoue", "le serveur est en panne"),
    *(
        "hmm, the total isn't the one on the invoice",
        "the second list is empty when I sort it",
        "verify it, something is odd",
    ),
]
UNHEARD = [
    *("I'm testing the waters", "print a coverage map of wifi towers", "the latest build", "we won the contest"),
    *("la panne de courant", "comment planter un arbre", "plante um jardim", "falta uma vírgula"),
    *("plan the phases, the test framework isn't chosen", "the empty state of the list", "why do we use Redis?"),
]
STARTED = [
    *("implement the password reset feature", "start working on ticket ABC-123", "Looks good. Now add dark mode"),
    *("Build a settings page", "can you add an export button?", "agora cria a tela de login", "vamos começar a tarefa"),
    *(
        "I'd like comments in the editor",
        "redesign the onboarding, in three stages",
        "quero um painel para os clientes",
    ),
    *("añade un endpoint para exportar", "necesito una página nueva", "ajoute le mode sombre", "on passe à la tâche 4"),
]
NOT_STARTED = [
    *("create a branch and commit", "write the tests for it", "add a comment here", "what does this function do?"),
    *("why isn't the dashboard a page?", "I want the typo in the menu gone", "the server is down"),
    *("looks good, push it", "linear regression on the data", "a background task hangs", "git add everything"),
]


def index_of(name):
    """The index of a shipped domain's keywords alone."""
    with open(os.path.join(FRAMEWORK, "rules", "manifest"), encoding="utf-8") as file:
        domain = next(each for each in read_manifest(file.read()).domains if each.name == name)
    return build_index((0, role, keyword, "words") for role, keyword in keywords_of(domain))


@pytest.fixture(scope="module")
def indexes():
    return {name: index_of(name) for name in ("QA", "STORY")}


@pytest.mark.parametrize(
    ("name", "prompt", "called"),
    [
        *(("QA", prompt, prompt in HEARD) for prompt in (*HEARD, *UNHEARD)),
        *(("STORY", prompt, prompt in STARTED) for prompt in (*STARTED, *NOT_STARTED)),
    ],
)
def test_a_fault_calls_qa_and_work_being_started_the_story(indexes, name, prompt, called):
    """Idioms, chores and questions call neither."""
    recalled, excluded = find_matches(indexes[name], prompt)
    assert (bool(recalled) and not excluded) == called
