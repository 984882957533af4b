"""What an agent is told fits each workflow that has it: nobody is named who is not there, and every command is whole,
known and allowed."""

import re
import shlex
from pathlib import Path

import click
import pytest
import yaml

import limpet.framework
from limpet.cli import limpet as program

from ..guard.scenes import answer, scene

FRAMEWORK = Path(limpet.framework.__file__).parent
WORKFLOWS = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted((FRAMEWORK / "workflows").iterdir())]
STEPS = [
    pytest.param(workflow, step, id=f"{workflow['name']}-{step['agent']}")
    for workflow in WORKFLOWS
    for step in workflow["steps"]
]
# Who pushes where the workflow has no step for it, at the user's word.
ALWAYS = {"devops"}
# What only a person may do: an agent that is told of it is told of a refusal.
PERSONS = {"override", "skip", "reopen", "approve", "trust", "uninstall", "spawn", "advance"}
# What stands for a word of the agent's own, by the choices that there are.
KIND = "code"


def texts_of(step):
    """What the agent of a step gets: its file, its rules, the rules of the step's domains, the step's criteria."""
    agent = step["agent"]
    yield (FRAMEWORK / "agents" / f"{agent}.md").read_text(encoding="utf-8")
    for name in (f"agent-{agent}", *(domain.lower() for domain in step.get("domains", ()))):
        yield (FRAMEWORK / "rules" / name).read_text(encoding="utf-8")
    yield from (str(one) for one in step["criteria"])


def told(step):
    return "\n".join(texts_of(step))


def commands_for(step):
    """Every command that the step's agent is told to use, without those that only lists for people have: in backticks,
    in a fenced line, at a rule's end, and the key ones of its file."""
    _, head, body = next(texts_of(step)).split("---\n", 2)
    listed = yaml.safe_load(head)["commands"]
    rules = "\n".join(list(texts_of(step))[1:])
    found = [one["name"] for one in listed if one["visibility"] == "key"]
    found += re.findall(r"`(limpet [^`]+)`", f"{head}{body}{rules}".replace("\n", " "))
    found += re.findall(r"^\$ (limpet .+)$", body, re.MULTILINE)
    return found + re.findall(r": (limpet [a-z].+?)(?:\. .*|\.?)$", rules, re.MULTILINE)


def refusal(line):
    """What is wrong with a command as it stands: its words are parsed as if they were typed. "" for nothing."""
    words = [KIND if word == "KIND" else word for word in shlex.split(line)[1:]]
    try:
        context = program.make_context("limpet", words[:1])
        command, name = program, "limpet"
        while isinstance(command, click.Group) and (words or not command.invoke_without_command):
            name, command, words = command.resolve_command(context, words)
            context = click.Context(command, info_name=name, parent=context)
        command.make_context(name, words)
    except click.UsageError as error:
        return f"{line}: {error.format_message()}"
    return ""


@pytest.mark.parametrize(("workflow", "step"), STEPS)
def test_nobody_is_named_who_is_not_there(workflow, step):
    """`@agent` is one of the workflow's, but for who pushes; what the user approves they approve themselves."""
    there = {one["agent"] for one in workflow["steps"]} | ALWAYS
    assert set(re.findall(r"(?<![\w`/])@([a-z][a-z-]+)", told(step))) <= there
    assert [text for one in step["criteria"] if re.search(r"user has|approved the|confirmed", text := str(one))] == []


@pytest.mark.parametrize(("workflow", "step"), STEPS)
def test_one_goes_back_to_an_earlier_step_of_this_workflow(workflow, step):
    """By its name, or by a kind of issue that the workflow knows."""
    agents = [one["agent"] for one in workflow["steps"]]
    earlier = agents[: agents.index(step["agent"]) + 1]
    for line in commands_for(step):
        words = shlex.split(line)
        if words[1:3] == ["work", "back"]:
            named = words[3]
            if named == "--issue":
                assert words[4] == "KIND" or workflow["issues"][words[4]] in earlier, line
            else:
                assert named == "AGENT" or named in earlier, line


@pytest.mark.parametrize(("workflow", "step"), STEPS)
def test_each_command_is_known_whole_and_allowed(workflow, step):
    """To the command line, and to the guard in this step's mode; none needs a person."""
    lines = commands_for(step)
    assert any(line == "limpet work finish -" for line in lines)
    assert [refusal(line) for line in lines if refusal(line)] == []
    assert [line for line in lines if PERSONS & set(line.split())] == []
    where = scene(step["agent"], workflow=workflow["name"], mode=step["mode"])
    assert [line for line in lines if answer(line.replace("NAME", step["agent"]), where)[0] == "deny"] == []
