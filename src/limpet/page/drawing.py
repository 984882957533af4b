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


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _ago(moment: object) -> str:
    passed = time.time() - _seconds(moment)
    for seconds, unit in _UNITS if _seconds(moment) else ():
        if passed >= seconds:
            return f"{_counted(int(passed // seconds), unit)} ago"
    return "just now" if _seconds(moment) else "never"


def _minute(moment: object) -> str:
    return local_minute(_seconds(moment)) if _seconds(moment) else str(moment)


def _seconds(moment: object) -> float:
    """Of an ISO text, or of what is seconds since 1970 already."""
    return float(moment) if isinstance(moment, (int, float)) else seconds_of(moment)


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
_environment.filters |= {"ago": _ago, "minute": _minute, "clip": clip}
_environment.globals |= {"counted": _counted, "menu": MENU}
