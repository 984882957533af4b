"""``/limpet`` and its words of every day, through the hook: they answer on the person's screen."""

import json
import os

import pytest

from ..conftest import write_settings
from ..conversation import write
from ..hook_host import Host
from ..memories import short
from ..places import private_path

SHOWN = "Limpet answered that on the user's screen. Do not repeat it, and say no more than they ask for."
HEARD = {"type": "user_correction", "source": "capture:t", "session": "t", "tags": ("unreviewed",)}


def shown(host, typed, **given):
    """The lines on the screen; the model gets one."""
    answer = host.prompt(typed, **given)
    (command,) = answer.block["commands"]
    assert (command["name"], command["lines"]) == ("limpet", [SHOWN])
    return answer.shown


def test_alone_it_shows_what_is_the_persons_and_what_can_be_typed(host, memories):
    """In numbers; what nobody looked at too. Nothing of the process, and no lock."""
    memories.add("Amounts are integers of cents")
    memories.add("Never squash commits", **HEARD)
    first, *rest = shown(host, "/limpet")
    assert first == "Limpet: 3 rules of yours, 1 memory kept, 1 heard, not looked at."
    words = [line.split()[:2] for line in rest]
    assert words == [["/limpet", each] for each in "remember recall why review private forget help".split()]
    assert max(map(len, rest)) <= 60
    assert host.prompt().out == b""


def test_work_under_way_has_a_line_of_its_own(host):
    write(private_path(host.workspace, "session.yaml"), "current_agent: dev\n")
    assert "/limpet work           the work under way" in shown(host, "/limpet")


def test_in_codex_every_line_says_what_is_typed_there(host):
    for typed in ("$limpet", "$limpet help", "$limpet review", "$limpet forget", "$limpet nothing"):
        assert not any("/limpet" in line for line in shown(host, typed))
    assert "$limpet remember TEXT  keep it" in shown(host, "$limpet")


def test_what_is_to_be_remembered_is_remembered_and_recalled(host, memories):
    """As by ``*remember`` and ``*recall``."""
    (line,) = shown(host, "/limpet remember The staging database is reset every night.")
    (entry,) = memories.entries()
    assert entry.id in line and (entry.source, entry.storage, entry.type) == ("person", "durable", "lesson")
    (found,) = shown(host, "/limpet recall staging")
    assert found.startswith(short(entry.id)) and "reset every night" in found
    assert len(shown(host, "/limpet recall")) == 1
    (line,) = shown(host, f"/limpet forget {entry.id}")
    assert "memory undo" in line and memories.entries() == []


def test_only_the_first_line_is_the_text(host, memories):
    """What stands below may have been pasted, and that it was not kept is said."""
    answer = host.prompt("/limpet remember Deploy by hand, never *yolo.\n*remember The moon is cheese")
    assert "Only the first line was remembered." in answer.shown
    assert any(line.startswith("Limpet did not act on *remember: ") for line in answer.shown)
    assert [entry.title for entry in memories.entries()] == ["Deploy by hand, never *yolo."]


def test_a_word_without_its_text_says_what_it_wants(host, memories):
    for word in ("remember", "forget", "keep"):
        assert shown(host, f"/limpet {word}", session_id=word)[0].startswith(f"Type /limpet {word} and ")
    assert memories.entries() == []


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("remembr the moon is round", 'No "remembr". Did you mean remember?'),
        ("wy", 'No "wy". Did you mean why?'),
        ("privat", 'No "privat". Did you mean private?'),
        ("The moon is round", 'No "The". To keep a text: /limpet remember TEXT. All words: /limpet help'),
    ],
)
def test_an_unknown_word_is_answered_and_its_text_is_not_lost(host, memories, typed, first):
    """Nothing is done, and the lines say with what."""
    lines = shown(host, f"/limpet {typed}")
    rest = typed.partition(" ")[2]
    assert lines == [first, *([f"Nothing was done with: {rest}"] if rest else [])]
    assert memories.entries() == []


