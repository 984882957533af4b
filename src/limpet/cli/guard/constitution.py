"""``limpet constitution``: each article, what holds agents to it, and when that last fired."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.output import emit, find_trusted, json_option
from limpet.cli.table import minute, table
from limpet.operations.guard.constitution import PROGRAM, WORDS, constitution_checks

NEVER = "never"
KINDS = {"guard": "guard", "event": "record", "program": "program", "words": "words only"}


@click.command()
@click.argument("article", required=False)
@json_option
def constitution(article: str | None, as_json: bool) -> None:
    """Show what holds agents to each article.

    A check of the guard answers before an act; a record is left by a command; a program does it each time, without a
    trace. What is neither binds by words only. To read an article, run `limpet rules show CONSTITUTION`.

    \b
    Examples:
      limpet constitution
      limpet constitution XI
      limpet constitution --json
    """
    wanted = (article or "").upper()
    found = [one for one in constitution_checks(find_trusted()) if wanted in ("", one["numeral"])]
    if not found:
        raise click.UsageError(f"there is no article {article}")
    emit(found, table([("article", "severity", "last", "by", "check"), *_rows(found)], heading=True), as_json)


def _rows(articles: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for article in articles:
        first = (f"{article['numeral']}. {article['title']}", article["severity"])
        for place, check in enumerate(article["checks"]):
            last = "" if check["kind"] in (PROGRAM, WORDS) else minute(check["last"]) or NEVER
            yield (*(("", "") if place else first), last, KINDS[check["kind"]], check["name"])
