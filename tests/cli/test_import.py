"""``limpet import``: what another tool left becomes ours, whole, once, and with a way back."""

import json
import os
import re
import shutil

import pytest

from limpet.ground.trust.giving import revoke_trust

from ..conversation import write, write_over_shipped, write_rules
from ..hook_host import POSIX, Host, notes
from ..originals import KINDS, ORIGINALS, bring, files_below, originals_of, seen

EACH = pytest.mark.parametrize("name", list(KINDS))
# What a person would miss: of each project the words that must stand in a file of ours.
WORDS = {
    "carl": (
        "Answer in short sentences.|Never guess a depth; look it up.|Umlaute bleiben: Föhr, Süd.|Read before you write."
        "|Say the goal again.|Stop soon.|Three lines at most.|Check each depth twice.|Tag the commit before"
        "|Write the notes first.|Times are UTC.|Heights are in metres.|Leave the old reader alone."
        '|"TIDE_DATA_STATE": false|"LEGACY_STATE": true|ship the version|press release|skip carl'
    ),
    "carl2": (
        "Answer in short sentences.|Restart every worker after a push.|Never touch the other apps.|Say the goal again."
        "|Leave the old reader alone.|Three lines at most.|The server runs one process a core.|Measured: more made"
    ),
    "synapse": (
        "MUST work by the command line first.|Use absolute imports.|Say the goal again.|Three lines at most."
        "|Plan in five steps.|NEVER push.|Write the test first.|Give a verdict.|One story at a time.|Reef early."
        '|Keep the log.|"SAILING_STATE": false|Go on with story_development at implement, step 2'
        "|The build needs node 20|nvm use 20|No, use metres.|Always reef early.|Use SQLite for the depths"
    ),
    "chati": (
        "bakery|vibecoder|score: 97|score: 96|Print a receipt|Weigh the flour|Two ovens run at once"
        "|The yeast timer overflows at 60|Round prices up|Ask before a new oven|EADDRINUSE on the till port"
        "|The requirements are written.|one drawer|One drawer a till|Two were never used."
    ),
    "shaktra": (
        "Validate every port call|confidence: 0.76|Reading the whole log|confidence: 0.72|Run the slow tests"
        "|confidence: 0.68|Berths are found by number|confidence: 0.7|Berths are found by the name|The simulator drifts"
        "|confidence: 0.5|Set the clock before each run|A call with an unknown berth is refused|A call is stored once"
        "|completed_phases: [plan, tests]|The berth table is sorted."
    ),
    "chat-spec": "score: 3|Add data flow diagram|Evaluated architecture (3/5)|Only the gateway|Document cache|gateway",
}


def take(call, name, *words):
    return call("import", "--from", KINDS[name], "--yes", *words)


@EACH
def test_everything_is_found_again_or_in_the_report(workspace, call, name):
    """Every file of the original, and every thing in it that a person would miss; the originals keep their bytes."""
    bring(workspace, name)
    before = files_below(workspace.root)
    told = json.loads(call("import", "--from", KINDS[name], "--dry-run", "--json").stdout)
    assert files_below(workspace.root) == before and not told["applied"]
    sources = {item["source"] for item in told["items"]}
    assert {path for path in files_below(ORIGINALS / name) if not path.startswith("specs")} <= sources
    assert all(item["target"] or item["why"] for item in told["items"])
    assert take(call, name).returncode == 0
    project, private = seen(workspace)
    ours = {path: raw.decode() for path, raw in (project | private).items() if path not in before}
    text = "\n".join(ours.values())
    assert [word for word in WORDS[name].split("|") if word not in text] == []
    changed = {path for path, raw in before.items() if project.get(path) != raw}
    assert changed == ({"CLAUDE.md"} if name == "chati" else set())


@EACH
def test_a_second_time_changes_nothing(workspace, call, name):
    bring(workspace, name)
    take(call, name)
    before = seen(workspace)
    again = take(call, name)
    assert (again.returncode, "Nothing to do." in again.stdout) == (0, True)
    assert seen(workspace) == before


@EACH
def test_rollback_gives_every_byte_back(workspace, call, name):
    bring(workspace, name)
    write_rules(workspace, "GLOBAL_STATE=active\n", **{"global": "GLOBAL_RULE_0=Ours."})
    call("status")
    before = seen(workspace)
    take(call, name)
    assert seen(workspace) != before
    assert call("import", "--rollback", "--yes").returncode == 0
    assert seen(workspace) == before
    assert call("import", "--rollback", "--yes").returncode == 1


