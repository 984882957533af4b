"""``limpet learn proposals``: from memory to rule, and back."""

import json
import os

import pytest

from limpet.ground.storage.files import read_text
from limpet.learning.model import KnowledgeEntry, KnowledgeEvidence
from limpet.learning.store import change_stores
from limpet.memory.candidates import Candidate, save

from ...conversation import write, write_rules
from ...event_log import logged
from ...knowledge import learned_here
from ...memories import Memories
from ...wishes import contradict, say, say_again

SAID = "Never mock the database"


@pytest.fixture
def memories(workspace):
    write_rules(
        workspace,
        "GLOBAL_STATE=active\nDATA_RECALL=schema, database\nAPI_STATE=active\nAPI_PATHS=src/api/**\n",
        data="# Ours.\nDATA_RULE_0=Read it.\n",
        api="API_RULE_0=Version it.",
    )
    return Memories(workspace)


@pytest.fixture
def listed(call):
    def read_proposals(**around):
        done = call("learn", "proposals", "--json", **around)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["proposals"]

    return read_proposals


@pytest.fixture
def decide(call):
    def run(*words):
        done = call("learn", "proposals", *words, "--yes")
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def files(workspace):
    found = {}
    for folder, _, names in os.walk(workspace.path("rules")):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                found[name] = file.read()
    return found


def titles(call):
    return {one["title"] for one in json.loads(call("memory", "list", "--json").stdout)}


def test_what_was_said_often_enough_is_proposed_with_its_words(memories, listed, call):
    """Five times, in three conversations, with more than 0.9: not less of any of these."""
    key = say(memories)
    say(memories, "Four times", times=4)
    say(memories, "In two conversations", conversations=2)
    say(memories, "Not sure enough", confidence=0.9)
    say(memories, "Of another type", type="decision")
    proposed = {one["sentence"]: one for one in listed()}
    assert {name for name, one in proposed.items() if one["kind"] == "rule"} == {SAID}
    durable = {name for name, one in proposed.items() if one["kind"] == "durable"}
    assert durable == {"In two conversations", "Not sure enough", "Of another type"}
    one = proposed[SAID]
    assert (one["id"], one["evidence"], one["conversations"], one["domain"]) == (key, 5, 3, "DATA")
    assert one["quotes"] == ["no, do not mock it (user, 2026-11-20)"] and one["check"] == ""
    lines = call("learn", "proposals").stdout
    assert f"{key[-8:]}  Said 5 times in 3 conversations: make it a rule of DATA?\n  {SAID}\n  > no, do" in lines


def test_it_says_when_there_is_nothing(workspace, call, listed):
    assert listed() == [] and call("learn", "proposals").stdout.startswith("Nothing is proposed")


def test_what_a_later_statement_stands_against_is_not(memories, listed):
    """Neither what was contradicted last, nor what has another one beside it that contradicts it, nor that one."""
    contradict(memories, say(memories, confidence=1.0))
    old = say(memories, "Use tabs", source="person")
    say(memories, "Use spaces", tags=("conflict",), body=f"The person's {old} contradicts this and takes precedence.")
    assert listed() == []


def test_the_domain_is_found_by_files_words_and_check(memories, listed, workspace, call):
    """Else it is the project's own: GLOBAL where it has one, else what was said again."""
    say(memories, "Version the answers", paths=("src/api/users.py",))
    say(memories, "Name things after what they are")
    say(memories, "Run `pytest -q` before you commit.")
    found = {one["sentence"]: (one["domain"], one["check"]) for one in listed()}
    assert found == {
        "Version the answers": ("API", ""),
        "Name things after what they are": ("WISHES", ""),
        "Run `pytest -q` before you commit.": ("CHECKS", "pytest -q"),
    }
    assert call("rules", "add", "global", "--rule", "Be brief").returncode != 2
    write_rules(workspace, "GLOBAL_STATE=active\n", **{"global": "GLOBAL_RULE_0=Be brief.\n"})
    assert {one["domain"] for one in listed()} >= {"GLOBAL"}


