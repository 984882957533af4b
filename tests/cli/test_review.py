"""``limpet review`` by its door."""

import json
import os
import pty
import re
import select
import shlex
import subprocess
import sys

import pytest

from limpet.memory.candidates import read_open
from limpet.operations.memory.waiting import waiting

from ..conftest import SOURCE, write_settings
from ..conversation import write_rules
from ..event_log import logged
from ..hook_host import Host
from ..memories import Memories, wished
from ..operations.memory.test_candidates import Talk
from ..wishes import say

# The key that empties a line, and the end of what asks for one.
EMPTIED = "\x15"
ASKED = re.compile(rb"(?:quit|Enter: \w+\)|\[y/N\]|leave it\)): ")
BESIDE = "Let's keep the amounts of the invoices as integers of cents."
SAID = "Never mock the database.\n\n## Evidence\n\n> no, do not mock it (person, 2026-11-20)"


@pytest.fixture
def memories(workspace):
    """Three that were captured, the newest last; one of a person's, and one that was imported."""
    write_rules(workspace, "GLOBAL_ALWAYS_ON=true\nDATA_RECALL=schema\n", data="DATA_RULE_0=Read it.\n")
    kept = Memories(workspace)
    kept.add("Deploys go through staging first", source="agent:dev", days_ago=3)
    kept.add("Never mock the database", SAID, source="capture:abc", type="user_correction", days_ago=2)
    kept.add("Imports use parse_header in src/mail.py", source="model:small", days_ago=1, paths=("src/mail.py",))
    kept.add("A person wrote this", source="person")
    kept.add("It came from elsewhere", source="import:json")
    return kept


@pytest.fixture
def look(workspace, call):
    """What a person sees at a terminal of these columns who types this, and what is left on the screen at the end."""

    def review(typed, columns=80):
        leader, follower = pty.openpty()
        environment = {**os.environ, "PYTHONPATH": SOURCE, "COLUMNS": str(columns), "NO_COLOR": "1"}
        command = [sys.executable, "-m", "limpet", "review"]
        streams = {"stdin": follower, "stdout": follower, "stderr": follower}
        process = subprocess.Popen(command, cwd=workspace.root, env=environment, **streams)
        os.close(follower)
        lines, seen, answered = typed.encode().splitlines(keepends=True), b"", 0
        try:
            while select.select([leader], [], [], 60)[0] and (more := os.read(leader, 65536)):
                seen += more
                if lines and (asked := ASKED.search(seen, answered)):
                    answered = asked.end()
                    os.write(leader, lines.pop(0))
        except OSError:  # the other end is closed
            pass
        assert process.wait(60) == 0, seen
        os.close(leader)
        return seen.decode().replace("\r\n", "\n")

    return review


def titles(workspace, call):
    """Of what is in force, by the list."""
    return {one["title"] for one in json.loads(call("memory", "list", "--json").stdout)}


def test_what_nobody_wrote_is_listed_where_nobody_can_be_asked(memories, workspace, call):
    """Newest first; a list is no look."""
    done = call("review")
    assert done.stdout.startswith("1 heard and 2 written by agents, not looked at yet:\n")
    places = [done.stdout.index(word) for word in ("parse_header", "Never mock", "Deploys")]
    assert places == sorted(places) and "A person wrote" not in done.stdout and "elsewhere" not in done.stdout
    data = json.loads(call("review", "--json").stdout)
    assert data["waiting"] == 3 and data["pasted"] == []
    assert data["memories"][0]["called_by"][:2] == ["src/mail.py", "parse_header"]
    assert waiting(workspace) == 3


def test_each_is_shown_with_quote_and_what_brings_it(memories, look):
    """And asks for a letter."""
    seen = look("s\ns\nq\n")
    assert "2/3 heard on " in seen and "1/3 written by model small on " in seen and "Never mock the database" in seen
    assert "\n> no, do not mock it (person, 2026-11-20)" in seen
    assert "Comes with: src/mail.py, parse_header, prompts about Imports" in seen
    assert "k keep, e edit, d drop, m merge, r make a rule, s later, a leave all, q quit: " in seen
    assert seen.rstrip().endswith("Nothing changed.")


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_no_line_is_longer_than_the_terminal(memories, look, columns):
    """But for commands, which it wraps itself."""
    memories.add("The import of accounts is cut off after the first hundred rows of the file", source="agent:dev")
    for line in look("k\ne\nLess\nr\nnew\ny\nq\n", columns).splitlines():
        assert len(line) <= columns or line.startswith(("  limpet", "It says"))


