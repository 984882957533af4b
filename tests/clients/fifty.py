"""The same prompts in each of the real clients: what came with each of them, by what went over the wire.

    PATH=~/clients/bin:$PATH python -m tests.clients.fifty

plays the fifty prompts of `bench/tokens_prompts.txt` in every client that is installed, each in a project with the same
rules and the memories of `bench/coding_memories.txt`, and prints where they differ. It takes some ten minutes.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from .clients import CLIENTS, Client, begins_with
from .process import REPOSITORY
from .test_memory import blocks

BENCH = REPOSITORY / "bench"
RULES = {
    "payments": ("stripe, charge, refund, payment", "Amounts are integers of the smallest unit."),
    "schema": ("migration, index, column", "A migration never locks a table."),
    "reviews": ("pull request, commit", "One change in a commit."),
    "clocks": ("clock, timezone", "Tests take the clock from the helpers."),
}
# What a block says of itself, which is not what it brings: how full a window is differs with the model.
# And the tenth prompt is counted from the first that brought the rules, which in some clients is the start.
OWN = re.compile(r"</?(?:limpet-context|directory|constitution|rules|memory|contents|candidates)\b[^>]*>|<reminder>.*")
Limpet = Callable[..., str]


def prompts() -> list[str]:
    """The fifty, which speak of one shop's code."""
    return BENCH.joinpath("tokens_prompts.txt").read_text(encoding="utf-8").splitlines()


def prepare(limpet: Limpet) -> None:
    """Write the rules and the memories, in the same words in every project."""
    for name, (words, rule) in RULES.items():
        limpet("rules", "add", name, "--recall", words, "--rule", rule)
    for line in BENCH.joinpath("coding_memories.txt").read_text(encoding="utf-8").splitlines():
        about, chosen, instead, path, *_ = (part.strip() for part in line.split(" | "))
        limpet("memory", "add", f"For {about} we use {chosen} instead of {instead}, see {path}.", "--type", "decision")


def play(client: Client, project: Path, said: Sequence[str]) -> tuple[list[list[str]], bool]:
    """The lines that came with each prompt, sorted, and whether each request began with the one before."""
    came: list[list[str]] = []
    requests = []
    before: Counter[str] = Counter()
    conversation = None
    for prompt in said:
        run = client.ask(project, prompt, conversation=conversation)
        conversation = run.conversation
        requests += run.requests
        now = Counter(line for line in blocks(run.requests[-1]).splitlines() if line and not OWN.fullmatch(line))
        came.append(sorted((now - before).elements()))
        before = now
    return [[_plain(line) for line in lines] for lines in came], all(
        begins_with(later, earlier) for earlier, later in pairwise(requests)
    )


def _plain(line: str) -> str:
    """The line without the ids that each project makes for itself."""
    return re.sub(r'(^|near: |write ")[a-z0-9]{6,8}(:? |:)', r"\1", OWN.sub("", line)).strip()


def main() -> None:
    """Play all fifty in every client."""
    from .test_every_client import limpet, set_up

    found: dict[str, list[list[str]]] = {}
    said = prompts()
    with tempfile.TemporaryDirectory() as folder:
        for host, kind in CLIENTS.items():
            client, project = kind(Path(folder) / host / "user"), Path(folder) / host / "project"
            project.mkdir(parents=True)
            set_up(project, client)
            prepare(lambda *words, of=client, at=project: limpet(of, at, *words))
            found[host], grows = play(client, project, said)
            print(
                f"{host}: {sum(map(len, found[host]))} lines with {len(said)} prompts; only grows: {grows}", flush=True
            )
    first, *others = found
    differing = 0
    for number, prompt in enumerate(said):
        for host in others:
            left, right = found[first][number], found[host][number]
            if left != right:
                differing += 1
                print(f"{number + 1}. {prompt}\n  {first}: {left}\n  {host}: {right}")
    print(f"{differing} of {len(said) * len(others)} differ from {first}")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