@pytest.mark.parametrize(
    ("sentence", "rule", "deed"),
    [
        (SAID, "DATA_RULE_1", "DATA_DEED_1=testing"),
        ("Name things well", "WISHES_RULE_0", "WISHES_DEED_0=naming"),
        ("Deploys wait for Monday", "WISHES_RULE_0", ""),
    ],
)
def test_an_approved_rule_is_withdrawn_to_the_byte(memories, workspace, call, decide, listed, sentence, rule, deed):
    """Of a domain with rules, and of one that was made for it. Its memory goes and comes back; it stays searchable
    meanwhile, and says what it became."""
    key, before = say(memories, sentence), files(workspace)
    made = decide("--approve", key[-8:])
    assert f': "{sentence}". To undo:\n  limpet learn proposals --withdraw {key[-8:]}\n' in made
    assert listed() == [] and sentence not in titles(call)
    written = b"".join(files(workspace).values()).decode()
    assert f"{rule}={sentence}\n{deed}" in written and ("_DEED_" in written) == bool(deed)
    assert ("work on" in made) == bool(deed)
    record = read_text(workspace.path("knowledge", "proposals.yml"))
    assert f"  {key}: {{decided: approved, at: " in record and f"rule: {rule}" in record and "c0/m3" in record
    assert sentence in call("memory", "search", sentence, "--archived").stdout
    assert f"made a rule: {rule}\n" in call("memory", "show", key).stdout
    assert json.loads(call("memory", "show", key, "--json").stdout)["rule"] == rule
    undone = call("memory", "undo", key[-8:])
    assert undone.returncode == 1 and f"learn proposals --withdraw {key[-8:]}" in undone.stderr
    again = call("learn", "proposals", "--approve", key, "--yes")
    assert again.returncode == 1 and "Approved already" in again.stderr
    assert decide("--withdraw", key) == f'Withdrew the rule "{sentence}" of {rule.partition("_RULE")[0]}.\n'
    assert files(workspace) == before and sentence in titles(call) and listed() == []
    decided = [one["data"]["decided"] for one in logged(workspace.shared) if one["kind"] == "learning.decided"]
    assert decided == ["approved", "withdrawn"]


def test_a_check_is_adopted_and_withdrawn(memories, workspace, decide):
    """The command is run from the configuration; both go again."""
    key, before = say(memories, "Run `pytest -q` before you commit."), files(workspace)
    decide("--approve", key)
    assert b"CHECKS_CHECK_0=run: pytest-q" in files(workspace)["checks"]
    assert "pytest -q" in read_text(workspace.path("config.yaml"))
    decide("--withdraw", key)
    assert files(workspace) == before and not os.path.exists(workspace.path("config.yaml"))


def test_text_and_domain_are_the_persons(memories, workspace, decide, call):
    """A new domain is always on, or comes with the files that the memory names; an agreed text is the rule."""
    decide("--approve", say(memories), "--text", "Use the  container, never a mock", "--domain", "testing")
    assert files(workspace)["testing"] == b"TESTING_RULE_0=Use the container, never a mock\nTESTING_DEED_0=testing\n"
    decide("--approve", say(memories, "Quote names", paths=("src/x.py",)), "--domain", "quoting")
    domains = {one["name"]: one for one in json.loads(call("rules", "list", "--json").stdout)}
    assert domains["TESTING"]["kind"] == "always" and domains["QUOTING"]["paths"] == ["src/x.py"]


def test_a_rejected_one_waits_for_twice_as_much(memories, decide, listed, workspace):
    """And is proposed again at once where the rejection is taken back."""
    key = say(memories)
    assert decide("--reject", key).startswith(f'Rejected "{SAID}"')
    assert listed() == []
    say(memories, "Ten times", times=10)
    assert [one["sentence"] for one in listed()] == ["Ten times"]
    say_again(memories, key, range(4))
    assert SAID not in [one["sentence"] for one in listed()]
    assert "is proposed again" in decide("--withdraw", key) and SAID in [one["sentence"] for one in listed()]
    decide("--reject", key)
    say_again(memories, key, range(4, 14))
    assert SAID in [one["sentence"] for one in listed()]
    decide("--withdraw", key)
    assert not os.path.exists(workspace.path("knowledge", "proposals.yml"))


