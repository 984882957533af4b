"""The project's session.yaml."""

import os
import subprocess
import sys

import jsonschema
import pytest

import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import load_schema
from limpet.ground.formats.yaml_text import load_yaml
from limpet.work.project import change_project, read_project

from ..places import private_path
from ..project_session import update_project

SOURCE = os.path.dirname(os.path.dirname(limpet.__file__))


def write(workspace, text):
    with open(private_path(workspace, "session.yaml"), "w", encoding="utf-8", newline="") as file:
        file.write(text)


def content(workspace):
    with open(private_path(workspace, "session.yaml"), encoding="utf-8", newline="") as file:
        return file.read()


def test_a_first_write_makes_the_file(workspace):
    """A new session has its version, revision 1 and the change, and says what it is."""
    session = update_project(workspace, {"current_agent": "dev"})
    assert session == {"schema_version": 1, "revision": 1, "current_agent": "dev"}
    assert content(workspace).startswith("# ")
    assert content(workspace).endswith("schema_version: 1\nrevision: 1\ncurrent_agent: dev\n")


def test_comments_order_and_unknown_keys_stay(workspace):
    """Only the changed values and the revision differ afterwards."""
    write(workspace, "# ours\nmode: build  # since May\nmine: {a: 1}\nrevision: 7\nschema_version: 1\n# end\n")
    update_project(workspace, {"mode": "deploy", "squad": "web"})
    assert content(workspace) == (
        "# ours\nmode: deploy  # since May\nmine: {a: 1}\nrevision: 8\nschema_version: 1\nsquad: web\n# end\n"
    )


def test_none_clears_a_key(workspace):
    """A cleared key reads as absent and keeps its place in the file."""
    write(workspace, "squad: web # ours\n")
    assert "squad" not in update_project(workspace, {"squad": None})
    assert "squad: null # ours\n" in content(workspace)
    assert read_project(workspace)[0] == {"schema_version": 1, "revision": 1}


def test_without_a_difference_nothing_is_written(workspace):
    """Setting what is set already, or clearing what is not there, keeps the file and its revision."""
    write(workspace, "mode: build\nrevision: 3\n")
    assert update_project(workspace, {"mode": "build", "squad": None}) == {"mode": "build", "revision": 3}
    assert content(workspace) == "mode: build\nrevision: 3\n"


@pytest.mark.parametrize(
    ("key", "given", "kept"),
    [
        ("mode", "clarity", "planning"),
        ("permission", "yolo", "auto"),
        ("permission", "safe", "explore"),
        ("permission", "balanced", "ask"),
        ("task", "yolo", "yolo"),
        ("task", {"id": "S-1", "title": "no", "executor": "human"}, {"id": "S-1", "title": "no", "executor": "human"}),
    ],
)
def test_aliases_become_names_and_all_else_is_kept_as_given(workspace, key, given, kept):
    """On writing and on reading a hand-written alias the name is what counts."""
    assert update_project(workspace, {key: given})[key] == kept
    assert load_yaml(content(workspace), "f")[key] == kept
    write(workspace, f"{key}: {given}\n" if isinstance(given, str) else content(workspace))
    assert read_project(workspace)[0][key] == kept


def test_bad_values_in_the_file_are_named_and_left_out(workspace):
    """A hand-written mistake costs its own key and is reported with its line."""
    write(workspace, "mode: build\npermission: never\ntask: [a]\nmine: 1\n")
    session, problems = read_project(workspace)
    assert session == {"mode": "build", "mine": 1}
    assert problems == [
        "session.yaml:2: permission must be one of explore, ask, auto, safe, balanced, yolo (got 'never')",
        'session.yaml:3: task must be a text or a mapping (got ["a"])',
    ]


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"mode": "fast"}, "mode must be one of planning, build, deploy"),
        ({"current_agent": 3}, "current_agent must be a text"),
        ({"task": {"executor": "robot"}}, "task.executor must be one of agent"),
        ({"agent": "dev"}, "Unknown key agent"),
        ({"revision": 3}, "Unknown key revision"),
        ({("agents", "brief", "score"): 101}, "agents.brief.score must be at most 100"),
        ({("agents", "brief"): {"status": "ready"}}, "agents.brief.status must be one of"),
        ({("project", "state"): "x"}, "project.state must be one of"),
        ({("mine", "a"): 1}, "Unknown key mine"),
    ],
)
def test_a_bad_change_is_refused(workspace, changes, what):
    """Unknown keys and bad values are errors by their path, and no file appears."""
    with pytest.raises(LimpetError, match=what):
        change_project(workspace, lambda session: changes)
    assert not os.path.exists(private_path(workspace, "session.yaml"))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("mode: build\n<<<<<<< HEAD\nsquad: a\n=======\nsquad: b\n>>>>>>> theirs\n", "session.yaml:2"),
        ("mode: build\r\n=======\r\n", "session.yaml:2"),
        ("mode: [\n", "session.yaml:2"),
        ("mode: build\nmode: deploy\n", "session.yaml:2"),
        ("- mode\n", "session.yaml"),
        ("schema_version: 2\nmode: build\n", "schema_version 2"),
        ("schema_version: new\n", "schema_version new"),
    ],
)
def test_a_file_that_cannot_be_edited_safely_is_not_written(workspace, text, where):
    """Conflicts, broken YAML and newer versions are errors that say where; the bytes stay."""
    write(workspace, text)
    with pytest.raises(LimpetError, match=where):
        update_project(workspace, {"mode": "deploy"})
    assert content(workspace) == text