def test_what_was_skipped_comes_again_and_what_was_looked_at_does_not(memories, workspace, look, call):
    """What was not waits; status says how many."""
    seen = look("s\nk\nq\n")
    assert 'Kept: "Never mock the database"' in seen and waiting(workspace) == 2
    assert "2 written, not looked at yet. Run: limpet review" in call("status").stdout
    assert json.loads(call("status", "--json").stdout)["waiting"] == 2
    assert "parse_header" in look("s\nq\n") and waiting(workspace) == 2
    look("a\n")
    assert waiting(workspace) == 0 and "not looked at" not in call("status").stdout
    assert call("review").stdout == "Nothing new to look at. Kept so far: 5 memories (limpet memory list).\n"
    assert not [name for name in os.listdir(workspace.home) if "look" in name]


@pytest.fixture
def heard(workspace):
    """What a person typed in a conversation that is over, kept as it was said, and what stood beside a paste."""
    talk = Talk(workspace, "talk").says("Build the importer.", "No, use tabs.", f"{BESIDE}\n\n> never mock it")
    talk.capture(turn=True)
    return Memories(workspace)


def test_a_wish_about_one_subject_opens_every_conversation_once_it_was_kept(workspace, look):
    """As the screen says, and as it did before it was looked at; it does not fade."""
    wish = "No, use Decimal, not float, for the rounding"
    Talk(workspace, "talk").says("Build the importer.", f"{wish}.").capture(turn=True)
    assert "the start of every conversation" in " ".join(look("k\n").split())
    (entry,) = Memories(workspace).entries(digests=False)
    assert entry.storage == "durable"
    answer = Host(workspace).send("SessionStart", source="startup", session_id="next")
    assert wished(answer) == [wish]


def test_what_was_kept_as_it_was_said_is_looked_at(heard, workspace, look):
    """It opens every conversation; what is kept or changed is so no more for want of a look."""
    seen = look("k\nq\n")
    assert "1/2 heard on 2026-" in seen and seen.count("No, use tabs") == 2  # and that it was kept
    assert "Comes with: the start of every conversation, while all of these fit" in " ".join(seen.split())
    (entry,) = heard.entries(digests=False)
    assert (entry.title, entry.tags, entry.evidence[-1].how) == ("No, use tabs", (), "confirmed")
    assert BESIDE in [each["quote"].partition(" >")[0] for each in read_open(workspace.shared)]
    assert "No, use tabs." not in [each["quote"] for each in read_open(workspace.shared)]


def test_an_edit_is_a_look_and_a_skip_is_none(heard, look):
    """The tag goes with the first and stays with the other."""
    look("s\nq\n")
    assert [entry.tags for entry in heard.entries(digests=False)] == [("unreviewed",)]
    look(f"e\n{EMPTIED}Use tabs, never spaces\nq\n")
    assert [(entry.title, entry.tags) for entry in heard.entries(digests=False)] == [("Use tabs, never spaces", ())]


@pytest.mark.parametrize(("key", "kept"), [("k", [BESIDE.rstrip(".")]), ("d", []), ("s", [])])
def test_words_beside_a_paste_are_shown_at_the_end_and_become_a_memory_or_nothing(heard, workspace, look, key, kept):
    """By one key; the agent is asked for neither afterwards, and a copy brings none back."""
    seen = look(f"k\n{key}\nq\n")
    assert "2/2 heard on 2026-" in seen and "beside a pasted text:" in seen and BESIDE in seen
    heard.tell_index()
    titles = [entry.title.rstrip(".") for entry in heard.entries(digests=False)]
    assert sorted(titles) == sorted(["No, use tabs", *kept])
    assert bool(read_open(workspace.shared)) == (key == "s")
    copy = Talk(workspace, "copy").says("Build the importer.", f"{BESIDE}\n\n> never mock it", ids=["talk-0", "talk-2"])
    assert copy.capture(turn=True) == {}


def test_where_nobody_can_be_asked_words_beside_a_paste_are_listed(heard, call):
    """With their day, as data too."""
    assert f'Not kept, beside a pasted text: "{BESIDE}"' in call("review").stdout
    (one,) = json.loads(call("review", "--json").stdout)["pasted"]
    assert one["quote"] == BESIDE and one["at"].startswith("2026-") and one["id"]


