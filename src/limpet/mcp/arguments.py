"""A tool's arguments as clients and models make them, read by the tool's schema: a list or an object written out in a
text, one value for a list, a list for a text, null for what is not given, a number for a text."""

from __future__ import annotations

import json
from ast import literal_eval
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from inspect import signature
from typing import Any, get_type_hints

from pydantic import BaseModel, ValidationError, create_model

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import loads

EXAMPLES = {"string": "TEXT", "array": ["TEXT"], "integer": 1, "number": 1.5, "boolean": True, "object": {}}


def read_arguments(tool: Callable[..., Any], name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the tool takes of what was given. Raises LimpetError, without the values, for what does not fit."""
    model = model_of(tool)
    schemas = model.model_json_schema().get("properties", {})
    fitted = {key: _fit(schemas[key], value) for key, value in given.items() if key in schemas}
    try:
        return dict(model.model_validate({key: value for key, value in fitted.items() if value is not None}))
    except ValidationError as error:
        faults = error.errors(include_url=False)
    wrong = dict.fromkeys(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in faults)
    shown = {str(each["loc"][0]): EXAMPLES[schemas[each["loc"][0]]["type"]] for each in faults}
    raise LimpetError(f"Wrong arguments of {name}: {'; '.join(wrong)}", "", f"Give {json.dumps(shown)}")


@cache
def model_of(tool: Callable[..., Any]) -> type[BaseModel]:
    """Its fields are the tool's parameters but the first, which is the project."""
    hints = get_type_hints(tool, include_extras=True)
    _, *parameters = signature(tool).parameters.values()
    fields: Any = {one.name: (hints[one.name], ... if one.default is one.empty else one.default) for one in parameters}
    return create_model(tool.__name__, **fields)


def unfold(text: str) -> object:
    """Return the list, object or null that a text writes out, as JSON or as Python prints it, else the text."""
    for read in (loads, literal_eval):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            found = read(text.strip())
            return found if found is None or isinstance(found, (list, dict)) else text
    return text


def _fit(schema: Mapping[str, Any], value: object) -> object:
    """None for what is not given; what fits nowhere comes back as it came."""
    if schema["type"] == "string":
        return _text(value)
    found = unfold(value) if isinstance(value, str) else value
    if schema["type"] != "array" or found is None:
        return found
    if isinstance(found, str):
        found = [part.strip() for part in found.split(",") if part.strip()]
    items = found if isinstance(found, list) else [found]
    return [_fit(schema["items"], each) for each in items if each is not None]


def _text(value: object) -> object:
    """Return a number, a truth value, or a list of such and of texts as a text; an object and null as they came."""
    if isinstance(value, list) and all(isinstance(each, (str, int, float)) for each in value):
        return " ".join(str(_text(each)) for each in value)
    return json.dumps(value) if isinstance(value, (int, float)) else value
