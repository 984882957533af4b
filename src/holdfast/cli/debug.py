"""``holdfast debug``: what the hook did lately, in figures; for the state of the project see ``holdfast status``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import click

from holdfast.cli.caller import caller_of
from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.cli.rules.group import describe_domain
from holdfast.cli.table import table
from holdfast.ground.config.mirror import mirror_path, read_mirror
from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.memory.model.access import Reader, owners
from holdfast.operations.history import newest_conversation, read_conversation, read_metrics, summarize
from holdfast.operations.memory.figures import memory_figures
from holdfast.rules.catalogue import read_catalogue
from holdfast.rules.plan.store import plan_state

FIELDS = ("id", "last_activity", "bracket", "usage", "prompt_count", "compactions", "overrides", "last", "history")


@click.command()
@click.option("--session", "session_id", metavar="ID", help="Of this conversation only.")
@click.option("--last", type=click.IntRange(min=1), default=200, show_default=True, help="Of so many events.")
@json_option
def debug(session_id: str | None, last: int, as_json: bool) -> None:
    """Show domains, layers' times, tokens, what was left out, crashes, memories and caches.

    \b
    Examples:
      holdfast debug
      holdfast debug --session 5f0c2a --last 50
    """
    workspace = require_workspace()
    conversation = read_conversation(workspace, session_id) if session_id else newest_conversation(workspace)
    loaded = (conversation or {}).get("history", {}).get("domains_last", [])
    domains = [describe_domain(entry) for entry in read_catalogue(workspace)]
    data = {
        "conversation": {name: conversation.get(name) for name in FIELDS} if conversation else None,
        "domains": [{**domain, "loaded_last": domain["name"] in loaded} for domain in domains],
        "metrics": summarize(read_metrics(workspace, last, session_id or "")),
        "memory": _memory_figures(workspace),
        "cache": _cache(workspace),
    }
    emit(data, _lines(data), as_json)


def _cache(workspace: Workspace) -> dict[str, Any]:
    mirror = mirror_path(workspace)
    before = os.path.getsize(mirror) if os.path.exists(mirror) else 0
    size, current = plan_state(workspace, str(read_mirror(workspace).settings["rules"]["match"]))
    return {"plan_bytes": size, "plan_current": current, "mirror_bytes": before}


def _lines(data: dict[str, Any]) -> Iterator[str]:
    metrics = data["metrics"]
    yield from _section("conversation", _conversation(data["conversation"]))
    yield from _section("domains", _domains(data["domains"]))
    yield from _section(f"last {metrics['lines']} events", _events(metrics["events"]))
    yield from _section("layers", _layers(metrics["layers_ms"]))
    yield from _section("left out", [(f"{count}x", what) for what, count in metrics["left_out"].items()])
    yield from _section("notes", [(f"{count}x", what) for what, count in metrics["notes"].items()])
    yield from _section("crashes", [_crash(line) for line in metrics["crashes"]])
    yield from _section("memory", _memory(data["memory"]))
    yield from _section("cache", _cache_rows(data["cache"]))


def _section(title: str, rows: list[tuple[object, ...]]) -> Iterator[str]:
    yield title if rows else f"{title}: none"
    if rows:
        yield from table(rows, indent="  ")


def _conversation(found: dict[str, Any] | None) -> list[tuple[object, ...]]:
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


def _domains(domains: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    heading = ("domain", "kind", "state", "rules", "")
    rows = [(d["name"], d["kind"], d["state"], d["rules"], "matched last" if d["loaded_last"] else "") for d in domains]
    return [heading, *rows] if rows else []


def _events(events: dict[str, dict[str, Any]]) -> list[tuple[object, ...]]:
    heading = ("event", "count", "blocks", "tokens", "largest", "median ms", "max ms")
    rows = [
        (kind, one["count"], one["blocks"], one["tokens"], one["largest"], *_milliseconds(one["ms"]))
        for kind, one in events.items()
    ]
    return [heading, *rows] if rows else []


def _layers(layers: dict[str, dict[str, float]]) -> list[tuple[object, ...]]:
    rows = [(name, *_milliseconds(figures)) for name, figures in sorted(layers.items())]
    return [("layer", "median ms", "max ms"), *rows] if rows else []


def _milliseconds(figures: dict[str, float] | None) -> tuple[str, str]:
    return (f"{figures['median']:g}", f"{figures['max']:g}") if figures else ("-", "-")


def _crash(line: dict[str, Any]) -> tuple[object, ...]:
    return tuple(line.get(name, "-") for name in ("time", "event", "crash", "where", "what"))


def _memory(figures: dict[str, Any]) -> list[tuple[object, ...]]:
    counted = [(name, one) for name, one in figures.items() if isinstance(one, dict) and one]
    rows = [(name, _listed(f"{count} {what}" for what, count in one.items())) for name, one in counted]
    return [*rows, ("index", f"{figures['index_bytes']} bytes")] if figures else []


def _memory_figures(workspace: Workspace) -> dict[str, Any]:
    """What the caller may see is counted; where nobody can tell who calls, nothing is, and the rest is shown."""
    try:
        return memory_figures(workspace, owners(_reader(workspace)))
    except HoldfastError as error:
        click.echo(f"holdfast: {error}", err=True)
        return {}


def _reader(workspace: Workspace) -> Reader:
    return caller_of(workspace).reader


def _cache_rows(cache: dict[str, Any]) -> list[tuple[object, ...]]:
    state = "none" if not cache["plan_bytes"] else "current" if cache["plan_current"] else "out of date"
    return [
        (
            "plan",
            f"{cache['plan_bytes']} bytes",
            f"{state}; the next prompt makes it anew" if state != "current" else state,
        ),
        ("mirror", f"{cache['mirror_bytes']} bytes", "settings and session for the hook"),
    ]
