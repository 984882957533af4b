"""Checks a project's own constitution: it may add and tighten, and must be written as articles."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.rules.check.finding import ERROR, WARNING, Finding
from limpet.rules.format.constitution import Article, Constitution, merge, read_constitution


def check_constitution(path: str, text: str, shipped: Constitution) -> Iterator[Finding]:
    """Yield the findings in the text of ``constitution.md``; ``shipped`` is what it is added to."""
    project = read_constitution(text)
    lines = _heading_lines(text)
    for number, what in project.problems:
        yield Finding(ERROR, path, number, what, "correct the heading")
    for _, what in merge(shipped, project.replace(problems=())).problems:
        numeral = what.partition(":")[0].rpartition(" ")[2]  # of "article V: ..."
        yield Finding(ERROR, path, lines.get(numeral, 0), what, "raise the severity, or keep the shipped one")
    for article in project.articles:
        if not article.duties and not _raises(article, shipped):
            what = f"article {article.numeral} has no duties"
            yield Finding(WARNING, path, lines.get(article.numeral, 0), what, "write each duty on a line after '- '")
    if project.short or project.short_before_work:
        what = "lines under 'In short' are ignored: the summary is Limpet's own"
        yield Finding(WARNING, path, 0, what, "write them as duties of an article")


def _heading_lines(text: str) -> dict[str, int]:
    """Return the line of each article's heading, by its numeral."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith("### "):
            found.setdefault(line.strip()[4:].partition(".")[0].strip(), number)
    return found


def _raises(article: Article, shipped: Constitution) -> bool:
    """Return whether the heading alone does something: a shipped article whose severity it raises."""
    return any(known.number == article.number and known.severity != article.severity for known in shipped.articles)
