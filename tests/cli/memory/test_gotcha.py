"""``limpet memory list --type gotcha`` by its door."""

import json

import pytest


@pytest.fixture
def note(call):
    def note_gotcha(*arguments, agent=None):
        done = call("memory", "add", "--type", "gotcha", *arguments, agent=agent)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return note_gotcha


@pytest.fixture
def answer(call):
    def ask_gotcha(*arguments, agent=None):
        done = call("memory", *arguments, "--json", agent=agent)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask_gotcha


def test_filters_narrow_the_list(note, answer):
    """By whether it is gone, also without the type; other filters are those of every memory."""
    build, lint = note("One", "--category", "build"), note("Two", "--severity", "info", "--tag", "ci")
    answer("edit", build, "--resolved")
    assert [one["id"] for one in answer("list", "--type", "gotcha", "--unresolved")] == [lint]
    assert [one["id"] for one in answer("list", "--unresolved")] == [lint]
    assert [one["id"] for one in answer("list", "--type", "gotcha", "--tag", "ci")] == [lint]
    assert len(answer("list", "--type", "gotcha", "--limit", "1")) == 1


def test_the_grave_and_the_frequent_come_first(note, answer):
    """Whichever is the newest."""
    grave, newest = note("One", "--severity", "critical"), note("Two", "--severity", "info")
    assert [one["id"] for one in answer("list", "--type", "gotcha")] == [grave, newest]


@pytest.mark.parametrize(
    "words", [("list", "--unresolved", "--tag", "x"), ("list", "--unresolved", "--type", "lesson")]
)
def test_a_filter_that_cannot_be_is_refused(call, words):
    assert call("memory", *words).returncode == 2


def test_resolve_keeps_what_helped_and_can_be_taken_back(call, note, answer):
    """A resolved gotcha is shown as such."""
    key = note("The table is locked")
    done = answer("edit", key, "--resolved", "--workaround", "Run it at night.")
    assert (done["resolved"], done["workaround"]) == (True, "Run it at night.")
    line = call("memory", "list", "--type", "gotcha").stdout.splitlines()[1]
    assert "resolved" in line
    assert line.endswith("The table is locked -> Run it at night.")
    assert answer("edit", key, "--reopen")["resolved"] is False


def test_an_error_finds_its_gotcha(note, answer):
    """By the text that the tool printed."""
    key = note("connect ECONNREFUSED 127.0.0.1:5432")
    assert [one["id"] for one in answer("search", "Error: ECONNREFUSED while connecting", "--type", "gotcha")] == [key]


def test_an_agents_own_gotcha_is_its_own(note, answer):
    """With --private; else it is everybody's."""
    own = note("Private trap", "--private", agent="dev")
    shared = note("Shared trap", agent="dev")
    assert {one["id"] for one in answer("list", "--type", "gotcha", agent="dev")} == {own, shared}
    assert [one["id"] for one in answer("list", "--type", "gotcha", agent="architect")] == [shared]


def test_nothing_is_said_of_nothing(call):
    """In a project without any."""
    assert call("memory", "list", "--type", "gotcha").stdout == "No gotchas match.\n"
