"""Who is active is not an active agent's to choose."""

import pytest

from ..scenes import SCENE, answer, scene

DENIED, FINE = ("deny", "authority.agent"), ("allow", "")


@pytest.mark.parametrize(
    "text",
    [
        "limpet agent activate devops",
        "limpet agent activate --greeting none devops && git status",
        "python -m limpet agent activate @architect",
        "limpet agent deactivate",
        "bash -c 'limpet agent activate devops'",
    ],
)
@pytest.mark.parametrize("permission", ["", "auto"])
def test_an_agent_does_not_take_anothers_place(text, permission):
    """It would have that one's authority."""
    assert answer(text, scene("dev", permission=permission)) == DENIED


@pytest.mark.parametrize("text", ["limpet agent activate dev", "limpet agent list", "limpet agent show devops"])
def test_its_own_place_and_looking_are_its_own(text):
    assert answer(text, scene("dev")) == FINE


@pytest.mark.parametrize("where", [SCENE, scene("orchestrator")])
def test_who_routes_may_choose(where):
    """The orchestrator, and a conversation without an agent."""
    assert answer("limpet agent activate devops", where) == FINE
