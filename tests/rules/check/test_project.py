"""Every mistake in the rules is found, with its place and its mend; what is right is left alone."""

import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from limpet.rules.check.manifest import check_manifest
from limpet.rules.check.project import check_rules, check_usage
from limpet.rules.format.constitution import read_constitution
from limpet.rules.plan.sources import FRAMEWORK, shipped_constitution

AGENTS = ("dev", "qa")
SHIPPED = read_constitution("### I. Care (BLOCK)\n- MUST care.\n### II. Tone (INFO)\n- SHOULD be kind.\n")
LONG = "x" * 301
QA = {"manifest": b"QA_RECALL=test\n", "qa": b"QA_RULE_0=Write tests.\n"}


def check(files, constitution=None):
    """The findings in files of the rules folder, given by name."""
    paths = {f".limpet/rules/{name}": raw for name, raw in files.items()}
    if constitution is not None:
        paths[".limpet/constitution.md"] = constitution.encode()
    return check_rules(paths, SHIPPED, AGENTS.__contains__)


def only(findings):
    """The one finding, as (severity, file name with line, what, mend)."""
    assert len(findings) == 1, [str(finding) for finding in findings]
    found = findings[0]
    return found.severity, found.where.rpartition("/")[2], found.what, found.hint


STATES = "active, inactive, work (only while work is active) or on-demand"


@pytest.mark.parametrize(
    ("line", "severity", "what", "mend"),
    [
        ("QA_RECAL=test", "error", "unknown key 'QA_RECAL' (did you mean QA_RECALL?)", "correct"),
        ("qa_exclude=test", "error", "did you mean QA_EXCLUDE?", "correct"),
        ("some words", "error", "no = in 'some words'", "KEY=VALUE"),
        ("QA_STATE=aktiv", "error", "invalid value QA_STATE=aktiv", STATES),
        ("QA_STATE=", "error", "read as off", STATES),
        ("DEVMODE=maybe", "error", "invalid value DEVMODE=maybe", "true or false"),
        ("QA_MATCH=fuzzy", "error", "invalid value QA_MATCH=fuzzy", "words, word or substring"),
        ("QA_EXCLUDE=a,,b", "warning", "empty keyword is ignored", "extra comma"),
        ("GLOBAL_EXCLUDE=draft,", "warning", "empty keyword is ignored", "extra comma"),
        ("QA_EXCLUDE=ok, =", "error", "keyword '=' can never match", "a letter or a digit"),
        ("QA_DOUBTS=ok, =", "error", "keyword '=' can never match", "a letter or a digit"),
        ("QA_RECALL=again", "warning", "QA_RECALL is already in line 1; both count", "keep one"),
        ("DOMAIN_ORDER=qas, QA", "error", "DOMAIN_ORDER names the unknown domain qas (did you mean QA?)", "correct"),
        ("CONSTITUTION_STATE=inactive", "error", "cannot be switched off", "remove the line"),
        ("QA_AGENT_TRIGGER=nobody", "error", "unknown agent nobody: QA never loads", "limpet work agent show"),
        ("QA_RULE_1=", "warning", "QA_RULE_1 is empty", "write the rule"),
        ("STORY_RULE_1=Copied.", "warning", "STORY_RULE_1 has the prefix of another domain", "rename STORY to QA"),
        ("QA_RUL_1=Lost.", "error", "'QA_RUL_1' is not a rule key; the line is ignored", "QA_RULE_n"),
        ("Always write tests.", "error", "no = in 'Always write tests.'", "QA_RULE_n"),
        ("QA_RULE_0=Again.", "warning", "QA_RULE_0 is already in line 1; both rules apply", "renumber them"),
        (f"QA_RULE_1={LONG}", "warning", "rule has 301 characters", "300"),
    ],
)
def test_a_mistake_in_the_manifest_or_a_domain_file_is_found_in_its_line(line, severity, what, mend):
    """File, line, what is wrong and what to do; the first line of either file is sound."""
    name = "qa" if "_RUL" in line or line.startswith("Always") else "manifest"
    found = only(check({**QA, name: QA[name] + f"# a comment\n{line}\n".encode()}))
    assert (found[0], found[1]) == (severity, f"{name}:3")
    assert what in found[2]
    assert mend in found[3]


