"""The plan on disk: made once, used until something changed, and never trusted further than it deserves."""

import os

import pytest

from limpet.rules.plan import making
from limpet.rules.plan.places import plain_rule_name
from limpet.rules.plan.plan import heading, unpack
from limpet.rules.plan.store import fresh_records, open_plan

from ...conversation import write, write_rules

LONG_AGO = 1_600_000_000


@pytest.fixture
def project(workspace):
    """A project whose rule files are old enough to be trusted by their stamps."""
    write_rules(
        workspace,
        "GLOBAL_ALWAYS_ON=true\nAPI_RECALL=endpoint\n",
        **{"global": "GLOBAL_RULE_0=a\n", "api": "API_RULE_0=b\n"},
    )
    age(workspace)
    return workspace


def age(workspace):
    """Date everything back."""
    for folder, _, names in os.walk(workspace.path("rules")):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.utime(path, (LONG_AGO, LONG_AGO))


def rules(plan, name):
    """A domain's rules in the plan."""
    return plan.record(plan.matcher["names"].index(name))["rules"]


def count_compilations(monkeypatch):
    """A list that grows with every compilation."""
    done = []
    real = making._compile
    monkeypatch.setattr(making, "_compile", lambda *given: done.append(1) or real(*given))
    return done


def test_an_unchanged_project_is_compiled_once(project, monkeypatch):
    """The second opening reads the plan."""
    done = count_compilations(monkeypatch)
    opened = [open_plan(project) for _ in range(3)]
    assert [rules(plan, "API") for plan in opened] == [["b"]] * 3
    assert len(done) == 1


@pytest.mark.parametrize("changed", ["rules/manifest", "rules/new-file", "constitution.md"])
def test_a_change_is_compiled(project, monkeypatch, changed):
    """Of manifest, folder, constitution."""
    open_plan(project)
    write(project.path(*changed.split("/")), "API_RECALL=x\n")
    done = count_compilations(monkeypatch)
    open_plan(project)
    assert len(done) == 1


def test_another_way_of_matching_has_a_plan_of_its_own(project, monkeypatch):
    """The index depends on it."""
    open_plan(project)
    done = count_compilations(monkeypatch)
    open_plan(project, way="substring")
    assert len(done) == 1


def test_an_edited_domain_file_makes_its_record_stale_and_no_other(project):
    """The manifest's stamp does not tell of it, the record's own does."""
    plan = open_plan(project)
    places = {name: plan.matcher["names"].index(name) for name in ("GLOBAL", "API")}
    write(project.path("rules", "api"), "API_RULE_0=c\n")
    assert fresh_records(project, plan, [places["GLOBAL"]])
    assert fresh_records(project, plan, [places["API"]]) is None
    assert rules(open_plan(project, anew=True), "API") == ["c"]


def test_a_file_that_may_change_unseen_is_not_trusted(project):
    """Clocks of file systems tick coarsely: an edit of the same size within the tick shows nonetheless."""
    write(project.path("rules", "api"), "API_RULE_0=x\n")
    plan = open_plan(project, anew=True)
    assert fresh_records(project, plan, [plan.matcher["names"].index("API")]) is None


def test_the_plan_can_be_deleted(project):
    """It is derived."""
    open_plan(project)
    os.unlink(project.cached("plan"))
    assert rules(open_plan(project), "API") == ["b"]


def test_where_nothing_can_be_written_the_rules_are_compiled_each_time(project):
    """A file stands in the place of the user's cache folder."""
    write(project.cache, "in the way")
    assert rules(open_plan(project), "API") == rules(open_plan(project), "API") == ["b"]


@pytest.mark.parametrize("cut", [0, 1, 10, 60, 200, -1, -30])
def test_a_plan_cut_short_is_no_plan(project, cut):
    """At whatever byte."""
    open_plan(project)
    with open(project.cached("plan"), "rb") as file:
        raw = file.read()
    assert unpack(heading("words"), raw)
    assert unpack(heading("words"), raw[:cut]) is None
    write(project.cached("plan"), raw[:cut])
    assert rules(open_plan(project), "API") == ["b"]


def test_a_domain_without_a_file_says_nothing(project):
    """And its file is seen once it is there."""
    write(project.path("rules", "manifest"), "DB_RECALL=table\n")
    assert rules(open_plan(project), "DB") == []
    write(project.path("rules", "db"), "DB_RULE_0=d\n")
    assert rules(open_plan(project), "DB") == ["d"]


@pytest.mark.parametrize(
    ("name", "plain"),
    [("STORY_DEV", "story-dev"), ("story-dev.env", "story-dev"), ("Story_Dev.ENV", "story-dev"), ("a.b", "a.b")],
)
def test_names_meet_whatever_their_spelling(name, plain):
    """Case, hyphens, underscores and suffix."""
    assert plain_rule_name(name) == plain


def test_folders_links_and_hidden_files_are_no_domains(project):
    """What is not a file in the rules folder is passed over."""
    write(project.path("rules", "manifest"), "API_RECALL=x\nSUB_RECALL=y\nHID_RECALL=z\n")
    os.makedirs(project.path("rules", "sub"))
    write(project.path("rules", ".hid"), "HID_RULE_0=h\n")
    plan = open_plan(project)
    assert [rules(plan, name) for name in ("API", "SUB", "HID")] == [["b"], [], []]


def test_files_that_were_not_read_in_time_are_read_by_the_next_who_needs_them(project):
    """The rest of the plan is kept, so that each prompt gets further."""
    plan = open_plan(project, is_late=lambda: True)
    needed = [plan.matcher["names"].index("API")]
    assert (rules(plan, "API"), fresh_records(project, plan, needed)) == ([], None)
    assert rules(open_plan(project, anew=True), "API") == ["b"]
