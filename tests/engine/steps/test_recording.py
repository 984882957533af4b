"""The agent is told how to record what the person says (decision 48)."""

import os
import shutil
from pathlib import Path

import pytest

from limpet.context.pipeline import build_block
from limpet.context.rules_layers import RECORD
from limpet.ground.clock import Clock
from limpet.ground.config.defaults import DEFAULTS

from ...blocks import read_block
from ...conftest import write_settings
from ...conversation import RULES, Conversation, write_rules
from ...strategies import request as make


@pytest.fixture
def talking(workspace):
    write_rules(workspace, "GLOBAL_ALWAYS_ON=true\n", **RULES)
    return Conversation(workspace)


def test_the_stable_part_tells_the_command_whole(talking):
    """Once an epoch, in a start's block."""
    assert talking.start()["record"] == RECORD
    assert talking.prompt() is None


@pytest.mark.parametrize(("used", "told"), [(0, RECORD), (100_000, RECORD), (140_000, RECORD), (160_000, None)])
def test_what_always_holds_fits_every_bracket(workspace, talking, used, told):
    """With the shipped rules; CRITICAL has no room for the line, and an epoch hardly begins there."""
    shutil.rmtree(workspace.path("rules"))
    os.mkdir(workspace.path("rules"))
    Path(workspace.path("rules", "manifest")).write_text("QA_STATE=active\n")
    talking.use(used)
    block = talking.prompt()
    assert (block["record"], block["left_out"]) == (told, [])


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
    assert "record: over the token budget (limpet memory write --help)" in found[None]


def test_a_setting_silences_it(workspace, talking):
    """Nothing else of the block changes."""
    write_settings(workspace, "memory: {recording: {told: false}}\n")
    assert talking.start()["record"] is None
