"""``limpet log --receipt`` and ``limpet replay`` by their doors, after a conversation through the hook."""

import json

import pytest

from limpet.ground.clock import iso
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log import Actor, append_event

from ..conversation import RULES, write, write_rules
from ..hook_host import MANIFEST, Host
from ..memories import Memories, configure

ID = "5f0c2a1b-1111-4000-8000-000000000001"
# What the client was billed for each prompt: afresh, written to the cache, read from it, out.
BILLED = ((20_000, 0, 0, 50), (100, 900, 20_000, 60), (100, 900, 21_000, 70))
PROMPTS = ("hello", "add the endpoint", "how do deploys go, blue?")
NOW = 1_800_000_000.0


def said(number, billed):
    """The lines of one turn in the transcript."""
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    common = {"isSidechain": False, "timestamp": iso(NOW + 60 * number)}
    above = f"a{number - 1}" if number else None
    content = [{"type": "text", "text": "done"}]
    answer = {"id": f"m{number}", "role": "assistant", "model": "claude-opus-4-5", "content": content}
    answer["usage"] = dict(zip(names, billed, strict=True))
    typed = {"role": "user", "content": PROMPTS[number]}
    lines = [
        {"type": "user", "uuid": f"u{number}", "parentUuid": above, "promptId": f"p{number}", "message": typed},
        {"type": "assistant", "uuid": f"a{number}", "parentUuid": f"u{number}", "message": answer},
    ]
    return "".join(json.dumps({**line, **common}) + "\n" for line in lines)


@pytest.fixture
def talk(workspace, tmp_path):
    """Three prompts with their answers: rules at the start, a domain that the second calls, a memory by the third."""
    configure(workspace)
    write_rules(workspace, MANIFEST, **RULES | {"api": "API_RULE_0=Version it.\nAPI_RULE_1=Answer in JSON.\n"})
    Memories(workspace).add("Deploys go through the blue cluster")
    host, path = Host(workspace), str(tmp_path / "talk.jsonl")
    text = ""
    write(path, text)
    host.send("SessionStart", source="startup", session_id=ID, transcript_path=path)
    for number, (prompt, billed) in enumerate(zip(PROMPTS, BILLED, strict=True)):
        host.prompt(prompt, session_id=ID, transcript_path=path)
        text += said(number, billed)
        write(path, text)
    return host


