"""A project without rules of its own compiles nothing: what is shipped is compiled once."""

import os

import pytest

from limpet.ground.workspace import workspace_at
from limpet.rules.plan import making
from limpet.rules.plan.making import compile_shipped
from limpet.rules.plan.plan import heading
from limpet.rules.plan.store import fresh_records, open_plan, plan_state

from ...conversation import write

LONG_AGO = 1_600_000_000
SIGNS = ["", "package.json", "tsconfig.json"]


@pytest.fixture
def compiled(monkeypatch):
    """A list that grows with every compilation."""
    done = []
    real = making._compile
    monkeypatch.setattr(making, "_compile", lambda *given: done.append(1) or real(*given))
    return done


@pytest.fixture
def project(tmp_path):
    """Returns a new project with a file."""

    def make(name, sign=""):
        root = tmp_path / name
        (root / ".limpet").mkdir(parents=True)
        if sign:
            write(root / sign, "{}")
            os.utime(root / sign, (LONG_AGO, LONG_AGO))
        return workspace_at(str(root))

    return make


@pytest.mark.parametrize("sign", SIGNS)
def test_it_is_the_plan_that_the_project_would_compile(project, sign):
    plain = project("a", sign)
    compiled = making._compile(plain, "words", None, (), lambda: False)
    compile_shipped()
    found = open_plan(plain)
    assert (found.matcher, found.records) == (compiled.matcher, compiled.records)


def test_the_second_project_compiles_nothing(project, compiled):
    open_plan(project("a"))
    open_plan(project("b"))
    assert len(compiled) == 1
    open_plan(project("c", "package.json"))
    open_plan(project("d", "tsconfig.json"))
    assert len(compiled) == 2


def test_after_the_step_of_init_no_project_compiles(project, compiled):
    compile_shipped()
    compiled.clear()
    for sign in SIGNS:
        open_plan(project(f"p{sign}", sign))
    assert not compiled


def test_a_project_that_becomes_one_of_javascript_gets_its_rules(project):
    workspace = project("a")
    plain = open_plan(workspace)
    number = plain.matcher["names"].index("GLOBAL")
    write(f"{workspace.root}/package.json", "{}")
    assert fresh_records(workspace, plain, [number]) is None
    assert open_plan(workspace, anew=True).record(number)["rules"] != plain.record(number)["rules"]


@pytest.mark.parametrize("path", ["rules/manifest", "rules/qa", "constitution.md", "../squads/a/squad.yaml"])
def test_a_project_with_something_of_its_own_compiles_its_own(project, compiled, path):
    compile_shipped()
    workspace = project("a")
    open_plan(workspace)
    compiled.clear()
    write(f"{workspace.home}/{path}", "")
    assert not plan_state(workspace, "words")[1]
    open_plan(workspace)
    assert len(compiled) == 1


def test_another_version_takes_nothing_of_this_one(project, compiled, monkeypatch):
    open_plan(project("a"))
    before = heading("words")
    monkeypatch.setattr("limpet.rules.plan.plan.__version__", "99")
    assert heading("words") != before
    open_plan(project("b"))
    assert len(compiled) == 2


def test_a_damaged_file_is_made_anew(project, compiled):
    from limpet.ground.storage.user_folders import cache_folder

    open_plan(project("a"))
    write(f"{cache_folder()}/shipped.plain.words.plan", "spoilt")
    assert open_plan(project("b")).matcher["names"]
    assert len(compiled) == 2
