"""What the page does, done with its forms in Chromium, and what then stands in the files."""

import os
import re

import pytest

from limpet.ground.storage.files import read_text
from limpet.memory.looked_at import looked_at
from limpet.memory.model.layout import full_path
from limpet.operations.guard import read_guard_decisions
from limpet.operations.learning.decisions import read_decisions

from ..memories import Memories


@pytest.fixture
def page(serve, look, filled):
    return look(serve())


@pytest.fixture
def entry(workspace):
    """Finds an entry by its id: its fields and where it lies."""
    memories = Memories(workspace)

    def find(key):
        memories.tell_index()
        return memories.library.show(key, count=False)

    return find


def go(page, path):
    page.goto(re.match(r"http://[^/]+", page.url)[0] + path)


def press(page, name):
    """The button, once; the page that comes says what was done."""
    page.get_by_role("button", name=re.compile(f"^{name}")).first.click()
    page.locator(".said, h1:has-text('Do you agree?')").first.wait_for()


def test_keep(page, filled, entry, workspace):
    go(page, "/review")
    press(page, "Keep: Use pnpm")
    assert "unreviewed" not in entry(filled["heard"]).entry.tags and entry(filled["heard"]).entry.storage == "durable"
    assert filled["heard"] in looked_at(workspace)
    assert page.get_by_role("heading", name="Use pnpm").count() == 0


def test_edit(page, filled, entry):
    go(page, f"/memories/{filled['old']}")
    page.get_by_label("What it says").fill("We deploy on Thursdays")
    page.get_by_label("More of it").fill("Never before noon.\nNever late.")
    press(page, "Save")
    assert entry(filled["old"]).entry.title == "We deploy on Thursdays"
    assert entry(filled["old"]).entry.body == "Never before noon.\nNever late."


def test_pin_and_unpin(page, filled, entry):
    go(page, f"/memories/{filled['old']}")
    press(page, "Pin")
    assert entry(filled["old"]).entry.pinned
    press(page, "Unpin")
    assert not entry(filled["old"]).entry.pinned


def test_archive_forget_and_undo(page, filled, entry, workspace):
    """The file moves, and comes back by the button that is offered at once."""
    go(page, f"/memories/{filled['old']}")
    press(page, "Archive")
    assert entry(filled["old"]).place.state == "archive"
    press(page, "Undo")
    assert entry(filled["old"]).place.state == "current"
    press(page, "Forget")
    assert entry(filled["old"]).place.state == "forgotten"
    assert os.path.isfile(full_path(workspace.shared, entry(filled["old"]).path))
    go(page, "/memories?state=forgotten")
    page.get_by_role("link", name="We deploy on Fridays").click()
    press(page, "Bring back")
    assert entry(filled["old"]).place.state == "current"


def test_what_was_not_kept_is_kept_or_dropped(page, workspace):
    go(page, "/review")
    press(page, "Keep: always write")
    assert [one.title for one in Memories(workspace).cards(text="") if "changelog" in one.title]


def test_a_rule_is_checked_then_changed(page, workspace):
    """The check writes nothing and shows what would stand there."""
    file = workspace.path("rules", "data")
    go(page, "/rules/DATA")
    rule = page.locator(".rule").first
    rule.get_by_role("textbox").fill("Read the schema twice.")
    rule.get_by_role("checkbox").check()
    press(page, "Save")
    assert "Read the schema twice." in page.locator(".said").inner_text()
    assert "Read the schema first." in read_text(file)
    rule.get_by_role("textbox").fill("Read the schema twice.")
    press(page, "Save")
    assert "DATA_RULE_0=Read the schema twice." in read_text(file)


def test_a_rule_is_added_and_removed(page, workspace):
    file = workspace.path("rules", "data")
    go(page, "/rules/DATA")
    page.get_by_label("The rule").fill("Name every constraint.")
    press(page, "Add")
    assert "=Name every constraint." in read_text(file)
    press(page, "Remove: Name every")
    assert "Name every constraint." not in read_text(file)


def test_a_domain_is_switched(page, workspace):
    go(page, "/rules/API")
    press(page, "Switch off")
    assert "API_STATE=inactive" in read_text(workspace.path("rules", "manifest"))
    press(page, "Switch on")
    assert "API_STATE=active" in read_text(workspace.path("rules", "manifest"))


def test_a_mistake_changes_nothing_and_is_said(page, filled, entry):
    """A secret is not kept, and a rule without words is none."""
    go(page, f"/memories/{filled['old']}")
    page.get_by_label("What it says").fill(" ")
    press(page, "Save")
    assert "is empty" in page.locator(".wrong").inner_text()
    assert entry(filled["old"]).entry.title == "We deploy on Fridays"


def test_a_proposal_takes_the_word_that_the_terminal_shows(serve, look, filled, workspace):
    served = serve()
    page = look(served)
    go(page, "/review")
    press(page, "Approve")
    page.get_by_label("The word").fill("wrong")
    served.word()
    page.get_by_role("button", name="Agree").click()
    assert "Not agreed" in page.locator(".wrong").inner_text()
    assert read_decisions(workspace) == {} and "Never mock" not in (read_text(workspace.path("rules", "data")) or "")
    press(page, "Approve")
    page.get_by_label("The word").fill(served.word())
    page.get_by_role("button", name="Agree").click()
    page.locator(".said").first.wait_for()
    assert read_decisions(workspace)[filled["proposed"]].decided == "approved"
    assert "=Never mock the database" in read_text(workspace.path("rules", "data"))


def test_a_rejection_is_taken_back(serve, look, filled, workspace):
    served = serve()
    page = look(served)
    go(page, "/learning")
    for button, decided in (("Reject", {filled["proposed"]: "rejected"}), ("Take back", {})):
        press(page, button)
        page.get_by_label("The word").fill(served.word())
        page.get_by_role("button", name="Agree").click()
        page.locator(".said").first.wait_for()
        assert {id: one.decided for id, one in read_decisions(workspace).items()} == decided


def test_an_act_is_allowed_once(serve, look, filled, workspace):
    served = serve()
    page = look(served)
    go(page, "/guard")
    page.get_by_label("Reason").fill("hotfix")
    press(page, "Allow once")
    page.get_by_label("The word").fill(served.word())
    page.get_by_role("button", name="Agree").click()
    page.locator(".said").first.wait_for()
    assert [one.answer for one in read_guard_decisions(workspace, 5)] == ["deny", "once"]
