"""Checks keyword domains against the last prompts: keywords that fire too often, or never."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from limpet.rules.check.finding import WARNING, Finding
from limpet.rules.format.key_value import read_lines
from limpet.rules.format.manifest import Domain, read_manifest

WINDOW = 200
"""So many of the last prompts are looked at; a domain that fired in none of them never fires."""
FEWEST = 50
"""So many it takes to say that a domain fires too often."""
TOO_OFTEN = 0.6
NAMED = 3
"""So many of its keywords are named, those first that call it most."""


def check_usage(path: str, text: str, prompts: Sequence[Mapping[str, Sequence[str]]]) -> Iterator[Finding]:
    """Yield the findings on the keyword domains of the manifest ``text``.

    ``prompts``: each prompt since manifest and domains last changed, the newest last, as the keywords that matched by
    the domain that they called.
    """
    seen = prompts[-WINDOW:]
    lines = {key: number for number, key, _ in read_lines(text)}
    for domain in read_manifest(text).domains:
        if domain.kind == "keyword" and domain.active and (domain.recall or domain.hints):
            place = lines.get(f"{domain.name}_RECALL", 0)
            calls = [called[domain.name] for called in seen if domain.name in called]
            yield from _check_domain(path, place, domain, calls, len(seen))


def _check_domain(
    path: str, line: int, domain: Domain, calls: Sequence[Sequence[str]], prompts: int
) -> Iterator[Finding]:
    """``calls``: the keywords of each prompt that called the domain."""
    fired = len(calls)
    if prompts >= FEWEST and fired > TOO_OFTEN * prompts:
        words = Counter(word for called in calls for word in called).most_common(NAMED)
        by = f" ({', '.join(f'{word} in {count}' for word, count in words)})" if words else ""
        what = f"{domain.name} fires too often: in {fired} of the last {prompts} prompts{by}"
        yield Finding(WARNING, path, line, what, f"narrow its keywords, or write {domain.name}_ALWAYS_ON=true")
    if prompts >= WINDOW and not fired:
        what = f"{domain.name} never fired in the last {prompts} prompts"
        hint = f"widen its keywords (`limpet rules suggest {domain.name}`), or switch it off"
        yield Finding(WARNING, path, line, what, hint)