@pytest.mark.parametrize(
    ("raw", "severity", "place", "what"),
    [
        (b"QA_RULE_0=ok\nQA_RULE_1=caf\xe9\n", "error", "qa:2", "not UTF-8 at byte 14 of the line: 0xe9"),
        (b"\xef\xbb\xbfQA_RULE_0=ok\n", "warning", "qa:1", "byte order mark"),
        (b"QA_RULE_0=o\0k\n", "error", "qa:1", "NUL byte"),
        ("QA_RULE_0=ok\n".encode("utf-16"), "error", "qa", "is UTF-16"),
        ("QA_RULE_0=one\u2028QA_RULE_1=two\n".encode(), "error", "qa:1", "U+2028 ends the line"),
        (
            b"QA_RULE_0=ok\n<<<<<<< HEAD\nQA_RULE_1=a\n=======\nQA_RULE_2=b\n>>>>>>> other\n",
            "error",
            "qa:2",
            "unresolved merge conflict",
        ),
        (None, "error", "qa", "cannot read the file"),
    ],
)
def test_bytes_that_cannot_be_meant_are_found(raw, severity, place, what):
    """Each of these is said once, and not again as another mistake."""
    findings = [one for one in check({**QA, "qa": raw}) if "has no rules" not in one.what]
    found = only(findings)
    assert (found[0], found[1]) == (severity, place)
    assert what in found[2]


@pytest.mark.parametrize(
    ("files", "severity", "place", "what"),
    [
        ({"manifest": b"QA_RECALL=test\n"}, "error", "manifest:1", "domain QA has no file"),
        (
            {"manifest": b"# x\nQAA_RECALL=test\n", "qa": b"QA_RULE_0=x"},
            "error",
            "manifest:2",
            "domain QAA has no file (did you mean qa?)",
        ),
        ({"manifest": b"QA_RECALL=test\nQA_STATE=inactive\n"}, "warning", "manifest:1", "domain QA has no file"),
        ({**QA, "extra": b"EXTRA_RULE_0=x"}, "warning", "extra", "the manifest has no domain EXTRA"),
        ({**QA, "qa.env": b"QA_RULE_0=x"}, "error", "qa.env", "ignored: qa belongs to the same domain"),
        (
            {"manifest": b"AGENT_DEV_STATE=active\n", "agent-dev": b"DEV_RULE_0=x", "agent_dev": b"DEV_RULE_0=y"},
            "error",
            "agent_dev",
            "ignored: agent-dev belongs to the same domain",
        ),
        ({"qa": b"QA_RULE_0=x"}, "warning", "qa", "the manifest has no domain QA"),
        ({**QA, "manifest": b"QA_STATE=active\n"}, "warning", "manifest:1", "QA never loads"),
        ({**QA, "manifest": b"QA_HINTS_A=test\n"}, "warning", "manifest:1", "QA never loads"),
        ({**QA, "manifest": b"QA_RECALL=test\nQA_HINTS_A=fine\n"}, "warning", "manifest:2", "QA_HINTS_A has no effect"),
        ({**QA, "qa": b"# only a comment\n"}, "warning", "qa", "QA has no rules"),
    ],
)
def test_a_domain_and_its_file_belong_together(files, severity, place, what):
    """What has no partner, or two, is found."""
    found = [(one.severity, one.where.rpartition("/")[2]) for one in check(files) if what in one.what]
    assert found == [(severity, place)]


@pytest.mark.parametrize(
    ("text", "severity", "line", "what"),
    [
        ("# Ours\n\n### I. Care (WARN)\n- MUST ask.\n", "error", 3, "BLOCK cannot be lowered to WARN"),
        ("### Seventeen. Order (WARN)\n- MUST sort.\n", "error", 1, "is no article"),
        ("### XVII. Order (MAYBE)\n- MUST sort.\n", "error", 1, "severity must be BLOCK, WARN or INFO"),
        ("### XVII. Order (WARN)\nSort everything.\n", "warning", 1, "article XVII has no duties"),
        ("## In short\nBe nice.\n", "warning", 0, "lines under 'In short' are ignored"),
    ],
)
def test_a_mistake_in_the_constitution_is_found(text, severity, line, what):
    """The heading's line is named."""
    findings = check(QA, text)
    assert [(one.severity, one.line) for one in findings] == [(severity, line)]
    assert what in findings[0].what


def test_a_constitution_may_add_and_tighten():
    """A new article, another duty and a raised severity are no mistakes."""
    assert (
        check(QA, "### II. Tone (WARN)\n\n### I. Care (BLOCK)\n- MUST ask.\n\n### XVII. Order (INFO)\n* MUST sort.\n")
        == []
    )


