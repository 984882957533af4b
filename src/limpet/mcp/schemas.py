"""A tool's arguments as a type, from the function's parameters, and its schema, as short as it can be: a model pays for
each word of it in every conversation."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import signature
from typing import Any, get_type_hints

from pydantic import BaseModel, ValidationError, create_model

# Of a schema what tells a model how to call; bounds are told by the error, titles by the names.
_KEPT = ("type", "required")
ANSWER = {"type": "object"}
"""The schema of every answer: no model needs to know its fields before, and docs/mcp.md tells programs."""


@cache
def arguments_of(tool: Callable[..., Any]) -> type[BaseModel]:
    """Return the type of a tool's arguments: the parameters of the function behind the project."""
    hints = get_type_hints(tool, include_extras=True)
    _, *parameters = signature(tool).parameters.values()
    fields: Any = {one.name: (hints[one.name], ... if one.default is one.empty else one.default) for one in parameters}
    return create_model(tool.__name__, **fields)


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's arguments."""
    return _shorten(model.model_json_schema())


def explain(error: ValidationError) -> str:
    """Return in a line which arguments are wrong, without the values that were given."""
    wrong = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors(include_url=False))
    return "; ".join(dict.fromkeys(wrong))


def _shorten(part: dict[str, Any]) -> dict[str, Any]:
    below = {name: _shorten(each) for name, each in part.items() if isinstance(each, dict) and each}
    return {name: part[name] for name in _KEPT if name in part} | below
