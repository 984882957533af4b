"""What a reader of the block opens: views of exactly what the hook sends, for a person or a fresh model to answer, and
the count of the answers.

    python bench/reader.py view EVAL SESSIONS LABELS PAIRS FOLDER [--needing 100] [--idle 60] [--chain]
    python bench/reader.py score FOLDER ANSWERS

``EVAL``: the module that plays real sessions (its functions ``project``, ``fire``, ``turns``, ``rows``, ``ids``).
``view`` fills a project with the statements of earlier sessions, as ``EVAL`` does for ``arrive``, and writes for each
prompt, in mixed order, ``FOLDER/NNN.txt``: the blocks of a start, of the session's first request and of the prompt, and
what was typed. ``--chain``: the store is what the sessions before left in it, captured and written, as ``EVAL.whole``
plays them. ``FOLDER/key.json`` holds what was right, and is not for the reader. ANSWERS: JSON lines
``{"n": 12, "open": ["k7q2m9xa"]}``.
``score`` prints, with 95 % intervals (Wilson): needing prompts for which a right one was opened; the same with those
that stood whole in a block; opened ids that were right; idle prompts on which anything was opened.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import random
import subprocess
from pathlib import Path
from types import ModuleType

KINDS = {"correction": "user_correction", "convention": "user_correction", "gotcha": "gotcha"}
ASKED = """You are a coding agent in a project with a memory. Below is all that you were told so far. Which memories
do you open before you go on with the last thing that the user typed? Open what bears on it, nothing else; often that is
none.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    view_mode = modes.add_parser("view")
    for name in ("eval", "sessions", "labels", "pairs", "folder"):
        view_mode.add_argument(name)
    view_mode.add_argument("--needing", type=int, default=100)
    view_mode.add_argument("--idle", type=int, default=60)
    view_mode.add_argument("--chain", action="store_true")
    score_mode = modes.add_parser("score")
    score_mode.add_argument("folder")
    score_mode.add_argument("answers")
    given = parser.parse_args()
    if given.mode == "view":
        (view_chain if given.chain else view)(given, _load(given.eval))
    else:
        score(Path(given.folder), Path(given.answers))


def view(given: argparse.Namespace, play: ModuleType) -> None:
    """Write the views and the key."""
    pairs = sorted(play.rows(given.pairs), key=lambda row: (row["session"] == "written", row["session"]))
    chosen = _choose(pairs, given.needing, given.idle)
    left = _statements(play.rows(given.labels))
    root, talk, known = play.project(), play.turns(given.sessions), set()
    folder = Path(given.folder)
    folder.mkdir(parents=True, exist_ok=True)
    numbers = list(range(1, len(chosen) + 1))
    random.Random(27).shuffle(numbers)
    key = {}
    for place, row in enumerate(pairs):
        while left and (row["session"] == "written" or left[0]["session"][:20] < row["session"]):
            new = left.pop(0)
            known.add(new["statement"])
            kind = KINDS.get(new["type"], "decision")
            command = ["limpet", "memory", "add", "--type", kind, "--", new["statement"]]
            subprocess.run(command, cwd=root, check=True, capture_output=True)
        if place not in chosen:
            continue
        number = numbers.pop()
        said, blocks = _converse(play, root, f"reader-{number}", talk.get(row["session"], ()), row["prompt"])
        _write_view(folder, number, said)
        ids = play.ids(root)
        helps = [text for text in row["helps"] if text in known]
        whole = [text for text in helps if play.fold(text).rstrip(".") in play.fold(play.html.unescape(blocks))]
        key[number] = {
            "needing": bool(row["helps"]),
            "right": [ids[play.fold(text)[:30]] for text in helps if play.fold(text)[:30] in ids],
            "whole": bool(whole),
        }
    (folder / "key.json").write_text(json.dumps(key), encoding="utf-8")


