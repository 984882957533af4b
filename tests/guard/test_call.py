"""Which of several answers counts."""

from limpet.guard.call import ALLOW, Verdict, strictest


def test_nothing_said_is_allowed():
    """Where no rule says a thing, the guard has nothing against the call."""
    assert strictest(()) is ALLOW


def test_the_strictest_answer_counts():
    """A denial outweighs a question, a question an allowance, in any order."""
    ask, deny = Verdict("ask", "destructive"), Verdict("deny", "authority.push")
    assert strictest((ask, deny, ALLOW)) is deny
    assert strictest((ALLOW, ask)) is ask


def test_the_first_of_equals_is_the_one_that_is_told():
    """The rules stand in the order in which their reasons are worth telling."""
    first, second = Verdict("deny", "secret.write"), Verdict("deny", "authority.push")
    assert strictest((first, second)) is first
