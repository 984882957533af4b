"""What tools, calls and answers look like in the protocol, whichever server has them: this machine's or a team's."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError

from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import visible
from limpet.mcp.arguments import model_of, read_arguments, unfold
from limpet.mcp.offer import Answer, Tool

T = TypeVar("T")
# The schema of every answer: no model needs to know its fields before, and docs/mcp.md tells programs.
_ANSWER = {"type": "object"}


def describe_tools(tools: Mapping[str, Tool]) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[_described(name, tool) for name, tool in tools.items()])


async def answer_call(
    tool: Tool,
    params: types.CallToolRequestParams,
    does: Callable[[Mapping[str, Any]], Awaitable[Answer]],
    shown: Callable[[str], str],
) -> types.CallToolResult:
    """``does``: carries the tool out on its arguments. ``shown``: makes what went wrong readable where it is read."""
    try:
        answer = await does(read_arguments(tool.does, params.name, params.arguments or {}))
    except (LimpetError, OSError) as error:
        return _result(shown(str(error)), is_error=True)
    except Exception as error:
        return _result(shown(f"Limpet failed with {type(error).__name__}. Run: limpet doctor"), is_error=True)
    text = visible(json.dumps(answer, ensure_ascii=False))
    return _result(text, structured_content=json.loads(text))


async def unfold_arguments(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Hand on all arguments that came as one text as the object that it writes out."""
    given = dict(ctx.params or {})
    if isinstance(given.get("arguments"), str):
        given["arguments"] = unfold(given["arguments"])
    return await call_next(replace(ctx, params=given or ctx.params))


def require_named(known: Mapping[str, T], name: str, what: str, **data: str) -> T:
    if name not in known:
        raise MCPError(types.INVALID_PARAMS, f"Unknown {what}: {name}", data or None)
    return known[name]


def _described(name: str, tool: Tool) -> types.Tool:
    takes = _shorten(model_of(tool.does).model_json_schema())
    hints = types.ToolAnnotations.model_validate(tool.hints)
    return types.Tool(name=name, description=tool.says, input_schema=takes, output_schema=_ANSWER, annotations=hints)


def _result(text: str, **fields: Any) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=visible(text))], **fields)


def _shorten(part: dict[str, Any]) -> dict[str, Any]:
    """Keep what tells a model how to call; bounds are told by the error, titles by the names."""
    below = {name: _shorten(each) for name, each in part.items() if isinstance(each, dict) and each}
    return {name: part[name] for name in ("type", "required") if name in part} | below
