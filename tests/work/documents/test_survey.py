"""What a session reads first, and what finds the documents."""

import subprocess
from pathlib import Path

import pytest

import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.text.tokens import estimate_tokens
from limpet.work.documents import form
from limpet.work.documents.detail import Baseline, Detail, read_detail_text
from limpet.work.documents.evaluation import add_backlog, list_backlog
from limpet.work.documents.form import BacklogItem
from limpet.work.documents.manifest import Artifact, edit_manifest, read_manifest_text
from limpet.work.documents.scan import find_documents, scan_documents
from limpet.work.documents.survey import (
    DIRECTED,
    STATES,
    UNCOMPARED,
    UNPROMPTED,
    VAGUE,
    DocumentStatus,
    cold_start,
    count_states,
    judge_priority,
    make_survey,
    mean_level,
    propose_priorities,
    rank_statuses,
)


def lines(project):
    return cold_start(project.workspace)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\n<<<<<<< x\n", "cannot read the spec state: .limpet/manifest.yaml:2: Unresolved"),
        ("version: 2\nartifacts: {}\n", "read-only: a newer Limpet wrote the manifest"),
        ('log: ["a\\n- architecture 5/5 current"]\n', "log a - architecture 5/5 current"),
    ],
    ids=["that cannot be read", "of a newer version", "with a line break in a line"],
)
def test_a_manifest_is_told_in_lines(project, text, line):
    """The reader of the block learns why there is no more; without one there is nothing to say."""
    assert lines(project) == ()
    project.put(".limpet/manifest.yaml", text)
    assert [each for each in lines(project) if each.startswith(line)]


def test_the_lines_tell_counts_the_next_thing_documents_problems_and_log(project):
    """In this order."""
    project.track("architecture", "features")
    project.evaluate("architecture", components=("no", ""))
    add_backlog(project.workspace, BacklogItem("architecture", "Add a diagram", "high"), project.actor())
    assert lines(project) == (
        "project: 2 documents: 1 draft, 1 current; level 2.5 of 5",
        "next: evaluate features (never evaluated)",
        "- features 0/5 draft, specs/features.md: never evaluated",
        "- architecture 4/5 current, specs/architecture.md",
        "backlog high, architecture: Add a diagram",
        "log 2026-02-20: Evaluated architecture (4/5)",
        "log 2026-02-20: Scanned: architecture, features",
    )


@pytest.mark.parametrize("count", [8, 15, 200])
def test_the_cold_start_read_has_at_most_700_tokens(project, count):
    """With long texts everywhere; what does not fit is counted."""
    project.track("architecture")
    text = project.get(".limpet/manifest.yaml")
    more = [Artifact(f"a-{number}", "docs/" + "long-name-" * 9 + f"{number}.md") for number in range(count - 1)]
    known = read_manifest_text(text)
    text = edit_manifest(text, known.replace(artifacts=(*known.artifacts, *more)))
    rows = [f'{{artifact: a-1, item: "{"words, words: " * 9}{n}", priority: high}}' for n in range(10)]
    text = text.replace("backlog: []", f"backlog: [{', '.join(rows)}]\nx: 1")
    project.put(".limpet/manifest.yaml", text)
    found = lines(project)
    assert estimate_tokens("\n".join(found)) <= 700
    assert len(read_manifest_text(text).artifacts) == count
    shown = sum(line.startswith("- ") for line in found)
    rest = sum(int(line.split()[1]) for line in found if line.startswith("and "))
    assert shown >= 5 and shown + rest == count


def test_each_file_is_parsed_once_however_often_it_is_asked_for(project, monkeypatch):
    """A status reads manifest and details several times."""
    project.track("architecture", "features")
    for key in ("architecture", "features"):
        project.evaluate(key, current=("no", ""))
        add_backlog(project.workspace, BacklogItem(key, "a gap"), project.actor())
    read_manifest_text.cache_clear()
    read_detail_text.cache_clear()
    read = []
    real = form.load_yaml
    monkeypatch.setattr(form, "load_yaml", lambda text, where: read.append(where) or real(text, where))
    for _ in range(2):
        assert len(make_survey(project.workspace).statuses) == len(list_backlog(project.workspace)[0]) == 2
    artifacts = [f".limpet/artifacts/{key}.yaml" for key in ("architecture", "features")]
    assert sorted(read) == [*artifacts, ".limpet/manifest.yaml"]