def test_rollback_leaves_what_was_edited_since_and_lists_it(workspace, call):
    bring(workspace, "carl")
    take(call, "carl")
    path = workspace.path("rules", "global")
    write(path, "GLOBAL_RULE_0=Mine now.\n")
    done = call("import", "--rollback", "--yes")
    assert done.returncode == 1 and ".limpet/rules/global" in done.stdout
    assert os.listdir(workspace.path("rules")) == ["global"]
    with open(path, encoding="utf-8") as file:
        assert file.read() == "GLOBAL_RULE_0=Mine now.\n"


PROMPTS = [
    *("publish it", "make a release", "ship the  version now", "write the press release", "skip carl and publish"),
    *("show the tide", "the harbour table is wrong", "publish the tide", "legacy reader", "touch the legacy code"),
    *("*brief say why", "*sound the depth", "*brief *sound", "please *brief", "**brief** bold", "2*brief"),
    *("deploy it", "restart pm2", "nginx fails", "deploy the press release", "skip carl and deploy", "deployment"),
    *("sail home", "the mast broke", "sailing", "*plan the trip", "*brief sail", "sail and publish", "sails"),
    *("hello", "fix the typo", "why is the sky blue", "released yesterday", "publishing", "tides turn", "ui build"),
    *("Änderung im Süden", "add a route", "write a test", "thanks"),
]


@pytest.mark.parametrize("name", ["carl", "carl2", "synapse"])
@pytest.mark.parametrize("ours", [False, True], ids=["alone", "beside ours"])
def test_the_same_prompts_bring_the_same_rules_in_place_and_moved(workspace, call, name, ours):
    """Forty prompts in three brackets by turns; with rules of our own under the same names too."""
    bring(workspace, name)
    if ours:
        manifest = "GLOBAL_STATE=active\nDEPLOY_RECALL=rollout\nTIDE_DATA_STATE=active\nTIDE_DATA_RECALL=ebb\n"
        own = {"global": "GLOBAL_RULE_0=Ours.\n", "deploy": "DEPLOY_RULE_0=Ask first.\n", "tide-data": "Ebb is low.\n"}
        write_over_shipped(workspace, manifest, **own)
    assert call("trust", "--yes").returncode == 0
    assert len(PROMPTS) == 40
    before = [brought(call, number) for number in range(40)]
    assert take(call, name).returncode == 0
    assert [brought(call, number) for number in range(40)] == before
    assert len({*before}) > 6


def brought(call, number):
    bracket, agent = ("FRESH", "MODERATE", "DEPLETED")[number % 3], (("--agent", "dev") if number % 5 == 0 else ())
    text = call("why", "--for", PROMPTS[number], "--text", "--bracket", bracket, *agent).stdout
    return "\n".join(found[0] for found in re.finditer(r"(?s)<(rules|article|command)\b.*?</\1>", text))


def test_a_domain_that_both_have_gets_the_rules_of_both(workspace, call):
    """Ours first; what our manifest says holds."""
    bring(workspace, "carl")
    write_rules(
        workspace,
        "PUBLISHING_STATE=active\nPUBLISHING_RECALL=old\nTIDE_DATA_STATE=inactive\n",
        **{"publishing": "PUBLISHING_RULE_0=Rename nothing.\n", "tide-data": "Ebb is low.\n"},
    )
    take(call, "carl")
    with open(workspace.path("rules", "publishing"), encoding="utf-8") as file:
        assert file.read() == (
            "PUBLISHING_RULE_0=Rename nothing.\n"
            "PUBLISHING_RULE_2=Tag the commit before it is published.\nPUBLISHING_RULE_3=Write the notes first.\n"
        )
    for word in ("release", "old"):
        assert "Write the notes first." in call("why", "--for", f"the {word} one", "--text").stdout
    assert "Ebb" not in call("why", "--for", "tide", "--text").stdout
    assert call("rules", "check").returncode == 0


def test_a_strangers_clone_says_nothing_before_trust(workspace, call):
    """Nor what came with a pull, before it was shown."""
    bring(workspace, "carl")
    host = Host(workspace)
    revoke_trust(workspace)
    assert b"Times are UTC" not in host.prompt("show the tide").out
    shown = call("trust", "--show").stdout
    assert "Times are UTC." in shown and ".carl/tide_data" in shown
    call("trust", "--yes")
    answer = host.prompt("show the tide", session_id="t")
    assert b"Times are UTC" in answer.out
    assert any("with the rules in .carl/" in note for note in notes(answer))


