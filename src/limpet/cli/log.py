"""``limpet log``: what happened, in the order of time, a line each."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

from limpet.cli.caller import caller_of, obtain_for, open_project, yes_option
from limpet.cli.output import SHORT_ID, counted, emit, json_option, minute, require_workspace, table, tell
from limpet.cli.screen import Line
from limpet.ground.clock import seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import Reader
from limpet.operations.conversations import current_conversation, read_conversation
from limpet.operations.figures import hook_figures
from limpet.operations.pause import pause_conversation, resume_conversation
from limpet.operations.timeline import (
    TimelineEntry,
    is_by_hand,
    list_conversations,
    read_timeline,
    session_title_of,
    short_session_id,
)

Rows = list[tuple[object, ...]]


@click.command("log")
@click.option("--session", metavar="ID", default="", help="Of this conversation only.")
@click.option("--last", type=click.IntRange(min=1), help="Number of entries.  [default: 30; with --hook, 200 events]")
@click.option("--hook", "of_hook", is_flag=True, help="Show the hook's own figures, notes and crashes.")
@click.option(
    "--receipt", is_flag=False, flag_value="", metavar="[ID]", help="What a conversation cost, and what of it was ours."
)
@json_option
def show_log(session: str, last: int | None, of_hook: bool, receipt: str | None, as_json: bool) -> None:
    """Show what was sent, kept and used, newest last.

    With --hook: domains, times of layers, tokens, what was left out, memories, caches.

    \b
    Examples:
      limpet log
      limpet log --session 5f0c2a --last 100
      limpet log --hook
      limpet log --receipt
    """
    if receipt is not None:
        from limpet.cli.receipt import show_receipt  # which a log needs not

        show_receipt(receipt or session, as_json)
        return
    workspace = require_workspace()
    if of_hook:
        data = hook_figures(workspace, session, last or 200, _reader(workspace), time.time())
        emit(data, _lines_of_hook(data), as_json)
        return
    entries = read_timeline(workspace, caller_of(workspace), last or 30, session)
    emit([entry.__dict__ for entry in entries], _lines(entries, bool(session)), as_json)


def _lines(entries: Sequence[TimelineEntry], one: bool) -> Iterator[Line]:
    if not entries:
        return iter(["Nothing has happened here yet."])
    ids = {entry.session for entry in entries}
    rows = [("time", "conversation", "what")]
    for entry in entries:
        who = "you" if is_by_hand(entry) else short_session_id(entry.session, ids) or "-"
        rows.append((minute(entry.time), who, entry.text))
    if one:
        return table([(when, what) for when, _, what in rows], heading=True, styles=("dim",))
    return table(rows, heading=True, styles=("dim", "cyan"))


@click.command("sessions")
@click.option("--last", type=click.IntRange(min=1), default=20, show_default=True, help="Maximum number of results.")
@click.option("--forget", "key", metavar="ID", help="Remove a conversation from `memory search --sessions` for good.")
@json_option
def recent_conversations(last: int, key: str | None, as_json: bool) -> None:
    """List the conversations of this project.

    Every --session option takes the beginning of an id.

    \b
    Examples:
      limpet sessions
      limpet sessions --forget 3f2a9c1d
    """
    if key:
        _forget(key, as_json)
        return
    found = list_conversations(require_workspace())[:last]
    emit(found, _lines_of_sessions(found), as_json)


def _forget(key: str, as_json: bool) -> None:
    from limpet.operations.memory.conversations.sessions import forget_session

    name, gone = forget_session(open_project(), key)
    line = f"Conversation {name} is no longer searched ({counted(gone, 'passage')} removed)."
    emit({"session": name, "removed": gone}, [f"{line} Its transcript is kept."], as_json)


def _lines_of_sessions(found: Sequence[dict[str, Any]]) -> Iterator[Line]:
    if not found:
        return iter(["No conversations yet. They appear here once your coding agent runs in this project."])
    now, heading = time.time(), ("id", "seen", "prompts", "compact", "bracket", "state", "title")
    rows: Rows = [heading, *(_row(one, now) for one in found)]
    if len({one["host"] for one in found}) > 1:  # in place of what is of interest in one client's conversations
        clients = ("client", *(str(one["host"]).partition("-")[0] for one in found))
        rows = [(row[0], client, row[1], row[2], *row[5:]) for row, client in zip(rows, clients, strict=True)]
    return table(rows, heading=True, styles=("cyan", "dim"), spare=("bracket", "compact", "client", "prompts"))


def _row(one: dict[str, Any], now: float) -> tuple[object, ...]:
    state = "paused" if one["paused"] else one["state"]
    age, seen = now - seconds_of(one["last_activity"]), "now"
    for seconds, unit in ((86_400, "d"), (3600, "h"), (60, "m")):
        if age >= seconds:
            seen = f"{int(age // seconds)}{unit} ago"
            break
    return one["short"], seen, one["prompts"], one["compactions"], one["bracket"] or "-", state, one["title"] or "-"


@click.command()
@click.option("--session", metavar="ID", default="", help="This conversation, not the newest.")
@click.option("--off", is_flag=True, help="End the pause.")
@yes_option
@json_option
def pause(session: str, off: bool, agreed: bool, as_json: bool) -> None:
    """Send nothing to a conversation, keep nothing of it.

    What was kept before stays. A conversation that was private for a time is kept out whole from then on, also after
    the pause. For people only; in the conversation itself, type `*private` and `*private off`.

    \b
    Examples:
      limpet pause
      limpet pause --session 5f0c2a
      limpet pause --off
    """
    workspace = require_workspace()
    state = read_conversation(workspace, session or current_conversation(workspace))
    name, title = str(state["id"]), clip(session_title_of(workspace, state), 50)
    which = f'{name[:SHORT_ID]} ("{title}")' if title else name[:SHORT_ID]
    obtain = obtain_for(workspace, agreed, plain=not off)
    if not off:
        pause_conversation(workspace, obtain, time.time(), name, which)
        lines = [f"Limpet is paused for conversation {which}."]
        lines += ["Nothing is sent to it until you run: limpet pause --off"]
        lines += ["Nothing of it is kept, not after that either."]
    elif resume_conversation(workspace, obtain, time.time(), name, which):
        lines = [f"Limpet sends rules and memories to conversation {name} again."]
        lines += ["It still keeps nothing of it, because part of it is private."]
    else:
        lines = [f"Limpet is not paused for conversation {name}."]
    emit({"session": name, "paused": not off}, lines, as_json)


def _lines_of_hook(data: dict[str, Any]) -> Iterator[Line]:
    metrics, crash = data["metrics"], ("time", "event", "crash", "where", "what")
    layers = [(name, *_milliseconds(figures)) for name, figures in sorted(metrics["layers_ms"].items())]
    domains = []
    for one in data["domains"]:
        last = "matched last" if one["loaded_last"] else ""
        domains.append((one["name"], one["kind"], one["state"], one["rules"], last))
    sections: dict[str, Rows] = {
        "conversation": _conversation(data["conversation"]),
        "domains": _headed(("domain", "kind", "state", "rules", ""), domains),
        f"last {metrics['lines']} events": _events(metrics["events"]),
        "layers": _headed(("layer", "median ms", "max ms"), layers),
        "left out": [(f"{count}x", what) for what, count in metrics["left_out"].items()],
        "notes": [(f"{count}x", what) for what, count in metrics["notes"].items()],
        "crashes": [_crash_row(line, crash) for line in metrics["crashes"]],
        "memory": _memory(data["memory"]),
        "cache": _cache_rows(data["cache"]),
    }
    for title, rows in sections.items():
        yield title if rows else f"{title}: none"
        yield from table(rows, indent="  ")


def _crash_row(line: dict[str, Any], names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(line.get(name, "-") for name in names)


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


def _events(events: dict[str, dict[str, Any]]) -> Rows:
    figures = ("count", "blocks", "tokens", "largest")
    rows = []
    for kind, one in events.items():
        rows.append((kind, *(one[name] for name in figures), *_milliseconds(one["ms"])))
    return _headed(("event", *figures, "median ms", "max ms"), rows)


def _headed(heading: tuple[object, ...], rows: Sequence[tuple[object, ...]]) -> Rows:
    return [heading, *rows] if rows else []


def _milliseconds(figures: dict[str, float] | None) -> tuple[str, str]:
    return (f"{figures['median']:g}", f"{figures['max']:g}") if figures else ("-", "-")


def _memory(figures: dict[str, Any]) -> Rows:
    rows = []
    for name, one in figures.items():
        if isinstance(one, dict) and one:
            rows.append((name, _listed(f"{count} {what}" for what, count in one.items())))
    return [*rows, ("index", f"{figures['index_bytes']} bytes")] if figures else []


def _reader(workspace: Workspace) -> Reader | None:
    """Return who asks, None where that cannot be found: then no memories are counted, and the rest is shown."""
    try:
        return caller_of(workspace).reader
    except LimpetError as error:
        tell(error)
        return None


def _cache_rows(cache: dict[str, Any]) -> Rows:
    state = f"{'out of date' if cache['plan_bytes'] else 'none'}; the next prompt makes it anew"
    if cache["plan_bytes"] and cache["plan_current"]:
        state = "current"
    return [
        ("plan", f"{cache['plan_bytes']} bytes", state),
        ("mirror", f"{cache['mirror_bytes']} bytes", "settings and session for the hook"),
        ("folder", "", cache["folder"]),
    ]
