"""Keyword domains whose words fire too often or never, by what the last prompts were given."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from holdfast.rules.finding import WARNING, Finding
from holdfast.rules.keyvalue import read_lines
from holdfast.rules.manifest import Domain, read_manifest

WINDOW = 200
"""So many of the last prompts are looked at; a domain that fired in none of them never fires."""
FEWEST = 50
"""So many it takes to say that a domain fires too often."""
TOO_OFTEN = 0.6


def check_usage(path: str, text: str, prompts: Sequence[Collection[str]]) -> Iterator[Finding]:
    """The findings on the keyword domains of the manifest ``text``; ``prompts``: of each prompt since manifest and
    domains last changed, the names of the domains that it called, the newest last."""
    seen = prompts[-WINDOW:]
    lines = {key: number for number, key, _ in read_lines(text)}
    for domain in read_manifest(text).domains:
        if domain.kind == "keyword" and domain.active and domain.recall:
            place = lines.get(f"{domain.name}_RECALL", 0)
            yield from _check_domain(path, place, domain, sum(domain.name in called for called in seen), len(seen))


def _check_domain(path: str, line: int, domain: Domain, fired: int, prompts: int) -> Iterator[Finding]:
    if prompts >= FEWEST and fired > TOO_OFTEN * prompts:
        what = f"{domain.name} fires too often: in {fired} of the last {prompts} prompts"
        yield Finding(WARNING, path, line, what, f"narrow its keywords, or write {domain.name}_ALWAYS_ON=true")
    if prompts >= WINDOW and not fired:
        what = f"{domain.name} never fires: in none of the last {prompts} prompts"
        mend = f"widen its keywords (`holdfast rules suggest {domain.name}`), or switch it off"
        yield Finding(WARNING, path, line, what, mend)
