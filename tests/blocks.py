"""A context block read back into data, as its schema describes it: the inverse of ``context.block``."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from limpet.context.fitting import TAG
from limpet.ground.errors import LimpetError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from xml.etree.ElementTree import Element

LISTED = {"article": "articles", "rules": "rules", "command": "commands"}
JOINED = {"in-force": ("in_force", ", "), "left-out": ("left_out", "; "), "notes": ("notes", "; ")}
SINGLE = ("lock", "next", "reminder", "handoff-warning", "record")
LINES = (
    "constitution",
    "continuation",
    "spec",
    "candidates",
    "debug",
    "directory",
    "contents",
    "standing-wishes",
    "existing",
)
AGENT_FACTS = ("inputs", "outputs", "criteria", "commands")
STEP = re.compile(r"\d+\. ")


def read_block(text: str) -> dict[str, Any]:
    """The block as the schema ``context-block`` describes it; what it does not hold is None or an empty list.

    Raises LimpetError with ``line:column`` for text that is no well-formed block or holds an element unknown here.
    """
    root = _parse(text)
    block = _blank(root)
    for element in root:
        _read_element(element, block)
    return block


def attributes(text: str, tag: str) -> dict[str, str] | None:
    """The attributes of the block's element of this tag, beside those that ``read_block`` tells; None without one."""
    found = _parse(text).find(tag)
    return None if found is None else dict(found.attrib)


def _parse(text: str) -> Element:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        where = ":".join(map(str, error.position))
        raise LimpetError(f"no well-formed context block: {error}", where, "give one whole block") from None
    except ValueError as error:
        raise LimpetError(f"no context block: {error}", hint="give one whole block") from None
    if root.tag != TAG:
        raise LimpetError(f"<{root.tag}> is no context block", "1:0", f"give a <{TAG}> element")
    return root


def _blank(root: Element) -> dict[str, Any]:
    """A block in which nothing is said yet."""
    return {
        "bracket": root.get("bracket", "FRESH"),
        "remaining": _percentage(root.get("remaining")),
        "mode": None,
        "permission": None,
        **{tag.replace("-", "_"): None for tag in (*SINGLE, *READERS)},
        **{name: [] for name in LISTED.values()},
        **{name: [] for name, _ in JOINED.values()},
        **{name.replace("-", "_"): [] for name in LINES},
    }


def _read_element(element: Element, block: dict[str, Any]) -> None:
    tag = element.tag
    if tag == "mode":
        block |= {"mode": _text(element), "permission": element.get("permission")}
    elif tag in LINES:
        block[tag.replace("-", "_")] = _lines(element)
    elif tag in SINGLE:
        block[tag.replace("-", "_")] = _text(element)
    elif tag in JOINED:
        name, divider = JOINED[tag]
        block[name] = _text(element).split(divider)
    elif tag in LISTED:
        block[LISTED[tag]].append(_listed(element))
    elif tag in READERS:
        block[tag] = READERS[tag](element)
    else:
        raise LimpetError(f"<{tag}> is no element of a context block", hint="Update Limpet")


def _agent(element: Element) -> dict[str, Any]:
    """With its layer off an agent is one line, whose text is the mission."""
    mission = element.get("mission")
    lines = [] if mission is None else _lines(element)
    return {
        "name": element.get("name"),
        "mission": _text(element) if mission is None else mission,
        **{fact: element.findtext(fact) for fact in AGENT_FACTS},
        "authority": [_text(rule) for rule in element.findall("authority")],
        "steps": [line.split(". ", 1)[1] for line in lines if STEP.match(line)],
        "checklist": [_text(check) for check in element.findall("check")],
        "rules": [line for line in lines if not STEP.match(line)],
    }


def _with_lines(*names: str) -> Callable[[Element], dict[str, Any]]:
    return lambda element: {**{name.replace("-", "_"): element.get(name) for name in names}, "lines": _lines(element)}


READERS: dict[str, Callable[[Element], dict[str, Any]]] = {
    "agent": _agent,
    "pipeline": _with_lines("workflow"),
    "task": _with_lines("story", "executor", "agent"),
    "handoff": _with_lines("from", "score"),
    "memory": _with_lines("called-by"),
}


def _listed(element: Element) -> dict[str, Any]:
    if element.tag == "article":
        return {"title": element.get("title"), "lines": _lines(element)}
    if element.tag == "command":
        return {"name": element.get("name"), "lines": _lines(element)}
    matched = element.get("matched", "")
    return {
        "domain": element.get("domain"),
        "matched": matched.split(", ") if matched else [],
        "squad": element.get("squad"),
        "lines": _lines(element),
    }


def _lines(element: Element) -> list[str]:
    """The lines of the element's own text, without its children's, and without the marks of a list."""
    own = "".join([element.text or "", *(child.tail or "" for child in element)])
    return [line.removeprefix("- ") for line in own.strip("\n").split("\n") if line]


def _text(element: Element) -> str:
    return (element.text or "").strip("\n")


def _percentage(text: str | None) -> int | None:
    if text is None:
        return None
    digits = text.removesuffix("%")
    if not digits.isdecimal():
        raise LimpetError(f"remaining={text!r} is no percentage", "1:0", "give a block as Limpet wrote it")
    return int(digits)
