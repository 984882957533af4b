"""The command line: one file a command group, imported only when its command runs."""

from __future__ import annotations

import os
import sys
from io import StringIO

import click

from limpet import __version__
from limpet.cli.groups import Commands
from limpet.ground.errors import LimpetError
from limpet.ground.late import late_modules
from limpet.hosts.commands.upkeep import mend_launcher

EVERYDAY = (
    "init",
    "status",
    "why",
    "log",
    "review",
    "memory search",
    "memory add",
    "memory forget",
    "rules add",
    "rules match",
    "pause",
    "doctor",
)
dashboard, demo, doctor, evaluation, guard, import_, init, learn, log, mcp, memory, receipt = late_modules(
    "limpet.cli", "dashboard demo doctor evaluation guard import_ init learn log mcp memory receipt"
)
registry, report, review, rules, serve, status, sync, team, trust, uninstall, why, work = late_modules(
    "limpet.cli", "registry report review rules serve status sync team trust uninstall why work"
)
completion, config, help_, lock = late_modules("limpet.cli", "completion config groups work.lock")

SECTIONS = {
    "Start": {
        "help": help_.help_page,
        "init": init.init,
        "import": import_.import_original_files,
        "status": status.show_status_page,
        "doctor": doctor.doctor,
        "health": registry.health,
        "hosts": doctor.hosts,
        "demo": demo.demo,
    },
    "See and decide": {
        "dashboard": dashboard.dashboard,
        "why": why.explain_last,
        "log": log.show_log,
        "replay": receipt.replay_blocks,
        "report": report.write_report_page,
        "eval": evaluation.evaluate_questions,
        "sessions": log.recent_conversations,
        "review": review.review,
        "pause": log.pause,
        "resume": lock.resume,
    },
    "Rules and memories": {
        "rules": rules.rules,
        "memory": memory.memory,
        "sync": sync.sync,
        "team": team.team,
        "guard": guard.guard,
        "learn": learn.learn,
        "work": work.work,
        "registry": registry.registry,
        "decide": registry.decide,
    },
    "Settings": {
        "config": config.config,
        "trust": trust.trust,
        "completion": completion.completion,
        "mcp": mcp.mcp,
        "package": mcp.package,
        "serve": serve.serve,
        "uninstall": uninstall.uninstall,
    },
}

# What is understood without the name of its group too, as the documents' originals have it.
BELOW = dict.fromkeys(("agent", "story", "handoff", "spec", "exit"), "work")


@click.group(
    cls=Commands,
    sections=SECTIONS,
    everyday=EVERYDAY,
    below=BELOW,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="limpet")
def limpet() -> None:
    """Keep AI coding agents to what you told them: your wishes, rules and memories.

    \b
    Examples:
      limpet init
      limpet why
      limpet COMMAND --help
    """


@limpet.command("context", hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def context_command(context: click.Context, words: tuple[str, ...]) -> None:
    """Print the text that a prompt would bring.

    It is `limpet why --for PROMPT --text`.

    \b
    Examples:
      limpet context "add a route"
    """
    explain = limpet.get_command(context, "why")
    assert explain
    explain.main(["--for", *words, "--text"], prog_name="limpet why", standalone_mode=False)


def _tell_of_registration() -> None:
    quiet = {"--json", "completion", "init", "uninstall"}.intersection(sys.argv) or "_LIMPET_COMPLETE" in os.environ
    if quiet or not sys.stderr.isatty():
        return
    from limpet.ground.trust.consent import find_consent
    from limpet.ground.workspace import find_workspace
    from limpet.hosts.registry import has_changed, look

    workspace = find_workspace(os.getcwd())
    if workspace and find_consent(workspace) and has_changed(workspace, unseen=True) and (found := look(workspace)):
        from limpet.cli.output import tell

        tell(found)


def _is_handed_over(words: list[str]) -> bool:
    """A command of an agent whose sandbox may not write is left to the hook, which runs outside of it."""
    if not words or words[0] not in ("memory", "learn", "work"):
        return False
    from limpet.work.inbox import is_carried

    if not is_carried(words):
        return False
    from limpet.cli.caller import surroundings
    from limpet.cli.inbox import hand_over

    return bool(surroundings().host) and hand_over(words)


def run() -> None:
    """Run the command line; what is wrong becomes one line on stderr and exit code 1, 2 for a usage error."""
    if sys.argv[1:2] != ["doctor"]:  # which says what is wrong
        mend_launcher()
    _tell_of_registration()
    try:
        if _is_handed_over(sys.argv[1:]):
            sys.exit(0)
        sys.exit(limpet(prog_name="limpet", standalone_mode=False))
    except click.Abort:
        click.echo("Aborted!", err=True)
        sys.exit(1)
    except (click.ClickException, LimpetError, OSError) as error:
        from limpet.cli.output import show, tell

        if isinstance(error, click.ClickException):
            error.show(said := StringIO())
            show(said.getvalue().splitlines(), err=True)
            sys.exit(error.exit_code)
        tell(error)
        sys.exit(1)
