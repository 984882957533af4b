"""What a rule answers about a tool call, and which of several answers counts."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CANNOT_ASK = (
    "This client cannot ask the user, so the call is denied. The user can let it pass once: `limpet guard log`, then "
    "`limpet guard allow ID`."
)
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


def as_client_can(verdict: Verdict, can_ask: Callable[[], bool]) -> Verdict:
    """Return a question as a denial where the client cannot ask it."""
    if verdict.answer != "ask" or can_ask():
        return verdict
    return verdict.replace(answer="deny", reason=f"{verdict.reason} {CANNOT_ASK}")


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the strictest verdict, the first of equals; ALLOW where there is none."""
    return max(verdicts, key=lambda verdict: ANSWERS.index(verdict.answer), default=ALLOW)
