"""What a rule answers about a tool call, and which of several answers counts."""

from __future__ import annotations

from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ANSWERS = ("allow", "ask", "deny")  # from the mildest to the strictest


class Verdict(Value):
    """One rule's answer.

    answer: one of ANSWERS; rule: the stable id of the rule; reason: one plain sentence and what to do.
    agent: whom to hand the act to, "" for nobody; act: its text; target: the path or name it touches.
    once: what is asked once in a conversation, "" where every time.
    """

    answer: str
    rule: str = ""
    reason: str = ""
    agent: str = ""
    act: str = ""
    target: str = ""
    once: str = ""


ALLOW = Verdict("allow")


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the strictest verdict, the first of equals; ALLOW where there is none."""
    return max(verdicts, key=lambda verdict: ANSWERS.index(verdict.answer), default=ALLOW)