def test_what_came_with_a_pull_waits_until_it_was_shown(workspace, call):
    bring(workspace, "carl")
    assert "Times are UTC" not in call("why", "--for", "show the tide", "--text").stdout
    assert "wait for your consent: .carl/" in call("status").stdout
    assert "Times are UTC." in call("trust", "--show").stdout
    call("trust", "--yes")
    assert "Times are UTC" in call("why", "--for", "show the tide", "--text").stdout
    write(os.path.join(workspace.root, ".carl", "tide_data"), "TIDE_DATA_RULE_0=Times are local.\n")
    assert "Times are local" in call("why", "--for", "show the tide", "--text").stdout
    assert ".carl/tide_data" in call("trust", "--show").stdout
    refused = call("rules", "edit", "tide_data", "--add-rule", "x")
    assert refused.returncode == 1 and "limpet import --from carl" in refused.stderr
    write(workspace.path("config.yaml"), "rules: {in_place: false}\n")
    assert "Times are" not in call("why", "--for", "show the tide", "--text").stdout


def test_synapse_comes_before_carl(workspace, call):
    bring(workspace, "carl")
    bring(workspace, "synapse")
    call("trust", "--yes")
    listed = call("rules", "list").stdout
    assert "SAILING" in listed and "PUBLISHING" not in listed


@POSIX
def test_a_link_out_of_the_project_counts_for_nothing(workspace, call, tmp_path):
    """Neither the folder nor a file in it."""
    shutil.copytree(ORIGINALS / "carl" / ".carl", tmp_path / "elsewhere")
    link = os.path.join(workspace.root, ".carl")
    os.symlink(tmp_path / "elsewhere", link)
    assert "PUBLISHING" not in call("trust", "--yes").stdout + call("rules", "list").stdout
    assert json.loads(call("import", "--from", "carl", "--dry-run", "--json").stdout)["files"] == []
    os.unlink(link)
    bring(workspace, "carl")
    os.unlink(os.path.join(link, "tide_data"))
    os.symlink(tmp_path / "elsewhere" / "tide_data", os.path.join(link, "tide_data"))
    call("trust", "--yes")
    assert "Times are UTC" not in call("why", "--for", "show the tide", "--text").stdout
    assert "link out of the project" in take(call, "carl").stdout


def test_rules_of_the_person_hold_in_every_project(workspace, call, user):
    """Those of CARL in the home folder, once they were imported; rolled back they are gone."""
    write(str(user / ".carl" / "manifest"), "GLOBAL_STATE=active\nMINE_STATE=active\nMINE_RECALL=ferry\n")
    write(str(user / ".carl" / "mine"), "MINE_RULE_0=Ferries have right of way.\n")
    write(str(user / ".carl" / "global"), "GLOBAL_RULE_0=Say please.\n")
    write_rules(workspace, "GLOBAL_STATE=active\n", **{"global": "GLOBAL_RULE_0=Ours.\n"})
    assert "right of way" not in call("why", "--for", "the ferry", "--text").stdout
    take(call, "carl")
    text = call("why", "--for", "the ferry", "--text").stdout
    assert [line in text for line in ("- Ferries have right of way.", "- Ours.", "- Say please.")] == [True] * 3
    call("import", "--rollback", "--yes")
    assert "right of way" not in call("why", "--for", "the ferry", "--text").stdout


def test_finished_steps_of_chati_are_not_set_back(workspace, call):
    bring(workspace, "chati")
    take(call, "chati")
    started = call("work", "start", "greenfield").stdout
    assert "goes on at architect, with 3 of its steps finished" in started
    pipeline = call("work", "status").stdout
    assert "step 4 of 11" in pipeline and "Brief(97%, claimed) -> Detail(96%, claimed)" in pipeline
    assert "Print a receipt" in call("work", "backlog").stdout
    with open(os.path.join(workspace.root, "CLAUDE.md"), "rb") as file:
        assert file.read() == b"# Bakery\r\n\r\nUse tabs.\r\n\r\n## Style\r\n\r\nNo emojis."


def test_an_older_decision_of_shaktra_keeps_what_it_replaces(workspace, call):
    """The number is another, the order too; none replaces itself."""
    bring(workspace, "shaktra")
    take(call, "shaktra")
    with open(workspace.path("knowledge", "principles.yml"), encoding="utf-8") as file:
        text = file.read()
    newer, older = text.index("id: PR-002"), text.index("id: PR-003")
    assert "supersedes: PR-003" in text[newer:older] and "supersedes" not in text[older:]
    assert call("doctor", "--all").stdout.count("Not read:") == 0


