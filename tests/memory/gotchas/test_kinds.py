"""Kinds of errors: by whole words, never by parts of words."""

import pytest

from limpet.memory.gotchas.gotchas import categorise, severity_of, severity_rank
from limpet.memory.model.entry import CATEGORIES, SEVERITIES


@pytest.mark.parametrize(
    ("text", "tool", "category"),
    [
        ("the latest author attested the contest", "", "general"),
        ("", "", "general"),
        ("two tests fail", "", "test"),
        ("something broke", "npm run build", "build"),
        ("something broke", "npm test", "test"),
        ("something broke", "Bash: python -m pytest -q", "test"),
        ("something broke", "npx eslint .", "lint"),
        ("something broke", "docker compose up", "integration"),
        ("error TS2322: Type is bad", "Bash", "build"),
        ("error[E0308]: mismatched types", "", "build"),
        ("npm ERR! ERESOLVE unable to resolve dependency tree", "Bash", "build"),
        ("connect ECONNREFUSED 127.0.0.1:5432", "Bash", "integration"),
        ("TypeError: x is undefined", "Bash", "runtime"),
        ("ValueError: bad input", "", "runtime"),
        ("401 Unauthorized: the certificate expired", "", "security"),
        ("could not inject the value", "", "general"),
        ("the date has a bad format", "", "general"),
    ],
)
def test_the_category_is_what_the_tool_is_for_or_the_words_tell_of(text, tool, category):
    assert categorise(text, tool) == category


def test_every_category_can_come_out():
    found = {categorise(word) for word in ("compile", "pytest", "eslint", "crash", "webhook", "csrf", "hello")}
    assert found == set(CATEGORIES)


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("ValueError: bad input", "warning"),
        ("something odd", "warning"),
        ("could not inject the segment", "warning"),
        ("Segmentation fault (core dumped)", "critical"),
        ("JavaScript heap out of memory", "critical"),
        ("index.lock is corrupted", "critical"),
        ("1 vulnerability found", "critical"),
        ("DeprecationWarning: the punycode module is deprecated", "info"),
        ("warning: deprecated call, then TypeError: x", "warning"),
    ],
)
def test_severity_tells_what_loses_data_from_what_only_warns(text, severity):
    assert severity_of(text) == severity


def test_critical_ranks_before_warning_before_info_before_what_nobody_graded():
    assert sorted(["", "info", *SEVERITIES], key=severity_rank) == ["critical", "warning", "info", "info", ""]