def test_an_agent_decides_nothing(memories, workspace, call, listed):
    """It is told the way, and nothing is written."""
    key, before = say(memories), files(workspace)
    for words in (("--approve", key), ("--reject", key)):
        done = call("learn", "proposals", *words, agent="dev")
        assert done.returncode == 1 and "Only a person can do this" in done.stderr
        assert "shows the user a word" in done.stderr
    assert files(workspace) == before and len(listed(agent="dev")) == 1
    assert not os.path.exists(workspace.path("knowledge"))


def test_a_rule_that_says_something_else_by_now_stays(memories, workspace, call, decide):
    key = say(memories)
    decide("--approve", key)
    assert call("rules", "edit", "data", "--rule", "DATA_RULE_1=Mock nothing at all").returncode == 0
    done = call("learn", "proposals", "--withdraw", key, "--yes")
    assert (done.returncode, "says something else by now" in done.stderr) == (1, True)
    assert "--remove-rule DATA_RULE_1" in done.stderr
    assert b"Mock nothing at all" in files(workspace)["data"]


def test_what_proved_itself_is_kept_for_good_and_daily_again(memories, decide, listed):
    key = say(memories, "Deploys need a tag", type="decision")
    assert decide("--approve", key).startswith('Kept "Deploys need a tag" for good.')
    assert listed() == [] and [one.storage for one in memories.entries()] == ["durable"]
    decide("--withdraw", key)
    assert listed() == [] and [one.storage for one in memories.entries()] == ["daily"]


def test_a_rule_that_stands_already_is_not_proposed(memories, listed):
    say(memories, "Read it!")
    assert listed() == []


def test_an_entry_of_the_knowledge_is_proposed(memories, workspace, listed, decide, call):
    """Where enough speaks for it; an anti-pattern says first what to do."""
    evidence = tuple(
        KnowledgeEvidence(f"S-{n}", "OB-001", "reinforce", at=f"2026-11-0{n + 1}T00:00:00Z") for n in range(5)
    )
    sure = {"confidence": 0.96, "start": "0.6", "evidence": evidence, "categories": ("correctness",)}
    principle = KnowledgeEntry(
        "principle", "PR-001", "Validate at the boundary, and nowhere else", guidance=("Once",), **sure
    )
    few = principle.replace(id="PR-002", text="Few speak for this principle", evidence=evidence[:4])
    change_stores(workspace, lambda stores: {**stores, "principle": (principle, few)})
    assert listed() == []
    learned_here(workspace, principle, few)
    (one,) = listed()
    assert (one["id"], one["kind"], one["sentence"]) == ("PR-001", "rule", "Validate at the boundary, and nowhere else")
    assert (one["evidence"], one["conversations"], one["stories"]) == (5, 0, 5)
    assert "Borne out 5 times in 5 stories: make it a rule of WISHES?" in call("learn", "proposals").stdout
    decide("--approve", "PR-001")
    assert listed() == []
    decide("--withdraw", "PR-001")
    assert [one["id"] for one in listed()] == []


def learned(*places):
    """A principle that was borne out so often in these stories and conversations."""
    evidence = tuple(KnowledgeEvidence(source, id, "reinforce", "dev", at=at) for source, id, at in places)
    sure = {"confidence": 0.96, "start": "0.6", "evidence": evidence}
    return KnowledgeEntry("principle", "PR-001", "Validate each email in the service layer", **sure)