def test_a_wish_that_went_down_with_a_task_is_offered_at_the_end(workspace, look, memories):
    """It would have been kept anywhere else; what only gives work is not."""
    wish = "Let's use Redis for the cache of the importer, and build it"
    Talk(workspace, "begun").says(f"{wish}.").capture(turn=True)
    Talk(workspace, "work").says("Add a docstring to the importer").capture(turn=True)
    seen = look("s\ns\ns\nk\nq\n")
    assert "with the task of a conversation:" in seen and "docstring" not in seen
    memories.tell_index()
    assert wish in [entry.title.rstrip(".") for entry in memories.entries(digests=False)]


def test_what_counts_for_another_memory_can_be_undone(memories, workspace, look, call):
    """By the command that is printed."""
    (other,) = (one.id for one in memories.entries() if one.title == "Never mock the database")
    seen = look(f"m\n{other}\nq\n")
    assert f"counts for {other} now" in " ".join(seen.split())
    undo = seen.split("To undo:\n  ")[1].splitlines()[0]
    assert "Imports use parse_header in src/mail.py" not in titles(workspace, call)
    call(*shlex.split(undo)[1:])
    assert "Imports use parse_header in src/mail.py" in titles(workspace, call)


def test_each_answer_is_carried_out_and_can_be_undone(memories, workspace, look, call):
    """Keep, edit, drop: said at once, before the next is shown."""
    seen = look(f"k\ne\n{EMPTIED}Never mock the database, use the container\nd\n")
    assert 'Kept: "Imports use parse_header in src/mail.py"\n\n2/3 heard' in seen
    undo = seen.split('Changed to "Never mock the database, use the container". To undo:\n  ')[1].split("\n\n3/3 ")[0]
    assert 'Dropped "Deploys go through staging first". To undo:\n  limpet memory undo ' in seen
    assert {"Never mock the database, use the container"} <= titles(workspace, call)
    (changed,) = (one for one in memories.entries() if one.title.startswith("Never mock"))
    assert changed.body.startswith("## Evidence") and "do not mock it" in changed.body
    (kept,) = (one for one in memories.entries() if one.title.startswith("Imports"))
    assert kept.evidence[-1].how == "confirmed" and kept.evidence[-1].by == "person"
    call("memory", "undo", seen.split("  limpet memory undo ")[1].split()[0])
    assert "Deploys go through staging first" in titles(workspace, call)
    assert "memory.forgotten" in {event["kind"] for event in logged(workspace.shared)}
    call(*shlex.split(undo)[1:])
    assert "Never mock the database" in titles(workspace, call)


def test_a_later_wish_against_an_earlier_one_says_so_and_drops_it(workspace, look, call):
    """What is only alike stays unmentioned."""
    kept = Memories(workspace)
    for days, title in enumerate(("Always run flake8 before you commit", "Always run mypy before you commit")):
        kept.add(title, source="person", type="user_correction", days_ago=days + 2)
    kept.add("No, use ruff, not flake8", source="capture:abc", type="user_correction", tags=("unreviewed",))
    seen = " ".join(look("o\n").split())
    assert 'Against "Always run flake8 before you commit" (' in seen and '"Always run mypy' not in seen
    assert 'Kept: "No, use ruff, not flake8" Dropped "Always run flake8 before you commit". To undo:' in seen
    assert titles(workspace, call) == {"Always run mypy before you commit", "No, use ruff, not flake8"}


def test_an_edit_begins_with_the_text(memories, workspace, look, call):
    """What is typed goes on from it; a text that stays, or is emptied, is left, and asked about again."""
    seen = look(f"s\ne\n Ever.\ne\n\ne\n{EMPTIED}\nq\n")
    assert 'Changed to "Never mock the database. Ever.".' in seen and seen.count("left as it is") == 2
    assert seen.count("\n3/3 written") == 3 and waiting(workspace) == 2
    assert "Deploys go through staging first" in titles(workspace, call)


def test_an_edit_keeps_what_else_the_memory_says(memories, look, call):
    """And puts a new text in place of the whole of a long one, which the undo brings back."""
    body = "Deploys need a tag: the pipeline reads it.\n\n## Evidence\n\n> tag it (person, 2026-11-20)"
    memories.add("Deploys need a tag", body, source="agent:dev")
    seen = look(f"e\n{EMPTIED}Deploys need two tags\nq\n")
    (changed,) = (one for one in memories.entries() if one.title == "Deploys need two tags")
    assert changed.body == body[body.index("## Evidence") :]
    undo = seen.split("To undo:\n  ")[1].split("\n\n2/4 ")[0]
    call(*shlex.split(undo)[1:])
    (restored,) = (one for one in memories.entries() if one.title == "Deploys need a tag")
    assert restored.body == body