def test_the_first_run_proposes_the_core_types_and_what_the_project_has(project):
    """A document by its name, another type by its files, none without either."""
    for path in ("docs/ARCHITECTURE.md", "package.json", "README.md", "Dockerfile", "node_modules/x/auth/a.js"):
        project.put(path)
    found = {one.key: one.path for one in scan_documents(project.workspace)}
    missing = dict.fromkeys(("features", "conventions", "deployment", "dependencies"), "")
    assert found == {**missing, "architecture": "docs/ARCHITECTURE.md", "dev-context": "README.md"}


@pytest.mark.parametrize("is_repository", [False, True])
def test_what_tools_and_others_keep_is_no_document_of_the_project(project, is_repository):
    """With git and without."""
    ours = (".limpet/templates/architecture.md", ".claude/settings.local.json", ".claude/skills/limpet/SKILL.md")
    for path in (*ours, ".tool/features.md", "vendor/x/conventions.md", "a/README.md"):
        project.put(path)
    if is_repository:
        subprocess.run(["git", "init", "-q"], cwd=project.workspace.root, check=True)
    found = {one.key: one.path for one in scan_documents(project.workspace)}
    assert found == {"architecture": "", "features": "", "conventions": "", "dev-context": "a/README.md"}


def test_a_later_run_proposes_only_what_came_since(project):
    """What is tracked stays tracked; a missing document that was written gets its file."""
    project.track("architecture", "features", "conventions")
    project.put("specs/dev-context.md")
    assert [(one.key, one.path) for one in scan_documents(project.workspace)] == [
        ("dev-context", "specs/dev-context.md")
    ]


def test_a_documents_folder_goes_before_others():
    """The project's own, then docs, then the nearest; no file is taken twice."""
    files = ["a/b/architecture.md", "architecture.md", "docs/architecture.md", "specs/architecture.md"]
    for best in ("specs/architecture.md", "docs/architecture.md", "architecture.md", "a/b/architecture.md"):
        assert find_documents(files, None, files.__contains__)[0].path == best
        files.remove(best)
    only = ["CONTRIBUTING.md"]
    found = [one.key for one in find_documents(only, None, only.__contains__) if one.path]
    assert found == ["conventions"]


def test_the_protocol_fits_its_budget_and_states_its_rules():
    """At most 4,000 tokens: one action, three modes, the order, the write order, the note on committing."""
    text = (Path(limpet.__file__).parent / "framework/spec-protocol.md").read_text(encoding="utf-8")
    assert estimate_tokens(text) <= 4000
    order = ["what is broken", "what is missing", "the lowest score", "what has been stale longest", "the backlog"]
    assert [text.index(f"{place}. {name}") for place, name in enumerate(order, 1)]
    for rule in ("One action a session", "**Directed**", "**Vague**", "**Unprompted**", "We recommend committing"):
        assert rule in text
    assert "**the document, then its detail, then the manifest.**" in text


def status(key, state="current", score=5, evaluated_at=9.0, need="", core=False):
    return DocumentStatus(key, key, f"specs/{key}.md", score, 5, state, state, core, evaluated_at, need)


# broken > missing > lowest score > stale longest > backlog; ties: core types first
LADDER = [
    status("broken", "broken"),
    status("missing", "missing", 0),
    status("draft", "draft", 0),
    status("one", "current", 1),
    status("two-stale", "stale", 2),
    status("two", "current", 2),
    status("stale-long", "stale", 5, evaluated_at=1.0),
    status("stale", "stale", 5, evaluated_at=2.0),
    status("urgent", need="high"),
    status("waiting", need="low"),
    status("well"),
]


def test_the_order_is_that_of_the_source():
    """Each row of the ladder before the next, from any order."""
    assert [one.key for one in rank_statuses(reversed(LADDER))] == [one.key for one in LADDER]


@pytest.mark.parametrize("place", range(len(LADDER)))
def test_what_stands_first_is_offered(place):
    """Unprompted, one thing."""
    offered = propose_priorities(LADDER[place:], UNPROMPTED)
    assert [one.key for one in offered] == ([] if LADDER[place].key == "well" else [LADDER[place].key])


@pytest.mark.parametrize("state", ["broken", "missing", "draft", "wip", "stale", "current"])
def test_core_types_come_first_among_equals(state):
    """In every class."""
    pair = [status("a", state, 3), status("z", state, 3, core=True)]
    assert [one.key for one in rank_statuses(pair)] == ["z", "a"]


def test_core_types_come_in_their_own_order():
    """The project's level is the mean of 3, 2, 4 and two that are missing, which count as 1: 2.2."""
    keys = ["security", "conventions", "dev-context", "architecture", "features"]
    found = rank_statuses(status(key, "missing", 0, core=key != "security") for key in keys)
    assert [one.key for one in found] == ["architecture", "features", "conventions", "dev-context", "security"]
    levels = [status("a", score=3), status("b", score=2), status("c", score=4)]
    assert mean_level([*levels, status("d", "missing", 0), status("e", "missing", 0)]) == 2.2
    assert mean_level([]) == 0.0
    assert count_states(levels)["current"] == 3