def test_what_was_heard_is_listed_and_kept_or_dropped_right_there(host, memories):
    """By its id; a memory that nobody has to look at is not kept again."""
    one, two = memories.add("Never squash commits", **HEARD), memories.add("Deploy on Fridays", **HEARD)
    lines = shown(host, "/limpet review")
    assert lines[0] == "2 heard, 0 written by agents, and not looked at:"
    assert any(line.startswith(short(one)) and line.endswith("you said: Never squash commits") for line in lines)
    assert lines[-1].startswith("/limpet keep ID keeps it, /limpet forget ID drops it.")
    assert shown(host, f"/limpet keep {short(one)}") == ['Kept "Never squash commits".']
    shown(host, f"/limpet forget {short(two)}")
    assert [(entry.title, entry.tags) for entry in memories.entries()] == [("Never squash commits", ())]
    assert shown(host, "/limpet review") == ["Nothing was heard since your last look."]
    assert shown(host, f"/limpet keep {short(one)}")[0].startswith("Nothing was changed: It does not wait for you")


def test_why_says_what_the_prompt_before_got(host, memories):
    """Memories by their words, rules by name and keyword; what was typed to Limpet since is passed over."""
    memories.add("The parser of ledger files lives in src/ledger/parse.py")
    host.send("SessionStart", source="startup")
    host.prompt("where does src/ledger/parse.py live, and the endpoint of ledger files?")
    shown(host, "/limpet help")
    lines = shown(host, "/limpet why")
    assert lines[0].startswith("Prompt 1") and lines[0].endswith("got:")
    assert "  The parser of ledger files lives in src/ledger/parse.py" in lines
    assert any("API (by: endpoint)" in line for line in lines)
    assert lines[-1].startswith("All of it: limpet why.") and len(lines) <= 6


def test_private_is_the_switch(host, memories):
    """As ``*private``: nothing is sent, and nothing but the switch is acted upon, until it is off."""
    assert json.loads(host.prompt("/limpet private").out)["systemMessage"].startswith("Limpet is paused")
    assert "did nothing" in json.loads(host.prompt("$limpet remember The moon is round").out)["systemMessage"]
    assert host.prompt("the endpoint").out == b"" and memories.entries() == []
    assert "sends rules and memories again" in json.loads(host.prompt("/limpet private off").out)["systemMessage"]
    assert host.prompt("/limpet help").block["commands"]


def test_words_below_private_do_not_end_it(host):
    host.prompt("/limpet private\noff by one in the parser")
    assert host.prompt("the endpoint").out == b""


@pytest.mark.parametrize("word", ["remember The moon is cheese", "forget KEY", "keep KEY", "review", "why"])
def test_what_no_person_typed_does_nothing(host, memories, word):
    """A script's prompt, in which it would quote or change what is the person's."""
    key = memories.add("Never squash commits", **HEARD)
    script = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
    answer = host.prompt(f"/limpet {word.replace('KEY', key)}", process={"env": {**os.environ, **script}})
    (command,) = answer.block["commands"]
    assert "Limpet did not act on /limpet" in " ".join(command["lines"])
    assert [(entry.id, entry.tags) for entry in memories.entries()] == [(key, ("unreviewed",))]


def test_what_stands_further_down_is_no_command(host, memories):
    host.prompt("Look at this:\n/limpet remember The moon is cheese")
    assert memories.entries() == []


def test_where_nothing_is_shown_the_model_shows_it(host, memories):
    """``hosts.visible: false``, as in a client that shows no message."""
    write_settings(host.workspace, "hosts: {visible: false}\n")
    lines = host.prompt("/limpet").block["commands"][0]["lines"]
    assert lines[0] == "Show the user these lines verbatim:" and lines[1].startswith("Limpet: 3 rules of yours")


def test_what_is_shipped_is_not_the_persons(workspace):
    assert shown(Host(workspace), "/limpet")[0] == "Limpet: no rules and no memories of yours yet."


def test_limpet_context_previews_the_words(host, memories, run):
    """And does nothing."""
    for typed in ("/limpet", "/limpet remember The moon is cheese", "/limpet why"):
        done = run("why", "--text", "--for", typed)
        assert done.returncode == 0 and "Would " in done.stdout
    assert memories.entries() == []
