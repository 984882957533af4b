"""``holdfast trust``: shows what a project from elsewhere would bring, asks, and records the answer."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import click

from holdfast.cli.caller import surroundings
from holdfast.cli.output import emit, find_project, json_option
from holdfast.cli.table import counted, table
from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.yaml_edit import render_value
from holdfast.ground.text.escaping import clip
from holdfast.ground.trust.giving import revoke_trust, trusted_projects
from holdfast.ground.workspace import Workspace
from holdfast.hosts.records.adoption import adopt_record, matches_own_lines, old_status_lines
from holdfast.operations.trust import Offer, TrustState, survey, trust_project, trust_state

LONGEST_LINE = 100


@click.command()
@click.option("--show", "only_show", is_flag=True, help="Show what the project would bring and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoke", is_flag=True, help="Stop trusting this project.")
@click.option("--list", "list_all", is_flag=True, help="List the projects you trust.")
@json_option
def trust(only_show: bool, yes: bool, revoke: bool, list_all: bool, as_json: bool) -> None:
    """Decide whether this project may speak to your agents.

    Rules, memories and settings of a cloned or unpacked project are not used until you trust it. When settings that
    spend money, run commands, delete files or block change later, you are asked again.

    \b
    Examples:
      holdfast trust
      holdfast trust --show
      holdfast trust --yes
    """
    if only_show + yes + revoke + list_all > 1:
        raise HoldfastError("--show, --yes, --revoke and --list cannot be combined", hint="use one of them")
    if list_all:
        known = list(trusted_projects().values())
        rows = [(one.root, f"since {one.at}", "" if os.path.isdir(one.root) else "gone") for one in known]
        emit(
            [{"root": one.root, "since": one.at} for one in known],
            table(rows) if rows else ["No trusted projects."],
            as_json,
        )
        return
    workspace = find_project(nearest=True)
    if revoke:
        _refuse_agents()
        had = revoke_trust(workspace)
        emit({"trusted": False}, ["No longer trusted." if had else "This project was not trusted."], as_json)
        return
    state = trust_state(workspace)
    if state.since and not state.waiting:
        emit(_data(workspace, state), [f"{workspace.root} has been trusted since {state.since}."], as_json)
        return
    ask_for_trust(workspace, state, yes, only_show, as_json)


def ask_for_trust(workspace: Workspace, state: TrustState, yes: bool, only_show: bool, as_json: bool) -> None:
    """Show what the project would bring, and record the answer. Raises HoldfastError where nobody can be asked."""
    if yes:
        _refuse_agents()
    offer = survey(workspace)
    if not as_json:
        emit(None, _lines(workspace, state, offer), False)
    given = not only_show and (yes or _ask(state))
    if given:
        trust_project(workspace, time.time())
        if matches_own_lines(workspace.home):
            adopt_record(workspace.home)
    if as_json:
        emit(_data(workspace, trust_state(workspace) if given else state, offer), (), True)
    elif not only_show:
        click.echo("Trusted. Its rules apply from the next prompt." if given else "Not trusted. Nothing changed.")


def _ask(state: TrustState) -> bool:
    if not sys.stdin.isatty():
        hint = "re-run with --yes, or preview with --show"
        raise HoldfastError("Cannot prompt: not a terminal", hint=hint)
    return click.confirm("Agree to these settings?" if state.since else "Trust this project?", err=True)


def _refuse_agents() -> None:
    """Raise HoldfastError where a coding agent runs the command: the decision is a person's."""
    around = surroundings()
    if around.host and not sys.stdin.isatty():
        raise HoldfastError("Only the user can decide this", hint="run it in your own terminal")


def _lines(workspace: Workspace, state: TrustState, offer: Offer) -> Iterator[str]:
    if state.since:
        yield f"{workspace.root} has been trusted since {state.since}. These settings changed and need consent:"
        yield from _setting_lines(offer, state.waiting)
        return
    yield f"{workspace.root} is not trusted."
    if matches_own_lines(workspace.home):
        yield "An earlier version of Holdfast set it up on this machine without asking."
        yield from (f"Its record names your status line: {line}" for line in old_status_lines(workspace.home))
    if state.moved_from:
        yield f"It was trusted at {state.moved_from} and has moved here."
    rules = sum(count for _, count, _ in offer.domains)
    always = [name for name, _, each in offer.domains if each]
    yield "If you trust it, your agents' conversations get:"
    said = f", always: {clip(', '.join(always), LONGEST_LINE)}" if always else ""
    yield f"  rules     {counted(rules, 'rule')} in {counted(len(offer.domains), 'domain')}{said}"
    yield f"  articles  {counted(offer.articles, 'addition')} to the constitution"
    yield f"  memories  {offer.memories}"
    yield f"  work      {', '.join(offer.work) or 'none'}"
    if offer.agents:
        yield f"  agents    {', '.join(offer.agents)}"
    if offer.orders:
        yield "  These lines read like instructions to the model:"
        yield from (f"    {name}: {clip(line, LONGEST_LINE)}" for name, line in offer.orders)
    if offer.settings:
        yield "  These settings differ from yours (! spends money, runs commands, writes, deletes or blocks):"
        yield from _setting_lines(offer, tuple(one.key for one in offer.settings))


def _setting_lines(offer: Offer, keys: tuple[str, ...]) -> Iterator[str]:
    for one in offer.settings:
        if one.key in keys:
            mark = "!" if one.acts else " "
            before = "" if one.instead_of is None else f" (now {_shown(one.instead_of)})"
            yield f"  {mark} {one.key}: {_shown(one.value)}{before}"


def _shown(value: Any) -> str:
    return clip(render_value(value), LONGEST_LINE)


def _data(workspace: Workspace, state: TrustState, offer: Offer | None = None) -> dict[str, object]:
    data: dict[str, object] = {
        "root": workspace.root,
        "trusted": bool(state.since),
        "since": state.since or None,
        "waiting": list(state.waiting),
        "moved_from": state.moved_from or None,
    }
    if offer:
        data["brings"] = {
            "domains": [{"name": name, "rules": count, "always": each} for name, count, each in offer.domains],
            "articles": offer.articles,
            "memories": offer.memories,
            "work": list(offer.work),
            "agents": list(offer.agents),
            "orders": [{"file": name, "line": line} for name, line in offer.orders],
            "settings": [one.__dict__ for one in offer.settings],
        }
    return data
