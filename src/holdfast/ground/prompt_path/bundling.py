"""Makes the bundles from which the hook takes its modules.

Separate from ``bundle``, because the hook only reads: this runs in a second process.
"""

from __future__ import annotations

import ast
import marshal
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from types import CodeType

from holdfast.ground.prompt_path.bundle import INTERPRETER, PACKAGE, PROMPT, TOOL, bundle_path
from holdfast.ground.prompt_path.modules import BEFORE_THE_BUNDLE, LATER, MODULES, OF_TOOLS, with_packages
from holdfast.ground.storage.files import write_atomic

Described = tuple[str, int, int, bool, CodeType | bytes | None]
"""A module as ``bundle`` reads it."""

# A file that was written so many seconds ago may be written again within the same tick of its clock.
YOUNG = 2.0


# What stands before the name of a module that only the way of a tool call needs.
BEFORE_A_TOOL = "tool:"


def main(*modules: str) -> None:
    """Make the bundles of the declared modules and these; where that cannot be done, Python's own cache serves."""
    mine = [name.removeprefix(BEFORE_A_TOOL) for name in modules if name.startswith(BEFORE_A_TOOL)]
    with suppress(OSError, ImportError):
        write_bundle((*MODULES, *(name for name in modules if not name.startswith(BEFORE_A_TOOL))))
        write_bundle((*OF_TOOLS, *mine), TOOL)


def write_bundle(names: Iterable[str], way: str = PROMPT) -> None:
    """Write these modules and the packages around them for a way of the hook. Raise OSError and ImportError."""
    early = with_packages(BEFORE_THE_BUNDLE)
    modules = {name: _describe(name) for name in with_packages(names) if name not in early}
    if all(found is not None for found in modules.values()):
        write_atomic(bundle_path(way), marshal.dumps((INTERPRETER, _in_order(modules))), mode=0o644, follow=False)


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


def _in_order(modules: dict[str, Described | None]) -> dict[str, Described | None]:
    """Return the modules in an order in which each comes after those that it imports when it is run."""
    ordered: dict[str, Described | None] = {}

    def add(name: str) -> None:
        described = modules.get(name)
        if name in ordered or described is None or name in begun:
            return
        begun.add(name)
        code = described[4]
        for imported in code.co_names if isinstance(code, CodeType) else ():
            add(imported)
        ordered[name] = described

    begun: set[str] = set()
    for name in modules:
        add(name)
    return ordered


def _describe(name: str) -> Described | None:
    """Return the module as ``bundle`` reads it, None for a source that was just written.

    The stamp is taken first, so that an edit meanwhile makes the bundle useless, and not wrong.
    """
    spec = find_spec(name)
    if spec is None or not spec.origin or not spec.loader:
        raise ImportError(name)
    about = os.stat(spec.origin)
    if time.time() - about.st_mtime < YOUNG:
        return None
    with open(spec.origin, "rb") as file:
        tree = _Lightened().visit(ast.parse(file.read()))
    # Without docstrings, which nobody reads there and every prompt would load.
    code = compile(tree, spec.origin, "exec", dont_inherit=True, optimize=2)
    is_package = spec.submodule_search_locations is not None
    is_empty = is_package and not code.co_names
    where = os.path.relpath(spec.origin, PACKAGE)
    packed = marshal.dumps(code) if name.startswith(LATER) else code
    return where, about.st_mtime_ns, about.st_size, is_package, None if is_empty else packed
