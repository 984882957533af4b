"""Every page in Chromium: it opens without a fault, for everybody, at two widths and in two themes."""

import re

import pytest

from .conftest import CONVERSATION

PAGES = (
    *("/", "/conversations", f"/conversations/{CONVERSATION}", f"/conversations/{CONVERSATION}/1", "/review"),
    *("/memories", "/memories?q=deploy", "/memories?state=forgotten", "/rules", "/rules/DATA", "/rules/CONSTITUTION"),
    *("/rules?prompt=change+the+schema", "/learning", "/learning/PR-001", "/work", "/work/S-1", "/health", "/guard"),
    *("/guard?show=all", "/memories/none-such"),
)


def faults(page):
    """What axe finds by WCAG 2.1 A and AA: rule and element."""
    from axe_playwright_python.sync_playwright import Axe

    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": tags}}).response["violations"]
    return [(one["id"], node["html"][:120]) for one in found for node in one["nodes"]]


def test_a_fault_would_be_found(serve, look):
    page = look(serve())
    page.evaluate("document.querySelector('main').append(new Image())")
    assert [rule for rule, _ in faults(page)] == ["image-alt"]


@pytest.mark.parametrize("width, scheme", [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
def test_every_page_is_for_everybody(serve, look, filled, width, scheme):
    """No fault of access, nothing wider than the screen, a title and one heading of its own."""
    served = serve()
    page = look(served, width, scheme)
    for path in (*PAGES, f"/memories/{filled['heard']}", f"/memories/{filled['hostile']}"):
        if path != "/memories/none-such":  # Chromium itself reports a page that is not there
            assert page.goto(served.base + path).status == 200, path
            assert faults(page) == [], path
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert page.locator("h1").count() == 1 and page.title().endswith("· Limpet"), path
            assert page.title() != "taken"


def test_an_empty_project_says_what_to_do(serve, look):
    served = serve()
    page = look(served)
    for path, what in {
        "/": "Start your coding agent",
        "/conversations": "Start your coding agent",
        "/review": "waits here for your look",
        "/memories": "limpet memory add",
        "/rules": "limpet rules add",
        "/learning": "limpet learn observe",
        "/work": "limpet work start",
        "/guard": "listed here",
    }.items():
        page.goto(served.base + path)
        assert what in page.locator("main").inner_text(), path
        assert faults(page) == [], path


def test_the_menu_leads_everywhere_by_keyboard(serve, look, filled):
    served = serve()
    page = look(served)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    for name in ("Conversations", "Review", "Memories", "Rules", "Learning", "Work", "Health", "Guard", "Now"):
        page.get_by_role("navigation").get_by_role("link", name=name, exact=True).focus()
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(name.lower() if name != "Now" else r"/$"))
        assert page.get_by_role("heading", level=1).inner_text() == name


def test_the_theme_is_chosen_and_kept(serve, look):
    """As the system has it, light, dark, and as the system again."""
    page = look(serve())
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Theme").click()
    page.get_by_role("button", name="Theme: light").click()
    page.get_by_role("button", name="Theme: dark").wait_for()
    assert page.evaluate(paper) != light
    page.reload()
    assert page.evaluate(paper) != light
    page.get_by_role("button", name="Theme: dark").click()
    assert page.evaluate(paper) == light


def test_why_a_rule_came_is_said_piece_by_piece(serve, look, filled):
    served = serve()
    page = look(served)
    page.get_by_role("link", name=re.compile("^why")).last.click()
    page.get_by_role("row", name="DATA called by: schema").wait_for()
    assert "Read the schema first." in page.locator("pre").inner_text()


def test_what_a_conversation_cost_is_drawn_and_told(serve, look, filled):
    page = look(serve())
    page.get_by_role("navigation").get_by_role("link", name="Conversations").click()
    page.locator("td a").first.click()
    page.get_by_role("heading", name="What it cost").wait_for()
    assert page.get_by_role("img", name="Tokens that Limpet sent with each prompt").locator("rect").count() > 2
    assert "DATA" in page.get_by_role("region", name="By piece").inner_text()


def test_a_prompt_is_tried(serve, look, filled):
    page = look(serve())
    page.get_by_role("link", name="Rules", exact=True).click()
    page.get_by_label("A prompt to try").fill("change the schema")
    page.get_by_role("button", name="Try it").click()
    page.get_by_role("row", name="DATA matched: schema").wait_for()


def test_a_confidence_has_a_curve_with_what_was_observed(serve, look, filled):
    page = look(serve())
    page.get_by_role("link", name="Learning").click()
    page.get_by_role("link", name=re.compile("^PR-001")).click()
    page.get_by_role("heading", name="Speaks against it").wait_for()
    assert page.locator("svg.curve circle").count() == 5


def test_the_list_follows_what_is_typed(serve, look, filled):
    """Without a button, and the address says what was asked."""
    page = look(serve())
    page.get_by_role("link", name="Memories", exact=True).click()
    page.get_by_label("Search").press_sequentially("deploy frid")
    page.get_by_role("link", name="We deploy on Mondays").wait_for(state="detached")
    assert page.locator("#results a").all_inner_texts() == ["We deploy on Fridays"]
    page.wait_for_url(re.compile(r"q=deploy\+frid"))


def test_the_first_page_follows_what_happens(serve, look, filled, run):
    """A memory that somebody adds elsewhere is there without a click."""
    page = look(serve())
    assert run("memory", "add", "Ship on Tuesdays").returncode == 0
    page.get_by_text("Ship on Tuesdays").wait_for(timeout=30_000)