def view_chain(given: argparse.Namespace, play: ModuleType) -> None:
    """Write the views and the key, over what the sessions themselves left: ``play.whole`` with its conversations and
    its count replaced."""
    folder, draw, key, said = Path(given.folder), random.Random(27), {}, []
    folder.mkdir(parents=True, exist_ok=True)
    pairs = play.rows(given.pairs)
    roots: list[Path] = []
    chosen = {(pairs[place]["session"], pairs[place]["prompt"]) for place in _choose(pairs, given.needing, given.idle)}
    numbers = list(range(1, len(chosen) + 1))
    draw.shuffle(numbers)
    needs = {row["statement"]: row["need"] for row in play.rows(given.labels) if "statement" in row}
    converse, fire = play.converse, play.fire

    def overhear(root, event, session, when=None, **payload):  # type: ignore[no-untyped-def]
        block = fire(root, event, session, when, **payload)
        if event == "UserPromptSubmit":
            said.append((True, payload["prompt"]))
        if event != "PreToolUse":
            said.append((False, block))
        return block

    def follow(root, *words):  # type: ignore[no-untyped-def]
        said.clear()
        roots[:] = [root]
        return converse(root, *words)

    def note(row, right, *figures):  # type: ignore[no-untyped-def]
        if (row["session"], row["prompt"]) in chosen and numbers:
            chosen.discard((row["session"], row["prompt"]))
            number, known = numbers.pop(), play.ids(roots[0])
            _write_view(folder, number, said)
            stored = list(play.entries(roots[0]))
            held = [entry for text in row["helps"] for entry in stored if play.holds(entry, needs[text])]
            titles = [statement.partition("# ")[2].strip()[:30] for statement, _ in held]
            ids = [known[title] for title in titles if title in known]
            key[number] = {"needing": bool(row["helps"]), "right": ids, "whole": bool(right)}
        return counted(row, right, *figures)

    counted = play.count
    play.fire, play.converse, play.count = overhear, follow, note  # type: ignore[attr-defined]
    play.whole(given.sessions, given.labels, given.pairs, False, False)
    (folder / "key.json").write_text(json.dumps(key), encoding="utf-8")


def score(folder: Path, answers: Path) -> None:
    """Print the shares."""
    key = {int(number): row for number, row in json.loads((folder / "key.json").read_text()).items()}
    opened = {row["n"]: row["open"] for row in map(json.loads, answers.read_text().splitlines()) if row}
    needing = [number for number, row in key.items() if row["needing"]]
    idle = [number for number in key if number not in needing]
    right = {number: set(opened.get(number, ())) & set(key[number]["right"]) for number in key}
    print("opened a right one:", _share(sum(bool(right[number]) for number in needing), len(needing)))
    served = sum(bool(right[number]) or key[number]["whole"] for number in needing)
    print("opened a right one, or it stood whole:", _share(served, len(needing)))
    total = sum(len(opened.get(number, ())) for number in needing)
    print("of what was opened then, right:", _share(sum(len(right[number]) for number in needing), total))
    print("opened anything on an idle prompt:", _share(sum(bool(opened.get(number)) for number in idle), len(idle)))


def _load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("real_sessions", path)
    assert spec and spec.loader
    play = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(play)
    return play


def _write_view(folder: Path, number: int, said: list[tuple[bool, str]]) -> None:
    told = "".join(f"\n[what the user typed]\n{each}\n" if mine else f"{each}\n" for mine, each in said)
    (folder / f"{number:03}.txt").write_text(f"{ASKED}\n{told}", encoding="utf-8")


def _choose(pairs: list[dict[str, object]], needing: int, idle: int) -> set[int]:
    wanted = [place for place, row in enumerate(pairs) if row["helps"]]
    others = [place for place, row in enumerate(pairs) if not row["helps"]]
    draw = random.Random(15)
    return {*draw.sample(wanted, min(needing, len(wanted))), *draw.sample(others, min(idle, len(others)))}


def _statements(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    first: dict[str, dict[str, str]] = {}
    for row in sorted((row for row in rows if "statement" in row), key=lambda row: row["session"]):
        first.setdefault(row["statement"], row)
    return list(first.values())


def _converse(play, root, session, turns, prompt) -> tuple[list[tuple[bool, str]], str]:  # type: ignore[no-untyped-def]
    """Return (what was said in order: (by the user, text)), and all blocks in one."""
    first = next((text for text, _ in turns if len(text.split()) > 3), "")
    typed = [prompt] if not first or first[:80] == prompt[:80] else [first, prompt]
    said = [(False, play.fire(root, "SessionStart", session, source="startup"))]
    for each in typed:
        said += [(True, each), (False, play.fire(root, "UserPromptSubmit", session, prompt=each))]
    return said, " ".join(text for mine, text in said if not mine)


def _share(part: int, whole: int) -> str:
    low, high = _interval(part, whole)
    return f"{100 * part / max(1, whole):.0f} % ({part} of {whole}; {low:.0f} to {high:.0f})"


def _interval(part: int, whole: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval in percent."""
    if not whole:
        return 0.0, 100.0
    z, share = 1.96, part / whole
    middle = share + z * z / (2 * whole)
    spread = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole))
    scale = 1 + z * z / whole
    return 100 * (middle - spread) / scale, 100 * (middle + spread) / scale


if __name__ == "__main__":
    main()
