"""From a source file to its symbols: Python by ``ast``, the others by the grammars of the extra ``scan``."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from limpet.registry.symbols.symbol import CLASS, FUNCTION, METHOD, TYPE, Definition, Symbol, make_symbol

PYTHON = "python"
# Language -> the module with its grammar, and the function there.
_GRAMMARS = {
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "rust": ("tree_sitter_rust", "language"),
}
# Node of a grammar -> the kind of symbol.
_FUNCTIONS = ("function_declaration", "generator_function_declaration", "function_item", "variable_declarator")
_METHODS = ("method_definition", "method_declaration")
_CLASSES = ("class_declaration", "abstract_class_declaration", "record_declaration", "type_spec", "struct_item")
_TYPES = ("interface_declaration", "enum_declaration", "enum_item", "trait_item")
_KINDS = {
    **dict.fromkeys(_FUNCTIONS, FUNCTION),
    **dict.fromkeys(_METHODS, METHOD),
    **dict.fromkeys(_CLASSES, CLASS),
    **dict.fromkeys(_TYPES, TYPE),
}
_VALUES = ("arrow_function", "function_expression", "function", "generator_function", "call_expression")
# Nodes around a definition, before which its comment stands; and those that stand between them.
_AROUND = ("export_statement", "lexical_declaration", "variable_declaration", "type_declaration")
_BETWEEN = ("attribute_item", "decorator")


def has_grammar(language: str) -> bool:
    return language == PYTHON or _parser(language) is not None


def parse_symbols(raw: bytes, path: str, language: str) -> tuple[Symbol, ...]:
    """None of a file that cannot be parsed."""
    return tuple(make_symbol(one) for one in _definitions(raw, path, language))


def _definitions(raw: bytes, path: str, language: str) -> Iterator[Definition]:
    if language == PYTHON:
        yield from _read_python(raw, path)
    elif parser := _parser(language):
        yield from _read_tree(parser.parse(raw).root_node, path, "")


def _read_python(raw: bytes, path: str) -> Iterator[Definition]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(raw)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = raw.decode("utf-8", "replace").splitlines()
    yield from _python_definitions(tree.body, path, lines, FUNCTION)


def _python_definitions(body: list[ast.stmt], path: str, lines: list[str], kind: str) -> Iterator[Definition]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = node.body[0].lineno - 1
            documentation = ast.get_docstring(node) or ""
            is_class = isinstance(node, ast.ClassDef)
            own = lines[node.lineno - 1 : max(first, node.lineno)]
            code = "\n".join(lines[first : node.end_lineno])
            kind_of = CLASS if is_class else kind
            yield Definition(node.name, kind_of, path, node.lineno, "\n".join(own), documentation, code)
            if is_class:
                yield from _python_definitions(node.body, path, lines, METHOD)
        elif isinstance(node, (ast.If, ast.Try)):
            yield from _python_definitions(node.body, path, lines, kind)


@cache
def _parser(language: str) -> Any:
    """None where the extra is not installed."""
    module, function = _GRAMMARS.get(language, ("", ""))
    try:
        grammars = import_module("tree_sitter")
        return grammars.Parser(grammars.Language(getattr(import_module(module), function)()))
    except (ImportError, ValueError):
        return None


def _read_tree(node: Any, path: str, inside: str) -> Iterator[Definition]:
    for child in node.named_children:
        kind = _KINDS.get(child.type, "")
        if child.type == "variable_declarator":
            value = child.child_by_field_name("value")
            kind = kind if value is not None and _is_function(value) else ""
        name = child.child_by_field_name("name") if kind else None
        if name is not None:
            kind = _kind_in(child, kind, inside)
            yield _definition_of(child, name.text.decode("utf-8", "replace"), kind, path)
        if not name or kind in (CLASS, TYPE):
            around = child.type if child.type in ("impl_item", "trait_item") else inside
            yield from _read_tree(child, path, around)


def _kind_in(node: Any, kind: str, inside: str) -> str:
    if kind == FUNCTION and inside in ("impl_item", "trait_item"):
        return METHOD
    of_type = node.child_by_field_name("type") if node.type == "type_spec" else None
    return TYPE if of_type is not None and of_type.type == "interface_type" else kind


def _is_function(value: Any) -> bool:
    """Also what a call makes of one, as React's ``memo`` does."""
    if value.type != "call_expression":
        return value.type in _VALUES
    given = value.child_by_field_name("arguments")
    first = given.named_children[0] if given is not None and given.named_children else None
    return first is not None and first.type in _VALUES[:-1]


def _definition_of(node: Any, name: str, kind: str, path: str) -> Definition:
    raw, value = node.text, node.child_by_field_name("value") or node
    body = value.child_by_field_name("body")
    head = body.start_byte - node.start_byte if body is not None else raw.find(b"\n") + 1 or len(raw)
    signature = raw[:head].decode("utf-8", "replace")
    code = raw[head:].decode("utf-8", "replace")
    return Definition(name, kind, path, node.start_point[0] + 1, signature, _comment_of(node), code)


def _comment_of(node: Any) -> str:
    while node.parent is not None and node.parent.type in _AROUND:
        node = node.parent
    lines: list[str] = []
    before = node.prev_named_sibling
    while before is not None and (before.type.endswith("comment") or before.type in _BETWEEN):
        if before.type.endswith("comment"):
            lines.insert(0, before.text.decode("utf-8", "replace").strip())
        before = before.prev_named_sibling
    return "\n".join(line.strip(" \t/*!") for line in "\n".join(lines).splitlines()).strip()
