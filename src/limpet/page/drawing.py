"""Templates to HTML. Every text is put in as text: the templates escape what they are given."""

from __future__ import annotations

import os
import time
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from limpet.ground.clock import local_minute, seconds_of
from limpet.ground.text.escaping import clip, visible

FOLDER = os.path.dirname(os.path.abspath(__file__))
# Path -> title, in the order of the menu.
MENU = {
    "/": "Now",
    "/conversations": "Conversations",
    "/review": "Review",
    "/memories": "Memories",
    "/rules": "Rules",
    "/learning": "Learning",
    "/work": "Work",
    "/health": "Health",
    "/guard": "Guard",
}
_UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"))


def draw(template: str, status: int = 200, **told: Any) -> HTMLResponse:
    """``told``: ``path`` and ``base`` (what every page has), and what the template asks for."""
    return HTMLResponse(_environment.get_template(template).render(told), status)


def counted(number: int, noun: str, several: str = "") -> str:
    return f"{number:,} {noun if number == 1 else several or noun + 's'}"


def ago(stamp: object) -> str:
    at = seconds_of(stamp) if isinstance(stamp, str) else float(stamp) if isinstance(stamp, (int, float)) else 0.0
    if not at:
        return "never"
    passed = time.time() - at
    for seconds, unit in _UNITS:
        if passed >= seconds:
            return f"{counted(int(passed // seconds), unit)} ago"
    return "just now"


def minute(stamp: object) -> str:
    at = seconds_of(stamp) if isinstance(stamp, str) else float(stamp) if isinstance(stamp, (int, float)) else 0.0
    return local_minute(at) if at else str(stamp)


def _as_text(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


_environment = Environment(
    loader=FileSystemLoader(os.path.join(FOLDER, "templates")),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=_as_text,
)
_environment.filters |= {"ago": ago, "minute": minute, "clip": clip}
_environment.globals |= {"counted": counted, "menu": MENU}