def test_every_accepted_spelling_is_accepted():
    """CARL's, SYNAPSE's and ADR-001's ways to write keys, rules and groups hold no mistake."""
    files = {
        "manifest": b"DEVMODE=false\nGLOBAL_EXCLUDE=\nGLOBAL_STATE=active\nCONTEXT_ALWAYS_ON=true\nCOMMANDS_STATE=1\n"
        b"AGENT_DEV_AGENT_TRIGGER=@dev\nTEAM_RECALL=team, c++, =CI, \xe6\xb5\x8b\xe8\xaf\x95\nDOMAIN_ORDER=TEAM\n",
        "global": b"Prefer a == b to identity.\nUse tabs.\n",
        "context": b"FRESH_RULES=true\nFRESH_RULE_0=a\nCONTEXT_RULE_DEPLETED_0=b\n",
        "commands": b"BRIEF_RULE_0=a\nCOMMANDS_RULE_DEV_0=b\n[*plan]\nWrite no code.\n",
        "agent-dev": b"DEV_RULE_0=a\nAGENT_DEV_RULE_1=b\nDEV_AUTH_0=c\nDEV_RULE_AUTH_0=d\n",
        "team.env": b"TEAM_RULE_0=a\n",
    }
    assert check(files) == []


def test_findings_come_by_file_and_line_and_read_as_one():
    """A person mends one file after the other, from the top."""
    files = {"manifest": b"A=1\nB=2\nQA_RECALL=x\n", "qa": b"QA_RULE_0=\nlost\n"}
    assert [one.where.rpartition("/")[2] for one in check(files)] == ["manifest:1", "manifest:2", "qa:1", "qa:2"]
    assert str(check({"manifest": b"X_STATE=active\nX_ALWAYS_ON=1\n"})[0]) == (
        "error: .limpet/rules/manifest:1: domain X has no file (create .limpet/rules/x, or remove the entry)"
    )


def test_the_shipped_rules_hold_no_mistake():
    """What `init` writes passes its own check."""
    folder = os.path.join(FRAMEWORK, "rules")
    files = {}
    for name in os.listdir(folder):
        if name != "global.javascript":
            with open(os.path.join(folder, name), "rb") as file:
                files[f".limpet/rules/{name}"] = file.read()
    assert check_rules(files, shipped_constitution(), lambda name: True) == []


@given(st.dictionaries(st.sampled_from(["manifest", "qa", "commands", "constitution"]), st.binary(max_size=200)))
def test_any_bytes_can_be_checked(files):
    """A check never fails, whatever the files hold."""
    check({**QA, **files}, files.get("qa", b"").decode("latin-1"))


@given(st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=12))
@example("C++")
@example("node.js")
@example("don't")
@example("история")
@example("テスト")
def test_a_keyword_with_a_letter_or_digit_can_match(keyword):
    """No word that a person would write is called impossible."""
    findings = check_manifest("manifest", f"QA_RECALL={keyword}", AGENTS.__contains__)
    assert not [one for one in findings if "can never match" in one.what]


SQUAD = {
    ".limpet/rules/manifest": b"QA_RECALL=test\n",
    ".limpet/rules/qa": b"QA_RULE_0=a\n",
    "squads/etl/squad.yaml": b"name: ETL\nextends: override  # ours\n",
    "squads/etl/.limpet/rules/manifest": b"LOAD_RECALL=batch\nETL_EXTENDS=none\nTEAM_STATE=active\n",
    "squads/etl/.limpet/rules/load": b"LOAD_RULE_0=a\n",
    "squads/etl/.limpet/rules/team": b"TEAM_RULE_0=a\n",
}


def check_squad(**files):
    """The findings in a project with a squad; ``load=b"..."`` is a file of its rules, ``paths`` any others."""
    paths = {f"squads/etl/.limpet/rules/{name}": raw for name, raw in files.items() if name != "paths"}
    return [str(one) for one in check_rules({**SQUAD, **paths, **files.get("paths", {})}, SHIPPED, AGENTS.__contains__)]


def test_a_squad_is_checked_as_the_project_is():
    """A domain without keywords comes with the active squad."""
    assert check_squad() == []
    assert check_squad(load=b"LOAD_RULE_0=a\nlost\n") == [
        "error: squads/etl/.limpet/rules/load:2: no = in 'lost'; the line is ignored (write LOAD_RULE_n=...)"
    ]
    assert [one.partition(" (")[0] for one in check_squad(other=b"OTHER_RULE_0=a\n")] == [
        "warning: squads/etl/.limpet/rules/other: the manifest has no domain OTHER"
    ]


