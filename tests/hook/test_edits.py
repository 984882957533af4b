"""An edit shows at the very next prompt (decision 10), also while an editor never rests."""

import os
import subprocess
import sys

import pytest

from ..conversation import write
from ..hook_host import MANIFEST, SCHEMA, notes, rule_lines
from ..soak.scale import amount


def test_an_edited_rule_shows_at_the_very_next_prompt(host):
    """CARL shows an edit up to ten prompts late; a same-sized edit in place, right away, is seen too (decision 10)."""
    host.prompt("the endpoint")
    write(host.workspace.path("rules", "api"), "API_RULE_0=Revisit it\n")
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Revisit it"]
    write(host.workspace.path("rules", "global"), "GLOBAL_RULE_0=Read twice.\n")
    assert rule_lines(host.prompt(), "GLOBAL") == ["Read twice."]


def test_an_edited_manifest_shows_at_the_very_next_prompt(host):
    """New keywords, and a domain switched off (decision 10)."""
    host.prompt()
    write(host.workspace.path("rules", "manifest"), MANIFEST.replace("endpoint, route", "webhook"))
    assert host.prompt("the endpoint").out == b""
    assert rule_lines(host.prompt("the webhook"), "API") == ["Version it."]
    write(host.workspace.path("rules", "manifest"), MANIFEST + "GLOBAL_STATE=inactive\n")
    block = host.prompt().block
    assert block["notes"] == ["No longer in force: GLOBAL. Ignore its rules above."] and block["rules"] == []


def test_an_edited_constitution_shows_at_the_very_next_prompt(host):
    """The project's own article comes with the stable part, whose signature it changes (decisions 5, 19)."""
    host.prompt()
    write(host.workspace.path("constitution.md"), "### XVII. Licences (BLOCK)\n- MUST keep headers.\n")
    block = host.prompt().block
    assert block["articles"] == [{"title": "XVII. Licences (BLOCK)", "lines": ["MUST keep headers."]}]
    assert "XVII. Licences (BLOCK)" in " ".join(block["constitution"] + block["left_out"])


def test_a_new_command_and_a_new_file_are_there_at_once(host):
    """What was added to ``commands`` in place can be typed at the very next prompt (decision 10)."""
    host.prompt()
    write(host.workspace.path("rules", "commands"), "BRIEF_RULE_0=Short.\nSHOUT_RULE_0=Loud.\n")
    assert host.prompt("*shout").block["commands"] == [{"name": "shout", "lines": ["Loud."]}]
    write(host.workspace.path("rules", "manifest"), MANIFEST + "DB_RECALL=table\n")
    assert host.prompt("the table").block["notes"] == ["no rules file for DB (limpet rules check)"]
    write(host.workspace.path("rules", "db"), "DB_RULE_0=Migrate.\n")
    assert rule_lines(host.prompt("the table"), "DB") == ["Migrate."]


def test_a_removed_rule_file_is_gone_at_the_very_next_prompt(host):
    """Its domain says nothing any more, and the block tells why."""
    assert rule_lines(host.prompt("the endpoint"), "API")
    os.unlink(host.workspace.path("rules", "api"))
    block = host.prompt("the endpoint").block
    assert (block["rules"], block["notes"]) == (
        [],
        ["No longer in force: API. Ignore its rules above.", "no rules file for API (limpet rules check)"],
    )


WRITER = """
import os, sys, time
from itertools import count
rules = sys.argv[1]
def put(name, text, whole):
    path = os.path.join(rules, name)
    if whole:
        with open(path + ".new", "w") as file:
            file.write(text)
        os.replace(path + ".new", path)
    else:
        with open(path, "w") as file:
            file.write(text)
for number in count():
    word = "old" if number % 2 else "new"
    put("manifest", f"GLOBAL_ALWAYS_ON=true\\nAPI_RECALL=endpoint, {word}\\n", True)
    put("global", "GLOBAL_RULE_0=Read first.\\n", True)
    put("api", f"API_RULE_0=The {word} text.\\n" * 40, number % 3)
    if number == 20:
        print("running", flush=True)
"""


@pytest.fixture
def restless(host):
    """An editor that never rests: manifest and global rules in one move, the domain's file at times in place."""
    command = [sys.executable, "-c", WRITER, host.workspace.path("rules")]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        writer.stdout.readline()
        yield
    finally:
        writer.kill()
        writer.communicate()


@pytest.mark.usefixtures("restless")
def test_rules_that_are_written_all_the_while_are_old_or_new(host):
    """Prompts beside an editor that never rests: whole lines, of one version or the other."""
    answers = [host.prompt("the endpoint", session_id=f"s{number}") for number in range(amount(10, 400))]
    allowed = {"The old text.", "The new text."}
    for answer in answers:
        SCHEMA.validate(answer.block)
        assert rule_lines(answer, "GLOBAL") == ["Read first."]
        assert set(rule_lines(answer, "API") or allowed) <= allowed
    assert not any("could be given" in note for answer in answers for note in notes(answer))


@pytest.mark.usefixtures("restless")
def test_rules_that_are_written_all_the_while_can_be_checked(host, check):
    """What is written in one move is never found at fault; of a file written in place only what is half there."""
    os.unlink(host.workspace.path("rules", "commands"))
    for _ in range(amount(3, 100)):
        found = [each for each in check() if ".new" not in each]
        assert [each for each in found if not each.startswith(".limpet/rules/api:")] == []
