"""Consolidation of many observations: time at twice the input, and memory beyond the stores.

Stories of ten observations each: discoveries, failures, ways of working and checks of entries, in made-up words, some
of them said again in other words. They are written as files, consolidated, and consolidated once more, which must
change nothing.

    python bench/learning.py [--observations 10000] [--seed 7] [--json] [--check]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from random import Random
from typing import Any

sys.path.append(str(Path(__file__).parent))

from nobody import become_nobody

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.workspace import Workspace, workspace_at
from limpet.learning.consolidation import consolidate
from limpet.learning.model import CHECK, DISCOVERY, FINDING, OBSERVATION, Observation
from limpet.learning.observations import add_observation
from limpet.learning.store import Observations, edit_texts, parse_texts, read_texts, write_texts

PER_STORY = 10
BEGIN = 1_767_225_600.0
# Time at twice the input, and kilobytes more where nothing more is learned, that are allowed.
MOST_TIMES, MOST_KB = 2.3, 4_000
SYLLABLES = "ba ke li mo nu pra ste vor quil zan dex fi gor hal jin".split()
TAGS = ("api", "security", "storage", "money", "layering", "workflow", "tests", "naming")


def main() -> None:
    options = _options()
    if options.part:
        print(json.dumps(run_part(options.part, options.quiet, options.seed, options.traced)))
        return
    number = options.observations
    parts = [measure(each, 0, options.seed, False) for each in (number, 2 * number)]
    traced = [measure(number, quiet, options.seed, True) for quiet in (0, number)]
    times, more = parts[1]["seconds"] / parts[0]["seconds"], traced[1]["peak_kb"] - traced[0]["peak_kb"]
    figures = {"parts": parts, "times": round(times, 2), "traced": traced, "more_kb": more}
    print(json.dumps(figures) if options.json else "\n".join(_lines(figures)))
    is_sound = times <= MOST_TIMES and more <= MOST_KB and not any(part["again"] for part in parts)
    sys.exit(0 if is_sound or not options.check else 1)


def measure(number: int, quiet: int, seed: int, is_traced: bool) -> dict[str, Any]:
    """Return the figures of a run in a process of its own."""
    told = ["--part", str(number), "--quiet", str(quiet), "--seed", str(seed), *(["--traced"] if is_traced else [])]
    done = subprocess.run([sys.executable, __file__, *told], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def run_part(number: int, quiet: int, seed: int, is_traced: bool) -> dict[str, object]:
    """Write so many observations, and as many more as are ``quiet``: too weak to make an entry. Consolidate them, twice
    where time is measured and once where memory is."""
    with tempfile.TemporaryDirectory() as folder:
        become_nobody(folder)
        workspace = workspace_at(folder)
        write_stories(workspace, number, quiet, Random(seed))
        if is_traced:
            tracemalloc.start()
        began = time.process_time()
        changes = run_once(workspace)
        seconds = time.process_time() - began
        peak = tracemalloc.get_traced_memory()[1] if is_traced else 0
        stores = sum(os.path.getsize(path) for path in Path(workspace.path("knowledge")).iterdir())
        again = 0 if is_traced else run_once(workspace)
        entries = {kind: len(found) for kind, found in parse_texts(read_texts(workspace))[0].items()}
    return {
        "observations": number + quiet,
        "seconds": round(seconds, 2),
        "changes": changes,
        "again": again,
        "entries": entries,
        "stores_kb": stores // 1024,
        "peak_kb": peak // 1024,
    }


def run_once(workspace: Workspace) -> int:
    """Consolidate, and return how many entries changed."""
    texts = read_texts(workspace)
    observations = Observations(workspace)
    outcome = consolidate(parse_texts(texts)[0], observations, DEFAULTS["learning"], BEGIN)
    write_texts(workspace, edit_texts(texts, outcome.stores))
    return len(outcome.changes)


def write_stories(workspace: Workspace, number: int, quiet: int, random: Random) -> None:
    """Write the stories' files."""
    subjects = [_sentence(random, 8) for _ in range(max(20, number // 20))]
    for story in range((number + quiet) // PER_STORY):
        source, text = f"S-{story + 1}", ""
        for place in range(PER_STORY):
            at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(BEGIN + 3600 * story + place))
            weak = Observation(source, "", DISCOVERY, _sentence(random, 8), importance=3, at=at)
            told = _observation(random, source, subjects, at) if story < number // PER_STORY else weak
            text = add_observation(text, told, source, source)
        path = Path(workspace.path("stories", source, "observations.yml"))
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")


def _observation(random: Random, source: str, subjects: list[str], at: str) -> Observation:
    subject = random.choice(subjects)
    said = random.choice((subject, f"{subject} {_word(random)}", _sentence(random, 8)))
    kind = random.choice((DISCOVERY, DISCOVERY, FINDING, OBSERVATION, CHECK))
    told = {"agent": random.choice(("developer", "sw-quality")), "importance": random.randint(3, 10), "at": at}
    if kind == CHECK:
        entry = f"PR-{random.randint(1, 60):03}"
        relationship = random.choice(("reinforce", "reinforce", "weaken", "contradict"))
        return Observation(source, "", kind, said, principle_id=entry, relationship=relationship, **told)
    tags = (TAGS[len(subject) % len(TAGS)], random.choice(TAGS))
    return Observation(
        source, "", kind, said, tags=tuple(dict.fromkeys(tags)), guidance=(_sentence(random, 5),), **told
    )


def _sentence(random: Random, words: int) -> str:
    return " ".join(_word(random) for _ in range(words))


def _word(random: Random) -> str:
    return "".join(random.choice(SYLLABLES) for _ in range(random.randint(1, 3)))


def _lines(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"{part['observations']:,} observations: {part['seconds']} s, {part['changes']} entries changed,"
        f" {part['again']} the second time; {part['entries']}"
        for part in figures["parts"]
    ]
    lines.append(f"time at twice the input: {figures['times']} times")
    first, second = figures["traced"]
    lines.append(f"peak memory: {first['peak_kb']:,} KB for stores of {first['stores_kb']:,} KB")
    return [*lines, f"with as many observations more that make nothing: {second['peak_kb']:,} KB"]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--observations", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--quiet", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--traced", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit code 1 where a bound is passed")
    return parser.parse_args()


if __name__ == "__main__":
    main()
