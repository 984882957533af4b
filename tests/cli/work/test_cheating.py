"""What an agent tries in order to pass a gate without the deeds: refused, or shown for what it is.

Each is a whole way, by the door: commands inside a host, and files edited beside them.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from limpet.ground.trust.approvals import TYPED, read_approvals, write_approval
from limpet.work.project import read_project

from ...finishing import add_story, do_step, filled
from ...hook_samples import IDENTITY
from ...places import private_path
from ...project_session import update_project

PASS, FAIL = f'{sys.executable} -c "pass"', f'{sys.executable} -c "raise SystemExit(1)"'
TESTS = f"{sys.executable} -m pytest -q -p no:cacheprovider"
STEPS = ("brief", "architect", "tasks", "dev", "qa-implementation")
ASKED = "Only a person can do this: "


class Cheat:
    """A run of ``solo`` in a project with a check, and the agent in it."""

    def __init__(self, workspace, call):
        self.workspace, self.root, self._call = workspace, workspace.root, call
        self.write("app.py", "1")
        self.person("config", "set", "work.checks.tests", json.dumps(PASS))

    def write(self, name, text):
        path = Path(self.root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def person(self, *arguments, **given):
        """A person's command, who agrees to what is asked."""
        done = self._call(*arguments, "--yes", **given)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def agent(self, *arguments, stdin="", **around):
        """The agent's command, inside its host."""
        return self._call(*arguments, stdin=stdin, agent="dev", around=around)

    def start(self):
        done = self._call("work", "start", "solo")
        assert done.returncode == 0, done.stderr

    def reach(self, agent):
        """Begin a run and do the steps before this agent's as they should be done, a person agreeing."""
        self.start()
        for _ in STEPS[: STEPS.index(agent)]:
            self.person("work", "finish", "-", stdin=self.document())

    def form(self):
        return self._call("work", "finish").stdout

    def document(self, done=True):
        """What an honest agent would give, its deeds done unless told otherwise."""
        form = self.form()
        if done:
            do_step(self.root, form)
        return filled(form)

    def finish(self, text, **around):
        """What the agent's finish with this document says."""
        return self.agent("work", "finish", "-", stdin=text, **around)

    def is_at(self, agent):
        return read_project(self.workspace)[0]["agents"][agent]["status"] == "in_progress"

    def session(self):
        return Path(private_path(self.workspace, "session.yaml"))

    def edit(self, old, new):
        text = self.session().read_text(encoding="utf-8")
        assert old in text
        self.session().write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def cheat(workspace, call):
    """A project that nobody works in yet."""
    return Cheat(workspace, call)


def said(done):
    return done.stdout + done.stderr


def other_run(cheat, text):
    run = read_project(cheat.workspace)[0]["run"]
    return text.replace(f"run: {run}", "run: aaaaaaaa")


def evidence(words):
    return lambda cheat, text: text.replace("docs/seen.md", words)


DOCUMENTS = {
    "a tick in every box and nothing else": (
        lambda cheat, text: "## Summary\n\nok\n\n## Criteria\n\n- [x] 1: x\n- [x] 2: x\n- [x] 3: x\n",
        "it does not say for which from_agent it is",
    ),
    "the form of another run": (other_run, "it is for run aaaaaaaa, not"),
    "the form of another step": (
        lambda cheat, text: text.replace("from_agent: brief", "from_agent: tasks"),
        "it is for from_agent tasks, not brief",
    ),
    "a form that is for nobody": (
        lambda cheat, text: text.replace("from_agent: brief\n", ""),
        "it does not say for which from_agent it is",
    ),
    "numbers that no criterion has": (
        lambda cheat, text: text.replace("- [x] 1. ", "- [x] 9. nothing "),
        "no criterion of this step: 9. nothing",
    ),
    "a box left out": (
        lambda cheat, text: "\n".join(line for line in text.splitlines() if "- [x] 3." not in line),
        "criterion 3 is not answered",
    ),
    "yes and no to the same": (
        lambda cheat, text: text + "- [ ] 3. What it will not do is written down\n",
        "criterion 3 is both met and unmet",
    ),
    "no evidence": (evidence(""), "criterion 1 has no evidence"),
    "a file that does not exist as evidence": (evidence("docs/none.md"), "names docs/none.md, which does not exist"),
    "a file outside the project as evidence": (evidence("../../etc/hosts"), "which does not exist"),
    "an output that does not exist": (
        lambda cheat, text: text.replace("## Outputs\n\n", "## Outputs\n\n- src/none.py\n"),
        "output src/none.py does not exist",
    ),
    "no summary": (lambda cheat, text: text.replace("It is done.", ""), "the summary is empty"),
    "work that is only partial": (
        lambda cheat, text: text.replace("from_agent: brief", "from_agent: brief\nstatus: partial"),
        "it says partial",
    ),
}