def test_documents_are_read_in_place_until_they_are_moved(workspace, call):
    """A change goes into the file that is read, whose other bytes stay."""
    bring(workspace, "chat-spec")
    assert "kite" not in call("work", "spec", "status").stdout
    call("trust", "--yes")
    path = os.path.join(workspace.root, ".chat-spec", "manifest.yaml")
    with open(path, encoding="utf-8") as file:
        before = file.read()
    assert "architecture 3/5" in call("work", "spec", "status").stdout
    assert call("work", "spec", "backlog", "architecture", "Name the queue").returncode == 0
    with open(path, encoding="utf-8") as file:
        after = file.read()
    assert "Name the queue" in after and [line for line in before.splitlines() if line not in after.splitlines()] == []
    assert not os.path.exists(workspace.path("manifest.yaml"))
    take(call, "chat-spec")
    moved = call("work", "spec", "status").stdout
    assert "architecture 3/5" in moved and "Name the queue" in moved
    call("work", "spec", "backlog", "architecture", "Name the cache")
    with open(path, encoding="utf-8") as file:
        assert file.read() == after


@EACH
def test_uninstall_leaves_the_originals(workspace, call, name):
    bring(workspace, name)
    before = originals_of(workspace, name)
    call("init", "--host", "claude", "--yes")
    call("trust", "--yes")
    call("why", "--for", "hello")
    call("uninstall", "--yes")
    assert originals_of(workspace, name) == before


def test_the_way_over_is_named(workspace, call):
    """By init, status and doctor; nobody is told to remove anything."""
    bring(workspace, "carl")
    bring(workspace, "shaktra")
    for words in (("init", "--host", "claude", "--yes"), ("status",), ("doctor", "--all")):
        said = " ".join(call(*words).stdout.split())
        assert "limpet import --from carl" in said or words[0] == "init"
        assert "emove .carl" not in said
    assert "limpet import --from shaktra" in " ".join(call("status").stdout.split())
    take(call, "carl")
    assert "import --from carl" not in call("status").stdout


def test_it_says_what_it_needs(workspace, call):
    """One of the two, a project with such files, and what is unknown."""
    assert call("import").returncode == 1
    assert call("import", "--from", "carl", "--rollback").returncode == 1
    assert "Nothing of shaktra is here." in call("import", "--from", "shaktra").stdout
    assert call("import", "--from", "beads").returncode == 2


def told_of(call, kind="carl"):
    return json.loads(call("import", "--from", kind, "--yes", "--json").stdout)


def left_in(told):
    return {item["source"]: item["why"] for item in told["items"] if not item["target"]}


def test_no_name_climbs_out(workspace, call):
    bring(workspace, "carl")
    write(os.path.join(workspace.root, ".carl", "tide_data"), "TIDE_DATA_RULE_0=x\n")
    with open(os.path.join(workspace.root, ".carl", "manifest"), "a", encoding="utf-8") as file:
        file.write("../../climbed=.carl/tide_data\n")
    told = told_of(call)
    assert told["applied"] and not os.path.lexists(os.path.join(workspace.root, "climbed"))
    assert {"domain", "its name is no name of a file"} <= {value for item in told["items"] for value in item.values()}


@pytest.mark.parametrize("raw", ["RULE_0=Föhr".encode("utf-16"), "TIDE_DATA_RULE_0=Föhr".encode("latin-1")])
def test_what_is_no_utf_8_makes_no_rule(workspace, call, raw):
    bring(workspace, "carl")
    path = os.path.join(workspace.root, ".carl", "tide_data")
    with open(path, "wb") as file:
        file.write(raw)
    told = told_of(call)
    assert "UTF-8" in left_in(told)[".carl/tide_data"]
    assert not os.path.lexists(workspace.path("rules", "tide-data"))
    with open(path, "rb") as file:
        assert file.read() == raw


