"""Reads the constitution's Markdown as articles; a project's file may add and tighten, never remove."""

from __future__ import annotations

from limpet.ground.formats.markdown import line_kinds
from limpet.ground.values import Value

SEVERITIES = ("INFO", "WARN", "BLOCK")
# What other constitutions call them (SYNAPSE: NON-NEGOTIABLE, MUST, SHOULD, MAY), words divided by a blank.
OTHER_SEVERITIES = {
    "BLOCK": "NON NEGOTIABLE, MUST, MUST NOT, MANDATORY, REQUIRED, SHALL, CRITICAL, BLOCKER, BLOCKING".split(", "),
    "WARN": "SHOULD, SHOULD NOT, RECOMMENDED, WARNING, IMPORTANT".split(", "),
    "INFO": "MAY, OPTIONAL, COULD, ADVISORY, INFORMATIONAL, INFORMATIVE, NOTE".split(", "),
}
SHORT, SHORT_BEFORE_WORK = "in short", "in short before any work"
SHORT_WITH_REGISTRY = "in short with a registry"
VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


class Article(Value):
    """``severity``: BLOCK, WARN or INFO. ``duties``: one sentence each."""

    number: int
    numeral: str
    title: str
    severity: str
    duties: tuple[str, ...]


class Constitution(Value):
    """``short``: the summary for every block; ``short_before_work``: the one while no agent, workflow, story or lock is
    in force; ``short_with_registry``: what either has besides in a project that uses the registry.
    ``articles``: tightened by the project; ``added``: what its own file adds.
    ``problems``: (line, what is wrong) of what was refused.
    """

    short: tuple[str, ...] = ()
    short_before_work: tuple[str, ...] = ()
    short_with_registry: tuple[str, ...] = ()
    articles: tuple[Article, ...] = ()
    added: tuple[Article, ...] = ()
    problems: tuple[tuple[int, str], ...] = ()


def read_constitution(text: str) -> Constitution:
    short: dict[str, list[str]] = {SHORT: [], SHORT_BEFORE_WORK: [], SHORT_WITH_REGISTRY: []}
    articles: list[Article] = []
    problems: list[tuple[int, str]] = []
    heading = ""
    lines = text.splitlines()
    for number, (line, kind) in enumerate(zip(lines, line_kinds(lines), strict=True), 1):
        content = "" if kind else line.strip()
        if content.startswith("### "):
            heading = "article"
            _open_article(number, content[4:].strip(), articles, problems)
        elif content.startswith("#"):
            heading = content.lstrip("#").strip().lower()
        elif content and heading in short:
            short[heading].append(content)
        elif content and heading == "article" and articles:
            articles[-1] = articles[-1].replace(duties=_with_line(articles[-1].duties, content))
    return Constitution(
        short=tuple(short[SHORT]),
        short_before_work=tuple(short[SHORT_BEFORE_WORK]),
        short_with_registry=tuple(short[SHORT_WITH_REGISTRY]),
        articles=tuple(articles),
        problems=tuple(problems),
    )


def merge(base: Constitution, project: Constitution) -> Constitution:
    """The project's articles are added, its duties appended and its severities raised; a lowering is refused."""
    articles = {article.number: article for article in base.articles}
    problems = list(project.problems)
    added: list[Article] = []
    for article in project.articles:
        known = articles.get(article.number)
        if known and SEVERITIES.index(article.severity) < SEVERITIES.index(known.severity):
            problems.append((0, f"article {article.numeral}: {known.severity} cannot be lowered to {article.severity}"))
        merged = article
        if known:
            severity = max(known.severity, article.severity, key=SEVERITIES.index)
            merged = known.replace(severity=severity, duties=known.duties + article.duties)
        articles[article.number] = merged
        added.append(article.replace(title=merged.title, severity=merged.severity))
    return Constitution(
        short=base.short,
        short_before_work=base.short_before_work,
        short_with_registry=base.short_with_registry,
        articles=tuple(articles[number] for number in sorted(articles)),
        added=tuple(added),
        problems=tuple(problems),
    )


def _open_article(line: int, heading: str, articles: list[Article], problems: list[tuple[int, str]]) -> None:
    numeral, _, rest = heading.partition(".")
    title, _, tail = rest.rpartition("(")
    word = " ".join(tail.rstrip(")").upper().replace("-", " ").replace("_", " ").split())
    severity = next((severity for severity, words in OTHER_SEVERITIES.items() if word in words), word)
    number = _value_of(numeral.strip())
    if not number:
        problems.append((line, f"{heading!r} is no article: write '### XVII. Title (WARN)'"))
        return
    if severity not in SEVERITIES:
        what = f"article {numeral}: severity must be BLOCK, WARN or INFO (or MUST, SHOULD, MAY); WARN is used"
        problems.append((line, what))
        title, severity = (title or rest), "WARN"
    articles.append(Article(number=number, numeral=numeral.strip(), title=title.strip(), severity=severity, duties=()))


def _with_line(duties: tuple[str, ...], content: str) -> tuple[str, ...]:
    if content[0] in "-*" and content[1:2] == " ":
        return (*duties, content[2:].strip().replace("`", ""))
    if not duties:
        return duties
    return (*duties[:-1], f"{duties[-1]} {content}".replace("`", ""))


def _value_of(numeral: str) -> int:
    if not numeral or any(letter not in VALUES for letter in numeral):
        return 0
    total = last = 0
    for letter in reversed(numeral):
        number = VALUES[letter]
        total += -number if number < last else number
        last = number
    return total
