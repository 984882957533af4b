"""How many small faults the tests notice: python bench/mutants.py [--rooms R ...] [--count N] [--seed S] [--json]

A mutant is one change in one function: a comparison turned, a condition denied, a number moved by one, a value lost.
It is put into a copy of the tree, and the tests of its room play against it for at most ``--seconds``: the first
failure kills it, and so does running out of time. The same seed chooses the same places in the same tree.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("rules", "work/pipeline", "memory/search", "guard/rules")
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


def main() -> int:
    """Print what became of each mutant, and the share that was killed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="another checkout")
    parser.add_argument("--rooms", nargs="+", default=ROOMS)
    parser.add_argument("--count", type=int, default=40, help="of all rooms together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    killed: Counter[str] = Counter()
    count = arguments.count // len(arguments.rooms)
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(arguments.root, tree, ignore=shutil.ignore_patterns(".venv", ".git", "__pycache__", "*.bundle"))
        for room in arguments.rooms:
            if played(tree, room, 10 * arguments.seconds) != "survived":
                parser.error(f"the tests of {room} fail without a mutant")
            for path, number in chosen(tree, room, count, arguments.seed):
                said = tried(tree, room, path, number, arguments.seconds)
                killed[room] += said != "survived"
                if not arguments.json:
                    print(f"{said:9} {path.relative_to(tree)} {number}", flush=True)
    shares = {room: killed[room] / count for room in arguments.rooms}
    total = sum(killed.values()) / (count * len(arguments.rooms))
    if arguments.json:
        print(json.dumps({"rooms": shares, "killed": total}))
    else:
        print(f"killed {total:.0%}: " + ", ".join(f"{room} {share:.0%}" for room, share in shares.items()))
    return 0


def chosen(tree: Path, room: str, count: int, seed: int) -> list[tuple[Path, int]]:
    """Return the file and the number of the place in it of so many mutants of a room."""
    package = next(path for path in (tree / "src").iterdir() if path.is_dir())
    files = sorted((package / room).rglob("*.py"))
    if not files:
        files = [(package / room).with_suffix(".py")]
    places = [(path, number) for path in files for number in range(len(list(_places(ast.parse(path.read_text())))))]
    return random.Random(f"{seed} {room}").sample(places, min(count, len(places)))


def tried(tree: Path, room: str, path: Path, number: int, seconds: float) -> str:
    """Return what became of a mutant: ``killed``, ``late`` or ``survived``."""
    sound = path.read_text()
    module = ast.parse(sound)
    _mutate(list(_places(module))[number])
    path.write_text(ast.unparse(ast.fix_missing_locations(module)))
    try:
        return played(tree, room, seconds)
    finally:
        path.write_text(sound)


def played(tree: Path, room: str, seconds: float) -> str:
    """Return what the room's tests say of the tree as it is."""
    tests = tree / "tests" / room
    if not tests.exists():
        tests = tests.with_name(f"test_{tests.name}.py")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(tests)]
    environment = {"PYTHONPATH": str(tree / "src"), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "late"
    return "killed" if done.returncode else "survived"


def _places(module: ast.Module) -> Iterator[ast.AST]:
    """Yield what can be changed within functions."""
    for function in ast.walk(module):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in function.body:
            for part in ast.walk(node):
                if _can_mutate(part):
                    yield part


def _can_mutate(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        return len(node.ops) == 1
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.Return):
        return node.value is not None
    return isinstance(node, (ast.If, ast.IfExp, ast.BoolOp))


def _mutate(node: ast.AST) -> None:
    if isinstance(node, ast.Compare):
        node.ops = [TURNED[type(node.ops[0])]()]
    elif isinstance(node, ast.Constant):
        node.value += 1
    elif isinstance(node, ast.Return):
        node.value = ast.Constant(None)
    elif isinstance(node, ast.BoolOp):
        node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
    elif isinstance(node, (ast.If, ast.IfExp)):
        node.test = ast.UnaryOp(ast.Not(), copy.deepcopy(node.test))


if __name__ == "__main__":
    sys.exit(main())
