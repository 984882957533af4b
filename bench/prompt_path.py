"""What each trick on the prompt path gains: the hook as it is against the hook without it, whole processes in turn.

Two copies of the package are installed side by side, one changed. Printed is the median of the paired ratios, of wall
time and of processor time (user and system), and the share of a prompt that the trick saves.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count

from coding_memories import make_question
from hook_projects import TRANSCRIPT, keywords, make_memories, make_project, make_varied, talk_in
from nobody import become_nobody

import limpet
from limpet.ground.processes import START
from limpet.hosts.commands.lines import BOOTSTRAP
from limpet.hosts.registry import HOSTS

DOMAINS, MEMORIES, LEFT = 100, 2_000, 30
LONG_AGO = 1_600_000_000
WARM_UPS = 5
# Trick -> what is appended to a module and takes it back.
WITHOUT = {
    "bundle": ("ground/bundle.py", "def use_bundle(way=PROMPT):\n    return\n"),
    "json_text": (
        "ground/formats/json_text.py",
        "import json\n\ndef loads(text):\n    return json.loads(text)\n\n"
        "def dumps(value, indent=None):\n    return json.dumps(value, indent=indent)\n",
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what each trick on the prompt path gains.")
    parser.add_argument("--rounds", type=int, default=60)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="limpet-bench-") as folder:
        become_nobody(folder)
        cases = {"a prompt": _plain(folder), "a prompt that finds memories": _remembering(folder)}
        as_it_is = _install(os.path.join(folder, "as-it-is"))
        print(f"{'without':22}{'':30}{'wall':>8}{'cpu':>8}{'gain':>8}   (median of {rounds} paired ratios)")
        for number, (trick, (name, text)) in enumerate(WITHOUT.items()):
            without = _install(os.path.join(folder, f"without-{number}"), name, text)
            for case, payload in cases.items():
                wall, cpu, saved = _compare(as_it_is, without, payload, rounds)
                print(f"{trick:22}{case:30}{wall:8.3f}{cpu:8.3f}{1 - 1 / wall:8.1%}   {saved:.1f} ms")


def _plain(folder: str) -> Callable[[], bytes]:
    workspace = make_project(os.path.join(folder, "plain"), DOMAINS)
    prompt = f"*brief Please look into {keywords(DOMAINS // 3)[0]} before the release."
    return _payloads(workspace.root, lambda _: prompt)


def _remembering(folder: str) -> Callable[[], bytes]:
    workspace = make_project(os.path.join(folder, "remembering"), DOMAINS)
    make_memories(workspace, make_varied(MEMORIES), LEFT)
    return _payloads(workspace.root, lambda number: f"*brief {make_question(number)}")


def _payloads(root: str, prompt: Callable[[int], str]) -> Callable[[], bytes]:
    numbers = count()

    def payload() -> bytes:
        number = next(numbers)
        given = {"session_id": talk_in(root), "cwd": root, "prompt": prompt(number), "prompt_id": f"p{number}"}
        return json.dumps({**given, "transcript_path": os.path.join(root, TRANSCRIPT)}).encode()

    return payload


def _install(root: str, name: str = "", text: str = "") -> str:
    """Return a folder with a copy of the package, compiled and bundled; this text is added to the file ``name``."""
    package = os.path.join(root, "limpet")
    shutil.copytree(limpet.__path__[0], package, ignore=shutil.ignore_patterns("__pycache__"))
    if name:
        with open(os.path.join(package, name), "a", encoding="utf-8") as file:
            file.write(f"\n\n{text}")
    for folder, _, names in os.walk(package):
        for each in names:
            os.utime(os.path.join(folder, each), (LONG_AGO, LONG_AGO))
    subprocess.run([sys.executable, "-m", "compileall", "-q", package], check=True)
    start = START.format("limpet.ground.bundling")
    subprocess.run([sys.executable, "-I", "-S", "-c", start, root], check=True)
    return root


def _compare(one: str, other: str, payload: Callable[[], bytes], rounds: int) -> tuple[float, float, float]:
    """Return how many times as long the other takes on the wall and on the processor, and how many ms longer."""
    pairs = []
    for turn in range(WARM_UPS + rounds):
        order = (one, other) if turn % 2 else (other, one)
        times = {root: _time(root, payload()) for root in order}
        pairs.append((times[one], times[other]))
    counted = pairs[WARM_UPS:]
    wall, cpu = (statistics.median(with_out[kind] / with_it[kind] for with_it, with_out in counted) for kind in (0, 1))
    saved = statistics.median(with_out[0] - with_it[0] for with_it, with_out in counted)
    return wall, cpu, saved * 1000


def _time(root: str, stdin: bytes) -> tuple[float, float]:
    """Return the seconds that one hook takes on the wall and on the processor."""
    words = [sys.executable, "-I", "-S", "-c", BOOTSTRAP, root, next(iter(HOSTS)), "UserPromptSubmit"]
    began = time.perf_counter()
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    process.stdin.write(stdin)
    process.stdin.close()
    out = process.stdout.read()
    _, _, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = 0
    if b"limpet-context" not in out:
        sys.exit("no block came back, so there is nothing to time")
    return seconds, used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