def test_a_memory_becomes_a_rule(memories, workspace, look, call):
    """Of a domain that there is, or of a new one that is always on, as is said before; it is not said twice."""
    seen = look("r\ndata\ny\nr\nnew\nn\nr\nnew\ny\nq\n")
    assert "A domain is a group of rules that come together. Yours:\n  DATA: comes with schema\n" in seen
    assert "  another name: a new one, which comes with every prompt\n" in seen
    added = ".limpet/rules/data:2: + DATA_RULE_1=Imports use parse_header in src/mail.py\n"
    assert f"{added}DATA is active, called by: schema\nWrite it?" in seen
    assert 'Made a rule of DATA: "Imports use parse_header' in seen
    undo = [shlex.split(line)[1:] for line in seen.splitlines() if "--withdraw" in line]
    before, after = seen.split("left as it is")
    assert "new is a new domain: its rules come with every prompt." in before and "NEW_RULE_0=" in before
    assert "To undo:\n  limpet learn proposals --withdraw " in after
    domains = {one["name"]: one for one in json.loads(call("rules", "list", "--json").stdout)}
    assert domains["NEW"]["kind"] == "always" and domains["NEW"]["rules"] == 1
    both = {"Never mock the database", "Imports use parse_header in src/mail.py"}
    assert not both & titles(workspace, call)
    for command in undo:
        assert call(*command, "--yes").returncode == 0
    assert both <= titles(workspace, call)
    domains = {one["name"]: one for one in json.loads(call("rules", "list", "--json").stdout)}
    assert "NEW" not in domains and domains["DATA"]["rules"] == 1


def test_proposals_come_first(memories, workspace, look, call):
    """Each with its words and one key; what was done is said at once, with its undo."""
    keys = [say(memories, title) for title in ("Use the container", "Be brief", "Quote names", "Skip me")]
    listed = call("review").stdout
    proposed = "Said 5 times in 3 conversations: make it a rule of WISHES?"
    assert listed.index(proposed) < listed.index("not looked at yet")
    assert {one["id"] for one in json.loads(call("review", "--json").stdout)["proposals"]} == {*keys}
    assert "4 rules proposed. Run: limpet review" in call("status").stdout
    first, second, third, _ = sorted(keys)
    seen = look(f"y\nn\ne\n{EMPTIED}Quote each name\ns\nq\n")
    assert "1/7 Said 5 times" in seen and "\n  > no, do not mock it (user" in seen
    assert "y yes, e edit, n no, s later, a leave all, q quit" in seen
    assert f"\n  limpet learn proposals --withdraw {first[-8:]}\n" in seen and ': "Quote each name". To undo:' in seen
    assert f"until twice as much speaks for it. To undo:\n  limpet learn proposals --withdraw {second[-8:]}" in seen
    assert len(json.loads(call("learn", "proposals", "--json").stdout)["proposals"]) == 1
    assert call("learn", "proposals", "--withdraw", third, "--yes").returncode == 0


def test_of_digests_nobody_is_asked_or_told(workspace, call, memories):
    """They come with no prompt and are in no list but their own."""
    memories.add("Fix the import (2026-11-20)", source="agent", type="episodic", tags=("digest",))
    for command in (("review",), ("memory", "list"), ("review", "--json"), ("memory", "list", "--json")):
        done = call(*command)
        assert "Fix the import" not in done.stdout and "digest" not in done.stdout + done.stderr
    assert "Fix the import" in call("memory", "list", "--tag", "digest").stdout
    assert "Fix the import" in call("memory", "search", "fix import").stdout


def test_what_cannot_be_done_is_said_and_waits(memories, workspace, look):
    """A name that no domain can have, and a slip of the key."""
    seen = look("r\n7up\nr\nd\nq\n")
    assert "limpet: '7up' is not a valid domain name" in seen and waiting(workspace) == 3
    assert "'d' is too short for a domain" in seen and "Write it?" not in seen


def test_without_a_name_a_rule_gets_the_usual_domain(memories, look, call):
    """It is named before, and nothing is written without a yes."""
    seen = look("r\n\nn\nr\n\ny\nq\n")
    assert "Domain (Enter: WISHES): " in seen and seen.count("left as it is") == 1
    domains = {one["name"]: one for one in json.loads(call("rules", "list", "--json").stdout)}
    assert domains["WISHES"]["rules"] == 1


