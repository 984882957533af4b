"""``limpet work finish`` by its door, and every way past a gate that is none."""

import json
import os
import sys

import pytest

from limpet.ground.storage.files import read_text
from limpet.work.project import read_project

PASS, FAIL = f'{sys.executable} -c "pass"', f'{sys.executable} -c "raise SystemExit(1)"'
WORKFLOW = """\
steps:
  - {agent: dev, state: build, mode: build, criteria: [It works, {text: It is tested, weight: 3}]}
  - {agent: devops, state: deploy, mode: deploy}
"""


@pytest.fixture
def unchecked(workspace, call):
    """A project in a build step."""
    os.makedirs(workspace.path("workflows"))
    with open(workspace.path("workflows", "hotfix.yaml"), "w", encoding="utf-8") as file:
        file.write(WORKFLOW)
    assert call("work", "start", "hotfix").returncode == 0


@pytest.fixture
def build(unchecked, call):
    """With a check that passes; sets another check."""

    def set_check(line):
        done = call("config", "set", "work.checks.tests", json.dumps(line), "--yes")
        assert done.returncode == 0, done.stderr

    set_check(PASS)
    return set_check


@pytest.fixture
def gate(call):
    return lambda: json.loads(call("work", "status", "--json").stdout)["gates"]["dev"]


def is_shut(workspace):
    return read_project(workspace)[0]["agents"]["dev"]["status"] == "in_progress"


def write(workspace, name, text):
    with open(os.path.join(workspace.root, name), "w", encoding="utf-8") as file:
        file.write(text)


def test_a_step_is_finished_with_one_document(workspace, call, build, finish, gate):
    """Checks run, criteria counted, handed over, advanced; what comes next is said."""
    done = finish()
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.endswith(f"check tests: {PASS}\n")
    assert done.stdout.splitlines()[:4] == [
        "dev: 100% of the criteria met, every criterion shown",
        "handed over: dev to devops (.limpet/handoffs/dev.md)",
        "dev passed with 100%; devops begins",
        "",
    ]
    assert "You are now devops: Release approved work" in done.stdout and done.stdout.endswith("END\n")
    assert gate()["evidence"] == "verified"
    assert json.loads(call("work", "handoff", "dev", "--json").stdout)["verified"] is True
    assert call("work", "status").stdout.count("Dev(100%)") == 1
    write(workspace, "later.py", "x")
    assert gate()["evidence"] == "verified"


def test_the_form_names_the_steps_criteria(call, build):
    """Filled in it is what finish takes; as it is, it is not."""
    form = call("work", "finish").stdout
    assert "# Handoff: dev to devops" in form and "- [ ] 2. It is tested" in form
    assert json.loads(call("work", "finish", "--json").stdout)["form"] == form.rstrip("\n")
    done = call("work", "finish", "-", stdin=form)
    assert done.returncode == 1
    assert "the summary is empty" in done.stdout


def test_everything_that_is_missing_is_said_at_once_and_nothing_changes(workspace, call, build):
    """Each with what to do; what is known of the checks is kept."""
    build(FAIL)
    before = read_project(workspace)[0]
    run = before["run"]
    text = f"---\nfrom_agent: dev\nrun: {run}\n---\n## Outputs\n\n- src/none.py\n\n## Criteria\n\n- [x] 1\n"
    done = call("work", "finish", "-", "--json", stdin=text)
    found = json.loads(done.stdout)
    assert (done.returncode, found["finished"], found["score"]) == (1, False, None)
    whats = [one["what"] for one in found["missing"]]
    assert whats == [
        "the summary is empty",
        "output src/none.py does not exist",
        "criterion 1 has no evidence: It works",
        "criterion 2 is not answered: It is tested",
        "nothing was built: no file of the project changed in this run, and no story was done",
        "check tests failed with exit code 1",
    ]
    after = read_project(workspace)[0]
    changing = {"gates": None, "revision": 0, "agreement": None}
    assert {**after, **changing} == {**before, **changing}
    assert after["gates"]["dev"]["evidence"][0]["exit_code"] == 1
    assert not os.path.exists(workspace.path("handoffs"))


def test_where_no_check_is_set_the_end_says_how_one_is(workspace, unchecked, finish):
    """In every step that asks the person, with the project's own command where one is known."""
    assert 'no check is set; to set one: limpet config set work.checks.tests "COMMAND"' in finish().stderr
    write(workspace, "pytest.ini", "[pytest]\n")
    assert 'no check is set; to set one: limpet config set work.checks.pytest "' in finish().stderr


def test_where_no_check_is_set_the_step_begins_with_how_one_is(unchecked, run):
    """Before its end asks the person."""
    told = run("work", "status", "--step").stdout
    assert 'No check is set; the user may: limpet config set work.checks.tests "COMMAND"' in told


def test_the_output_of_a_failed_check_is_kept_without_secrets(call, build):
    """Its last part, in the user's cache."""
    half, rest = "a1B2c3D4e5F6g7H8i9", "J0k1L2m3N4o5P6q7R8"  # no setting may hold it whole
    build(f"{sys.executable} -c \"print('1 failed ghp_' + '{half}'[::1] + '{rest}'); raise SystemExit(1)\"")
    (check,) = json.loads(call("work", "finish", "-", "--json", stdin="x").stdout)["checks"]
    assert read_text(check["output"]).startswith("1 failed [redacted")


def test_a_weighted_score_below_the_gate_begins_a_round(workspace, build, finish):
    """One of two criteria with a quarter of the weight."""
    done = finish(unmet=1)
    assert done.returncode == 1
    assert "score 25 is below 95; round 1 of 3 of correction begins" in done.stdout
    assert "unmet: It is tested" in done.stdout
    assert is_shut(workspace)


def test_an_old_green_run_opens_no_gate(workspace, call, build, gate):
    """W2: the code changed since; here the document failed once, and the file came after it."""
    assert call("work", "finish", "-", stdin="x").returncode == 1
    assert gate()["evidence"] == "verified"
    write(workspace, "later.py", "x")
    assert gate()["evidence"] == "claimed"
    assert "files changed since check tests ran" in gate()["missing"]
    call("work", "approve")
    assert is_shut(workspace)


@pytest.mark.parametrize("agent", [None, "dev"])
def test_an_agents_override_opens_no_gate(workspace, call, build, agent):
    """Inside a host, and where no terminal is."""
    done = call("work", "approve", "--override", "--reason", "it is done", agent=agent)
    assert done.returncode == 1
    assert "person" in done.stderr and "the gate of" in done.stderr
    assert is_shut(workspace)


def test_a_workflow_under_way_keeps_its_run(workspace, call, build):
    """Started a second time it goes on."""
    first = read_project(workspace)[0]["run"]
    assert "hotfix is already active, at dev" in call("work", "start", "hotfix").stdout
    assert read_project(workspace)[0]["run"] == first


def test_a_check_of_a_checkout_waits_for_the_users_word(workspace, call, finish, build):
    """Decision 46: its command is not run before, and nothing passes without it."""
    mark = workspace.path("mark")
    with open(workspace.path("config.yaml"), "w", encoding="utf-8") as file:
        file.write(f"work:\n  checks:\n    tests: touch {mark}\n")
    done = finish()
    assert "check tests is set, but the user has not agreed to it (`limpet trust`)" in done.stdout
    assert (done.returncode, os.path.exists(mark)) == (1, False)
    assert call("trust", "--yes").returncode == 0
    assert finish().returncode == 0
    assert os.path.exists(mark)
