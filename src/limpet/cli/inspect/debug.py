"""``limpet debug``: what the hook did lately, in figures; for the state of the project see ``limpet status``."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

from limpet.cli.caller import caller_of
from limpet.cli.output import emit, json_option, require_workspace, tell
from limpet.cli.screen import Line
from limpet.cli.table import table
from limpet.ground.errors import LimpetError
from limpet.ground.workspace import Workspace
from limpet.memory.model.access import Reader
from limpet.operations.hook_figures import hook_figures

Rows = list[tuple[object, ...]]


@click.command()
@click.option("--session", "session_id", metavar="ID", help="Only this conversation.")
@click.option("--last", type=click.IntRange(min=1), default=200, show_default=True, help="Number of events.")
@json_option
def debug(session_id: str | None, last: int, as_json: bool) -> None:
    """Show the hook's figures, notes and crashes.

    For one conversation or the whole project: domains, times of layers, tokens, what was left out, memories, caches.

    \b
    Examples:
      limpet debug
      limpet debug --session 5f0c2a --last 50
    """
    workspace = require_workspace()
    data = hook_figures(workspace, session_id or "", last, _reader(workspace), time.time())
    emit(data, _lines(data), as_json)


def _lines(data: dict[str, Any]) -> Iterator[Line]:
    metrics = data["metrics"]
    columns = ("time", "event", "crash", "where", "what")
    sections: dict[str, Rows] = {
        "conversation": _conversation(data["conversation"]),
        "domains": _domains(data["domains"]),
        f"last {metrics['lines']} events": _events(metrics["events"]),
        "layers": _layers(metrics["layers_ms"]),
        "activations": _activations(metrics["activations"]),
        "left out": [(f"{count}x", what) for what, count in metrics["left_out"].items()],
        "notes": [(f"{count}x", what) for what, count in metrics["notes"].items()],
        "crashes": [tuple(line.get(name, "-") for name in columns) for line in metrics["crashes"]],
        "memory": _memory(data["memory"]),
        "cache": _cache_rows(data["cache"]),
    }
    for title, rows in sections.items():
        if rows or title != "activations":
            yield title if rows else f"{title}: none"
            yield from table(rows, indent="  ")


def _conversation(found: dict[str, Any] | None) -> Rows:
    if not found:
        return []
    usage, history = found["usage"] or {}, found["history"]
    window = f"{usage['remaining']:g}% of {usage['window']} tokens left ({usage['source']})" if usage else "unknown"
    return [
        ("id", found["id"]),
        ("last activity", found["last_activity"]),
        ("bracket", found["bracket"] or "-"),
        ("window", window),
        ("prompts", found["prompt_count"]),
        ("compactions", found["compactions"]),
        ("overrides", _listed(f"{name} {'on' if on else 'off'}" for name, on in found["overrides"].items())),
        ("star-commands", _listed(f"*{name}" for name in history.get("star_commands", []))),
        ("matched last", _listed(history.get("domains_last", []))),
        ("last block", f"{(found['last'] or {}).get('tokens', 0)} tokens"),
    ]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "-"


def _domains(domains: list[dict[str, Any]]) -> Rows:
    rows = [(d["name"], d["kind"], d["state"], d["rules"], "matched last" if d["loaded_last"] else "") for d in domains]
    return _headed(("domain", "kind", "state", "rules", ""), rows)


def _events(events: dict[str, dict[str, Any]]) -> Rows:
    figures = ("count", "blocks", "tokens", "largest")
    rows = [(kind, *(one[name] for name in figures), *_milliseconds(one["ms"])) for kind, one in events.items()]
    return _headed(("event", *figures, "median ms", "max ms"), rows)


def _layers(layers: dict[str, dict[str, float]]) -> Rows:
    rows = [(name, *_milliseconds(figures)) for name, figures in sorted(layers.items())]
    return _headed(("layer", "median ms", "max ms"), rows)


def _activations(loaders: dict[str, dict[str, Any]]) -> Rows:
    rows = [
        (name, _listed(f"{count} {status}" for status, count in one["count"].items()), *_milliseconds(one["ms"]))
        for name, one in loaders.items()
    ]
    return _headed(("loader", "result", "median ms", "max ms"), rows)


def _headed(heading: tuple[object, ...], rows: Sequence[tuple[object, ...]]) -> Rows:
    return [heading, *rows] if rows else []


def _milliseconds(figures: dict[str, float] | None) -> tuple[str, str]:
    return (f"{figures['median']:g}", f"{figures['max']:g}") if figures else ("-", "-")


def _memory(figures: dict[str, Any]) -> Rows:
    counted = [(name, one) for name, one in figures.items() if isinstance(one, dict) and one]
    rows = [(name, _listed(f"{count} {what}" for what, count in one.items())) for name, one in counted]
    return [*rows, ("index", f"{figures['index_bytes']} bytes")] if figures else []


def _reader(workspace: Workspace) -> Reader | None:
    """Return who asks, None where that cannot be found: then no memories are counted, and the rest is shown."""
    try:
        return caller_of(workspace).reader
    except LimpetError as error:
        tell(error)
        return None


def _cache_rows(cache: dict[str, Any]) -> Rows:
    stale = (
        "out of date; the next prompt makes it anew" if cache["plan_bytes"] else "none; the next prompt makes it anew"
    )
    return [
        ("plan", f"{cache['plan_bytes']} bytes", "current" if cache["plan_bytes"] and cache["plan_current"] else stale),
        ("mirror", f"{cache['mirror_bytes']} bytes", "settings and session for the hook"),
        ("folder", "", cache["folder"]),
    ]