def test_a_newer_version_can_still_be_read(workspace):
    """What this version knows in it counts; without a file there is no session and no problem."""
    assert read_project(workspace) == ({}, [])
    write(workspace, "schema_version: 2\nmode: build\n")
    assert read_project(workspace) == ({"schema_version": 2, "mode": "build"}, [])


def test_twenty_processes_that_write_at_once_lose_nothing(workspace):
    """Each change lands, each write has its own revision."""
    keys = ["current_agent", "workflow", "task", "squad"]
    code = (
        f"import sys; sys.path.append({SOURCE!r})\n"
        "from limpet.ground.workspace import workspace_at\n"
        "from limpet.work.project import change_project\n"
        f"change_project(workspace_at({workspace.root!r}), lambda _: {{sys.argv[1]: sys.argv[2]}})"
    )
    commands = [[sys.executable, "-c", code, keys[number % 4], f"value {number}"] for number in range(20)]
    writers = [subprocess.Popen(command) for command in commands]
    assert [writer.wait() for writer in writers] == [0] * 20
    session = read_project(workspace)[0]
    assert session["revision"] == 20
    assert all(int(session[key].split()[1]) % 4 == place for place, key in enumerate(keys))


def test_the_written_session_obeys_its_schema(workspace):
    """What commands write is valid by the shipped schema."""
    update_project(workspace, {"mode": "clarity", "task": {"reason": "a", "executor": "worker"}, "permission": "ask"})
    update_project(workspace, {"task": None})
    jsonschema.Draft202012Validator(load_schema("session")).validate(load_yaml(content(workspace), "f"))


def test_a_change_is_made_from_what_stands_there(workspace):
    """Nested keys and lists, and the result is what is read afterwards."""
    write(workspace, "agents:\n  brief: {status: pending}  # ours\ndeviations:\n  - id: DV-001\n    reason: a\n# end\n")

    def change(session):
        assert session["agents"]["brief"]["status"] == "pending"
        return {("agents", "brief", "status"): "completed", "deviations": [*session["deviations"], {"id": "DV-002"}]}

    assert change_project(workspace, change) == read_project(workspace)[0]
    assert content(workspace) == (
        "agents:\n  brief: {status: completed}  # ours\ndeviations:\n  - id: DV-001\n    reason: a\n  - {id: DV-002}\n"
        "schema_version: 1\nrevision: 1\n# end\n"
    )


def test_of_a_list_only_the_changed_fields_are_written(workspace):
    """Comments, quotes and unknown fields of the items stay."""
    write(
        workspace,
        "deviations:\n  # first\n  - {id: \"DV-001\", reason: 'a', resolved: false, mine: [1]}  # why\n"
        "  - id: DV-002\n",
    )
    done = {"id": "DV-001", "reason": "a", "resolved": True, "mine": [1]}
    change_project(workspace, lambda session: {"deviations": [done, session["deviations"][1]]})
    assert content(workspace).startswith(
        "deviations:\n  # first\n  - {id: \"DV-001\", reason: 'a', resolved: true, mine: [1]}  # why\n  - id: DV-002\n"
    )


def test_an_edit_by_hand_in_the_middle_is_kept(workspace):
    """The change is asked again, and sees what the hand wrote."""
    write(workspace, "mode: build\n")
    seen = []

    def change(session):
        seen.append(session.get("squad"))
        if len(seen) == 1:
            write(workspace, "mode: build\nsquad: web # by hand\n")
        return {"task": f"for {session.get('squad')}"}

    change_project(workspace, change)
    assert seen == [None, "web"]
    assert content(workspace) == "mode: build\nsquad: web # by hand\nschema_version: 1\nrevision: 1\ntask: for web\n"


def test_a_file_that_never_rests_is_not_overwritten(workspace):
    """After five tries it is an error, and the last hand wins."""
    counter = iter(range(99))

    def change(session):
        write(workspace, f"squad: s{next(counter)}\n")
        return {"task": "x"}

    with pytest.raises(LimpetError, match="keeps changing the file"):
        change_project(workspace, change)
    assert content(workspace) == "squad: s4\n"


def test_a_list_with_a_bad_item_is_not_replaced(workspace):
    """What cannot be read is not lost by adding to it."""
    text = "deviations:\n  - {id: DV-001, reason: a, resolved: soon}\n"
    write(workspace, text)
    with pytest.raises(LimpetError, match="deviations has an invalid value"):
        change_project(workspace, lambda session: {"deviations": [*session.get("deviations", []), {"id": "DV-001"}]})
    assert content(workspace) == text
    assert "resolved must be" in read_project(workspace)[1][0]


def test_every_field_of_the_seeds_session_is_read(workspace):
    """A6, as chati.dev wrote it; what is not ours stays."""
    write(
        workspace,
        "project: {name: Harbour, type: greenfield, state: clarity}\nexecution_mode: interactive\nlanguage: pt\n"
        "current_agent: brief\nides: [claude-code]\nmcps: []\nuser_level: power_user\nuser_level_confidence: 0.85\n"
        "agents:\n  brief: {status: in_progress, score: 45, criteria_count: 9, completed_at: null}\n"
        "backlog:\n  - {id: BL-001, title: a, priority: high, status: pending, source_agent: brief, notes: n}\n"
        "last_handoff: h.md\ndeviations:\n  - {timestamp: t, from_agent: a, to_agent: b, reason: r, resolved: true}\n"
        "mode_transitions:\n  - {timestamp: t, from: clarity, to: build, trigger: q, type: automatic}\n",
    )
    session, problems = read_project(workspace)
    assert problems == []
    assert (session["ides"], session["user_level_confidence"]) == (["claude-code"], 0.85)
