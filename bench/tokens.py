"""What Limpet puts into a conversation of fifty prompts, beside what CARL would: characters, tokens, and whether the
rules that each prompt calls are there.

Both get the same rules (``tokens_rules/`` and the shipped global and bracket rules) and the same conversations, all of
them in the bracket FRESH: the day's work in ``tokens_prompts.txt``, and as many prompts that name no domain. CARL is
reckoned from the description of its first version, with its lengths and in our words; Limpet is run. The constitution
and the active agent, which CARL has not got, are counted in the total and shown apart.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from nobody import become_nobody, trusted_project

from limpet.engine import handle
from limpet.ground.clock import Clock
from limpet.ground.event import Event
from limpet.ground.storage.files import write_atomic
from limpet.ground.storage.scaffold import shipped_rules
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.workspace import Workspace
from limpet.operations.mirror import refresh_mirror
from limpet.rules.format.domain import read_domain
from limpet.rules.format.manifest import Domain, read_manifest
from limpet.rules.matching import build_index, find_matches, keywords_of
from limpet.work.project import change_project

HERE = Path(__file__).parent
RULES = HERE / "tokens_rules"
PROMPTS = HERE / "tokens_prompts.txt"
NOT_IN_CARL = ("constitution", "agent")
FIRST_USED, USED_PER_PROMPT, WINDOW = 12_000, 1_300, 200_000

# CARL's text for a debug mode that is off: 154 characters, in every block.
CARL_NO_DEBUG = "DEVMODE=false".ljust(153, ".") + "\n"
CARL_HINT = "A tool is named that would load them".ljust(60, ".") + "\n"
CARL_AGAIN = 10


@dataclass
class Conversation:
    """What one of the two added before each prompt, with the rules that each prompt called."""

    name: str
    opening: str = ""
    added: list[str] = field(default_factory=list)
    called: list[list[str]] = field(default_factory=list)

    @property
    def blocks(self) -> list[str]:
        """All that was added, in order."""
        return [block for block in (self.opening, *self.added) if block]

    def absent(self) -> int:
        """How many rules were called by a prompt and stood nowhere before it."""
        seen, missing = self.opening, 0
        for block, rules in zip(self.added, self.called, strict=True):
            seen += block
            missing += sum(rule not in seen for rule in rules)
        return missing


class Rules:
    """The rules as text: those of each keyword domain, the always-on ones, those of the bracket."""

    def __init__(self, workspace: Workspace) -> None:
        manifest = read_manifest(_read(workspace, "manifest"))
        self.keyword = tuple(domain for domain in manifest.domains if domain.kind == "keyword")
        self.texts = {domain.name: _rule_texts(workspace, domain.name) for domain in self.keyword}
        self.always = _rule_texts(workspace, "GLOBAL")
        self.fresh = list(read_domain("CONTEXT", _read(workspace, "context")).brackets["FRESH"])


def main() -> None:
    options = _options()
    working = PROMPTS.read_text(encoding="utf-8").splitlines()
    talks = {"a day's work": working, "no domain named": [f"Go on with number {n}." for n in range(len(working))]}
    results, failures = {}, []
    for title, prompts in talks.items():
        ours, carl = run_limpet(prompts), reckon_carl(prompts)
        results[title] = {talk.name: figures(talk) for talk in (ours, carl)}
        failures += _failures(title, ours, carl)
    if options.json:
        print(json.dumps({"conversations": results, "failures": failures}, indent=2))
    else:
        print("\n".join([*_table(results), "", *(failures or ["all promises held"])]))
    sys.exit(1 if options.check and failures else 0)


def run_limpet(prompts: list[str]) -> Conversation:
    """A session start and the prompts, through the engine, in a scratch project with the agent dev."""
    with tempfile.TemporaryDirectory(prefix="limpet-bench-", ignore_cleanup_errors=True) as folder:
        become_nobody(folder)
        workspace = _make_project(os.path.join(folder, "shop"))
        rules = Rules(workspace)
        transcript = os.path.join(workspace.root, "transcript.jsonl")
        start = Event("session_start", "claude-code", session="s", cwd=workspace.root, source="startup")
        talk = Conversation("Limpet", opening=handle(start, workspace, Clock()).block)
        for number, prompt in enumerate(prompts):
            write_atomic(transcript, _usage_line(number))
            event = Event("prompt", "claude-code", "s", workspace.root, prompt, f"p{number}", transcript)
            talk.added.append(handle(event, workspace, Clock()).block)
            talk.called.append([_escape(rule) for name in _match(rules, prompt) for rule in rules.texts[name]])
    return talk


def reckon_carl(prompts: list[str]) -> Conversation:
    """A whole block when what is in force changed, with the first two prompts and with every tenth; else nothing."""
    with tempfile.TemporaryDirectory(prefix="limpet-bench-") as folder:
        rules = Rules(_make_project(os.path.join(folder, "shop")))
    talk = Conversation("CARL")
    last: list[str] | None = None
    for number, prompt in enumerate(prompts):
        found = _match_as_carl(rules, prompt)
        due = sorted(found) != last or number <= 1 or number % CARL_AGAIN == 0
        talk.added.append(_carl_block(rules, found, number) if due else "")
        talk.called.append([rule for name in found for rule in rules.texts[name]])
        last = sorted(found)
    return talk


def figures(talk: Conversation) -> dict[str, int]:
    """Characters and tokens in all and without what CARL has not got, blocks, the largest one, and rules absent."""
    own = [_without(block, NOT_IN_CARL) for block in talk.blocks] if talk.name == "Limpet" else talk.blocks
    return {
        "characters": sum(map(len, talk.blocks)),
        "tokens": sum(map(estimate_tokens, talk.blocks)),
        "comparable_characters": sum(map(len, own)),
        "comparable_tokens": sum(map(estimate_tokens, own)),
        "blocks": len(talk.blocks),
        "largest": max(map(len, talk.blocks)),
        "rules_called": sum(map(len, talk.called)),
        "rules_absent": talk.absent(),
    }


def _failures(title: str, ours: Conversation, carl: Conversation) -> list[str]:
    """Limpet must cost less in all, and have every rule that a prompt calls in the conversation."""
    mine, theirs = figures(ours), figures(carl)
    failures = []
    if mine["tokens"] >= theirs["tokens"]:
        failures.append(f"{title}: {mine['tokens']} tokens, and CARL {theirs['tokens']}")
    if mine["rules_absent"]:
        failures.append(f"{title}: {mine['rules_absent']} rules were called and are nowhere in the conversation")
    return failures


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Weigh what is injected over a conversation of fifty prompts.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit 1 unless it costs less than CARL and lacks no rule")
    return parser.parse_args()


def _make_project(root: str) -> Workspace:
    workspace = trusted_project(root, time.time())
    for name, raw in shipped_rules(root).items():
        write_atomic(workspace.path("rules", name), raw)
    for source in RULES.iterdir():
        write_atomic(workspace.path("rules", source.name), source.read_bytes())
    write_atomic(workspace.path("config.yaml"), f"context:\n  window: {WINDOW}\n")
    change_project(workspace, lambda _: {"current_agent": "dev"})
    refresh_mirror(workspace)
    return workspace


def _usage_line(number: int) -> str:
    used = {"input_tokens": FIRST_USED + number * USED_PER_PROMPT, "output_tokens": 0}
    message = {"role": "assistant", "model": "claude-haiku-4-5", "content": [], "usage": used}
    return json.dumps({"type": "assistant", "message": message}) + "\n"


def _read(workspace: Workspace, name: str) -> str:
    return Path(workspace.path("rules", name)).read_text(encoding="utf-8")


def _rule_texts(workspace: Workspace, name: str) -> list[str]:
    return list(read_domain(name, _read(workspace, name.lower())).rules)


def _match(rules: Rules, prompt: str) -> list[str]:
    index = build_index(
        (owner, role, keyword, "words")
        for owner, domain in enumerate(rules.keyword)
        for role, keyword in keywords_of(domain)
    )
    return [rules.keyword[owner].name for owner in find_matches(index, prompt)[0]]


def _match_as_carl(rules: Rules, prompt: str) -> dict[str, list[str]]:
    found = {domain.name: [word for word in domain.recall if word in prompt.lower()] for domain in rules.keyword}
    return {name: words for name, words in found.items() if words}


def _carl_block(rules: Rules, found: dict[str, list[str]], number: int) -> str:
    remaining = 100 - (FIRST_USED + number * USED_PER_PROMPT) * 100 // WINDOW
    parts = [f"\n<carl-rules>\nCONTEXT BRACKET: [FRESH] ({remaining}% remaining)\n\n[FRESH] CONTEXT RULES:\n"]
    parts += [*_numbered(rules.fresh, 1), "\n", CARL_NO_DEBUG, "LOADED DOMAINS:\n"]
    parts.append(f"  [GLOBAL] always_on ({len(rules.always)} rules)\n")
    parts += [
        f"  [{name}] matched: {', '.join(words)} ({len(rules.texts[name])} rules)\n" for name, words in found.items()
    ]
    for name, texts in [("GLOBAL", rules.always), *((name, rules.texts[name]) for name in found)]:
        parts += [f"\n[{name}] RULES:\n", *_numbered(texts, 0)]
    parts += ["\nAVAILABLE (not loaded):\n", *_available(rules.keyword, found), CARL_HINT, "</carl-rules>\n"]
    return "".join(parts)


def _numbered(rules: list[str], first: int) -> Iterator[str]:
    return (f"  {number}. {rule}\n" for number, rule in enumerate(rules, first))


def _available(domains: tuple[Domain, ...], found: dict[str, list[str]]) -> Iterator[str]:
    return (f"  {domain.name} ({', '.join(domain.recall)})\n" for domain in domains if domain.name not in found)


def _escape(rule: str) -> str:
    """As text stands in the block."""
    return rule.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _without(block: str, tags: tuple[str, ...]) -> str:
    root = ElementTree.fromstring(block)
    for child in [child for child in root if child.tag in tags]:
        root.remove(child)
    return ElementTree.tostring(root, encoding="unicode")


def _table(results: dict[str, dict[str, dict[str, int]]]) -> list[str]:
    heads = ("characters", "tokens", "blocks", "largest", "rules called", "absent", "without *", "tokens")
    lines = []
    for title, talks in results.items():
        lines.append(f"{title:18}" + "".join(f"{head:>13}" for head in heads))
        for name, row in talks.items():
            keys = ("characters", "tokens", "blocks", "largest", "rules_called", "rules_absent")
            numbers = [*(row[key] for key in keys), row["comparable_characters"], row["comparable_tokens"]]
            lines.append(f"{name:18}" + "".join(f"{number:13,}" for number in numbers))
        lines.append("")
    return [*lines, f"(* without what CARL has not got: {', '.join(NOT_IN_CARL)})"]


if __name__ == "__main__":
    main()
