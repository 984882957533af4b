"""The agent is told how to record what the person says, and reminded of it once an epoch (decision 48)."""

import os
import shutil

import pytest

from holdfast.context.layers.mode import RECORD, REMIND
from holdfast.context.pipeline import build_block
from holdfast.ground.clock import Clock
from holdfast.ground.config.defaults import DEFAULTS
from holdfast.rules.plan.sources import FRAMEWORK
from holdfast.work.session import change_session

from ...blocks import read_block
from ...conftest import write_settings
from ...conversation import RULES, Conversation, write_rules
from ...strategies import request as make

AFTER = DEFAULTS["memory"]["recording"]["remind_after"]


@pytest.fixture
def talking(workspace):
    write_rules(workspace, "GLOBAL_ALWAYS_ON=true\n", **RULES)
    return Conversation(workspace)


def reminded(talking, prompts):
    """The numbers of the prompts that were reminded."""
    blocks = [talking.prompt() for _ in range(prompts)]
    return [number for number, block in enumerate(blocks, 1) if block and block["record_now"]]


def test_the_stable_part_tells_the_command_whole(talking):
    """Once an epoch, in a start's block."""
    assert talking.start()["record"] == RECORD
    assert talking.prompt() is None


@pytest.mark.parametrize(("used", "told"), [(0, RECORD), (100_000, RECORD), (140_000, RECORD), (160_000, None)])
def test_what_always_holds_fits_every_bracket(workspace, talking, used, told):
    """With the shipped rules; CRITICAL has no room for the line, and an epoch hardly begins there."""
    shutil.rmtree(workspace.path("rules"))
    shutil.copytree(os.path.join(FRAMEWORK, "rules"), workspace.path("rules"))
    talking.use(used)
    block = talking.prompt()
    assert (block["record"], block["left_out"]) == (told, [])


def test_a_window_that_fills_is_reminded_all_the_same(talking):
    """In CRITICAL too."""
    talking.start()
    for _ in range(AFTER):
        talking.prompt()
    talking.use(195_000)
    block = talking.prompt()
    assert (block["bracket"], block["record_now"], block["left_out"]) == ("CRITICAL", REMIND, [])


def test_where_there_is_no_room_it_goes_as_a_whole():
    """Half a command is none."""
    settings = {**DEFAULTS["context"]}
    request = make(settings, bracket="FRESH", remaining=100, source="start", mode="build", record=True)
    found = {}
    for tokens in range(60, 200, 5):
        settings["budgets"] = {"FRESH": tokens}
        block = read_block(build_block(request, Clock()).block)
        found[block["record"]] = block["left_out"]
    assert found.keys() == {None, RECORD}
    assert "record: over the token budget (holdfast memory add --help)" in found[None]


def test_a_setting_silences_both(workspace, talking):
    """And each alone."""
    write_settings(workspace, "memory: {recording: {told: false, remind_after: 0}}\n")
    assert talking.start()["record"] is None
    assert reminded(talking, AFTER + 3) == []


def test_an_agent_that_recorded_nothing_is_reminded_once_an_epoch(talking):
    """A compaction begins another one."""
    talking.start()
    assert reminded(talking, 3 * AFTER) == [AFTER + 1]
    talking.start("compact")
    assert reminded(talking, 3 * AFTER) == [AFTER + 1]


def test_the_reminder_holds_the_command(talking):
    """It is of use without the stable part."""
    for _ in range(AFTER):
        talking.prompt()
    assert talking.prompt()["record_now"] == REMIND


def test_an_agent_that_recorded_is_not_reminded(workspace, talking):
    """Not in that epoch, whatever comes later."""
    talking.prompt()
    change_session(workspace, "one", {"recorded": 1})
    assert reminded(talking, 3 * AFTER) == []
    talking.start("compact")
    assert reminded(talking, 3 * AFTER) == [AFTER + 1]


def test_what_was_recorded_in_the_epoch_before_does_not_count(workspace, talking):
    """It is each epoch's own."""
    talking.prompt()
    change_session(workspace, "one", {"recorded": 1})
    talking.prompt()
    talking.start("clear")
    assert reminded(talking, AFTER + 1) == [AFTER + 1]


def test_what_the_person_records_counts(talking):
    """By a star-command."""
    talking.prompt("*remember the staging database is reset every night")
    assert talking.state["recorded"] == 1
    assert reminded(talking, AFTER + 3) == []


@pytest.mark.parametrize("damage", ["yes", None, [1]])
def test_a_damaged_note_counts_as_none(workspace, talking, damage):
    """The reminder comes."""
    talking.prompt()
    change_session(workspace, "one", {"recorded": damage})
    assert reminded(talking, AFTER) == [AFTER]
