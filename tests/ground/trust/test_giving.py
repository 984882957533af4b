"""The settings that act, and what of the guard only makes it stricter."""

import pytest

from limpet.ground.trust.giving import is_acting


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("guard", "permission"), "auto"),
        (("guard", "permission"), "ask"),
        (("guard", "unclear"), "allow"),
        (("guard", "rules", "secrets"), False),
        (("guard", "authority", "push"), ["dev"]),
        (("guard", "secrets_in"), [".env"]),
        (("guard", "outside"), ["/**"]),
        (("guard", "tools", "mcp__*"), "read"),
        (("work", "checks", "test"), "pytest"),
    ],
)
def test_what_loosens_acts(path, value):
    """It needs the user's word (decision 46)."""
    assert is_acting(path, value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("guard", "permission"), "explore"),
        (("guard", "unclear"), "deny"),
        (("guard", "rules", "secrets"), True),
        (("work", "mode"), "build"),
    ],
)
def test_what_tightens_does_not(path, value):
    """A project may ask for more care than its user does."""
    assert not is_acting(path, value)
