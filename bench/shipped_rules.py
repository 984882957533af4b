"""How well the shipped keyword domains hear the prompts for which a developer would want them.

Labelled prompts come as JSON lines: ``{"prompt": "...", "lang": "en", "want": ["QA", "STORY"]}``. They are matched as
the hook matches them, STORY as if work were under way.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from limpet.rules.format.manifest import Domain, read_manifest  # noqa: E402
from limpet.rules.matching import build_index, find_matches, keywords_of  # noqa: E402
from limpet.rules.plan.sources import FRAMEWORK  # noqa: E402

DOMAINS = ("QA", "STORY")
LEAST_PRECISION = 0.85
LEAST_RECALL = 0.70


class Prompt(NamedTuple):
    """What somebody typed, in which language, and the domains that a developer would want for it."""

    text: str
    language: str
    want: frozenset[str]


class Call(NamedTuple):
    """Whether a prompt wants a domain and gets it, and by which keywords."""

    prompt: Prompt
    domain: str
    keywords: tuple[str, ...]

    @property
    def wanted(self) -> bool:
        return self.domain in self.prompt.want


def main() -> None:
    options = _options()
    prompts = read_prompts(options.labels.read_text(encoding="utf-8"))
    calls = call_domains(prompts, shipped_domains())
    print("\n".join(_table(calls)))
    if options.misses:
        print("\n".join(_misses(calls)))
    precision, recall = score(calls)
    sys.exit(1 if options.check and (precision < LEAST_PRECISION or recall < LEAST_RECALL) else 0)


def read_prompts(text: str) -> list[Prompt]:
    """Return the prompts of JSON lines."""
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [Prompt(row["prompt"], row["lang"], frozenset(row["want"])) for row in rows]


def shipped_domains() -> list[Domain]:
    """Return the shipped domains that are measured."""
    text = Path(FRAMEWORK, "rules", "manifest").read_text(encoding="utf-8")
    return [domain for domain in read_manifest(text).domains if domain.name in DOMAINS]


def call_domains(prompts: Iterable[Prompt], domains: Sequence[Domain]) -> list[Call]:
    """Return a call of each domain for each prompt, without keywords where it stays silent."""
    index = build_index(
        (owner, role, keyword, domain.match or "words")
        for owner, domain in enumerate(domains)
        for role, keyword in keywords_of(domain)
    )
    calls = []
    for prompt in prompts:
        recalled, excluded = find_matches(index, prompt.text)
        for owner, domain in enumerate(domains):
            keywords = () if owner in excluded else tuple(recalled.get(owner, ()))
            calls.append(Call(prompt, domain.name, keywords))
    return calls


def score(calls: Iterable[Call]) -> tuple[float, float]:
    """Return precision and recall over these calls."""
    calls = list(calls)
    wanted, got = sum(call.wanted for call in calls), sum(bool(call.keywords) for call in calls)
    right = sum(call.wanted and bool(call.keywords) for call in calls)
    return right / got if got else 0.0, right / wanted if wanted else 0.0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Score the shipped keyword domains on labelled prompts.")
    parser.add_argument("labels", type=Path, metavar="LABELS", help="JSON lines: prompt, lang, want")
    parser.add_argument("--misses", action="store_true", help="list what was called wrongly, and what was not called")
    parser.add_argument(
        "--check",
        action="store_true",
        help=f"exit 1 unless precision is {LEAST_PRECISION} and recall {LEAST_RECALL} at least, over all",
    )
    return parser.parse_args()


def _table(calls: Sequence[Call]) -> list[str]:
    languages = sorted({call.prompt.language for call in calls})
    lines = [f"{'':8}{'':8}{'precision':>10}{'recall':>8}{'wanted':>8}{'called':>8}"]
    for domain in (*DOMAINS, "both"):
        for language in (*languages, "all"):
            some = [
                call for call in calls if domain in (call.domain, "both") and language in (call.prompt.language, "all")
            ]
            precision, recall = score(some)
            wanted, called = sum(call.wanted for call in some), sum(bool(call.keywords) for call in some)
            lines.append(f"{domain:8}{language:8}{precision:10.3f}{recall:8.3f}{wanted:8}{called:8}")
    return lines


def _misses(calls: Iterable[Call]) -> list[str]:
    lines = []
    for call in calls:
        text = " ".join(call.prompt.text.split())
        if call.keywords and not call.wanted:
            lines.append(f"wrong   {call.domain:6} {call.prompt.language} {text!r} by {', '.join(call.keywords)}")
        elif call.wanted and not call.keywords:
            lines.append(f"missed  {call.domain:6} {call.prompt.language} {text!r}")
    return lines


if __name__ == "__main__":
    main()