def programs(run, *words):
    done = run(*words, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_pieces_and_everything_else_add_up_to_the_usage_lines(talk, run):
    """Turn by turn, in all, by piece and by rule; what stood in the window is read again, from the cache."""
    found = programs(run, "log", "--receipt")
    prompts = [turn for turn in found["turns"] if turn["event"] == "prompt"]
    assert [turn["answers"] for turn in prompts] == [1, 1, 1]
    for turn, billed in zip(prompts, BILLED, strict=True):
        ours = sum(one["fresh"] + one["cached"] for one in turn["pieces"])
        ours += turn["carried_fresh"] + turn["carried_cached"]
        assert ours + turn["other"] == sum(billed)
    assert found["fresh"] + found["cached"] + found["other"] == sum(map(sum, BILLED))
    sums = {one["name"]: one for one in found["by_piece"]}
    start, api = sums["CONSTITUTION"], sums["API"]
    assert (start["fresh"], start["cached"]) == (start["tokens"], 2 * start["tokens"])
    assert api["fresh"] + api["cached"] == 2 * api["tokens"]
    assert api["reason"] == "called by: endpoint"
    rules = {one["name"]: one for one in found["by_rule"]}
    assert {"API_RULE_0", "API_RULE_1", "GLOBAL_RULE_0"} <= set(rules)
    assert rules["API_RULE_0"]["tokens"] + rules["API_RULE_1"]["tokens"] == pytest.approx(api["tokens"], abs=1)


def test_the_pieces_of_a_turn_are_the_tokens_that_were_sent(talk, run):
    """With the frame around them, and the titles of memories."""
    found = programs(run, "log", "--receipt", ID[:6])
    for turn in found["turns"]:
        assert sum(one["tokens"] for one in turn["pieces"]) == turn["block"]
    assert sum(turn["block"] for turn in found["turns"]) == found["sent"] > 0
    titles = [title for turn in found["turns"] for one in turn["pieces"] for _, title in one["memories"]]
    assert "Deploys go through the blue cluster" in titles


def test_what_a_compaction_took_out_is_read_no_more(talk, run, tmp_path):
    """What the start after it sent again is."""
    path = tmp_path / "talk.jsonl"
    talk.send("SessionStart", source="compact", session_id=ID, transcript_path=str(path))
    talk.prompt("hello", session_id=ID, transcript_path=str(path))
    again = said(0, BILLED[0]).replace('"p0"', '"p3"').replace('"m0"', '"m3"').replace("u0", "u3").replace("a0", "a3")
    path.write_text(path.read_text() + again)
    found = programs(run, "log", "--receipt")
    sums = {one["name"]: one for one in found["by_piece"]}
    assert sums["API"]["fresh"] + sums["API"]["cached"] == 2 * sums["API"]["tokens"]
    assert sums["CONSTITUTION"]["sent"] == 2
    assert sums["CONSTITUTION"]["fresh"] + sums["CONSTITUTION"]["cached"] == 2 * sums["CONSTITUTION"]["tokens"]


def test_only_what_a_check_judged_is_said_to_be_kept(talk, workspace, run):
    """In this conversation; of everything else that nobody judged it."""
    actor = Actor("checks", NOW, DEFAULTS["retention"], session=ID)
    append_event(workspace.shared, actor, "rule.kept", {"rules": ["API_RULE_0"]})
    append_event(workspace.shared, actor, "rule.broken", {"rules": {"API_RULE_0": ["a.py:1"]}})
    append_event(workspace.shared, actor.replace(session="another"), "rule.kept", {"rules": ["API_RULE_1"]})
    found = programs(run, "log", "--receipt")
    kept = {one["name"]: one["kept"] for one in found["by_rule"]}
    assert (kept["API_RULE_0"], kept["API_RULE_1"]) == ("kept 1, broken 1", "not judged")
    assert {one["kept"] for one in found["by_piece"]} == {"not judged"}


def test_the_screen_says_what_is_an_estimate_and_how_far_our_count_is_off(talk, run):
    """And that the client's figures are the client's."""
    shown = run("log", "--receipt").stdout
    assert "our own count: 10 to 15% above" in shown and "is an estimate" in shown
    assert f"{sum(map(sum, BILLED)):,}" in shown and "not judged: Version it." in shown


def test_a_client_that_tells_nothing_gets_our_count_alone(workspace, run):
    """Nothing is invented beside it."""
    write_rules(workspace, MANIFEST, **RULES)
    Host(workspace).prompt("the endpoint", session_id=ID)
    found = programs(run, "log", "--receipt")
    assert (found["usage"], found["other"], found["turns"][0]["usage"]) == (None, None, None)
    assert "does not say what its answers cost" in run("log", "--receipt").stdout


def test_a_private_conversation_has_neither_receipt_nor_replay(talk, run):
    """Also what was there before it became private."""
    talk.prompt("*private", session_id=ID)
    for words in (("log", "--receipt", ID), ("replay", ID)):
        done = run(*words)
        assert done.returncode == 1 and "private" in done.stderr and "endpoint" not in done.stdout


def test_the_blocks_are_replayed_as_they_were(talk, run):
    """Each with what was typed; an edit of the rules since changes nothing."""
    blocks = [turn["block"] for turn in programs(run, "replay")]
    write_rules(talk.workspace, MANIFEST, **RULES | {"api": "API_RULE_0=Another one.\n"})
    found = programs(run, "replay", ID[:8])
    assert [turn["block"] for turn in found] == blocks
    assert [turn["event"] for turn in found] == ["session_start", "prompt", "prompt", "prompt"]
    assert "Version it." in found[2]["block"] and found[2]["text"] == "add the endpoint"
    assert [turn["state"] for turn in found] == ["sent", "nothing", "sent", "sent"]
    printed = run("replay").stdout
    assert all(block in printed for block in blocks)


def test_an_agent_is_not_shown_another_conversations_blocks(talk, call):
    """It is told that there were some."""
    found = json.loads(call("replay", ID, "--json", agent="dev").stdout)
    assert {turn["state"] for turn in found} == {"gone", "nothing"}
    assert {turn["block"] + turn["text"] for turn in found} == {""}


def test_keys_step_through_the_blocks(talk, screen):
    """Any key goes on, the left arrow back, q ends; beyond the last it ends by itself."""
    lines = screen(80, "replay", typed="n\x1b[C\x1b[Dq")
    places = [line.partition(" of 4: ")[0][-1] for line in lines if " of 4: " in line]  # behind what was typed
    assert places == ["1", "2", "3", "2"]
    lines = screen(80, "replay", typed="    ")
    assert "4 of 4" in "".join(lines)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_both_fit_the_terminal(talk, screen, columns):
    """No line is longer than it is wide."""
    for lines in (screen(columns, "log", "--receipt"), screen(columns, "replay", typed="    ")):
        assert len(lines) > 10 and max(map(len, lines)) <= columns


def test_without_a_conversation_it_says_what_to_do(workspace, run):
    """As the other commands do."""
    for words in (("log", "--receipt"), ("replay",)):
        done = run(*words)
        assert done.returncode == 1 and "Run your coding agent" in done.stderr
