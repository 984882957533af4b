"""Whose work a request is, and whether it is more than the coding agent does by itself."""

import pytest

from holdfast.agents.routing.route import CEREMONIES, Route, command, route
from holdfast.agents.routing.weights import read_weights
from holdfast.roles.roster import AGENTS
from holdfast.work.pipeline.deviation import KINDS

LARGE = (
    "We move the whole backend from Express to NestJS: every route, authentication and the jobs. Plan it in phases.",
    "quero migrar todo o backend de PHP para Node, com autenticação, pagamentos e relatórios, em fases",
    "hay que migrar toda la aplicación de AngularJS a React, con rutas, permisos y pruebas, por fases",
    "il faut réécrire toute l'application, avec migration des utilisateurs, paiements et rapports, en plusieurs phases",
)
SMALL = (
    *("fix the typo in the header", "why does the test fail?", "commit and push", "run the tests", "rename the flag"),
    *("corrige o import", "por que o teste falha?", "roda os testes", "arregla el error de tipos", "ejecuta los tests"),
    *("corrige la faute dans l'en-tête", "lance les tests", "explain this function", "use option 2"),
)
TRIVIAL = ("yes", "ok", "thanks!", "obrigado", "gracias", "merci", "continue", "👍", "", "?!")


@pytest.mark.parametrize("prompt", LARGE)
def test_what_takes_phases_is_a_workflow(prompt):
    """In each of the four languages."""
    found = route(prompt)
    assert (found.ceremony, command(found)) == ("workflow", f"holdfast work start {found.workflow}")


@pytest.mark.parametrize("prompt", SMALL)
def test_small_work_stays_small(prompt):
    """No ceremony, whether something is under way or not."""
    assert [route(prompt, at_work).ceremony for at_work in (False, True)] == ["none", "none"]


@pytest.mark.parametrize("prompt", TRIVIAL)
def test_an_acknowledgement_is_nobodys_work(prompt):
    """Nor is a sign, or nothing at all."""
    found = route(prompt, at_work=True)
    assert (found.ceremony, found.agent, command(found)) == ("none", "", "")


@pytest.mark.parametrize(
    "prompt", ["yes, delete them", "thanks, great work", "go ahead and implement it", "2", "não, o primeiro", "vas-y"]
)
def test_an_answer_is_nobodys_work(prompt):
    """Whatever it answers: a choice, a yes with what it says yes to."""
    assert (route(prompt, at_work=True).ceremony, route(prompt).agent) == ("none", "")


@pytest.mark.parametrize(
    ("prompt", "agent"), [("yes, commit it", "devops"), ("ok, run the tests", "qa-implementation")]
)
def test_an_order_after_a_yes_is_work(prompt, agent):
    """It has an owner as it has without the yes."""
    assert route(prompt).agent == agent


@pytest.mark.parametrize("prompt", ["Implement the following plan:", "execute phase 2", "ok, implement stage 1 of"])
def test_what_is_laid_out_already_is_only_done(prompt):
    """However large the plan that follows."""
    assert route(f"{prompt}\n\n{LARGE[0]}").ceremony == "none"


@pytest.mark.parametrize(
    ("prompt", "agent"),
    [
        ("commit and push", "devops"),
        ("deploy this to staging", "devops"),
        ("run the tests and tell me what fails", "qa-implementation"),
        ("how does the authentication work in this project?", "brownfield-wu"),
        ("where do we stand, what is still open?", "orchestrator"),
        ("fix the crash in the parser", "dev"),
        ("make the button green and a bit larger", "ux"),
        ("write a PRD for exports", "detail"),
        ("faz o commit e sobe", "devops"),
        ("despliega en staging", "devops"),
        ("lance les tests", "qa-implementation"),
    ],
)
def test_work_has_an_owner(prompt, agent):
    """Plain requests go to the agent that owns them."""
    assert route(prompt).agent == agent


def test_a_deviation_leaves_something():
    """Where nothing is under way there is nothing to leave."""
    prompt = "scrap what we did with the cache, we start over with the simple version"
    assert route(prompt, at_work=True).ceremony == "deviation"
    assert route(prompt).ceremony != "deviation"


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("skip the ux step, we go straight to implementation", "skip"),
        ("scrap the mobile app, we drop it from this release", "scope_change"),
        ("revert all of it, we abandon this approach", "rollback"),
        ("forget the mobile app, we do the billing first", "priority_change"),
    ],
)
def test_a_deviation_has_a_kind_that_its_command_takes(prompt, kind):
    found = route(prompt, at_work=True)
    assert (found.kind, kind in KINDS) == (kind, True)
    assert command(found) == f'holdfast work deviate {kind} "WHAT"'


def test_the_words_that_decided_are_named():
    """They stand in the prompt, and words that say nothing are none."""
    found = route("please deploy this to staging")
    assert found.why[:2] == ("deploy", "staging")


def test_a_long_prompt_says_no_more_than_its_beginning_and_end():
    """A pasted log of a megabyte costs nothing and makes no ceremony."""
    assert route("why does this fail?\n" + "ERROR migrate the whole platform\n" * 30_000).ceremony == "none"


def test_every_name_in_the_weights_is_known():
    """Agents, ceremonies and workflows that the router can say exist."""
    model = read_weights()
    assert set(model["agent"]["names"]) == {"", *AGENTS}
    assert tuple(model["ceremony"]["names"]) == CEREMONIES


def test_without_weights_everything_is_just_done(monkeypatch):
    """A damaged installation routes nothing, and does not fail."""
    monkeypatch.setattr("holdfast.agents.routing.route.read_weights", dict)
    assert route(LARGE[0]) == Route()
