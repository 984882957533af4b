"""Which of several answers counts."""

from limpet.guard.call import ALLOW, Verdict, strictest


def test_the_strictest_answer_counts():
    """In any order, and of equals the first: the rules stand in the order in which their reasons are worth telling."""
    assert strictest(()) is ALLOW
    ask, deny = Verdict("ask", "destructive"), Verdict("deny", "authority.push")
    assert strictest((ask, deny, ALLOW)) is deny
    assert strictest((ALLOW, ask)) is ask
    first, second = Verdict("deny", "secret.write"), Verdict("deny", "authority.push")
    assert strictest((first, second)) is first
