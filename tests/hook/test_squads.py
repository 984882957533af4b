"""Squads through the hook as a host starts it: modes, names, edits, and neighbours that are broken (decision 18)."""

import os
import shutil

import pytest

from limpet.rules.plan.store import plan_state

from ..conversation import age, obstruct, remove, write, write_rules
from ..hook_host import POSIX, Host
from ..places import private_path

MANIFEST = "GLOBAL_ALWAYS_ON=true\nQA_RECALL=test\n"


@pytest.fixture
def host(workspace):
    """A host whose project has a global rule and a QA domain, and no squad yet."""
    write_rules(workspace, MANIFEST, **{"global": "GLOBAL_RULE_0=Read first.\n", "qa": "QA_RULE_0=The project's.\n"})
    return Host(workspace)


class Squads:
    """The project's ``squads`` folder."""

    def __init__(self, workspace):
        self.root = workspace.root

    def path(self, *parts):
        return os.path.join(self.root, "squads", *parts)

    def rule_file(self, name):
        return self.path("alpha", ".limpet", "rules", name)

    def found(self, name="alpha", manifest="QA_RECALL=test\n", home=".limpet/rules", mode="", **files):
        """A squad with these files, or with a QA domain."""
        for file, text in (files or {"qa": f"QA_RULE_0={name}'s.\n"}).items():
            write(self.path(name, home, file.replace("_", "-")), text)
        write(self.path(name, home, "manifest"), manifest)
        if mode:
            write(self.path(name, "squad.yaml"), f"name: {name}\nextends: {mode}\n")


@pytest.fixture
def squads(workspace):
    return Squads(workspace)


def said(answer):
    """Domain -> its rules, of the domains beside GLOBAL."""
    rules = (answer.block or {"rules": []})["rules"]
    return {each["domain"]: each["lines"] for each in rules if each["domain"] != "GLOBAL"}


def settle(host):
    """Let all that is there be old, and a prompt be compiled from it, so that only a seen change is compiled again."""
    age(host.workspace.root)
    host.prompt("test", session_id="before")
    assert plan_state(host.workspace, "words")[1]


@pytest.mark.parametrize("home", [".limpet/rules", ".synapse"])
def test_a_keyword_brings_an_extending_squads_domain_beside_the_global_one(host, squads, home):
    """In Limpet's layout and in SYNAPSE's, where no layer tests a keyword; without a mode."""
    squads.found(home=home)
    answer = host.prompt("a test")
    assert said(answer) == {"QA": ["The project's."], "ALPHA_QA": ["alpha's."]}
    assert [each["squad"] for each in answer.block["rules"] if each["domain"] == "ALPHA_QA"] == ["ALPHA"]
    assert said(host.prompt("nothing", session_id="other")) == {}


def test_all_domains_of_the_active_squad_come_whatever_is_typed(host, squads):
    """SYNAPSE loads all of all squads."""
    squads.found(manifest="QA_RECALL=test\nOPS_RECALL=deploy\n", qa="QA_RULE_0=a\n", ops="OPS_RULE_0=b\n")
    squads.found("beta")
    write(private_path(host.workspace, "session.yaml"), "squad: Alpha\n")
    assert said(host.prompt("hello")) == {"ALPHA_QA": ["a"], "ALPHA_OPS": ["b"]}


def test_override_replaces_the_namesake_only_while_active(host, squads):
    """Inactive it adds nothing; active it stands in the global one's place, and what has no namesake stays."""
    squads.found(mode="override")
    write_rules(host.workspace, MANIFEST + "DB_RECALL=table\n", db="DB_RULE_0=Migrate.\n")
    assert said(host.prompt("a test")) == {"QA": ["The project's."]}
    spoken = said(host.prompt("*work squad alpha\na test of the table", session_id="active"))
    assert sorted(spoken.values()) == [["Migrate."], ["alpha's."]]


