"""Keyword domains against the last prompts: keywords that fire too often, or never."""

import pytest

from limpet.rules.check.project import check_usage

USED = "QA_RECALL=test\nGLOBAL_ALWAYS_ON=true\nOFF_RECALL=x\nOFF_STATE=off\n"


@pytest.mark.parametrize(
    ("prompts", "fired", "finding"),
    [
        (49, 49, ""),
        (50, 30, ""),
        (50, 31, "QA fires too often: in 31 of the last 50 prompts"),
        (199, 0, ""),
        (200, 1, ""),
        (200, 0, "QA never fired in the last 200 prompts"),
    ],
)
def test_keywords_that_fire_on_most_prompts_or_on_none_are_found(prompts, fired, finding):
    """Over 60 % of 50 or more; none of 200."""
    seen = [{"GLOBAL": (), "QA": ()}] * fired + [{"GLOBAL": ()}] * (prompts - fired)
    found = list(check_usage("manifest", USED, seen))
    assert [one.what for one in found] == ([finding] if finding else [])
    assert all(one.where == "manifest:1" for one in found)


def test_the_words_that_fire_most_are_named():
    """So that the list can be narrowed where it is too wide."""
    seen = [{"QA": ("test", "bug")}] * 30 + [{"QA": ("test",)}] * 20
    assert [one.what for one in check_usage("manifest", USED, seen)] == [
        "QA fires too often: in 50 of the last 50 prompts (test in 50, bug in 30)"
    ]


def test_only_the_last_prompts_count():
    """What was long ago says nothing of the words of today."""
    seen = [{"QA": ("test",)}] * 500 + [{}] * 150 + [{"QA": ("test",)}] * 50
    assert list(check_usage("manifest", USED, seen)) == []
