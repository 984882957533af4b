"""The parts of a hook's payload, whatever a host puts in their place. Light, for the prompt hook."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Reply

BLOCK, BLOCK_END = "<limpet-context", "</limpet-context>"


def text_of(payload: Mapping[str, object], key: str) -> str:
    """Return the text, "" for none; lone surrogates, which JSON can escape and no file can hold, are replaced."""
    value = payload.get(key)
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")


def without_blocks(prompt: str) -> str:
    """Return the prompt without our block, with which a spawned conversation begins and which nobody typed."""
    start = prompt.find(BLOCK)
    end = prompt.rfind(BLOCK_END)
    return prompt if start < 0 or end < start else prompt[:start] + prompt[end + len(BLOCK_END) :]


def made_visible(reply: Reply) -> Reply:
    """Return the reply without what could steer a terminal, the reason of its verdict on one line."""
    if not (reply.reason or reply.unfinished or reply.message):
        return reply
    from limpet.ground.text.escaping import on_one_line, visible

    said = {"unfinished": visible(reply.unfinished), "message": visible(reply.message)}
    return reply.replace(reason=on_one_line(reply.reason), **said)
