"""The backlog."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.pipeline.overview import add_item, backlog_items, change_item, count_backlog

from .pipelines import NOW, after


def backlog(*rows):
    names = ("id", "priority", "status", "title")
    return {"backlog": [dict(zip(names, row.split(), strict=True)) for row in rows]}


def test_an_item_has_the_seeds_fields():
    """A6: id, title, priority, status, source_agent, target_agent, created_at, notes."""
    session = {"current_agent": "ux"}
    assert after(session, add_item(session, " Contrast ", NOW, "low", "dev", "menu"))["backlog"] == [
        {
            "id": "BL-001",
            "title": "Contrast",
            "priority": "low",
            "status": "pending",
            "source_agent": "ux",
            "target_agent": "dev",
            "created_at": "2026-10-21T12:00:00Z",
            "notes": "menu",
        }
    ]


@pytest.mark.parametrize(
    ("ids", "following"),
    [([], "BL-001"), (["BL-009", "BL-002"], "BL-010"), (["BL-999"], "BL-1000"), (["ours", None], "BL-001")],
)
def test_a_new_id_is_above_all_others(ids, following):
    """Whatever stands in the file by hand."""
    session = {"backlog": [{"id": name} for name in ids]}
    assert after(session, add_item(session, "x", NOW))["backlog"][-1]["id"] == following


def test_the_most_urgent_comes_first():
    """Within a priority in the order in which they came."""
    session = backlog("BL-1 low pending a", "BL-2 high pending b", "BL-3 high done c", "BL-4 high in_progress d")
    assert [item["title"] for item in backlog_items(session, ("pending", "in_progress"))] == ["b", "d", "a"]
    assert count_backlog(session) == {"pending": 2, "in_progress": 1, "done": 1, "deferred": 0}


def test_one_item_changes_and_the_others_stay():
    """By its id in any case."""
    session = backlog("BL-1 low pending a", "BL-2 low pending b")
    changed = after(session, change_item(session, "bl-2", status="done"))["backlog"]
    assert changed == [session["backlog"][0], {**session["backlog"][1], "status": "done"}]


def test_an_unknown_item_is_refused():
    """It names the list."""
    with pytest.raises(LimpetError, match="No backlog item BL-7"):
        change_item({}, "BL-7", status="done")


def test_a_title_is_needed():
    """White space is none."""
    with pytest.raises(LimpetError, match="needs a title"):
        add_item({}, " ", NOW)
