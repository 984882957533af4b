"""Before an agent stops it hears once more what the person wants of such work, where that was said long ago."""

import json

import pytest

from ..hook_host import state
from ..memories import configure, wished
from .test_capture import Transcript
from .test_deeds import TICKET, WISH, bash, edit, refusal

TYPED = "Always type every function"
HEAD = "Before you finish: the user wants this of such work"
SCRIPT = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ATTENDED": "0"}


@pytest.fixture
def talk(host, memories):
    """A conversation that begins with a wish about edits, and has had six prompts since."""
    memories.add(TYPED, **WISH)
    host.log = Transcript(host.workspace)
    assert wished(host.send("SessionStart", source="startup", transcript_path=host.log.path)) == [TYPED]
    prompts(host, 6)
    return host


def prompts(host, times):
    for _ in range(times):
        host.prompt("Go on.", transcript_path=host.log.path)


def stop(host, active=False, **how):
    """The agent stops after a turn that says something; what it is told, "" for nothing."""
    host.log.tool("Read", {"file_path": "x" * 3000})
    answer = host.send("Stop", stop_hook_active=active, transcript_path=host.log.path, **how)
    assert (answer.code, answer.err) == (0, b"")
    return json.loads(answer.out)["reason"] if answer.out else ""


def test_a_wish_of_long_ago_is_said_again_once(talk):
    """In a stretch, whatever is edited later."""
    edit(talk, "def total(): ...")
    assert stop(talk) == f"{HEAD}, and said so a while ago. Correct what breaks it.\n- {TYPED}"
    assert stop(talk) == ""
    prompts(talk, 6)
    edit(talk, "def sum(): ...")
    assert stop(talk) == ""
    talk.send("PreCompact", trigger="auto", transcript_path=talk.log.path)
    talk.send("SessionStart", source="compact", transcript_path=talk.log.path)
    prompts(talk, 6)
    edit(talk, "def mean(): ...")
    assert TYPED in stop(talk)


def test_what_was_said_lately_is_not(host, memories):
    """Less than five prompts ago."""
    memories.add(TYPED, **WISH)
    host.log = Transcript(host.workspace)
    host.send("SessionStart", source="startup", transcript_path=host.log.path)
    prompts(host, 4)
    edit(host, "def total(): ...")
    assert stop(host) == ""
    prompts(host, 1)
    edit(host, "def total(): ...")
    assert TYPED in stop(host)


def test_a_turn_that_did_no_such_work_hears_nothing(talk):
    """What the turn before did does not count."""
    edit(talk, "def total(): ...")
    prompts(talk, 1)
    bash(talk, "ls")
    assert stop(talk) == ""


@pytest.mark.parametrize("settings", ["{deeds: {at_stop: false}}", "{capture: false}"])
def test_the_settings_switch_it_off(talk, settings):
    """The second one with all that a turn's end is looked through for."""
    configure(talk.workspace, f"memory: {settings}")
    edit(talk, "def total(): ...")
    assert stop(talk) == ""


def test_who_was_told_to_go_on_already_is_not_told_again(talk):
    """By this or by another hook."""
    edit(talk, "def total(): ...")
    assert stop(talk, active=True) == ""


def test_where_nobody_sits_or_may_look_nothing_is_said(talk):
    """A script's conversation, and a private one."""
    edit(talk, "def total(): ...")
    assert stop(talk, process={"env": SCRIPT}) == ""
    talk.prompt("*private", transcript_path=talk.log.path)
    assert stop(talk) == ""


def test_what_nobody_looked_at_is_no_wish_yet(host, memories):
    memories.add(TYPED, tags=("unreviewed",), source="capture:s", **WISH)
    host.log = Transcript(host.workspace)
    host.send("SessionStart", source="startup", transcript_path=host.log.path)
    prompts(host, 6)
    edit(host, "def total(): ...")
    assert stop(host) == ""


def test_what_others_want_holds_up_nobody(host, memories):
    """It was told with its origin; only the person's own words are theirs to insist on."""
    memories.add("Never type a function with Any", source="cli", **WISH)
    memories.add(TYPED, **WISH)
    host.log = Transcript(host.workspace)
    start = host.send("SessionStart", source="startup", transcript_path=host.log.path)
    assert "Never type a function with Any" in start.text and wished(start) == [TYPED]
    prompts(host, 6)
    edit(host, "def total(): ...")
    assert stop(host).splitlines()[1:] == [f"- {TYPED}"]


def test_five_at_most_are_said_again(host, memories):
    """And none of those about runs and commits, which are said at these."""
    wishes = [f"Always type every function of part {number}" for number in range(7)]
    for wish in (*wishes, "Always run the tests twice", "Never commit without a ticket"):
        memories.add(wish, **WISH)
    host.log = Transcript(host.workspace)
    host.send("SessionStart", source="startup", transcript_path=host.log.path)
    prompts(host, 6)
    edit(host, "def total(): ...")
    bash(host, "pytest -q")
    said = stop(host).splitlines()[1:]
    assert len(said) == 5 and {line.removeprefix("- ") for line in said} < {*wishes}


def test_a_practice_counts_as_begun_with_each_prompt_anew(host, memories):
    """What became a wish meanwhile comes with the next edit; what is refused is refused once."""
    memories.add(TYPED, **WISH)
    host.send("SessionStart", source="startup")
    host.prompt("Go on.")
    assert edit(host, "def total(): ...").out == b""
    memories.add("Never type a function with Any", **WISH)
    memories.add(TICKET, **WISH)
    assert edit(host, "def sum(): ...").out == b""
    host.prompt("Go on.")
    assert "with Any" in edit(host, "def mean(): ...").text
    assert TICKET in refusal(bash(host, "git commit -m x"))
    host.prompt("Go on.")
    assert bash(host, "git commit -m y").out == b""
    assert state(host.workspace)["prompt_count"] == 3


def test_eight_wishes_come_with_a_deed_at_most(host, memories):
    """As many as ``memory.deeds.wishes``, within its tokens."""
    host.send("SessionStart", source="fork")
    for number in range(9):
        memories.add(f"Always type function {number}", **WISH)
    lines = edit(host, "def total(): ...").block["memory"]["lines"]
    assert len([line for line in lines if "Always type function" in line]) == 8
    configure(host.workspace, "memory: {deeds: {wishes: 1}}")
    host.send("SessionStart", source="fork", session_id="other")
    assert len(edit(host, "def total(): ...", session_id="other").block["memory"]["lines"]) == 1
