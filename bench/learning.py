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
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from holdfast.ground.config.defaults import DEFAULTS
from holdfast.ground.workspace import Workspace
from holdfast.learning.consolidation import consolidate
from holdfast.learning.model import CHECK, DISCOVERY, FINDING, KINDS, OBSERVATION, Observation
from holdfast.learning.observations import add_observation
from holdfast.learning.store import edit_texts, iterate_observations, parse_texts, read_texts, write_texts

PER_STORY = 10
BEGIN = 1_767_225_600.0
# Time at twice the input, and kilobytes beyond the stores, that are allowed.
MOST_TIMES, MOST_KB = 2.3, 40_000
SYLLABLES = "ba ke li mo nu pra ste vor quil zan dex fi gor hal jin".split()
TAGS = ("api", "security", "storage", "money", "layering", "workflow", "tests", "naming")


def main() -> None:
    options = _options()
    if options.part:
        print(json.dumps(run_part(options.part, options.seed)))
        return
    parts = [measure(number, options.seed) for number in (options.observations, 2 * options.observations)]
    times = parts[1]["seconds"] / parts[0]["seconds"]
    figures = {"parts": parts, "times": round(times, 2), "beyond_kb": parts[1]["beyond_kb"] - parts[0]["beyond_kb"]}
    print(json.dumps(figures) if options.json else "\n".join(_lines(figures)))
    sound = times <= MOST_TIMES and figures["beyond_kb"] <= MOST_KB and not any(part["again"] for part in parts)
    sys.exit(0 if sound or not options.check else 1)


def measure(number: int, seed: int) -> dict[str, float]:
    """Return the figures of a run in a process of its own."""
    command = [sys.executable, __file__, "--part", str(number), "--seed", str(seed)]
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def run_part(number: int, seed: int) -> dict[str, float]:
    """Write so many observations, and consolidate them twice."""
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, ".holdfast")
        workspace = Workspace(root=folder, home=home, shared=home, cache=os.path.join(folder, "cache"))
        write_stories(workspace, number, Random(seed))
        before = _peak()
        began = time.process_time()
        changes = run_once(workspace)
        seconds = time.process_time() - began
        peak = _peak()
        again = run_once(workspace)
        stores = sum(os.path.getsize(path) for path in Path(home, "knowledge").iterdir())
        entries = {kind: len(found) for kind, found in parse_texts(read_texts(workspace))[0].items()}
        loaded = loaded_kb(workspace)
    return {
        "observations": number,
        "seconds": round(seconds, 2),
        "changes": changes,
        "again": again,
        "entries": entries,
        "stores_kb": stores // 1024,
        "loaded_kb": loaded,
        "peak_kb": peak - before,
        "beyond_kb": peak - before - loaded,
    }


def run_once(workspace: Workspace) -> int:
    """Consolidate, and return how many entries changed."""
    texts = read_texts(workspace)
    observations = iterate_observations(workspace)
    outcome = consolidate(parse_texts(texts)[0], observations, DEFAULTS["learning"], BEGIN)
    write_texts(workspace, edit_texts(texts, outcome.stores))
    return len(outcome.changes)


def loaded_kb(workspace: Workspace) -> int:
    """Return the memory that the stores alone take when they are read."""
    code = (
        "import resource, sys; from holdfast.ground.workspace import Workspace;"
        "from holdfast.learning.store import parse_texts, read_texts;"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        "w = Workspace(root=sys.argv[1], home=sys.argv[1] + '/.holdfast', shared='', cache='');"
        "before = peak(); texts = read_texts(w); stores = parse_texts(texts); print(peak() - before)"
    )
    done = subprocess.run([sys.executable, "-c", code, workspace.root], capture_output=True, text=True, check=True)
    return int(done.stdout)


def write_stories(workspace: Workspace, number: int, random: Random) -> None:
    """Write the stories' files."""
    subjects = [_sentence(random, 8) for _ in range(max(20, number // 20))]
    for story in range(number // PER_STORY):
        source, text = f"S-{story + 1}", ""
        for place in range(PER_STORY):
            at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(BEGIN + 3600 * story + place))
            text = add_observation(text, _observation(random, source, subjects, at), source, source)
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


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _lines(figures: dict[str, object]) -> list[str]:
    parts = figures["parts"]
    assert isinstance(parts, list) and KINDS
    lines = [
        f"{part['observations']:,} observations: {part['seconds']} s, {part['changes']} entries changed,"
        f" {part['again']} the second time; stores {part['stores_kb']:,} KB, {part['loaded_kb']:,} KB in memory,"
        f" {part['beyond_kb']:,} KB beyond; entries {part['entries']}"
        for part in parts
    ]
    return [
        *lines,
        f"time at twice the input: {figures['times']} times",
        f"more memory beyond: {figures['beyond_kb']:,} KB",
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--observations", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit code 1 where a bound is passed")
    return parser.parse_args()


if __name__ == "__main__":
    main()
