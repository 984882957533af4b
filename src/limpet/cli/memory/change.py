"""``limpet memory add|edit|forget|undo|share``: what a memory says, where it is kept, how long, and whose it is."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import click

from limpet.cli.completion import complete_agent, complete_owner, complete_tag
from limpet.cli.groups import SuggestingChoice
from limpet.cli.memory.view import (
    caller_options,
    key_argument,
    tell_kept,
    user_option,
    why_option,
    workspace_here,
)
from limpet.cli.output import counted, emit, shared_options, tell, timestamp
from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.trust.consent import root_of
from limpet.memory.model.entry import CATEGORIES, SCOPES, SECTORS, SEVERITIES, STORAGES, TYPES
from limpet.memory.model.ids import short_id
from limpet.operations.caller import from_root
from limpet.operations.learning.decisions import rule_of
from limpet.operations.memory import change
from limpet.operations.memory.erase import erase_memory
from limpet.operations.memory.gotchas import KIND, note_gotcha, resolve_gotcha
from limpet.operations.memory.library import is_personal
from limpet.operations.memory.upkeep import remember_personal
from limpet.operations.memory.view import shown_full_path
from limpet.operations.project import Project, open_as


@click.command()
@key_argument
@click.option("--archive", is_flag=True, help="Put it into the archive instead: only --archived finds it.")
@click.option("--now", "is_now", is_flag=True, help="Erase it for good, with all that holds its words. Not for agents.")
@why_option
@user_option
@caller_options
def forget(project: Project, key: str, archive: bool, is_now: bool, as_json: bool, why: str) -> None:
    """Forget a memory. It is deleted after 30 days; until then `undo` restores it.

    \b
    Examples:
      limpet memory forget k7q2m9xa --why "it was wrong"
      limpet memory forget k7q2m9xa --archive --why "we left that provider"
      limpet memory forget --now k7q2m9xa
    """
    if archive and is_now:
        raise click.UsageError("--archive and --now cannot be combined")
    if is_now:
        away = erase_memory(project, key, why)
        _tell_put(away, "erased", f'Erased "{away.title}".', as_json)
        return
    if archive:
        away = change.archive_memory(project, key, why)
        _tell_put(away, "archived", f'Archived "{away.title}". Undo: limpet memory undo {away.short}', as_json)
        return
    away = change.forget_memory(project, key, why)
    within = f" within {counted(away.days, 'day')}" if away.days else ""
    where = " --user" if is_personal(project) else ""
    line = f'Forgot "{away.title}". Undo{within}: limpet memory undo {away.short}{where}'
    stays = (
        f"Until then its text stays on this machine. Erase it now:\n  limpet memory forget --now {away.short}{where}"
    )
    _tell_put(away, "forgotten", f"{line}\n{stays}" if away.days else line, as_json)


@click.command("undo")
@key_argument
@why_option
@user_option
@caller_options
def undo_memory(project: Project, key: str, as_json: bool, why: str) -> None:
    """Restore a forgotten or archived memory.

    `list --forgotten` shows them. Not for agents.

    \b
    Examples:
      limpet memory undo k7q2m9xa
    """
    if rule_of(project.workspace, key):
        both = f"To take back both: limpet learn proposals --withdraw {short_id(key)}"
        raise LimpetError("A rule was made of this memory, and says it", key, both)
    away = change.undo_change(project, key, why)
    _tell_put(away, "back", f'Restored "{away.title}".', as_json)


@click.command()
@key_argument
@click.option("--undo", is_flag=True, help="Stop sharing it; it stays in this project, on this machine.")
@why_option
@caller_options
def share(project: Project, key: str, undo: bool, as_json: bool, why: str) -> None:
    """Share a memory with your team by git.

    Its file moves to .limpet/memories/team/, which is committed. Not for agents. Private memories and digests are
    refused. Secrets are removed first.

    \b
    Examples:
      limpet memory share k7q2m9xa
      limpet memory share k7q2m9xa --undo
    """
    if undo:
        kept = change.unshare_memory(project, key, why)
        line = f'"{kept.stored.entry.title}" is no longer shared. If it was committed, commit its removal.'
        tell_kept(project, kept, line, as_json)
        return
    kept = change.share_memory(project, key, why)
    entry, root = kept.stored.entry, root_of(project.workspace.shared)
    file = os.path.relpath(shown_full_path(project.workspace, kept.stored.path), root).replace(os.sep, "/")
    line = f'Shared "{entry.title}" as {entry.shared_by}. Commit it: git add {file}'
    tell_kept(project, kept, line, as_json)


def _tell_put(away: change.PutAway, done: str, line: str, as_json: bool) -> None:
    tell(away.notice)
    emit({"id": away.id, "title": away.title, "done": done, "path": away.path}, line.splitlines(), as_json)


detail_options = shared_options(
    click.option("--title", metavar="TEXT", help="Title, one line of at most 120 characters."),
    click.option("--body", metavar="TEXT", help="Text in Markdown (- for stdin)."),
    click.option("--type", "kind", type=SuggestingChoice(TYPES), help="Type of memory."),
    click.option("--sector", type=SuggestingChoice(SECTORS), help="Sector; defaults to the type's."),
    click.option("--tag", "tags", multiple=True, metavar="TAG", shell_complete=complete_tag, help="A tag."),
    click.option("--path", "paths", multiple=True, metavar="FILE", type=click.Path(), help="A file it is about."),
    click.option("--confidence", type=click.FloatRange(0, 1), help="Confidence, 0 to 1."),
    click.option("--expires", type=timestamp, metavar="WHEN", help="Expiry date, such as 2026-12-31."),
    click.option("--category", type=SuggestingChoice(CATEGORIES), help="Category of a gotcha."),
    click.option("--severity", type=SuggestingChoice(SEVERITIES), help="Severity of a gotcha."),
    click.option("--workaround", metavar="TEXT", help="Workaround of a gotcha."),
)


@click.command("add")
@click.argument("text", required=False)
@detail_options
@click.option("--durable", "storage", flag_value="durable", help="Keep it permanently (default for people).")
@click.option("--daily", "storage", flag_value="daily", help="Keep it while it is used (default for agents).")
@click.option("--session", "storage", flag_value="session", help="Keep it for this conversation.")
@click.option("--shared", "scope", flag_value="shared", help="For every agent (default).")
@click.option("--private", "scope", flag_value="private", help="For one agent only.")
@click.option("--scope", "scope", type=SuggestingChoice(SCOPES), help="The same as --shared or --private.")
@click.option("--agent", metavar="ID", shell_complete=complete_agent, help="Owning agent.")
@why_option
@user_option
@caller_options
def add_memory(project: Project, text: str | None, as_json: bool, why: str, **options: Any) -> None:
    """Remember TEXT and print the new ID.

    TEXT may be - for stdin. Without --title, the first line is the title. --tag and --path may be repeated.

    \b
    Examples:
      limpet memory add "The staging database is reset every night." --tag staging
      limpet memory add "Amounts are integers of cents." --type decision --path src/money.py
      limpet memory add "Migrations lock the table" --type gotcha --workaround "Run them at night."
      limpet memory add --user "I write commit messages in English."
      limpet memory add --title "JWT signing" --type decision --agent architect --scope private --tag jwt --body -
    """
    fields, words = _fields(project, **options), _text(text, options)
    if is_personal(project):
        kept = remember_personal(project, workspace_here(), fields, words, why)
    elif fields.get("type") == KIND:
        kept = note_gotcha(project, words or fields["title"], fields, why)
    else:
        kept = change.remember_memory(project, fields, words, why)
    tell_kept(project, kept, kept.stored.entry.id, as_json)


@click.command("edit")
@key_argument
@detail_options
@click.option("--add-tag", "more_tags", multiple=True, metavar="TAG", help="Tag to add.")
@click.option("--remove-tag", "less_tags", multiple=True, metavar="TAG", help="Tag to remove.")
@click.option("--pin/--unpin", "pinned", default=None, help="Keep it from fading, or let it fade. Not for agents.")
@click.option("--resolved/--reopen", "resolved", default=None, help="Of a gotcha: whether it is dealt with.")
@click.option(
    "--owner", default="", metavar="ID", shell_complete=complete_owner, help="Move it: to shared or an agent."
)
@click.option("--storage", default="", type=SuggestingChoice(("", *STORAGES)), help="Move it to this storage class.")
@click.option(
    "--same-as",
    "other",
    default="",
    metavar="ID",
    help="It says the same as that one, and is archived. Not for agents.",
)
@why_option
@caller_options
def edit_entry(
    project: Project,
    key: str,
    as_json: bool,
    why: str,
    more_tags: tuple[str, ...],
    less_tags: tuple[str, ...],
    pinned: bool | None,
    resolved: bool | None,
    owner: str,
    storage: str,
    other: str,
    **options: Any,
) -> None:
    """Change a memory.

    Without options its file opens in your editor and is checked afterwards. --tag and --path replace all existing
    ones; an empty value removes them.

    \b
    Examples:
      limpet memory edit k7q2m9xa --title "JWT, signed with EdDSA" --add-tag crypto
      limpet memory edit k7q2m9xa --body - --why "the plan changed"
      limpet memory edit k7q2m9xa --pin
      limpet memory edit k7q2m9xa --resolved --workaround "Pin the driver to 3.2."
      limpet memory edit k7q2m9xa
    """
    changes = _fields(project, **options)
    if options["body"] is not None:
        changes["body"] = _body(options["body"])
    acts = (pinned is not None, resolved is not None, bool(owner or storage), bool(other))
    if any(acts):
        beside = {*changes} - ({"workaround"} if resolved is not None else set())
        if sum(acts) > 1 or beside or more_tags or less_tags:
            raise click.UsageError("--pin, --resolved, --same-as, and --owner with --storage each stand alone")
        _act_on(project, key, (pinned, resolved, owner, storage, other), changes.get("workaround"), why, as_json)
        return
    if not (changes or more_tags or less_tags):
        _open_editor(project, key, why, as_json)
        return
    kept = change.edit_memory(project, key, changes, more_tags, less_tags, why)
    tell_kept(project, kept, f'Changed {", ".join(kept.changed)} of "{kept.stored.entry.title}"', as_json)


def _act_on(
    project: Project,
    key: str,
    act: tuple[bool | None, bool | None, str, str, str],
    workaround: str | None,
    why: str,
    as_json: bool,
) -> None:
    pinned, resolved, owner, storage, other = act
    if other:
        away = change.same_as(project, key, other, why)
        line = f'"{away.title}" counts for {other} now. Undo: limpet memory undo {away.short}'
        _tell_put(away, "archived", line, as_json)
        return
    if pinned is not None:
        kept, done = change.pin_memory(project, key, pinned, why), "Pinned" if pinned else "Unpinned"
    elif resolved is not None:
        kept, done = resolve_gotcha(project, key, resolved, workaround, why), "Resolved" if resolved else "Reopened"
    else:
        kept, done = change.move_memory(project, key, owner, storage, why), "Moved"
    place, title = kept.stored.place, kept.stored.entry.title
    where = f" to {place.owner}, {place.storage}" if done == "Moved" else ""
    tell_kept(project, kept, f'{done} "{title}"{where}.', as_json)


def _fields(
    project: Project,
    kind: str | None = None,
    agent: str | None = None,
    expires: float | None = None,
    paths: tuple[str, ...] = (),
    tags: tuple[str, ...] = (),
    **options: Any,
) -> dict[str, Any]:
    given = {
        **options,
        "type": kind,
        "agent": agent or None,
        "expires_at": None if expires is None else iso(expires),
        "paths": tuple(from_root(project.workspace, path) if path else "" for path in paths) or None,
        "tags": tags or None,
    }
    return {name: value for name, value in given.items() if value is not None and name != "body"}


def _text(text: str | None, options: dict[str, Any]) -> str:
    if text is not None and options["body"] is not None:
        raise click.UsageError("TEXT and --body cannot be combined")
    words = _body(text if text is not None else options["body"] or "")
    if not options["title"] and not words.strip():
        raise click.UsageError("give TEXT, or --title and --body")
    return words


def _body(text: str) -> str:
    return sys.stdin.buffer.read().decode("utf-8", "replace") if text == "-" else text


def _open_editor(project: Project, key: str, why: str, as_json: bool) -> None:
    if as_json or not sys.stdin.isatty():
        raise click.UsageError("Cannot open an editor: not a terminal. Use options such as --title, --body, --add-tag")
    before = change.open_by_hand(project, key)
    path = shown_full_path(project.workspace, before.path)
    click.edit(filename=path)
    later = open_as(project.workspace, project.caller.replace(now=time.time()))  # a person takes their time
    problems = change.check_by_hand(later, before, why)
    emit(None, [*map(str, problems)] or [f"{path}: OK"], False)
    sys.exit(1 if problems else 0)
