"""``limpet memory ... --user``: a person's own memories, for all projects."""

import json
import os
import time

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.storage.files import read_text
from limpet.jobs import maintain_daily, refresh_sources
from limpet.memory.model.entry import Query
from limpet.memory.model.layout import personal_home
from limpet.memory.personal import has_personal_memories, personal_cards
from limpet.memory.search.search import search_entries

from ...conftest import trusted
from ...conversation import write

SETTINGS = DEFAULTS["memory"]


@pytest.fixture
def other(tmp_path):
    (tmp_path / "other" / ".limpet").mkdir(parents=True)
    return trusted(tmp_path / "other").root


def called(text):
    query = Query(limit=5, now=time.time())

    def find(index, own):
        return [hit.card for hit in search_entries(index, own.replace(text=text), SETTINGS)]

    return [card.title for card in personal_cards(query, find, lambda: False)]


def test_it_is_found_in_every_project_and_outside_of_any_and_is_no_projects(call, add, ask, other, tmp_path):
    """A project's own lists do not have it."""
    key = add("--user", "I write commit messages in English.")
    for folder in (other, str(tmp_path)):
        (hit,) = json.loads(call("memory", "search", "commit messages", "--user", "--json", cwd=folder).stdout)
        assert hit["id"] == key
    assert ask("list", "--user")[0]["id"] == key
    assert ask("list") == []
    assert ask("show", key, "--user")["path"].startswith(personal_home())


def test_a_block_calls_it_by_an_id_that_show_takes(add, ask):
    """Whole or in short, by a person or an agent, without saying whose it is; it counts as opened there."""
    key = add("--user", "I write commit messages in English.")
    for agent, name in ((None, key), ("dev", key[-8:])):
        shown = ask("show", name, agent=agent)
        assert (shown["id"], shown["path"].startswith(personal_home())) == (key, True)
    assert shown["uses"] == {"shown": 0, "opened": 2, "confirmed": 0}


def test_the_projects_own_goes_before_it(add, ask):
    """Where a beginning of an id fits both."""
    keys = [add("Ours."), add("--user", "Mine.")]
    beginning = os.path.commonprefix(keys)
    assert len(beginning) > 4 and ask("show", beginning)["id"] == keys[0]


def test_what_neither_knows_is_told_once(call, add):
    """As where there are no personal memories."""
    before = call("memory", "show", "zzzzzzzz")
    add("--user", "Mine.")
    after = call("memory", "show", "zzzzzzzz")
    assert (after.returncode, after.stdout, after.stderr) == (1, "", before.stderr)


def test_an_agent_reads_it_and_writes_nothing(call, add, ask):
    """Not even a proposal."""
    key = add("--user", "I write commit messages in English.")
    assert [one["id"] for one in ask("search", "commit", "--user", agent="dev")] == [key]
    for command in (("add", "Obey."), ("forget", key), ("undo", key)):
        done = call("memory", *command, "--user", agent="dev")
        assert (done.returncode, "Only a person can" in done.stderr) == (1, True)


@pytest.mark.parametrize("options", ["--daily", "--session", "--private --agent dev", "--path src/a.py"])
def test_what_ties_it_to_a_project_is_refused(call, options):
    """It is kept for good, for all."""
    done = call("memory", "add", "--user", "Mine.", *options.split())
    assert (done.returncode, "applies to all projects" in done.stderr) == (1, True)


def test_forget_and_undo(call, add, ask):
    """With the command that undoes it, and deleted after its time by the maintenance of whichever project."""
    key = add("--user", "I write commit messages in English.")
    told = call("memory", "forget", key, "--user").stdout
    assert f"Undo within 30 days: limpet memory undo {key[-8:]} --user\n" in told
    assert told.endswith(f"  limpet memory forget --now {key[-8:]} --user\n")
    assert ask("list", "--user") == []
    assert call("memory", "undo", key[-8:], "--user").returncode == 0
    assert [one["id"] for one in ask("list", "--user")] == [key]
    assert call("memory", "forget", key[-8:], "--user", "--now").stdout.startswith("Erased ")
    assert call("memory", "undo", key[-8:], "--user").returncode == 1


def test_what_was_forgotten_is_deleted_by_the_daily_maintenance(ask, add, workspace):
    """Of whichever project the person works in."""
    path = ask("forget", add("--user", "Mine."), "--user")["path"]
    os.utime(path, (1_600_000_000, 1_600_000_000))
    for days in range(0, 63, 31):  # the clock is steady from the first on
        maintain_daily(workspace, {"now": time.time() + days * 86_400})
    assert not os.path.exists(path)


def test_the_secrets_of_the_project_around_stay_out_of_it(add, ask, workspace):
    """They are known by value there only."""
    write(os.path.join(workspace.root, ".env"), "DATABASE_PASSWORD=correcthorse7battery\n")
    shown = ask("show", add("--user", "The password correcthorse7battery opens the database."), "--user")
    assert "correcthorse7battery" not in json.dumps(shown)


def test_a_personal_memory_is_not_shared_with_a_team(call, add):
    """The reason is told."""
    done = call("memory", "share", add("--user", "Mine."))
    assert (done.returncode, "is personal" in done.stderr) == (1, True)


def test_without_personal_memories_no_index_is_opened(call, add, monkeypatch):
    """Neither where there was never one nor where all are forgotten."""
    with monkeypatch.context() as unopened:
        unopened.setattr("limpet.memory.index.reading.open_index", None)
        assert (has_personal_memories(), called("commit")) == (False, [])
    call("memory", "forget", add("--user", "Mine."), "--user")
    monkeypatch.setattr("limpet.memory.index.reading.open_index", None)
    assert (has_personal_memories(), called("commit")) == (False, [])


def test_a_session_start_sees_what_was_edited_by_hand(add, ask, workspace):
    """As for the project's own."""
    path = ask("show", add("--user", "I write in English."), "--user")["path"]
    text = read_text(path)
    write(path, text.replace("English", "Portuguese"))
    refresh_sources(workspace, {"now": time.time()})
    assert called("portuguese") == ["I write in Portuguese."]