def test_what_became_a_rule_is_told_as_that_alone(memories, workspace, call, decide):
    """In no briefing; what is observed later still counts, and makes no second entry."""
    places = []
    for number in (1, 2):
        call("work", "story", "add", f"S-{number}", "Part", "--criterion", "[x] It works")
        call("work", "story", "start", f"S-{number}")
        for agent in ("dev", "qa", "architect"):
            text = f"Each email is validated in the service layer, says {agent} of {number}"
            made = json.loads(call("learn", "observe", "discovery", text, "--json", agent=agent).stdout)
            places.append((made["source"], made["id"], made["at"]))
        assert call("work", "story", "done").returncode == 0
    principle = learned(*places)
    change_stores(workspace, lambda stores: {**stores, "principle": (principle,)})
    learned_here(workspace, principle)
    shown = call("learn", "proposals").stdout
    assert "Borne out 6 times in 2 stories" in shown and "says architect of 2 (architect" not in shown
    assert (
        f"> Each email is validated in the service layer, says architect of 2 (dev, S-2, {places[-1][2][:10]})" in shown
    )
    assert "WISHES comes with: every prompt" in shown
    made = decide("--approve", "PR-001")
    assert 'Made a rule of WISHES: "' in made and "WISHES comes with: every prompt" in made
    call(
        "work", "story", "add", "S-3", "Validate the email", "--criterion", "[x] The service layer validates each email"
    )
    assert json.loads(call("work", "story", "start", "S-3", "--json").stdout)["step"]["knowledge"] == []
    call("learn", "observe", "discovery", principle.text, "--importance", "8", agent="ux")
    assert "PR-001  0.96 -> " in call("work", "story", "done").stdout
    assert json.loads(call("learn", "explain", "PR-001", "--json").stdout)["status"] == "rule"
    decide("--withdraw", "PR-001")
    assert json.loads(call("learn", "explain", "PR-001", "--json").stdout)["status"] == "active"


def test_both_sides_of_a_merge_count(memories, workspace, call, decide, listed):
    """Git cannot merge two decisions at one place; nothing is written over that."""
    first, second = say(memories), say(memories, "Use tabs")
    decide("--reject", first)
    path = workspace.path("knowledge", "proposals.yml")
    head, line = read_text(path).splitlines(keepends=True)
    other = line.replace(first, second)
    write(path, f"{head}<<<<<<< HEAD\n{line}=======\n{other}>>>>>>> other\n")
    assert listed() == []
    done = call("learn", "proposals", "--withdraw", second, "--yes")
    assert done.returncode == 1 and "proposals.yml:2: Unresolved merge conflict" in done.stderr


def test_what_the_person_calls_the_same_counts_for_one(memories, call, listed):
    """With its words, whole and dated; what was heard twice counts once, what only a file claims not at all."""
    kept = say(memories, times=3, confidence=0.86)
    quote = "please use the container for every test that touches the database, " + "and no double of it, " * 12
    other = say(memories, "Databases are real in tests", times=1, body=f"## Evidence\n\n> {quote} (user, 2026-11-22)")
    say_again(memories, other, range(2))
    assert listed() == []
    done = call("memory", "edit", other[-8:], "--same-as", kept[-8:])
    assert done.returncode == 0 and "counts for" in done.stdout, done.stderr
    (one,) = listed()
    assert (one["id"], one["evidence"], one["conversations"]) == (kept, 5, 5)
    assert f"  > {quote} (user, 2026-11-22)\n" in call("learn", "proposals").stdout
    assert titles(call) == {SAID}
    assert call("memory", "undo", other).returncode == 0 and "Databases are real in tests" in titles(call)


def test_only_a_person_says_that_two_are_the_same(memories, call):
    """Of two that there are; nothing is changed otherwise."""
    key, other = say(memories), say(memories, "Databases are real in tests")
    for words, agent, why in (((key, other), "dev", "Only a person"), ((key, key), None, "cannot repeat itself")):
        done = call("memory", "edit", "--same-as", *words, agent=agent)
        assert done.returncode == 1 and why in done.stderr
    assert call("memory", "edit", key, "--same-as", "mem-2026-11-20-zzzzzzzz").returncode == 1
    assert titles(call) == {SAID, "Databases are real in tests"}


def test_what_an_agent_calls_a_repetition_counts(memories, workspace, call, listed):
    """In other words, by its answer to what was heard."""
    key = say(memories, times=4)
    quote = "use the container instead of a double, please"
    save(workspace.shared, [Candidate(id="hearda", at=1764000000.0, session="c9", quote=quote)])
    done = call("memory", "write", f"hearda: repeats {key}", agent="dev")
    assert done.returncode == 0, done.stderr
    assert [(one["evidence"], one["conversations"]) for one in listed()] == [(5, 4)]
    assert any(quote in words for words in listed()[0]["quotes"])
