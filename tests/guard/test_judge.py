"""The judge as a whole: its data, its answers for calls of every kind, and what holds for all of them."""

import json
import os

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import limpet
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.formats.schema import load_schema
from limpet.guard.call import ANSWERS, KINDS, ToolCall, Verdict, read_table, strictest
from limpet.guard.judge import judge_tool_call
from limpet.guard.shell.understand import parse_shell, understand
from limpet.roles.roster import AGENTS

from .scenes import SCENE, answer, scene, shell, verdicts
from .shell.commands import HARMLESS

TABLE = read_table()
PIECES = (
    *("git push", "git status", "rm -rf src", "rm -rf node_modules", "cat a.md", "echo x > src/a.py", "npm publish"),
    *("cat .limpet/memories/dev/a.md", "pytest -q", 'eval "$X"', "curl https://example.com", "sed -i s/a/b/ docs/a.md"),
)
JOINTS = (" && ", " || ", "; ", " | ", "\n")


def test_the_data_is_what_its_schema_says():
    """The hook reads it from the package, without a look at the schema."""
    schema = load_schema("guard")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(TABLE)
    path = os.path.join(os.path.dirname(limpet.__file__), "framework", "guard.json")
    with open(path, encoding="utf-8") as file:
        assert json.load(file) == TABLE


def test_the_data_names_what_there_is():
    """Agents, switches, rules and places: a misspelt name would be a crash in the hook."""
    named = {agent for row in TABLE["authority"].values() for agent in row["agents"]} | set(TABLE["sections"])
    assert tuple(TABLE["agents"]) == AGENTS
    assert named <= set(AGENTS)
    assert {rule["switch"] for rule in TABLE["rules"].values()} == set(DEFAULTS["guard"]["rules"])
    assert {f"authority.{kind}" for kind in TABLE["authority"]} <= set(TABLE["rules"])
    named = {
        *TABLE["written"],
        *(name for mode in TABLE["modes"].values() for key in ("only", "not") for name in mode.get(key, ())),
    }
    assert named <= set(TABLE["places"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", [SCENE, scene("dev", workflow="solo", mode="build", permission="explore")])
def test_a_call_with_nothing_in_it_is_judged(kind, where):
    """No tool's payload breaks the judge."""
    assert all(each.answer in ANSWERS for each in judge_tool_call(ToolCall(kind=kind), where).verdicts)


@given(st.lists(st.tuples(st.sampled_from(JOINTS), st.sampled_from(PIECES)), min_size=1, max_size=4), st.data())
def test_another_act_never_loosens_an_answer(parts, data):
    """Whatever is chained to a command, it is judged at least as strictly."""
    where = data.draw(
        st.sampled_from([scene("dev"), scene("qa-implementation"), SCENE.replace(permission="ask"), SCENE])
    )
    shorter = "".join(joint + piece for joint, piece in parts[:-1]).lstrip(" &|;\n")
    longer = "".join(joint + piece for joint, piece in parts).lstrip(" &|;\n")
    answers = [ANSWERS.index(answer(text, where)[0]) for text in (shorter, longer)]
    assert answers[0] <= answers[1]


@given(st.lists(st.sampled_from([Verdict(each, str(number)) for number, each in enumerate(ANSWERS * 2)])))
def test_another_verdict_never_loosens_what_counts(found):
    """``strictest`` is monotone."""
    order = [ANSWERS.index(strictest(found[:length]).answer) for length in range(len(found) + 1)]
    assert order == sorted(order)


def test_what_is_not_known_of_a_command_is_shown_as_such():
    """No control character in what people read."""
    found = verdicts('rm -rf "$HOLDER/x"', scene("dev"))
    assert found and "\0" not in "".join(each.reason + each.act + each.target for each in found)


def test_ordinary_work_is_not_in_the_way():
    """Nothing is asked or denied of harmless commands that public repositories run, whoever is active, but QA's
    commits; in ``ask`` none is denied."""
    with open(HARMLESS, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and line[0] != "#"]
    calls = [(shell(line), understand(line, parse_shell, "posix")) for line in lines]
    scenes = (SCENE, scene("dev"), scene("qa-implementation"), scene("devops"))
    said = [
        line.command
        for line, known in calls
        for where in scenes
        if strictest(judge_tool_call(line, where, known).verdicts).rule not in ("", "authority.commit")
    ]
    asking = [
        strictest(judge_tool_call(line, SCENE.replace(permission="ask"), known).verdicts).answer
        for line, known in calls
    ]
    assert (said, asking.count("deny")) == ([], 0)
    assert len(lines) > 500 and asking.count("ask") < 120


@pytest.mark.parametrize(
    ("call", "opaque"),
    [
        *(
            (text, True)
            for text in ("make", "npm test", "./x.sh", "bash x.sh -c", "unknown a", "python3 -c x", 'eval "$X"')
        ),
        *(
            (text, True)
            for text in ("black src", "git stash pop", "tar xf a.tgz -C src", "echo x > $F", "cd web && npm ci")
        ),
        *(
            (text, True)
            for text in ("cp /tmp/a.py src", "cp /tmp/a.py ./", "cd src && mv /tmp/a.py ..", "rsync -a x/ src/")
        ),
        *(
            (text, False)
            for text in ("ls src | wc -l", "echo x > src/a.py", "git add . && git commit -m x", "git push")
        ),
        *((text, False) for text in ("sed -i s/a/b/ src/a.py", "cd src && cp a.py b.py", "rm -rf build", "git diff")),
        *(
            (text, False)
            for text in ("curl -o a https://example.com", "bash -c 'git status'", "grep -rn x . > out.txt")
        ),
        *(
            (ToolCall(kind=kind, paths=("/a",)), False)
            for kind in ("write", "read", "search", "web", "agent", "question")
        ),
        (ToolCall(kind="tool", tool="mcp__x__y"), True),
        (ToolCall(kind="tool", tool="mcp__x__y", hints={"destructiveHint": True}), True),
        (ToolCall(kind="tool", tool="mcp__x__y", hints={"readOnlyHint": True}), False),
        (shell("Get-ChildItem | Out-File a", "powershell"), True),
        (shell("git status", "powershell"), False),
    ],
)
def test_a_call_that_may_change_what_it_does_not_name_is_opaque(call, opaque):
    """One that is not understood, or that runs what is not known; then only what it changed will tell."""
    call = shell(call) if isinstance(call, str) else call
    understood = understand(call.command, parse_shell, call.shell) if call.kind == "shell" else None
    assert judge_tool_call(call, SCENE, understood).opaque is opaque


def test_reasons_are_short():
    """At most 200 characters, however long the command is."""
    long = "x" * 300
    texts = ("git push", f"rm -rf {long}", f"eval $X {long}", f"cat a > /opt/{long}", f"echo x > src/{long}.py")
    scenes = (
        scene("dev", workflow="solo", mode="planning"),
        scene("qa-implementation"),
        SCENE.replace(permission="explore"),
    )
    found = [each.reason for text in texts for where in scenes for each in verdicts(text, where)]
    assert found and max(map(len, found)) <= 200
