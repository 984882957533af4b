"""How well `limpet decide` tells REUSE, ADAPT and CREATE apart, over intents that two people labelled who did not build
it, beside plain keyword overlap and the formula as the seed writes it.

The intents over the framework are decided over what is shipped, the others over the public functions and classes of
three repositories, whose checkouts ``--repositories`` names. ``decisions/dev.jsonl`` is what the calibration may look
at; another file with the same fields is for the figure that is told.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from limpet.registry.artifacts import RegistryArtifact
from limpet.registry.decision import CREATE, decide, decision_of, words_in
from limpet.registry.files import read_inventory

HERE = Path(__file__).parent / "decisions"
CLASSES = ("REUSE", "ADAPT", "CREATE")
FRAMEWORK = "framework"

Decider = Callable[[str, Sequence[RegistryArtifact]], tuple[str, str]]


def main() -> None:
    options = _options()
    rows = [json.loads(line) for line in options.intents.read_text(encoding="utf-8").splitlines() if line]
    artifacts = {FRAMEWORK: read_inventory(None).artifacts}
    for name in sorted({row["over"] for row in rows} - {FRAMEWORK}):
        if options.repositories is None:
            rows = [row for row in rows if row["over"] != name]
        else:
            artifacts[name] = tuple(read_symbols(options.repositories / name))
    for title, decider in (("decide", _by_decide), ("keyword overlap", _by_overlap), ("literal", _by_formula)):
        results = [(row, *decider(row["intent"], artifacts[row["over"]])) for row in rows]
        for part in (FRAMEWORK, "repositories", "all"):
            chosen = [each for each in results if part in ("all", _part(each[0]))]
            if chosen:
                print(f"{title:<16} {part:<13} {_figures(chosen)}")
        if options.errors and decider is _by_decide:
            _print_errors(results)


def read_symbols(folder: Path) -> Iterator[RegistryArtifact]:
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder).as_posix()
        if not any(part.startswith(("test", "doc", ".", "misc")) for part in Path(place).parts):
            yield from _symbols(ast.parse(path.read_text(encoding="utf-8")), place)


def macro_f1(pairs: Sequence[tuple[str, str]]) -> float:
    """Of (label, decision)."""
    return sum(_f1(pairs, name) for name in CLASSES) / len(CLASSES)


def _symbols(tree: ast.AST, place: str, inside: str = "") -> Iterator[RegistryArtifact]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name[0] != "_":
            described = ast.get_docstring(node) or ""
            yield RegistryArtifact(
                id=f"{type(node).__name__.lower()}/{place}:{inside}{node.name}",
                type="class" if isinstance(node, ast.ClassDef) else "function",
                path=f"{place}:{node.lineno}",
                purpose=described.partition("\n\n")[0],
                keywords=tuple(words_in(f"{inside} {node.name}")),
                body=described if isinstance(node, ast.ClassDef) else ast.unparse(node),
            )
            if isinstance(node, ast.ClassDef):
                yield from _symbols(node, place, f"{node.name}.")


def _by_decide(intent: str, artifacts: Sequence[RegistryArtifact]) -> tuple[str, str]:
    advice = decide(intent, artifacts)
    return advice.decision, f"{advice.matches[0].artifact.id} {advice.matches[0].score}" if advice.matches else ""


def _by_overlap(intent: str, artifacts: Sequence[RegistryArtifact]) -> tuple[str, str]:
    """The share of the intent's words that are keywords or words of the name."""
    wanted = set(words_in(intent))
    best = max(len(wanted & _keywords(each)) / max(1, len(wanted)) for each in artifacts)
    return decision_of(best), ""


def _by_formula(intent: str, artifacts: Sequence[RegistryArtifact]) -> tuple[str, str]:
    """0.6 x the share of the entity's keywords by rarity + 0.4 x the plain cosine of TF-IDF."""
    wanted = set(words_in(intent))
    counts = Counter(word for each in artifacts for word in _keywords(each) | words_in(each.purpose).keys())
    rarity = {word: math.log((1 + len(artifacts)) / (1 + counts[word])) + 1 for word in {*counts, *wanted}}
    best = 0.0
    for each in artifacts:
        keywords, purpose = _keywords(each), set(words_in(each.purpose))
        part = sum(rarity[word] for word in keywords & wanted) / max(1e-9, sum(rarity[word] for word in keywords))
        norms = math.prod(math.sqrt(sum(rarity[word] ** 2 for word in words)) for words in (wanted, purpose))
        cosine = sum(rarity[word] ** 2 for word in purpose & wanted) / norms if norms else 0.0
        best = max(best, 0.6 * part + 0.4 * cosine)
    return decision_of(best), ""


def _keywords(artifact: RegistryArtifact) -> set[str]:
    return set(words_in(" ".join((artifact.name, *artifact.keywords))))


def _figures(results: Sequence[tuple[dict[str, str], str, str]]) -> str:
    pairs = [(row["label"], found) for row, found, _ in results]
    right = sum(label == found for label, found in pairs)
    each = " ".join(f"{name} {_f1(pairs, name):.2f}" for name in CLASSES)
    return f"macro F1 {macro_f1(pairs):.2f} ({each}), {right} of {len(pairs)} right"


def _f1(pairs: Sequence[tuple[str, str]], name: str) -> float:
    right = sum(label == found == name for label, found in pairs)
    named = sum((label == name) + (found == name) for label, found in pairs)
    return 2 * right / named if named else 0.0


def _part(row: dict[str, str]) -> str:
    return FRAMEWORK if row["over"] == FRAMEWORK else "repositories"


def _print_errors(results: Sequence[tuple[dict[str, str], str, str]]) -> None:
    for row, found, nearest in results:
        mark = "  " if row["label"] == found else "! "
        print(f"{mark}{row['label']:<6} {found:<6} {row['intent'][:90]} [{row.get('artifact') or CREATE}] <- {nearest}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--intents", type=Path, default=HERE / "dev.jsonl")
    parser.add_argument("--repositories", type=Path, help="a folder with checkouts of boltons, humanize, itsdangerous")
    parser.add_argument("--errors", action="store_true", help="print each intent with what was decided")
    return parser.parse_args()


if __name__ == "__main__":
    main()