@pytest.fixture
def wish(workspace):
    """A wish that a person had kept, which opens every conversation."""
    kept = Memories(workspace)
    kept.add("Never touch docs/sponsors", source="capture:abc", type="user_correction")
    return kept


def test_with_what_it_comes_is_true(wish, look):
    """A standing wish comes with every conversation, whatever words a prompt has."""
    seen = look("q\n")
    assert "Comes with: the start of every conversation, while all of these fit\n" in seen.replace(
        "these\nfit", "these fit"
    )
    assert "prompts about" not in seen


def test_what_an_agent_found_out_is_not_said_to_be_heard(workspace, look, call):
    """It is the agent's, though it is kept as it was said."""
    talk = Talk(workspace, "talk").says("Find out why the sums differ.").runs("pytest -q", "AssertionError: 3 != 4")
    talk.says("The problem was the time zone of the runner in CI.", role="assistant").says("Thanks.")
    talk.capture(turn=True)
    assert call("review").stdout.startswith("1 written by an agent, not looked at yet:\n")
    seen = look("q\n")
    assert "1/1 written by an agent on " in seen and "The problem was the time zone" in seen


def test_what_was_said_often_is_not_said_to_be_an_agents(workspace, look, call):
    """It is kept without a look; the same wish in six conversations."""
    for number in range(6):
        talk = Talk(workspace, f"talk-{number}").says("Write the importer.").says("Done.", role="assistant")
        talk.says("No, always use tabs in the importer, never spaces.").says("Done.", role="assistant").says("Thanks.")
        talk.capture(turn=True)
    listed = call("review").stdout
    assert "1 heard, not looked at yet:\n" in listed and "written" not in listed
    assert "written" not in look("q\n")


def test_the_persons_words_are_shown_whole_with_what_they_answered(workspace, look):
    """Not only the line that was taken from them."""
    talk = Talk(workspace, "talk").says("Build the importer.")
    talk.says("I used npm for it.", role="assistant").says("No, use pnpm. You forgot that twice, and it costs me time.")
    talk.capture(turn=True)
    seen = " ".join(look("q\n").split())
    assert '"No, use pnpm. You forgot that twice, and it costs me time."' in seen
    assert 'after "I used npm for it."' in seen


def test_a_shipped_domain_is_not_copied_unseen(memories, workspace, look, call):
    """Its state, what calls it and that a copy takes its place are said before; the undo gives it back."""
    seen = look("r\nqa\ny\nq\n")
    before, after = seen.split("Write it?")
    assert "It would read:\n" in before and "QA is inactive, called by: a check that failed;" in before
    assert ".limpet/rules/qa would hold in place of what Limpet ships" in " ".join(before.split())
    (undo,) = (shlex.split(line)[1:] for line in after.splitlines() if "--withdraw" in line)
    assert os.path.exists(workspace.path("rules", "qa"))
    assert call(*undo, "--yes").returncode == 0 and not os.path.exists(workspace.path("rules", "qa"))


def test_an_agent_is_shown_a_list(memories, workspace, call):
    """It decides nothing, and looks at nothing for a person."""
    assert "1 heard and 2 written by agents, not looked at" in call("review", agent="dev").stdout
    assert waiting(workspace) == 3


def test_more_wishes_than_a_start_has_room_for_are_named(workspace, call):
    """With what becomes of them, and what to do."""
    write_settings(workspace, "memory: {wishes: {FRESH: 40}}\n")
    memories = Memories(workspace)
    memories.add_many(
        {"title": f"Always keep the ledger of month {n} in order", "type": "user_correction"} for n in range(9)
    )
    said = " ".join(call("review").stdout.split())
    assert "9 standing wishes" in said and "with paths they come with these files" in said
    write_settings(workspace, "memory: {wishes: {FRESH: 900}}\n")
    assert "standing wishes" not in call("review").stdout


def test_leaving_all_says_what_became_of_them_and_every_screen_agrees(memories, look, call):
    """They count as kept, and nothing is said to wait."""
    heard = {"type": "user_correction", "source": "capture:t", "session": "t", "tags": ("unreviewed",)}
    memories.add("Never squash commits", **heard)
    memories.add("Never mock the clock", **heard)
    assert "3 heard and 2 written, not looked at yet" in call("status").stdout
    assert "left as heard: your agent goes on getting them" in " ".join(look("a\n").split())
    assert "Nothing new to look at" in call("review").stdout
    assert "not looked at" not in call("status").stdout
