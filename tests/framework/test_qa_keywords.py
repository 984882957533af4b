"""The shipped domain QA hears of faults as people tell of them, and not of what only sounds like a test."""

import os

import pytest

from holdfast.rules.format.manifest import read_manifest
from holdfast.rules.matching import EXCLUDE, RECALL, build_index, find_matches
from holdfast.rules.plan.sources import FRAMEWORK

HEARD = [
    *("the build is broken", "npm run build fails", "npm run build fails with TS2345", "pytest shows 3 failures"),
    *("fix eslint errors", "why does the login page return 500?", "the page returns 500", "deploy failed"),
    *("o build quebrou", "os testes falharam", "hay un error en producción", "el test falla"),
    *("ça plante au démarrage", "la compilation échoue", "le serveur est en panne"),
]
UNHEARD = [
    *("I'm testing the waters", "print a coverage map of wifi towers", "the latest build", "we won the contest"),
    *("la panne de courant", "comment planter un arbre", "plante um jardim", "falta uma vírgula"),
]


@pytest.fixture(scope="module")
def qa():
    """The index of QA's keywords alone."""
    with open(os.path.join(FRAMEWORK, "rules", "manifest"), encoding="utf-8") as file:
        domain = next(each for each in read_manifest(file.read()).domains if each.name == "QA")
    lists = ((RECALL, domain.recall), (EXCLUDE, domain.exclude))
    return build_index((0, role, keyword, "words") for role, keywords in lists for keyword in keywords)


@pytest.mark.parametrize("prompt", HEARD)
def test_a_fault_calls_it(qa, prompt):
    recalled, excluded = find_matches(qa, prompt)
    assert recalled and not excluded


@pytest.mark.parametrize("prompt", UNHEARD)
def test_what_is_no_fault_does_not(qa, prompt):
    recalled, excluded = find_matches(qa, prompt)
    assert not recalled or excluded