@pytest.mark.parametrize("mode", ["extend", "override", "none"])
def test_no_squad_replaces_the_constitution(host, squads, mode):
    """Nor does one named CONSTITUTION take anything out of it."""
    before = host.prompt(session_id="before").block["constitution"]
    squads.found(
        manifest="CONSTITUTION_RECALL=test\nCONSTITUTION_STATE=inactive\n",
        mode=mode,
        constitution="CONSTITUTION_RULE_ART1_0=Nothing holds.\n",
    )
    assert host.prompt("*work squad alpha\na test").block["constitution"] == before


def test_a_squad_that_stands_alone_speaks_only_while_active(host, squads):
    """And then beyond what GLOBAL_EXCLUDE keeps out."""
    squads.found(mode="none")
    write_rules(host.workspace, MANIFEST + "GLOBAL_EXCLUDE=chat\n")
    assert said(host.prompt("a test")) == {"QA": ["The project's."]}
    assert said(host.prompt("*work squad alpha\njust chat of a test", session_id="b")) == {"ALPHA_QA": ["alpha's."]}


def test_two_squads_with_a_domain_of_one_name_both_speak(host, squads):
    """And one of them can be switched off."""
    squads.found("alpha")
    squads.found("beta")
    both = {"QA": ["The project's."], "ALPHA_QA": ["alpha's."], "BETA_QA": ["beta's."]}
    assert said(host.prompt("a test")) == both
    spoken = said(host.prompt("*limpet off ALPHA_QA\na test", session_id="b"))
    assert spoken == {name: lines for name, lines in both.items() if name != "ALPHA_QA"}


def test_folders_that_come_to_one_id_have_domains_of_their_own(host, squads):
    """etl-squad and etl_squad: no name stands for two domains, or one's rules would hide the other's."""
    squads.found("etl-squad")
    squads.found("etl_squad")
    spoken = said(host.prompt("a test"))
    assert sorted(spoken) == ["ETL_SQUAD_QA", "ETL_SQUAD_QA_2", "QA"]
    assert said(host.prompt("a test")) == {}


def test_a_broken_squad_yaml_is_an_error(host, squads, run):
    """With the line; the hook goes on without it (R4)."""
    squads.found(mode="extend")
    write(squads.path("alpha", "squad.yaml"), "name: alpha\nextends: [extend\n")
    checked = run("rules", "check")
    assert checked.returncode == 1 and "squads/alpha/squad.yaml:" in checked.stdout
    assert "is not valid YAML" in checked.stdout
    assert "ALPHA_QA" in said(host.prompt("a test"))


@POSIX
@pytest.mark.parametrize("name", ["al\npha extend 0 9", "a b", "x" * 200, "ÉQUIPE", "-", "\udcff"])
def test_a_folder_of_any_name_is_a_squad(host, squads, name):
    """A line break in it must not tear the list of squads."""
    squads.found(name, qa="QA_RULE_0=ok\n")
    squads.found("zulu", qa="QA_RULE_0=zulu\n")
    assert sorted(said(host.prompt("a test")).values()) == [["The project's."], ["ok"], ["zulu"]]


# What is edited, the domain that tells of it, and its rules then.
EDITS = {
    "manifest": (lambda squads: write(squads.rule_file("manifest"), "QA_RECALL=quux\n"), "ALPHA_QA", None),
    "domain": (lambda squads: write(squads.rule_file("qa"), "QA_RULE_0=Anew.\n"), "ALPHA_QA", ["Anew."]),
    "mode": (lambda squads: write(squads.path("alpha", "squad.yaml"), "extends: none\n"), "ALPHA_QA", None),
    "new squad": (lambda squads: squads.found("beta"), "BETA_QA", ["beta's."]),
    "squad gone": (lambda squads: shutil.rmtree(squads.path("alpha")), "ALPHA_QA", None),
    "renamed": (lambda squads: os.rename(squads.path("alpha"), squads.path("omega")), "OMEGA_QA", ["alpha's."]),
    "first rules": (lambda squads: squads.found("bare"), "BARE_QA", ["bare's."]),
    "SYNAPSE's rules": (lambda squads: squads.found("half", home=".synapse"), "HALF_QA", ["half's."]),
    "before SYNAPSE's": (lambda squads: squads.found("old", qa="QA_RULE_0=first\n"), "OLD_QA", ["first"]),
    "manifest gone": (lambda squads: os.unlink(squads.rule_file("manifest")), "ALPHA_QA", None),
    "new file": (lambda squads: write(squads.rule_file("ops"), "OPS_RULE_0=Deploy.\n"), "ALPHA_OPS", ["Deploy."]),
    "file gone": (lambda squads: os.unlink(squads.rule_file("qa")), "ALPHA_QA", None),
}


