"""Makes the bundles from which the hook takes its modules, in a second process: the hook only reads (``bundle``)."""

from __future__ import annotations

import ast
import json
import marshal
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from types import CodeType

from limpet.ground.bundle import HEAD, INTERPRETER, PACKAGE, PROMPT, TOOL, bundle_path
from limpet.ground.storage.files import write_atomic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.bundle import Module, Modules

# Way of the hook -> the modules that its plainest event imports (EVERY), and those that others import besides (SOME).
# Made by ``tools/prompt_path.py`` of sample events; a test plays them again and compares.
LISTS = os.path.join(PACKAGE, "framework", "prompt_path.json")
EVERY, SOME = "every", "some"
# A file that was written so many seconds ago may be written again within the same tick of its clock.
YOUNG = 2.0


def main() -> None:
    """Where bundles cannot be made, Python's own cache serves."""
    with suppress(OSError, ImportError):
        for way in (PROMPT, TOOL):
            write_bundle(way)


def write_bundle(way: str) -> None:
    """Raise OSError and ImportError."""
    with open(LISTS, encoding="utf-8") as file:
        names = json.load(file)[way]
    found = {name: _describe(name) for name in (*names[EVERY], *names[SOME])}
    modules = {name: module for name, module in found.items() if module}
    if len(modules) == len(found):
        write_atomic(bundle_path(way), _packed(modules, names[SOME]), mode=0o644, follow=False)


class _Lightened(ast.NodeTransformer):
    """A module without what is there for readers and type checkers only: what is under ``if TYPE_CHECKING``,
    annotations, and the import that makes texts of them. Those of classes stay without a type: fields of values."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.copy_location(ast.Constant(None), node.annotation)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        is_for_types = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return node.orelse if is_for_types else node


def _packed(modules: Modules, some: Iterable[str]) -> bytes:
    behind = b""
    for name in some:
        if modules[name][4] is not None:
            code = marshal.dumps(modules[name][4])
            modules[name] = (*modules[name][:4], (len(behind), len(code)))
            behind += code
    head = marshal.dumps((INTERPRETER, modules))
    return len(head).to_bytes(HEAD, "little") + head + behind


def _describe(name: str) -> Module | None:
    """None for a source that was just written. The stamp is taken first, so that an edit meanwhile makes the bundle
    useless, and not wrong."""
    spec = find_spec(name)
    if spec is None or not spec.origin or not spec.loader:
        raise ImportError(name)
    about = os.stat(spec.origin)
    if time.time() - about.st_mtime < YOUNG:
        return None
    with open(spec.origin, "rb") as file:
        tree = _Lightened().visit(ast.parse(file.read()))
    # Without docstrings, which nobody reads there and every prompt would load.
    code: CodeType = compile(tree, spec.origin, "exec", dont_inherit=True, optimize=2)
    is_package = spec.submodule_search_locations is not None
    is_empty = is_package and not code.co_names
    where = os.path.relpath(spec.origin, PACKAGE)
    return where, about.st_mtime_ns, about.st_size, is_package, None if is_empty else code
