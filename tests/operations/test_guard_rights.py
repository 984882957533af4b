"""The checks of the constitution as data: all of it is walked."""

import os
import re

import jsonschema
import pytest

import limpet
from limpet.ground.formats.schema import load_schema
from limpet.ground.storage.files import read_shipped
from limpet.guard.call import read_table
from limpet.operations.guard_rights import constitution_checks
from limpet.rules.plan.sources import shipped_constitution

TABLE = read_shipped("constitution-checks")
ARTICLES = {article.numeral: article for article in shipped_constitution().articles}
RULES = read_table()["rules"]


def test_the_data_is_what_its_schema_says():
    """And has a row for each article, no more."""
    jsonschema.Draft202012Validator(load_schema("constitution-checks")).validate(TABLE)
    assert set(TABLE["articles"]) == set(ARTICLES)


@pytest.mark.parametrize("numeral", [numeral for numeral, one in ARTICLES.items() if one.severity == "BLOCK"])
def test_every_article_that_blocks_names_its_check_or_says_that_it_binds_by_words(numeral):
    """Nothing is left unsaid."""
    row = TABLE["articles"][numeral]
    assert row.get("guard") or row.get("events") or row.get("program") or row["words"]


def test_every_rule_of_the_guard_stands_at_its_article():
    """Both ways."""
    named = {(rule, numeral) for numeral, row in TABLE["articles"].items() for rule in row.get("guard", ())}
    assert named == {(name, rule["article"]) for name, rule in RULES.items()}


def test_every_event_that_a_check_names_is_one_that_the_code_records():
    """A misspelt kind would never fire."""
    kinds = {kind for row in TABLE["articles"].values() for kind in row.get("events", {})}
    written = set(re.findall(r'"([a-z]+\.[a-z-]+)"', "\n".join(_sources())))
    assert kinds <= written


def test_without_a_project_the_packaged_articles_are_told():
    """They never fired."""
    found = constitution_checks(None)
    assert [one["numeral"] for one in found] == list(ARTICLES)
    assert not any(check["last"] for one in found for check in one["checks"])


def _sources():
    for folder, _, names in os.walk(os.path.dirname(limpet.__file__)):
        for name in names:
            if name.endswith(".py"):
                with open(os.path.join(folder, name), encoding="utf-8") as source:
                    yield source.read()
