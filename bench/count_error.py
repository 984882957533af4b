"""How far our own count of a block's tokens is from a real tokenizer's: what receipts state as its error.

Two conversations of fifty prompts are played through the engine: one over ten domains of rules, one over two hundred
memories. Each block is counted as the hook records it, and by ctok (Python 3.12, ``pip install ctok``) as the newest
models and as those before them count. Prints the error of the whole conversation, and of single blocks.

    python bench/count_error.py
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

import disclosure as memories_bench  # noqa: E402
import tokens as rules_bench  # noqa: E402
from coding_memories import make_prompts  # noqa: E402
from nobody import become_nobody  # noqa: E402

from limpet.engine import handle  # noqa: E402
from limpet.ground.event import Event  # noqa: E402
from limpet.ground.text.tokens import RESERVE, estimate_tokens, typical_tokens  # noqa: E402

FAMILIES = {"newest": "4.7", "before": "3.0"}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.partition("\n\n")[0]).parse_args()
    try:
        import ctok  # type: ignore[import-not-found]
    except ImportError:
        sys.exit("needs Python 3.12 and ctok (pip install ctok)")
    talks = {"rules": _rule_blocks(), "memories": _memory_blocks()}
    print("conversation  models   blocks    ours  tokenizer   whole  median abs    worst")
    for title, blocks in talks.items():
        ours = [typical_tokens(estimate_tokens(block), RESERVE) for block in blocks]
        for name, family in FAMILIES.items():
            real = [ctok.token_count(block, family) - ctok.token_count("a", family) + 1 for block in blocks]
            errors = [own / true - 1 for own, true in zip(ours, real, strict=True)]
            median, worst = statistics.median(map(abs, errors)), max(errors, key=abs)
            whole = sum(ours) / sum(real) - 1
            row = f"{title:12}  {name:7}  {len(blocks):6}  {sum(ours):6}  {sum(real):9}"
            print(f"{row}  {whole:+6.1%}  {median:10.1%}  {worst:+7.1%}")


def _rule_blocks() -> list[str]:
    prompts = rules_bench.PROMPTS.read_text(encoding="utf-8").splitlines()
    return rules_bench.run_limpet(prompts).blocks


def _memory_blocks() -> list[str]:
    blocks = []
    with tempfile.TemporaryDirectory(prefix="limpet-bench-", ignore_cleanup_errors=True) as folder:
        become_nobody(folder)
        workspace = memories_bench.make_project(os.path.join(folder, "shop"), 200)
        for number, (prompt, _) in enumerate(make_prompts()):
            event = Event("prompt", "claude-code", f"s{number // 10}", workspace.root, prompt, f"p{number}")
            blocks.append(handle(event, workspace, memories_bench.CLOCK).block)
    return [block for block in blocks if block]


if __name__ == "__main__":
    main()