def test_a_cut_carl_json_is_named(workspace, call):
    bring(workspace, "carl2")
    path = os.path.join(workspace.root, ".carl", "carl.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    write(path, text[: len(text) // 2])
    assert "no JSON" in left_in(told_of(call))[".carl/carl.json"]
    assert not os.path.lexists(workspace.path("rules", "manifest"))


def test_what_carl_has_off_stays_off(workspace, call):
    """Also where ours is on, where its state is a word of JSON, and where none is said; and it is told."""
    own = "CONTEXT_STATE=active\nSHIP_STATE=active\nSHIP_RECALL=ship\n"
    write_rules(workspace, own, ship="SHIP_RULE_0=Ours.\n", context="FRESH_RULE_0=Go.\n")
    folder = os.path.join(workspace.root, ".carl")
    theirs = "SHIP_STATE=inactive\nSHIP_EXCLUDE=ship\nBOAT_RECALL=ship\nCONTEXT_STATE=active\n"
    write(os.path.join(folder, "manifest"), theirs)
    for name in ("ship", "boat"):
        write(os.path.join(folder, name), f"{name.upper()}_RULE_0=Theirs of {name}.\n")
    write(os.path.join(folder, "context"), "MODERATE_RULE_0=Go.\nDEPLETED_RULES=false\n")
    asked = ("why", "--for", "ship it", "--text", "--bracket")
    call("trust", "--yes")
    for _ in range(2):
        text = call(*asked, "MODERATE").stdout
        assert "Ours." in text and "Theirs" not in text and "Go." in text
        told = told_of(call)
    assert "SHIP is on here" in left_in(told)[".carl/ship"]
    assert b"DEPLETED_RULES=false" in files_below(workspace.path("rules"))["context"]
    domain = {"state": False, "rules": [{"text": "Off."}], "odd": "Words"}
    write(os.path.join(folder, "carl.json"), json.dumps({"domains": {"A": domain}}))
    told = told_of(call)
    assert b"A_STATE=false" in files_below(workspace.path("rules"))["manifest"]
    assert "domains.A.odd: Words" in {item["name"] for item in told["items"] if not item["target"]}


LOCKED = "\ufeff# Mine\r\n\r\n```\r\n## Session Lock\r\n```\r\n\r\n## Session Lock\r\n\r\n1. Read `chati.dev/x`\r\n\r\n"
OWN = "My words.\r\n\r\n- Never push.\r\n"


def test_only_the_block_of_chati_leaves_a_file_of_instructions(workspace, call):
    bring(workspace, "chati")
    write(os.path.join(workspace.root, "AGENTS.md"), (LOCKED + OWN).encode())
    os.unlink(os.path.join(workspace.root, "CLAUDE.md"))
    os.symlink("AGENTS.md", os.path.join(workspace.root, "CLAUDE.md"))
    told = told_of(call, "chati")
    assert told["applied"] and "link" in left_in(told)["CLAUDE.md"]
    with open(os.path.join(workspace.root, "AGENTS.md"), "rb") as file:
        kept = LOCKED.rpartition("## Session Lock")[0] + OWN
        assert file.read() == kept.encode()
    assert os.path.islink(os.path.join(workspace.root, "CLAUDE.md"))


def test_rows_of_an_odd_shape_are_named(workspace, call):
    folder = os.path.join(workspace.root, ".shaktra", "memory")
    lessons = "lessons:\n- id: [1]\n  title: A list as id\n- only words\n- id: L4\n  note: no text\n"
    write(os.path.join(folder, "lessons.yml"), lessons)
    write(
        os.path.join(workspace.root, ".chati", "session.yaml"),
        "project: {name: x}\nagents: [dev]\nbacklog: {BL-1: x}\n",
    )
    names = {item["name"]: bool(item["target"]) for item in told_of(call, "shaktra")["items"]}
    assert [*names.values()] == [False, False, True] and "only words" in names
    assert {item["what"] for item in told_of(call, "chati")["items"] if not item["target"]} == {"step", "backlog"}


def test_a_damaged_copy_is_not_put_back(workspace, call):
    bring(workspace, "chati")
    told = told_of(call, "chati")
    now = seen(workspace)
    for name in os.listdir(os.path.join(told["backup"], "before")):
        write(os.path.join(told["backup"], "before", name), "")
    refused = call("import", "--rollback", "--yes")
    assert refused.returncode == 1 and "damaged" in refused.stderr
    assert seen(workspace)[0] == now[0]


def test_two_imports_in_one_second_are_taken_back_the_newest_first(workspace, call):
    bring(workspace, "synapse")
    bring(workspace, "carl")
    before = seen(workspace)
    for kind in ("synapse", "carl"):
        told_of(call, kind)
    assert "from carl" in call("import", "--rollback", "--yes").stdout
    assert "from synapse" in call("import", "--rollback", "--yes").stdout
    assert seen(workspace)[0] == before[0]


def test_a_journal_that_cannot_be_read_stops_no_command(workspace, call):
    bring(workspace, "carl")
    write(os.path.join(told_of(call)["backup"], "journal.json"), "{")
    assert call("status").returncode == 0
    assert call("import", "--from", "carl", "--yes").returncode == 0
