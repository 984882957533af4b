"""``limpet report``: a page to share."""

from __future__ import annotations

import os
import sys

import click

from limpet.cli.caller import open_project
from limpet.cli.output import counted, emit, json_option, tell
from limpet.ground.errors import LimpetError
from limpet.operations.project import clean
from limpet.operations.report import make_report, write_report


@click.command("report")
@click.option("--out", metavar="FILE", default="limpet-report.html", show_default=True, help="Where to write it.")
@click.option("--include", metavar="ID", multiple=True, help="Put this private memory in too. Repeatable.")
@click.option("--yes", "agreed", is_flag=True, help="Do not ask before a private memory is written.")
@json_option
def write_report_page(out: str, include: tuple[str, ...], agreed: bool, as_json: bool) -> None:
    """Write a page to share: the team's rules and memories.

    One HTML file, without scripts, which loads nothing: rules in files that git tracks, memories of the team, and
    counts. What is private stays out, but for the memories that you name; they are listed, and you are asked, before
    anything is written. Secrets are taken out.

    \b
    Examples:
      limpet report
      limpet report --out team.html --include 3f2a9c1d
    """
    project = open_project()
    report = make_report(project, include)
    titles = [clean(project, one.stored.entry.title) for one in report.private]
    if titles:
        tell(f"private, and will be in {out}:", *titles)
    if titles and not agreed:
        if not sys.stdin.isatty():
            raise LimpetError("Not written: nobody can be asked", out, "Add --yes if these may be in it.")
        click.confirm("Write them?", abort=True, err=True)
    write_report(project, report, os.path.abspath(out))
    data = {"file": os.path.abspath(out), "private": titles, **dict(report.counts)}
    rules = sum(len(one.lines) for one in report.rules)
    lines = [f"Written: {out} ({counted(rules, 'rule')}, {counted(len(report.team), 'memory')} of the team)."]
    emit(data, lines, as_json)
