"""``limpet rules add|edit|remove``: changes rules, and prints what changed and new mistakes."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from limpet.cli.completion import complete_agent, complete_domain, complete_squad
from limpet.cli.output import (
    counted,
    emit,
    json_option,
    require_terminal,
    require_workspace,
    shared_options,
    show,
    tell,
)
from limpet.ground.clock import Clock
from limpet.ground.workspace import Workspace
from limpet.operations.rules.edit import (
    DomainPatch,
    add_domain,
    copy_domain,
    delete_domain,
    edit_domain,
    rename_domain_files,
    shipped_text,
    switch_domain,
)
from limpet.operations.rules.transaction import Edit, check_file, find_place
from limpet.operations.rules.view import describe_edit, sharing_note
from limpet.operations.trust_record import own_changes
from limpet.rules.check.domain import ERROR
from limpet.rules.edit.difference import unified

dry_run_option = click.option("--dry-run", is_flag=True, help="Show the changes without writing them.")
domain_argument = click.argument("domain", shell_complete=complete_domain)


SYNONYMS = {"token_normalize_func": lambda name: {"files": "paths", "keywords": "recall"}.get(name, name)}
patch_options = shared_options(
    click.option(
        "--recall", multiple=True, metavar="WORDS", help="Keywords that bring the domain, separated by commas."
    ),
    click.option("--exclude", multiple=True, metavar="WORDS", help="Keywords that keep it out."),
    click.option(
        "--paths",
        metavar="GLOBS",
        help="Files that bring the domain when the agent opens one, separated by commas; '' removes them.",
    ),
    click.option("--always-on/--not-always-on", default=None, help="Bring the domain with every prompt."),
    click.option(
        "--agent",
        metavar="ID",
        shell_complete=complete_agent,
        help="Bring the domain while this agent is active; '' removes the agent.",
    ),
    click.option("--workflow", metavar="ID", help="Bring the domain in this workflow; '' removes the workflow."),
)


@click.command("add", context_settings=SYNONYMS)
@click.argument("name")
@patch_options
@click.option("--rule", "add_rules", multiple=True, metavar="TEXT", help="A rule. May be repeated.")
@click.option("--squad", metavar="NAME", shell_complete=complete_squad, help="Add the domain to this squad's rules.")
@dry_run_option
@json_option
def add_rule_domain(name: str, squad: str | None, dry_run: bool, as_json: bool, **options: Any) -> None:
    """Add rules under a name, with what calls them.

    Rules under one name are a domain: they come together, when a keyword or a file calls them.

    \b
    Examples:
      limpet rules add API --recall "endpoint, route" --rule "Version every endpoint."
      limpet rules add SECURITY --always-on --rule "Never print a secret."
      limpet rules add SQL --paths "*.sql, migrations/**" --rule "Name every constraint."
      limpet rules add PIPELINE --squad etl --recall etl --dry-run
    """
    _report(add_domain(require_workspace(), name, _patch(**options), squad or "", dry_run), dry_run, as_json)


@click.command("edit", context_settings=SYNONYMS)
@domain_argument
@patch_options
@click.option("--add-recall", multiple=True, metavar="WORDS", help="Keywords to add.")
@click.option("--remove-recall", multiple=True, metavar="WORDS", help="Keywords to remove.")
@click.option("--add-exclude", multiple=True, metavar="WORDS", help="Excluding keywords to add.")
@click.option("--remove-exclude", multiple=True, metavar="WORDS", help="Excluding keywords to remove.")
@click.option(
    "--rule", "rules", multiple=True, metavar="N=TEXT", help="Replace a rule, by its number or key in `rules show`."
)
@click.option("--add-rule", "add_rules", multiple=True, metavar="TEXT", help="Rule to add.")
@click.option("--remove-rule", "remove_rules", multiple=True, metavar="N", help="Remove a rule, by its number or key.")
@click.option("--rename", "name", default="", metavar="NAME", help="Give it another name, and change nothing else.")
@click.option("--on/--off", "active", default=None, help="Switch it on or off for the whole project, nothing else.")
@dry_run_option
@json_option
def edit_rule_domain(domain: str, name: str, active: bool | None, dry_run: bool, as_json: bool, **options: Any) -> None:
    """Change a domain, or switch it on or off.

    Without options the rules file opens in your editor and is checked afterwards. A shipped domain needs no file to be
    switched. For one conversation only, type `*limpet on DOMAIN` or `*limpet off DOMAIN` in a prompt.

    \b
    Examples:
      limpet rules edit qa --add-recall "smoke test" --remove-recall bug
      limpet rules edit qa --rule "0=Run the whole suite before you say it works."
      limpet rules edit qa --add-rule "Name the test after the behaviour." --dry-run
      limpet rules edit commands --add-rule "*ship Tag, build, and write the notes."
      limpet rules edit context --add-rule "DEPLETED_RULE_9=Quote line numbers, not lines."
      limpet rules edit qa --rename quality
      limpet rules edit qa --off
      limpet rules edit qa
    """
    workspace = require_workspace()
    patch = _patch(**options)
    alone = [bool(name), active is not None, patch != DomainPatch()]
    if any(alone[:2]) and sum(alone) > 1:
        raise click.UsageError("--rename, --on and --off each stand alone")
    if active is not None:
        _report(switch_domain(workspace, domain, active, dry_run), dry_run, as_json)
        return
    if name:
        _report(rename_domain_files(workspace, domain, name, dry_run), dry_run, as_json)
        return
    if patch != DomainPatch():
        _report(edit_domain(workspace, domain, patch, dry_run), dry_run, as_json)
        return
    if dry_run or as_json:
        raise click.UsageError("--dry-run and --json need an option that says what to change")
    _open_editor(workspace, domain)


@click.command("on", hidden=True)
@domain_argument
@dry_run_option
@json_option
@click.pass_context
def on(context: click.Context, /, **given: Any) -> None:
    """Switch a domain on: `limpet rules edit DOMAIN --on`.

    \b
    Examples:
      limpet rules on qa
    """
    context.invoke(edit_rule_domain, name="", active=context.info_name == "on", **given)


off = click.Command(
    "off", hidden=True, params=on.params, callback=on.callback, help=(on.help or "").replace("on", "off")
)


@click.command()
@domain_argument
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@dry_run_option
@json_option
def remove(domain: str, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Remove a domain and keep a copy.

    The domain leaves the manifest and its file is deleted. The output names the copy. Where the domain took the place
    of a shipped one, that holds again.

    \b
    Examples:
      limpet rules remove api --dry-run
      limpet rules remove api --yes
    """
    workspace = require_workspace()
    if not dry_run and not yes:
        show(delete_domain(workspace, domain, Clock(), dry_run=True).lines(), err=True)
        require_terminal()
        click.confirm("Remove it?", abort=True, err=True)
    _report(delete_domain(workspace, domain, Clock(), dry_run), dry_run, as_json)


