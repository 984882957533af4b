"""Questions of ``limpet review`` about what the person did not simply say: words beside a paste, a script's,
teammates', and those that were approved for all projects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import NamedTuple

from limpet.ground.clock import local_minute
from limpet.memory.candidates import Candidate
from limpet.operations.inbox import drop_unknown
from limpet.operations.memory import change
from limpet.operations.memory import review as operations
from limpet.operations.memory.view import short_lines
from limpet.operations.project import Project
from limpet.operations.sharing.joined import ApprovedWords, settle_approved
from limpet.operations.sharing.team import Teammates, settle_teammates, trust_author

LATER = {"s": "later", "a": "leave all", "q": "quit"}
SHARED = {"k": "keep", "t": "keep what this author signs of this type", "d": "never", **LATER}
OFFERED = {"k": "keep", "d": "never", **LATER}
LEFT = {"k": "keep", "d": "drop", **LATER}


class Question(NamedTuple):
    """What is shown, the answers to it, and what carries one out; ``memory``: the id of what is then looked at."""

    lines: Iterable[str]
    keys: Mapping[str, str]
    carry_out: Callable[[str], Iterable[str]]
    memory: str = ""


def of_pasted(project: Project, candidate: Candidate) -> Question:
    when = f"heard on {local_minute(candidate.at)}, {beside(candidate)}:"
    lines = (when, f'  "{" ".join(candidate.quote.split())}"')
    return Question(lines, LEFT, partial(_judge_pasted, project, candidate))


def of_unknown(project: Project, text: str) -> Question:
    lines = ("left by a script, nobody knows by whom:", f"  {text}")
    return Question(lines, LEFT, partial(_judge_left, project, text))


def of_teammate(project: Project, one: Teammates) -> Question:
    proof = "signed" if one.commit.is_signed else "not signed: git's word alone"
    proof = "the team's server says so" if one.sender else proof
    lines = chain([f"shared by {one.author} ({proof}):"], short_lines(one.opened))
    keys = {key: what for key, what in SHARED.items() if key != "t" or one.commit.is_signed}
    return Question(lines, keys, partial(_judge_teammate, project, one))


def of_approved(project: Project, one: ApprovedWords) -> Question:
    lines = (f"approved by {one.decided_by} for all projects:", f"  {one.title}")
    return Question(lines, OFFERED, partial(_judge_offered, project, one))


def beside(candidate: Candidate) -> str:
    return "beside a pasted text" if candidate.type else "with the task of a conversation"


def _judge_pasted(project: Project, candidate: Candidate, answer: str) -> Iterator[str]:
    if answer in "kd":
        title = operations.settle_unkept(project, candidate, is_kept=answer == "k")
        yield f'Kept: "{title}"' if title else "Dropped."


def _judge_left(project: Project, text: str, answer: str) -> Iterator[str]:
    if answer == "k":
        kept = change.remember_memory(project, {}, text, "reviewed")
        yield f'Kept: "{kept.stored.entry.title}"'
    if answer in "kd":
        drop_unknown(project.workspace, text)


def _judge_teammate(project: Project, one: Teammates, answer: str) -> Iterator[str]:
    if answer == "t":
        trust_author(project, one)
    if answer in "kd":
        settle_teammates(project, [one], is_kept=answer == "k")
    if answer in "ktd":
        yield "It never counts for your agents." if answer == "d" else f"In use, as shared by {one.author}."


def _judge_offered(project: Project, one: ApprovedWords, answer: str) -> Iterator[str]:
    if answer in "kd":
        if answer == "k":
            change.remember_memory(project, {}, one.title, "reviewed")
        settle_approved(project.workspace, one.sense, is_kept=answer == "k")
        yield f'Kept: "{one.title}"' if answer == "k" else "Dropped."