def test_a_vague_wish_gets_three_offers():
    """Of what needs work only."""
    assert [one.key for one in propose_priorities(LADDER, VAGUE)] == ["broken", "missing", "draft"]
    assert propose_priorities([status("well")], VAGUE) == ()


def test_a_directed_wish_stays_on_its_target():
    """Even where others are worse."""
    assert [(one.action, one.key) for one in propose_priorities(LADDER, DIRECTED, "stale")] == [("evaluate", "stale")]
    with pytest.raises(LimpetError, match="did you mean stale"):
        propose_priorities(LADDER, DIRECTED, "stael")


@pytest.mark.parametrize(
    ("key", "action"),
    [("broken", "mend"), ("missing", "write"), ("draft", "evaluate"), ("stale", "evaluate"), ("one", "improve"),
     ("two-stale", "evaluate"), ("urgent", "backlog"), ("well", "improve")],
)  # fmt: skip
def test_each_state_has_its_action(key, action):
    """What is low and stale is evaluated before it is improved."""
    assert propose_priorities(LADDER, DIRECTED, key)[0].action == action


def test_what_cannot_become_better_is_not_offered_again_and_again():
    """Where n/a leave no more than level 4, a document at 4 is done, and what is stale comes before it."""
    done = status("done", score=4).replace(best=4)
    assert propose_priorities([done], UNPROMPTED) == ()
    assert [one.key for one in propose_priorities([done, status("old", "stale")], UNPROMPTED)] == ["old"]
    assert [one.key for one in propose_priorities([done.replace(score=3)], UNPROMPTED)] == ["done"]


DAY = "2026-02-20"
EVALUATED = Artifact("architecture", path="specs/architecture.md", score=4, status="current", last_evaluated=DAY)
CHANGED = "src/a.py changed"
BARE = Detail("architecture")
JUDGED = BARE.replace(last_evaluated=DAY, baseline=Baseline("a"))
BEFORE = BARE.replace(last_evaluated=DAY)


@pytest.mark.parametrize(
    ("artifact", "detail", "exists", "change", "state", "reason"),
    [
        (EVALUATED, JUDGED, True, "", "current", ""),
        (EVALUATED, BEFORE, True, "", "current", UNCOMPARED),
        (EVALUATED, BARE, True, "", "current", UNCOMPARED),
        (EVALUATED, BEFORE, True, CHANGED, "stale", "src/a.py changed"),
        (EVALUATED.replace(status="stale"), BARE, True, "", "stale", "marked in the manifest"),
        (EVALUATED, BARE.replace(last_evaluated="2026-02-19"), True, "", "stale", "interrupted"),
        (EVALUATED, BEFORE.replace(wip="half done"), True, CHANGED, "wip", "half done"),
        (EVALUATED.replace(status="wip"), BARE, True, "", "wip", "not finished"),
        (EVALUATED.replace(last_evaluated=""), BARE, True, "", "draft", "never evaluated"),
        (EVALUATED.replace(last_evaluated=""), BARE, False, "", "missing", "not written yet"),
        (EVALUATED, BEFORE, False, "", "missing", "specs/architecture.md does not exist any more"),
        (EVALUATED, LimpetError("line 3: bad"), False, "", "broken", "line 3: bad"),
    ],
)
def test_the_state_and_its_reason(artifact, detail, exists, change, state, reason):
    """What breaks a document outweighs what dates it; work in progress outweighs a change."""
    found = judge_priority(artifact, detail, exists, change)
    assert found.state == state and state in STATES
    assert reason in found.reason if reason else found.reason == ""


def test_the_type_decides_what_is_core_and_the_answers_what_is_the_best_level():
    """The core types' own documents are core; without n/a the whole scale is there, and a missing one has no score."""
    assert judge_priority(EVALUATED, BARE, True, "").core
    assert not judge_priority(EVALUATED.replace(key="billing", type="architecture"), BARE, True, "").core
    billing = judge_priority(EVALUATED.replace(key="billing"), BEFORE.replace(type="api-docs"), True, "")
    assert billing.type == "api-docs"
    assert judge_priority(EVALUATED, BARE, True, "").best == 5
    assert judge_priority(EVALUATED.replace(reachable=4), BARE, True, "").best == 4
    found = judge_priority(EVALUATED.replace(last_evaluated="", score=3), BARE, False, "")
    assert (found.state, found.score, found.evaluated_at) == ("missing", 0, 0.0)