@pytest.mark.parametrize(("trick", "told"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_document_alone_passes_nothing(cheat, trick, told):
    """W21: whatever its boxes say, where the deed itself was done."""
    cheat.start()
    done = cheat.finish(trick(cheat, cheat.document()))
    assert done.returncode == 1 and told in said(done)
    assert cheat.is_at("brief")


OUTPUTS = {
    "no output": (lambda path: None, "does not exist"),
    "an empty one": (lambda path: path.write_text(""), "is empty"),
    "one of blanks": (lambda path: path.write_text(" \n\n"), "is empty"),
    "a folder in its place": (lambda path: path.mkdir(), "is empty"),
    "a link out of the project": (lambda path: path.symlink_to("/etc/hosts"), "is empty"),
}


@pytest.mark.parametrize(("make", "told"), OUTPUTS.values(), ids=OUTPUTS)
def test_a_step_without_its_output_passes_not(cheat, make, told):
    """W21: every box ticked, each with a file that exists."""
    cheat.start()
    cheat.write("docs/seen.md", "x")
    form = cheat.form()
    path = Path(cheat.root, form.partition("## Outputs\n\n- ")[2].partition("\n")[0])
    path.parent.mkdir(parents=True)
    make(path)
    done = cheat.finish(filled(form))
    assert done.returncode == 1 and f"brief.md {told}" in said(done)
    assert cheat.is_at("brief")


def test_a_document_sent_twice_passes_one_step(cheat):
    """W21: by mistake, or not."""
    cheat.start()
    text = cheat.document()
    assert cheat.finish(text).returncode == 0
    done = cheat.finish(text)
    assert done.returncode == 1 and "it is for from_agent brief, not architect" in said(done)
    assert cheat.is_at("architect")


@pytest.mark.parametrize("words", ["I looked", "see above", "all tests pass", "README", "14/14", "docs/"])
def test_words_as_evidence_are_shown_as_claims(cheat, words):
    """W21: they pass, for who tells lies cannot be stopped; but everybody sees it."""
    cheat.start()
    done = cheat.finish(cheat.document().replace("docs/seen.md", words))
    assert done.returncode == 0 and "3 of 3 criteria only claimed" in done.stdout and "criteria 1, 2, 3" in done.stdout
    assert "Brief(100%, 3 claimed)" in cheat.agent("work", "status").stdout
    assert "3 claimed" in cheat.agent("work", "status", "--gates").stdout


@pytest.mark.parametrize(
    "words", [".github/workflows/ci.yml", "`.env.example`", "The jobs are in .github/workflows/ci.yml."]
)
def test_a_file_whose_name_begins_with_a_dot_is_evidence(cheat, words):
    """Alone, in quotes and in a sentence."""
    cheat.write(".github/workflows/ci.yml", "on: push")
    cheat.write(".env.example", "PORT=1")
    cheat.start()
    done = cheat.finish(cheat.document().replace("docs/seen.md", words))
    assert done.returncode == 0 and "claimed" not in done.stdout


def test_stories_from_before_the_run_are_no_output(cheat):
    """The tasks step makes stories, or it has made nothing."""
    do_step(cheat.root, "---\nfrom_agent: tasks\n## Outputs\n\n\n## Decisions")
    cheat.reach("tasks")
    done = cheat.finish(cheat.document(done=False))
    assert done.returncode == 1 and ".limpet/stories/ is as it was before this run" in said(done)
    assert cheat.is_at("tasks")


def test_a_build_without_a_deed_passes_not(cheat):
    """W21: no story is open, for there is none, and the check passes as it did before; the evidence was there too."""
    cheat.write("docs/seen.md", "x")
    cheat.write(".limpet/workflows/bare.yaml", "steps:\n  - {agent: dev, state: build, mode: build}\n")
    cheat.person("work", "start", "bare")
    done = cheat.finish(cheat.document(done=False))
    assert done.returncode == 1 and "nothing was built" in said(done)
    assert cheat.is_at("dev")


class TestChecks:
    """W23, W24: they are what the user agreed to, and run as they were then."""

    @pytest.fixture(autouse=True)
    def at_dev(self, cheat):
        cheat.reach("dev")
        self.cheat, self.config = cheat, Path(cheat.workspace.path("config.yaml"))

    def refused(self, told, text=None, **around):
        done = self.cheat.finish(text or self.cheat.document(), **around)
        assert done.returncode == 1 and told in said(done), said(done)
        assert self.cheat.is_at("dev")

    def test_the_setting_is_taken_out(self):
        """By an edit of the file, which acts on nothing."""
        self.config.write_text("{}\n")
        self.refused(
            f"{ASKED}Go on with this run of solo though it asks for less than when it began: check tests is gone"
        )

    def test_another_command_is_written_into_the_file(self):
        """Nobody agreed to it."""
        self.config.write_text("work: {checks: {tests: 'true'}}\n")
        self.refused("check tests is gone")

    def test_the_setting_is_changed_by_command(self):
        """It runs something, so a person is asked."""
        done = self.cheat.agent("config", "set", "work.checks.tests", '"true"')
        assert done.returncode == 1 and f"{ASKED}Set work.checks.tests to" in said(done)

    @pytest.mark.parametrize(("key", "value"), [("work.gate", "1"), ("work.approve", "[]")])
    def test_the_gate_is_lowered_by_command(self, key, value):
        """So is what a gate asks for."""
        done = self.cheat.agent("config", "set", key, value)
        assert done.returncode == 1 and f"{ASKED}Set {key} to" in said(done)

    @pytest.mark.parametrize("text", ["gate: 1", "approve: []"])
    def test_the_gate_is_lowered_in_the_file(self, text):
        """What nobody agreed to does not count."""
        self.config.write_text(f"work: {{{text}, checks: {{tests: {json.dumps(PASS)}}}}}\n")
        text = self.cheat.document().replace("[x] 1.", "[ ] 1.").replace(": docs/seen.md", "", 1)
        self.refused("is below 95", text)

    def test_the_gate_is_lowered_in_the_users_own_file(self):
        """It is the user's, but this run began under another one."""
        path = Path(os.environ["XDG_CONFIG_HOME"], "limpet", "config.yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("work: {gate: 1}\n")
        self.refused("dev passes with 1% in place of 95%")

    def test_an_agents_own_gate_is_lowered_in_the_session(self):
        """Its threshold counts, but was another one when the run began."""
        update_project(self.cheat.workspace, {("agents", "dev", "threshold"): 1})
        self.refused("dev passes with 1% in place of 95%")

    def test_a_check_is_added_that_nobody_agreed_to(self):
        """In the project's file: it does not run, and nothing passes while it is there."""
        self.config.write_text(f"work: {{checks: {{tests: {json.dumps(PASS)}, more: 'true'}}}}\n")
        self.refused("check more is set, but the user has not agreed to it")

    def test_a_check_is_added_that_the_user_agreed_to(self):
        """That is free: it runs, and counts from then on."""
        self.cheat.person("config", "set", "work.checks.more", json.dumps(PASS))
        self.cheat.person("work", "approve")
        done = self.cheat.finish(self.cheat.document())
        assert done.returncode == 0 and "check more: " in done.stderr

    def test_a_program_of_another_path_is_not_run(self, tmp_path):
        """One named like the check's, first on PATH."""
        self.cheat.person("config", "set", "work.checks.tests", '"false"')
        (tmp_path / "false").write_text("#!/bin/sh\nexit 0\n")
        (tmp_path / "false").chmod(0o755)
        self.refused("check tests failed with exit code 1", PATH=f"{tmp_path}:{os.environ['PATH']}")

    def test_variables_of_later_are_left_out(self):
        """And named."""
        self.cheat.write("test_app.py", "def test_it():\n    assert False\n")
        self.cheat.person("config", "set", "work.checks.tests", json.dumps(TESTS))
        done = self.cheat.finish(self.cheat.document(), PYTEST_ADDOPTS="--co")
        assert done.returncode == 1 and "check tests failed with exit code 1" in done.stdout
        assert "PYTEST_ADDOPTS" in done.stderr

    def test_checks_that_were_agreed_to_without_an_environment_keep_that_of_the_start(self):
        """As those of the user's own settings, and of an older Limpet."""
        self.cheat.write("test_app.py", "def test_it():\n    assert False\n")
        self.cheat.person("config", "set", "work.checks.tests", json.dumps(TESTS))
        os.unlink(self.cheat.workspace.kept("environment"))
        self.cheat.person("work", "start", "solo", "--afresh")
        self.cheat.person("work", "approve", "--override", "--to", "dev", "--reason", "x")
        done = self.cheat.finish(self.cheat.document(), PYTEST_ADDOPTS="--co")
        assert "check tests failed with exit code 1" in done.stdout and "PYTEST_ADDOPTS" in done.stderr

    @pytest.mark.parametrize("addopts", ["--co", "-k nothing"])
    def test_a_run_without_tests_proves_nothing(self, addopts):
        """By the runner's own settings, which are a file of the project."""
        self.cheat.write("test_app.py", "def test_it():\n    assert True\n")
        self.cheat.write("pytest.ini", f"[pytest]\naddopts = {addopts}\n")
        self.cheat.person("config", "set", "work.checks.tests", json.dumps(TESTS))
        done = self.cheat.finish(self.cheat.document())
        assert done.returncode == 1 and "check tests" in done.stdout and self.cheat.is_at("dev")

    def test_the_workflow_is_replaced(self):
        """W25: by a file of its name in the project."""
        self.cheat.write(".limpet/workflows/solo.yaml", "steps:\n  - {agent: dev, state: plan, mode: planning}\n")
        self.refused("the workflow's steps or criteria are others")

    @pytest.mark.parametrize("field", ["approve", "checks", "thresholds"])
    def test_the_terms_of_the_run_are_edited(self, field):
        """They count under the user's seal only."""
        found = dict(read_project(self.cheat.workspace)[0]["agreement"])
        update_project(self.cheat.workspace, {"agreement": {**found, field: [] if field == "approve" else {}}})
        self.refused(f"{ASKED}Go on with this run of solo, whose terms are not on record")

    def test_the_terms_of_the_run_are_removed(self):
        """So that they would be written anew; with a person's word a run that an older Limpet began goes on."""
        text = self.cheat.document()
        update_project(self.cheat.workspace, {"agreement": None})
        self.refused("whose terms are not on record", text)
        self.cheat.person("work", "finish", "-", stdin=text)
        assert not self.cheat.is_at("dev")

    def test_the_run_begins_anew_without_its_checks(self):
        """Then no check can prove the step, and a person is asked."""
        self.config.write_text("{}\n")
        assert f"{ASKED}Leave solo at dev" in said(self.cheat.agent("work", "start", "solo", "--afresh"))
        self.cheat.person("work", "start", "solo", "--afresh")
        for _ in range(3):
            text = self.cheat.document()
            add_story(self.cheat.root, "S-2")
            self.cheat.person("work", "finish", "-", stdin=text)
        self.cheat.person("work", "approve")
        self.refused(f"{ASKED}Let dev pass though no check runs in this project")

    def test_a_story_is_said_to_be_of_another_run(self):
        """W26: it is open whoever began it."""
        self.cheat.write(
            ".limpet/stories/S-2/story.md",
            "---\nid: S-2\ntitle: More\nstatus: in_progress\nrun: bbbbbbbb\n---\n\n## Acceptance\n\n- [ ] It\n",
        )
        self.refused("open stories: S-2")


class TestApprovals:
    """What a person approves is what they were shown."""

    def asked(self, cheat, path):
        done = cheat.finish(cheat.document())
        assert done.returncode == 1 and f"{ASKED}Approve what " in said(done) and path in said(done), said(done)

    def test_nobody_approved_the_brief(self, cheat):
        """The first step that builds on it asks."""
        cheat.start()
        assert cheat.finish(cheat.document()).returncode == 0
        self.asked(cheat, "brief.md")
        assert cheat.is_at("architect")

    def test_it_is_written_into_the_session(self, cheat):
        """Without the user's seal."""
        cheat.start()
        assert cheat.finish(cheat.document()).returncode == 0
        record = {"content": {}, "how": "typed", "timestamp": "2026-01-01T00:00:00Z", "seal": "0" * 32}
        update_project(cheat.workspace, {("approvals", "brief"): record})
        self.asked(cheat, "brief.md")

    def test_the_step_is_said_to_be_skipped(self, cheat):
        """Its document is there all the same."""
        cheat.start()
        assert cheat.finish(cheat.document()).returncode == 0
        update_project(cheat.workspace, {("agents", "brief", "status"): "skipped"})
        self.asked(cheat, "brief.md")

    def test_the_brief_is_changed_after_it_was_approved(self, cheat):
        """The next gate asks again."""
        cheat.reach("tasks")
        (brief,) = Path(cheat.root, "specs").glob("*/brief.md")
        brief.write_text("Something else.\n")
        self.asked(cheat, "brief.md")

    def test_the_brief_is_changed_after_the_word_was_typed(self, cheat):
        """What was shown is what the word was for: the other content waits for a word of its own."""
        cheat.start()
        assert cheat.finish(cheat.document()).returncode == 0
        text = cheat.document()
        assert cheat.finish(text).returncode == 1
        (shown,) = read_approvals("of-dev", time.time())
        write_approval("of-dev", shown.replace(given=TYPED))
        (brief,) = Path(cheat.root, "specs").glob("*/brief.md")
        approved = brief.read_text()
        brief.write_text("Something else.\n")
        assert f"{ASKED}Approve what brief made" in said(cheat.finish(text)) and cheat.is_at("architect")
        brief.write_text(approved)
        assert cheat.finish(text).returncode == 0

    @pytest.mark.parametrize("change", ["criterion", "gone"])
    def test_a_story_promises_less_after_it_was_approved(self, cheat, change):
        """A criterion that became another one, a story that is gone."""
        cheat.reach("qa-implementation")
        add_story(cheat.root, "S-2")
        story = Path(cheat.workspace.path("stories", "S-1", "story.md"))
        if change == "gone":
            shutil.rmtree(story.parent)
        else:
            story.write_text(story.read_text().replace("A file", "Nothing"))
        self.asked(cheat, ".limpet/stories/")


def test_a_finish_that_another_key_sealed_is_a_claim(cheat, tmp_path):
    """A state folder of the agent's own has no trust; what was sealed there does not count here."""
    cheat.start()
    done = cheat.finish(cheat.document(), XDG_STATE_HOME=str(tmp_path / "mine"))
    assert done.returncode == 1 and cheat.is_at("brief")


def test_a_step_that_was_set_to_completed_by_hand_is_a_claim(cheat):
    """It is shown so, and what a person is to approve is still asked for."""
    cheat.start()
    update_project(
        cheat.workspace, {("agents", "brief", "status"): "completed", ("agents", "architect", "status"): "in_progress"}
    )
    assert "Brief(completed, claimed)" in cheat.agent("work", "status").stdout
    done = cheat.finish(cheat.document())
    assert done.returncode == 1 and "Nothing is there to approve" in said(done)


def test_the_command_that_goes_past_the_gate_is_a_persons(cheat):
    """Whatever it is given."""
    cheat.start()
    cheat.agent("work", "approve")
    assert cheat.is_at("brief")
    assert f"{ASKED}Skip the gate of brief" in said(cheat.agent("work", "approve", "--override", "--reason", "done"))
    assert f"{ASKED}" in said(cheat.agent("work", "approve", "--override", "--reason", "done", "--yes"))
    assert cheat.is_at("brief")


def test_an_honest_no_costs_a_round_and_is_no_trap(cheat):
    """W28: five times, then it is done."""
    cheat.start()
    text = cheat.document()
    for _ in range(5):
        done = cheat.finish(text.replace("[x] 1.", "[ ] 1."))
        assert done.returncode == 1 and "is below 95" in done.stdout
    assert cheat.finish(text).returncode == 0


class TestNothingWasMended:
    """What QA sent back, and whatever has to be validated again after it."""

    @pytest.fixture
    def sent_back(self, cheat):
        cheat.reach("qa-implementation")
        cheat.person("work", "finish", "-", stdin=cheat.document())
        done = cheat.agent("work", "back", "--issue", "code", "--reason", "to_csv fails on a missing amount")
        assert done.returncode == 0, done.stderr
        return cheat

    def test_a_change_opens_the_gate(self, sent_back):
        """A document alone does not; nor does the report of before for the one who validates."""
        text = sent_back.document(done=False)
        told = said(sent_back.finish(text))
        assert f"{ASKED}Let dev pass though nothing changed since the work came back: to_csv fails" in told
        assert sent_back.is_at("dev")
        sent_back.write("app.py", "2")
        assert sent_back.finish(text).returncode == 0
        assert "nothing changed since the work came back" in said(sent_back.finish(sent_back.document(done=False)))
        assert sent_back.is_at("qa-implementation")
        assert sent_back.finish(sent_back.document()).returncode == 0

    def test_a_person_says_that_none_is_due(self, sent_back):
        """It is on record."""
        sent_back.person("work", "finish", "-", stdin=sent_back.document(done=False))
        assert "Dev(100%, no change)" in sent_back.agent("work", "status").stdout


@pytest.mark.parametrize("tracked", [True, False])
def test_evidence_that_the_run_did_not_change_is_named_so(cheat, tracked):
    """By its content where git has it: a time stamp alone says nothing."""
    app = Path(cheat.root, "app.py")
    os.utime(app, (1_600_000_000, 1_600_000_000))
    if tracked:
        ago = {"GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z"}
        for words in (["init", "-q"], ["add", "app.py"], [*IDENTITY, "commit", "-qm", "x"]):
            subprocess.run(["git", *words], cwd=cheat.root, env={**os.environ, **ago}, check=True)
    cheat.start()
    text = cheat.document()
    if tracked:
        app.touch()
    done = cheat.finish(text.replace("docs/seen.md", "app.py", 1))
    assert "evidence that this run did not change: app.py\n" in done.stdout, said(done)
