"""How well requests are routed, over labelled ones.

    python bench/routing.py LABELS.jsonl [--misses]

A line holds ``prompt``, ``context`` (what is under way, "" for nothing), ``ceremony``, ``agent``, ``also`` (a second
agent that would be right) and ``trivial``. No request that the weights were made of tells anything here.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from holdfast.agents.routing.route import NONE, Route, route

Judged = list[tuple[dict[str, Any], Route]]


def judge(path: Path) -> Judged:
    """Return each labelled request with its route."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [(row, route(row["prompt"], bool(row.get("context")))) for row in rows]


def figures(judged: Judged) -> list[str]:
    """Return the lines that tell how well it went."""
    due = [row["ceremony"] != NONE for row, _ in judged]
    said = [found.ceremony != NONE for _, found in judged]
    right = sum(wanted and told for wanted, told in zip(due, said, strict=True))
    kinds = sum(row["ceremony"] == found.ceremony for row, found in judged if row["ceremony"] != NONE)
    owned = [(row, found.agent) for row, found in judged if row["agent"]]
    first = sum(agent == row["agent"] for row, agent in owned)
    either = sum(agent in (row["agent"], row.get("also") or row["agent"]) for row, agent in owned)
    trivial = [found for row, found in judged if row.get("trivial")]
    return [
        f"requests                     {len(judged)}",
        f"ceremony due                 {sum(due)}, said {sum(said)}, rightly {right}",
        f"  precision                  {_share(right, sum(said))}",
        f"  recall                     {_share(right, sum(due))}",
        f"  of the right kind          {_share(kinds, sum(due))}",
        f"agent right                  {_share(first, len(owned))} of {len(owned)}",
        f"  or the second one          {_share(either, len(owned))}",
        f"trivial, with ceremony       {sum(found.ceremony != NONE for found in trivial)} of {len(trivial)}",
        f"trivial, with an agent       {sum(bool(found.agent) for found in trivial)} of {len(trivial)}",
    ]


def misses(judged: Judged) -> list[str]:
    """Return a line for each request whose ceremony or agent was not the labelled one."""
    return [
        f"{row['ceremony']}/{row['agent'] or '-'} -> {found.ceremony}/{found.agent or '-'} {found.confidence:.2f} "
        f"({', '.join(found.why)}): {' '.join(row['prompt'].split())[:120]}"
        for row, found in judged
        if row["ceremony"] != found.ceremony or (row["agent"] and found.agent not in (row["agent"], row.get("also")))
    ]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "none"


def main() -> None:
    """Print the figures, and the misses where they are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--misses", action="store_true")
    asked = parser.parse_args()
    judged = judge(asked.labels)
    print("\n".join([*figures(judged), *(misses(judged) if asked.misses else ())]))


if __name__ == "__main__":
    main()
