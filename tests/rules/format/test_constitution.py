"""The constitution's Markdown, and what a project may do to it (decision 19)."""

import pytest
from hypothesis import given

from limpet.rules.format.constitution import SEVERITIES, merge, read_constitution
from limpet.rules.plan.sources import shipped_constitution

from ...strategies import QUICK, hostile, st

TEXT = """# Ours
## In short
Be good.
Be quick.
## Articles
### I. Safety (BLOCK)
- MUST ask first, in
  every case.
* SHOULD write `tests`.
### II. Style (INFO)
"""


def test_articles_duties_and_summary_are_read():
    """A duty may run over two lines and lose its backticks."""
    found = read_constitution(TEXT)
    assert found.short == ("Be good.", "Be quick.")
    assert [(each.number, each.title, each.severity) for each in found.articles] == [
        (1, "Safety", "BLOCK"),
        (2, "Style", "INFO"),
    ]
    assert found.articles[0].duties == ("MUST ask first, in every case.", "SHOULD write tests.")
    assert found.problems == ()


def test_the_shipped_one_has_sixteen_articles_and_is_without_mistake():
    """I to XVI, each with duties."""
    found = shipped_constitution()
    assert [article.number for article in found.articles] == list(range(1, 17))
    assert all(article.duties for article in found.articles)
    assert found.problems == () and found.short


@pytest.mark.parametrize(
    ("heading", "articles", "problems"),
    [
        *(("### IV. Four (WARN)", [(4, "WARN")], 0), ("### XVII. A (B) (BLOCK)", [(17, "BLOCK")], 0)),
        *(("### XL. Forty (INFO)", [(40, "INFO")], 0), ("### I. Safety", [(1, "WARN")], 1)),
        *(("### I. Safety (STOP)", [(1, "WARN")], 1), ("### I. Safety ()", [(1, "WARN")], 1)),
        *(
            ("### Safety", [], 1),
            ("### 4. Four (WARN)", [], 1),
            ("### . (WARN)", [], 1),
            ("### iv. four (WARN)", [], 1),
        ),
    ],
)
def test_a_heading_has_a_roman_numeral_and_a_severity(heading, articles, problems):
    """A title may hold brackets; without severity it counts as WARN, and what is no article is named."""
    found = read_constitution(f"\n{heading}\n")
    assert [(each.number, each.severity) for each in found.articles] == articles
    assert len(found.problems) == problems
    assert articles or (found.problems[0][0] == 2 and "### XVII. Title (WARN)" in found.problems[0][1])
    assert "Safety" not in heading or not articles or found.articles[0].title == "Safety"


def test_a_project_adds_articles_and_duties_and_raises_severities():
    """What it added is known apart, for the block."""
    merged = merge(
        read_constitution(TEXT), read_constitution("### II. (BLOCK)\n- MUST indent.\n### III. New (WARN)\n- MUST x.\n")
    )
    assert [(each.number, each.severity, each.duties) for each in merged.articles[1:]] == [
        (2, "BLOCK", ("MUST indent.",)),
        (3, "WARN", ("MUST x.",)),
    ]
    assert [(each.title, each.severity) for each in merged.added] == [("Style", "BLOCK"), ("New", "WARN")]
    assert merged.short == ("Be good.", "Be quick.")


def test_a_lowered_severity_is_refused_and_named():
    """Decision 19: never remove."""
    merged = merge(read_constitution(TEXT), read_constitution("### I. Safety (INFO)\n"))
    assert merged.articles[0].severity == "BLOCK"
    assert merged.problems == ((0, "article I: BLOCK cannot be lowered to INFO"),)


@QUICK
@given(st.lists(st.one_of(hostile, st.just("### II. X (WARN)"), hostile.map("- ".__add__))).map("\n".join))
def test_whatever_a_project_writes_nothing_is_removed(text):
    """Every article, duty and severity of the base survives any addition."""
    base = read_constitution(TEXT)
    merged = {article.number: article for article in merge(base, read_constitution(text)).articles}
    for article in base.articles:
        found = merged[article.number]
        assert found.duties[: len(article.duties)] == article.duties
        assert SEVERITIES.index(found.severity) >= SEVERITIES.index(article.severity)