@pytest.mark.parametrize(
    ("path", "raw", "place"),
    [
        (
            "squads/etl/squad.yaml",
            b"extends: overide\n",
            "squad.yaml:1: unknown mode of extends: 'overide' (did you mean",
        ),
        (
            "squads/etl/.limpet/rules/manifest",
            b"LOAD_RECALL=a\nTEAM_STATE=on\nETL_EXTENDS=alone\n",
            "manifest:3: unknown mode of extends",
        ),
    ],
)
def test_an_unknown_mode_is_found(path, raw, place):
    """In squad.yaml and in the manifest."""
    findings = check_squad(paths={path: raw})
    assert len(findings) == 1
    assert place in findings[0]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        *(
            (b"{name: x, extends: override}\n", True),
            (b"config: {extends: none}\n", True),
            (b'"extends": none\n', True),
        ),
        *((b"config:\n  extends: none\n", False), (b"name: extends\n", False)),
        *((b"extends: [broken\n: {", False), (b"- extends", False)),
    ],
)
def test_a_mode_that_the_hook_cannot_find_is_told(raw, told):
    """It looks for a line, as it has no YAML reader; SYNAPSE's own place is one level down, and YAML that cannot read
    the file is not ours to judge."""
    assert ("extends must be on its own line" in "".join(check_squad(paths={"squads/etl/squad.yaml": raw}))) == told


def test_two_squads_of_one_id_are_found():
    """etl-x and etl_x are ETL_X."""
    paths = {f"squads/{name}/squad.yaml": b"name: x\n" for name in ("etl-x", "etl_x")}
    assert check_squad(paths=paths) == [
        "error: squads/etl_x: same squad name as squads/etl-x (ETL_X); only the first can be active, "
        "and older domains keep their names (rename one of the folders)"
    ]


def test_rules_of_a_squad_that_nobody_reads_are_found():
    """Beside the manifest that comes first, or without one."""
    both = check_squad(paths={"squads/etl/.synapse/manifest": b"X_STATE=active\n"})
    assert both == [
        "warning: squads/etl/.synapse: ignored: squads/etl/.limpet/rules is this squad's rules folder "
        "(merge the two folders)"
    ]
    without = check_squad(paths={"squads/web/.limpet/rules/ui": b"UI_RULE_0=a\n"})
    assert [one.partition(" (")[0] for one in without] == [
        "error: squads/web/.limpet/rules: no manifest, so this squad's rules are not loaded"
    ]


def test_what_counts_in_the_other_kind_of_manifest_only_is_found():
    """A trigger in a squad's, a mode in the project's."""
    assert "LOAD_AGENT_TRIGGER has no effect" in check_squad(manifest=b"LOAD_AGENT_TRIGGER=dev\nTEAM_STATE=on\n")[0]
    found = check_squad(paths={".limpet/rules/manifest": b"QA_RECALL=test\nQA_EXTENDS=none\n"})
    assert len(found) == 1 and "manifest:2: QA_EXTENDS has no effect" in found[0]


USED = "QA_RECALL=test\nGLOBAL_ALWAYS_ON=true\nOFF_RECALL=x\nOFF_STATE=off\n"


@pytest.mark.parametrize(
    ("prompts", "fired", "finding"),
    [
        (49, 49, ""),
        (50, 30, ""),
        (50, 31, "QA fires too often: in 31 of the last 50 prompts"),
        (199, 0, ""),
        (200, 1, ""),
        (200, 0, "QA never fired in the last 200 prompts"),
    ],
)
def test_keywords_that_fire_on_most_prompts_or_on_none_are_found(prompts, fired, finding):
    """Over 60 % of 50 or more; none of 200."""
    seen = [{"GLOBAL": (), "QA": ()}] * fired + [{"GLOBAL": ()}] * (prompts - fired)
    found = list(check_usage("manifest", USED, seen))
    assert [one.what for one in found] == ([finding] if finding else [])
    assert all(one.where == "manifest:1" for one in found)


def test_the_words_that_fire_most_of_the_last_prompts_are_named():
    """So that the list can be narrowed where it is too wide; what was long ago says nothing."""
    seen = [{"QA": ("test", "bug")}] * 30 + [{"QA": ("test",)}] * 20
    assert [one.what for one in check_usage("manifest", USED, seen)] == [
        "QA fires too often: in 50 of the last 50 prompts (test in 50, bug in 30)"
    ]
    seen = [{"QA": ("test",)}] * 500 + [{}] * 150 + [{"QA": ("test",)}] * 50
    assert list(check_usage("manifest", USED, seen)) == []
