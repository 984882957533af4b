"""The skill ``/limpet`` of Claude Code: written, brought up to date, taken out, and never over somebody's own."""

import re

import pytest

from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.own_name import path_name
from limpet.hosts.checks import OK, WARN
from limpet.hosts.claude_code.host import CLIENT
from limpet.hosts.file_changes import apply_changes, holds_own_digest
from limpet.hosts.records import LOCAL, SHARED, USER
from limpet.hosts.skills import BODY, HEAD, MARK, check_skill, plan_skill, plan_skill_removal, render_skill
from limpet.memory.model.entry import TYPES
from limpet.work.slash import EVERY_DAY, KEEP, WORK

SKILL = ".claude/skills/limpet/SKILL.md"
IGNORE = ".claude/skills/limpet/.gitignore"
MINE = b"---\nname: limpet\n---\nMine.\n"


@pytest.fixture
def home(project):
    return str(project / ".limpet")


def install(home, scope=LOCAL):
    plan = plan_skill(home, scope, CLIENT.SKILLS)
    apply_changes(plan.pending())
    return plan


def uninstall(home, *scopes):
    plan = plan_skill_removal(home, scopes, CLIENT.SKILLS)
    apply_changes(plan.pending())
    return plan


def put(path, raw):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_its_form_is_the_clients():
    """Frontmatter with a name and a description of one line; then words with the typed arguments."""
    text = render_skill().decode()
    head, body = text.removeprefix("---\n").split("\n---\n", 1)
    fields = load_yaml(head, "SKILL.md")
    assert fields["name"] == "limpet" and len(fields["description"]) < 200
    assert "`/limpet`" in body and '<command name="limpet">' in body
    typed = re.findall(r"[a-z]+", str(fields["argument-hint"]))
    assert {*typed} == {*EVERY_DAY, WORK} - {KEEP}


def test_it_tells_the_model_how_to_write_down_and_where_the_work_is():
    """It may open the skill, which costs at most 320 tokens of four characters (decision 48)."""
    text = render_skill().decode()
    assert "disable-model-invocation" not in text and len(HEAD + BODY) <= 1280 and text.count("\n") < 25
    told = re.findall(r"`limpet (\w+(?: [-\w]+)?)", text) + re.findall(r"^    limpet (\w+ \w+)", text, re.MULTILINE)
    assert told == ["doctor", "memory search", "work --help", "memory write"]


def test_it_tells_the_model_what_to_record(workspace):
    """What it found out, by types that there are: what the user says is kept by itself."""
    told = re.findall(r"`(\w+)`", BODY.partition("memory write")[2])
    assert told == ["gotcha", "resolution", "decision"] and set(told) <= set(TYPES)
    assert "kept by itself" in BODY


def test_the_local_skill_hides_from_git_and_goes_with_its_folders(project, home):
    """One that was broken off is finished, or it would count as everybody's. Out again, nothing is left."""
    apply_changes(plan_skill(home, LOCAL, CLIENT.SKILLS).pending()[:1])
    install(home)
    assert (project / SKILL).read_bytes() == render_skill(path_name())
    assert (project / IGNORE).read_bytes().endswith(b"\n*\n")
    uninstall(home, LOCAL, SHARED)
    assert files(project) == [".claude"]


def test_a_second_install_changes_nothing(home):
    """In any scope."""
    for scope in (LOCAL, SHARED, USER):
        install(home, scope)
        assert plan_skill(home, scope, CLIENT.SKILLS).pending() == ()


def test_the_shared_skill_is_for_git_and_takes_the_local_ones_place(project, home):
    """The file that hides it goes; a later local install leaves everybody's skill alone."""
    install(home, LOCAL)
    install(home, SHARED)
    assert (project / SKILL).exists() and not (project / IGNORE).exists()
    install(home, LOCAL)
    assert not (project / IGNORE).exists()
    uninstall(home, LOCAL)
    assert (project / SKILL).exists()
    uninstall(home, LOCAL, SHARED)
    assert not (project / SKILL).exists()


def test_the_users_skill_serves_all_projects(user, project, home):
    """It goes with that scope only."""
    install(home, USER)
    assert (user / SKILL).read_bytes() == render_skill(path_name())
    uninstall(home, LOCAL, SHARED)
    assert (user / SKILL).exists() and files(project) == []
    uninstall(home, USER)
    assert not (user / SKILL).exists()


@pytest.mark.parametrize("name", [SKILL, ".claude/commands/limpet.md"])
def test_somebody_elses_limpet_is_never_touched(project, home, name):
    """Neither written over, nor shadowed, nor removed; a note says so."""
    put(project / name, MINE)
    plan = install(home)
    assert plan.pending() == () and "was kept" in plan.notes[0]
    uninstall(home, LOCAL, SHARED)
    assert (project / name).read_bytes() == MINE


def test_a_skill_that_was_changed_is_the_persons_then(project, home):
    """Kept by install and by uninstall; only what hid it from git goes."""
    install(home)
    changed = render_skill() + b"And be brief.\n"
    put(project / SKILL, changed)
    assert install(home).pending() == ()
    assert "yours" in uninstall(home, LOCAL, SHARED).notes[0]
    assert files(project / ".claude/skills/limpet") == ["SKILL.md"] and (project / SKILL).read_bytes() == changed


def test_an_older_version_is_brought_up_to_date(project, home, monkeypatch):
    """What another version of ours wrote, with line ends that git changed."""
    install(home)
    older = (project / SKILL).read_bytes().replace(b"\n", b"\r\n")
    put(project / SKILL, older)
    assert holds_own_digest(older, MARK)
    monkeypatch.setattr("limpet.hosts.skills.BODY", BODY + "New.\n")
    install(home)
    assert (project / SKILL).read_bytes().endswith(b"New.\n")


def test_other_skills_and_an_empty_file_stay(project, home):
    """Our folder goes, its neighbours do not."""
    put(project / ".claude/skills/other/SKILL.md", MINE)
    install(home)
    uninstall(home, LOCAL, SHARED)
    assert files(project / ".claude/skills") == ["other", "other/SKILL.md"]
    assert not any(holds_own_digest(raw, MARK) for raw in (b"", None, (HEAD + BODY).encode()))


def test_doctor_tells_where_it_is_or_why_not(user, project, home, monkeypatch):
    """None, one of ours, an older one, and one that hides it."""
    assert [check.status for check in check_skill(home, CLIENT.SKILLS)] == [WARN]
    install(home)
    assert [check.status for check in check_skill(home, CLIENT.SKILLS)] == [OK]
    with monkeypatch.context() as patch:
        patch.setattr("limpet.hosts.skills.BODY", BODY + "New.\n")
        (check,) = check_skill(home, CLIENT.SKILLS)
    assert check.status == WARN and "another version" in check.what and check.hint == "run `limpet init`"
    put(user / SKILL, MINE)
    (check,) = check_skill(home, CLIENT.SKILLS)
    assert check.status == WARN and str(user) in check.what


def test_a_skill_of_a_project_in_the_home_folder_goes_with_it(user):
    """Its place is the user's own as well; the mark beside it tells them apart."""
    home = str(user / ".limpet")
    install(home)
    assert (user / SKILL).exists()
    uninstall(home, LOCAL)
    assert not (user / ".claude" / "skills").exists()
