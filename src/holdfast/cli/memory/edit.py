"""``holdfast memory add|edit``: write a memory, change what it says; the audit log gets who and why."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from holdfast.cli.completion import complete_agent, complete_tag
from holdfast.cli.memory.options import (
    agent_id,
    caller_options,
    catch_up,
    current_conversation,
    from_root,
    key_argument,
    open_library,
    why_option,
)
from holdfast.cli.memory.view import describe_entry, full_path
from holdfast.cli.output import emit, require_workspace
from holdfast.cli.timestamp import timestamp
from holdfast.ground.clock import iso
from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.append import Actor
from holdfast.ground.event_log.record import record
from holdfast.ground.storage.files import read_bytes
from holdfast.memory.files.audit import CHANGED, differences
from holdfast.memory.files.body import read_body
from holdfast.memory.files.verify import verify_text
from holdfast.memory.library import Library
from holdfast.memory.model.entry import CATEGORIES, SCOPES, SECTORS, SEVERITIES, TYPES
from holdfast.memory.model.rights import refuse_agents
from holdfast.memory.model.stored import Stored

Command = Callable[..., Any]

STDIN = "-"
BY_HAND = "edited by hand"
MARK = "[redacted:"
REDACTED = "what looked like a secret was not kept"
FLAGGED = "it reads like an order: agents are shown it as a note that nobody has to obey"


def detail_options(command: Command) -> Command:
    """The options of what a memory says about itself, which add and edit share."""
    options = (
        click.option("--title", metavar="TEXT", help="Its title, a line of at most 120 characters."),
        click.option("--body", metavar="TEXT", help="What it says, in Markdown; - reads it from stdin."),
        click.option("--type", "kind", type=click.Choice(TYPES), help="What kind of memory it is."),
        click.option("--sector", type=click.Choice(SECTORS), help="Its sector; the type's own where not given."),
        click.option("--tag", "tags", multiple=True, metavar="TAG", shell_complete=complete_tag, help="A tag."),
        click.option(
            "--path", "paths", multiple=True, metavar="FILE", type=click.Path(), help="A file that it is about."
        ),
        click.option("--confidence", type=click.FloatRange(0, 1), help="How certain it is."),
        click.option("--expires", type=timestamp, metavar="WHEN", help="When it holds no longer, as 2026-12-31."),
        click.option("--category", type=click.Choice(CATEGORIES), help="Of a gotcha."),
        click.option("--severity", type=click.Choice(SEVERITIES), help="Of a gotcha."),
        click.option("--workaround", metavar="TEXT", help="Of a gotcha."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("text", required=False)
@detail_options
@click.option("--durable", "storage", flag_value="durable", help="Keep it for good (a person's usual).")
@click.option("--daily", "storage", flag_value="daily", help="Keep it while it is used (an agent's usual).")
@click.option("--session", "storage", flag_value="session", help="Keep it for this conversation.")
@click.option("--shared", "scope", flag_value="shared", help="For every agent (the usual).")
@click.option("--private", "scope", flag_value="private", help="For one agent only.")
@click.option("--scope", "scope", type=click.Choice(SCOPES), help="The same as --shared or --private.")
@click.option("--agent", metavar="ID", shell_complete=complete_agent, help="The agent whose memory it is.")
@why_option
@caller_options
def add(text: str | None, as_person: bool, as_json: bool, why: str, **wished: Any) -> None:
    """Remember TEXT, - for stdin. Its first line is the title where --title gives none. Prints the id.

    --tag and --path may be given again. Once the id is printed, the memory is on the disk.

    \b
    Examples:
      holdfast memory add "The staging database is reset every night." --tag staging
      holdfast memory add "Amounts are integers of cents." --type decision --path src/money.py
      holdfast memory add --title "JWT signing" --type decision --agent architect --scope private --tag jwt --body -
    """
    workspace = require_workspace()
    library = open_library(as_person, workspace)
    fields = _fields(**wished) | _words(text, wished)
    fields.setdefault("type", "semantic")
    fields.setdefault("storage", "durable" if library.reader.person else "daily")
    if fields["storage"] == "session":
        fields["session"] = current_conversation(workspace)
    if "agent" in fields:
        _refuse_stranger(library, str(fields["agent"]))
    stored = library.add(fields, why=why)
    _warn(stored, fields)
    catch_up(library)
    emit(describe_entry(stored, library.shared), [stored.entry.id], as_json)


@click.command()
@key_argument
@detail_options
@click.option("--add-tag", "more_tags", multiple=True, metavar="TAG", help="One more tag.")
@click.option("--remove-tag", "less_tags", multiple=True, metavar="TAG", help="A tag less.")
@why_option
@caller_options
def edit(
    key: str,
    as_person: bool,
    as_json: bool,
    why: str,
    more_tags: tuple[str, ...],
    less_tags: tuple[str, ...],
    **wished: Any,
) -> None:
    """Change the memory ID by options, every other byte kept; without any, open its file in your editor and check it.

    --tag and --path replace those that it has; an empty text takes them away.

    \b
    Examples:
      holdfast memory edit k7q2m9xa --title "JWT, signed with EdDSA" --add-tag crypto
      holdfast memory edit k7q2m9xa --body - --why "the plan changed"
      holdfast memory edit k7q2m9xa
    """
    library = open_library(as_person)
    changes = _fields(**wished) | ({"body": _body(wished["body"])} if wished["body"] is not None else {})
    if more_tags or less_tags:
        known = (*changes.get("tags", library.show(key, count=False).entry.tags), *more_tags)
        changes["tags"] = tuple(tag for tag in known if tag not in less_tags)
    if not changes:
        _open_editor(library, key, why, as_json)
        return
    stored = library.edit(key, changes, why)
    _warn(stored, changes)
    catch_up(library)
    emit(describe_entry(stored, library.shared), [f"changed {stored.entry.id}: {', '.join(changes)}"], as_json)


def _fields(
    kind: str | None = None,
    agent: str | None = None,
    expires: float | None = None,
    paths: tuple[str, ...] = (),
    tags: tuple[str, ...] = (),
    **wished: Any,
) -> dict[str, Any]:
    """The options that were given, as an entry names its fields; the body aside."""
    workspace = require_workspace()
    given = {
        **wished,
        "type": kind,
        "agent": agent_id(agent) if agent else None,
        "expires_at": None if expires is None else iso(expires),
        "paths": tuple(from_root(workspace, path) if path else "" for path in paths) or None,
        "tags": tags or None,
    }
    return {name: value for name, value in given.items() if value is not None and name != "body"}


def _words(text: str | None, wished: dict[str, Any]) -> dict[str, Any]:
    """Title and body of a new memory. Raises click.UsageError where there are none, or twice."""
    title, body = wished["title"], wished["body"]
    if text is not None and body is not None:
        raise click.UsageError("TEXT and --body say the same: give one of them")
    told = _body(text if text is not None else body or "")
    if title:
        return {"title": title, "body": told}
    if not told.strip():
        raise click.UsageError("give TEXT, or --title and --body")
    title, rest = read_body(told)
    return {"title": title, "body": rest}


def _body(text: str) -> str:
    return sys.stdin.buffer.read().decode("utf-8", "replace") if text == STDIN else text


def _refuse_stranger(library: Library, agent: str) -> None:
    """An agent signs with its own name."""
    if not library.reader.person and agent != library.reader.agent:
        raise HoldfastError(f"only a person may write in the name of {agent}", "--agent", "leave --agent out")


def _warn(stored: Stored, fields: dict[str, Any]) -> None:
    """What the writer should know of what became of the words."""
    entry = stored.entry
    said = [str(fields[name]) for name in ("title", "body", "workaround") if name in fields]
    kept = f"{entry.title}\n{entry.body}\n{entry.workaround}"
    if kept.count(MARK) > sum(text.count(MARK) for text in said):
        click.echo(f"holdfast: {REDACTED}", err=True)
    if "instruction" in entry.flags:
        click.echo(f"holdfast: {FLAGGED}", err=True)


def _open_editor(library: Library, key: str, why: str, as_json: bool) -> None:
    """The memory's file in the user's editor, then what is wrong with it; exit code 1 if something is."""
    if as_json or not sys.stdin.isatty():
        raise click.UsageError("there is no terminal for an editor: say what to change by options")
    stored = library.show(key, count=False)
    refuse_agents(library.reader, "edit the file itself")
    path = full_path(library.shared, stored.path)
    click.edit(filename=path)
    problems = verify_text(stored.path, read_bytes(path) or b"")
    if not problems:
        _record(library, stored, why)
    emit(None, [*map(str, problems)] or [f"{path}: no mistake"], False)
    sys.exit(1 if problems else 0)


def _record(library: Library, before: Stored, why: str) -> None:
    """Tell the audit log what the editor changed."""
    changed = differences(before.entry, library.show(before.path, count=False).entry)
    if changed:
        actor = Actor(writer=library.writer, now=library.clock.now(), retention=library.retention, why=why or BY_HAND)
        record(library.shared, actor, CHANGED, {"memory": before.entry.id, "path": before.path, "changed": changed})