def _patch(
    rules: tuple[str, ...] = (), recall: tuple[str, ...] = (), exclude: tuple[str, ...] = (), **options: Any
) -> DomainPatch:
    pairs = [rule.partition("=") for rule in rules]
    for which, divider, _ in pairs:
        if not divider:
            raise click.UsageError(f"--rule {which!r}: use N=TEXT, with a number or key from `rules show`")
    return DomainPatch(
        rules=tuple((which.strip(), text) for which, _, text in pairs),
        recall=recall or None,
        exclude=exclude or None,
        **options,
    )


def _report(edit: Edit, dry_run: bool, as_json: bool) -> None:
    shown = ["\n".join(unified(change)) for change in edit.changes] if dry_run else list(edit.lines())
    if edit.changes and not (dry_run or as_json):
        shown += sharing_note(require_workspace())
    emit(describe_edit(edit, dry_run), shown or ["Nothing to change."], as_json)
    tell(*edit.findings)


def _open_editor(workspace: Workspace, domain: str) -> None:
    if text := shipped_text(workspace, domain):
        changed = click.edit(text, extension="")
        if changed is None or changed == text:
            emit(None, ["Nothing to change."], False)
            return
        copy_domain(workspace, domain, changed)
        path = find_place(workspace, domain).own_file
    else:
        path = find_place(workspace, domain).own_file
        with own_changes(workspace):
            click.edit(filename=os.path.join(workspace.root, path))
    findings = check_file(workspace, path)
    errors = sum(finding.severity == ERROR for finding in findings)
    emit(None, [*map(str, findings), f"{path}: {counted(errors, 'error')}" if findings else f"{path}: OK"], False)
    sys.exit(1 if errors else 0)
