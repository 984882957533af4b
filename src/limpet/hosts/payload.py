"""The parts of a hook's payload, whatever a host puts in their place. Light, for the prompt hook."""

from __future__ import annotations

from limpet.ground.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Reply

BLOCK, BLOCK_END = "<limpet-context", "</limpet-context>"
# How lines of a patch begin that name a file.
ADDED = "*** Add File: "
NAMING = (ADDED, "*** Update File: ", "*** Delete File: ", "*** Move to: ")


def payload_text_of(payload: Mapping[str, object], *keys: str) -> str:
    """Return the first text that says something, "" for none; lone surrogates, which JSON can escape and no file can
    hold, are replaced."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str) and value:
            return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    return ""


def read_common(kind: str, host: str, payload: Mapping[str, object]) -> Event:
    """Return what most clients call alike, in either spelling."""
    tool_input = payload.get("tool_input")
    return Event(
        kind=kind,
        host=host,
        session=payload_text_of(payload, "session_id", "sessionId"),
        cwd=payload_text_of(payload, "cwd"),
        transcript=payload_text_of(payload, "transcript_path", "transcriptPath"),
        model=payload_text_of(payload, "model"),
        tool=payload_text_of(payload, "tool_name", "toolName"),
        tool_input=tool_input if isinstance(tool_input, dict) else None,
        tool_use_id=payload_text_of(payload, "tool_use_id", "toolUseId"),
        continuing=payload.get("stop_hook_active") is True,
    )


def token_count(told: object) -> int | None:
    return told if isinstance(told, int) and not isinstance(told, bool) and told > 0 else None


def texts_in(value: object) -> tuple[str, ...]:
    """Every text in a tool's arguments, however deep."""
    if isinstance(value, str):
        return (value,)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return tuple(text for part in parts for text in texts_in(part))


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


def folder_of_pattern(pattern: str) -> str:
    """Return what stands before the first wildcard, as far as it names folders: the whole of a pattern without one."""
    plain = pattern[: next((place for place, letter in enumerate(pattern) if letter in "*?[{"), len(pattern))]
    return plain if plain == pattern else plain[: plain.rfind("/") + 1]


def files_in(patch: str) -> list[str]:
    return [line.partition(": ")[2].strip() for line in patch.splitlines() if line.startswith(NAMING)]


def is_one_new_file(patch: str) -> bool:
    named = [line for line in patch.splitlines() if line.startswith(NAMING)]
    return len(named) == 1 and named[0].startswith(ADDED)


def edits_in(patch: str) -> tuple[tuple[str, str, bool], ...]:
    """Return (old text, new text, everywhere) of each part of a file; the old text of what is only added is empty."""
    edits, old, new = [], "", ""
    for line in (*patch.splitlines(), "@@"):
        if line.startswith(("*** ", "@@")):
            if old != new:
                edits.append((old, new, False))
            old = new = ""
            continue
        if not line.startswith("+"):
            old += f"{line[1:]}\n"
        if not line.startswith("-"):
            new += f"{line[1:]}\n"
    return tuple(edits)
