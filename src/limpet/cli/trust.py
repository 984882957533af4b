"""``limpet trust``: shows what a project from elsewhere would bring, asks, and records the answer."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator

import click

from limpet.cli.caller import obtain_for
from limpet.cli.output import counted, emit, find_any_project, json_option, minute, paragraph, table
from limpet.cli.screen import is_terminal
from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_edit import render_value
from limpet.ground.text.escaping import clip, visible
from limpet.ground.trust.consent import Consent, difference
from limpet.ground.trust.giving import refuse_untrusted, revoke_trust, trusted_projects, use_above
from limpet.ground.workspace import Workspace, find_workspace, main_root, project_above, workspace_at
from limpet.hosts.injectors import leave_to_hooks
from limpet.hosts.registry import all_hosts
from limpet.operations.trust import MEMORIES, RULES, TrustOffer, count_inherited, survey, trust_project
from limpet.operations.trust_record import TrustState, is_fresh_clone, trust_state

# So many lines that read as orders are named before the texts.
MOST_ORDERS = 20


@click.command()
@click.option("--show", "only_show", is_flag=True, help="Show what the project would bring and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoke", is_flag=True, help="Stop trusting this project.")
@click.option("--list", "list_all", is_flag=True, help="List the projects you trust.")
@json_option
def trust(only_show: bool, yes: bool, revoke: bool, list_all: bool, as_json: bool) -> None:
    """Decide whether this project may speak to your agents.

    Rules, memories and settings of a cloned or unpacked project are not used until you trust it. When settings that
    spend money, run commands, delete files or block change later, you are asked again. Rules that changed since, as by
    a pull, are shown until you agree.

    \b
    Examples:
      limpet trust
      limpet trust --show
      limpet trust --yes
    """
    if only_show + revoke + list_all > 1:
        raise LimpetError("--show, --revoke and --list cannot be combined", hint="use one of them")
    if list_all:
        known = list(trusted_projects().values())
        rows = [(one.root, f"since {minute(one.at)}", _now(one)) for one in known]
        lines = table(rows) if rows else ["No trusted projects."]
        emit([{"root": one.root, "since": one.at} for one in known], lines, as_json)
        return
    above = project_above(os.getcwd()) if find_workspace(os.getcwd()) is None else ""
    if above and not revoke:
        _use_above(workspace_at(above), yes, only_show, as_json)
        return
    workspace = find_any_project(nearest=True)
    if revoke:
        obtain_for(workspace, yes)(f"Trust {workspace.root} no longer")
        had = revoke_trust(workspace)
        emit({"trusted": False}, ["No longer trusted." if had else "This project was not trusted."], as_json)
        return
    state = trust_state(workspace)
    if state.since and not (state.waiting or state.changed):
        emit(_data(workspace, state), [f"{workspace.root} has been trusted since {minute(state.since)}."], as_json)
        return
    if ask_for_trust(workspace, state, yes, only_show, as_json) and not as_json:
        emit(None, _thanks(workspace), False)


def _use_above(above: Workspace, yes: bool, only_show: bool, as_json: bool) -> None:
    refuse_untrusted(above)
    root = main_root(os.getcwd()) or os.getcwd()
    if not only_show:
        obtain_for(above, yes)(f"Use the project of {above.root} in the repository {root}")
        use_above(above, root)
    line = f"{root} uses the project of {above.root}." if not only_show else f"{root} does not use {above.root}."
    emit({"root": above.root, "repository": root, "used": not only_show}, [line], as_json)


def ask_for_trust(
    workspace: Workspace, state: TrustState, yes: bool = False, only_show: bool = False, as_json: bool = False
) -> Workspace | None:
    """Show what the project would bring, and record the person's word; return the project as it is found then. Raises
    LimpetError where nobody gave it."""
    offer = survey(workspace)
    known = not state.since and is_fresh_clone(workspace)
    if not as_json:
        emit(None, _lines(workspace, state, offer, known), False)
    if not (as_json or yes or (known and not only_show)):
        show_paged(text_lines(offer))
    trusted = None
    if not only_show:
        what = "Agree to these changes of" if state.since else "Trust"
        mark = offer.mark[:8]  # so many letters tell what was shown from another state of the project
        shown = (*setting_lines(offer), *text_lines(offer))
        obtain_for(workspace, yes, shown)(f"{what} {workspace.root} as they stand ({mark})")
        trusted = trust_project(workspace, offer, time.time())
        leave_to_hooks(trusted, time.time())
    if as_json:
        emit(_data(workspace, trust_state(trusted) if trusted else state, offer), (), True)
    return trusted


def _now(consent: Consent) -> str:
    if not os.path.isdir(consent.root):
        return "gone"
    return "to be renewed" if difference(consent, workspace_at(consent.root)) else ""


def _thanks(workspace: Workspace) -> Iterator[str]:
    if any(host.in_force(workspace.root) for host in all_hosts()):
        yield "Trusted. Its rules apply from the next prompt."
    else:
        yield "Trusted. No hooks run here yet, so nothing of it is used. Run: limpet init"


def _lines(workspace: Workspace, state: TrustState, offer: TrustOffer, known: bool) -> Iterator[str]:
    if state.since:
        yield f"{workspace.root} has been trusted since {minute(state.since)}."
        yield from ("These settings changed and need consent:", *setting_lines(offer)) if offer.settings else ()
        yield from ("These rules changed since, as by a pull or in an editor. They apply:",) if state.changed else ()
        beside = [name for name in state.waiting if name.endswith("/")]
        yield from (f"Once you agree, {' and '.join(beside)} are read where they lie:",) if beside else ()
        return
    yield f"{workspace.root} is not trusted. {state.reason}."
    if known:
        yield "It is a fresh clone of the same repository: its first commit is that of the one that you trusted."
    if count := count_inherited(workspace):
        yield f"It keeps what was private of it: {counted(count, 'memory')}."
    yield from summary(offer)
    if known:
        yield "To see the texts: limpet trust --show"


def _data(workspace: Workspace, state: TrustState, offer: TrustOffer | None = None) -> dict[str, object]:
    data: dict[str, object] = {
        "root": workspace.root,
        "trusted": bool(state.since),
        "since": state.since or None,
        "waiting": list(state.waiting),
        "moved_from": state.moved_from or None,
        "reason": state.reason or None,
    }
    if offer:
        data["brings"] = {
            "texts": [text.__dict__ for text in offer.texts],
            "orders": _orders(offer),
            "packaged": offer.packaged,
            "settings": [one.__dict__ for one in offer.settings],
        }
    return data


def summary(offer: TrustOffer) -> Iterator[str]:
    kinds = list(dict.fromkeys(text.kind for text in offer.texts))
    if kinds:
        yield "If you trust it, your agents' conversations get:"
    else:
        yield "Nothing of its own: no rules, memories or agents but those that Limpet ships."
    for kind in kinds:
        texts = [text for text in offer.texts if text.kind == kind]
        rules = f"{counted(sum(len(text.lines) for text in texts), 'rule')} in " if kind == RULES else ""
        yield f"  {kind:<13} {rules}{counted(len(texts), 'file')}"
    if offer.packaged:
        copies = "is an unchanged copy" if offer.packaged == 1 else "are unchanged copies"
        yield f"  {counted(offer.packaged, 'file')} {copies} of what Limpet ships, and left out here."
    orders = _orders(offer)
    if orders:
        yield "  These lines read like instructions to the model:"
        yield from (f"    {one['file']}: {clip(one['line'], 100)}" for one in orders[:MOST_ORDERS])
        yield from (f"    and {len(orders) - MOST_ORDERS} more",) if len(orders) > MOST_ORDERS else ()
    if offer.settings:
        yield "  These settings differ from yours (! spends money, runs commands, writes, deletes or blocks):"
        yield from setting_lines(offer)


def _orders(offer: TrustOffer) -> list[dict[str, str]]:
    found = []
    for text in offer.texts:
        found += [{"file": text.file, "line": line} for line in text.orders]
    return found


def setting_lines(offer: TrustOffer) -> Iterator[str]:
    for one in offer.settings:
        before = "" if one.instead_of is None else f" (now {render_value(one.instead_of)})"
        yield f"  {'!' if one.acts else ' '} {one.key}: {render_value(one.value)}{before}"


def text_lines(offer: TrustOffer) -> Iterator[str]:
    """A ``!`` marks what reads like an order to the model; of memories there are the titles."""
    kind = ""
    for text in offer.texts:
        if text.kind != MEMORIES or kind != MEMORIES:
            yield ""
            about = f" ({text.about})" if text.about else ""
            yield "memories" if text.kind == MEMORIES else f"{text.file}{about}"
        kind = text.kind
        yield from (f"  {'!' if line in text.orders else ' '} {line}" for line in text.lines)
        if text.left_out:
            yield f"    ... {counted(text.left_out, 'more line')}"


def show_paged(lines: Iterable[str]) -> None:
    shown: list[str] = []
    for line in lines:
        shown += paragraph(visible(line))
    if is_terminal() and len(shown) >= shutil.get_terminal_size().lines:
        click.echo_via_pager(f"{line}\n" for line in shown)
    else:
        click.echo("".join(f"{line}\n" for line in shown), nl=False)