@pytest.mark.parametrize(("edit", "name", "lines"), EDITS.values(), ids=EDITS)
def test_an_edit_shows_at_the_very_next_prompt(host, squads, edit, name, lines):
    """Of whatever makes a squad's rules."""
    squads.found(manifest="QA_RECALL=test\nOPS_RECALL=test\n", qa="QA_RULE_0=alpha's.\n")
    squads.found("old", home=".synapse")
    os.makedirs(squads.path("bare", "docs"))
    os.makedirs(squads.path("half", ".limpet"))
    settle(host)
    edit(squads)
    assert said(host.prompt("a test")).get(name) == lines


def test_a_squad_that_the_mode_kept_silent_is_heard_once_the_mode_changes(host, squads):
    """None of its domains is read while it is silent: the mode is looked at nonetheless."""
    squads.found(mode="none")
    settle(host)
    write(squads.path("alpha", "squad.yaml"), "extends: extend\n")
    assert said(host.prompt("a test"))["ALPHA_QA"] == ["alpha's."]


def test_an_active_squad_that_is_kept_out_comes_once_it_stands_alone(host, squads):
    """Its domains are excluded for all until the mode says otherwise."""
    squads.found(mode="extend")
    write_rules(host.workspace, MANIFEST + "GLOBAL_EXCLUDE=chat\n")
    write(private_path(host.workspace, "sessions", "s.json"), '{"schema_version": 1, "squad": "alpha"}')
    settle(host)
    assert said(host.prompt("chat of a test")) == {}
    write(squads.path("alpha", "squad.yaml"), "extends: none\n")
    assert said(host.prompt("chat of a test")) == {"ALPHA_QA": ["alpha's."]}


@POSIX
@pytest.mark.parametrize(
    ("file", "kind"),
    [
        *(("manifest", kind) for kind in ("folder", "fifo", "loop", "nowhere", "device", "gone")),
        *((file, kind) for file in ("qa", "../../squad.yaml") for kind in ("fifo", "gone")),
    ],
)
def test_what_cannot_be_read_in_one_squad_harms_nobody_else(host, squads, file, kind):
    """And a FIFO is not waited for."""
    squads.found("broken", mode="extend")
    squads.found("whole")
    path = squads.path("broken", ".limpet", "rules", *file.split("/"))
    assert os.path.isfile(path)
    obstruct(kind, path)
    spoken = said(host.prompt("a test"))
    assert (spoken["QA"], spoken["WHOLE_QA"]) == (["The project's."], ["whole's."])


@POSIX
def test_a_link_to_itself_among_the_squads_harms_none_of_them(host, squads):
    """``os.DirEntry.is_dir`` raises for it."""
    squads.found()
    os.symlink(squads.path("loop"), squads.path("loop"))
    assert "ALPHA_QA" in said(host.prompt("a test"))


def test_a_file_in_the_place_of_the_squads_folder_is_no_squad(host, squads):
    """And once it is a folder, its squads are there."""
    write(squads.path(), "not a folder")
    settle(host)
    assert said(host.prompt("a test")) == {"QA": ["The project's."]}
    remove(squads.path())
    squads.found()
    assert "ALPHA_QA" in said(host.prompt("a test"))


def test_the_active_squads_rules_are_told_once(host, squads, run):
    """With a prompt that brings nothing else there is no block."""
    squads.found()
    assert run("work", "set", "--squad", "alpha").returncode == 0
    assert "ALPHA_QA" in said(host.prompt("hello"))
    assert host.prompt("hello again").block is None
