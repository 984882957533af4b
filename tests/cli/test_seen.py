"""``limpet why``, ``log``, ``sessions`` and ``pause`` by their doors, after a conversation through the hook."""

import json
import os
import re
import subprocess
import sys
import time

import pytest

from limpet.ground.clock import seconds_of
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event_log import Actor, append_event, metrics_path
from limpet.ground.storage.files import read_text
from limpet.memory.candidates import Candidate, save, write_open
from limpet.operations.memory.conversations.conversation import WHY_DIGEST
from limpet.work.conversation import read_private

from ..conversation import RULES, write, write_over_shipped, write_rules
from ..hook_host import MANIFEST, Host
from ..memories import Memories, configure
from ..places import private_path

ID = "5f0c2a1b-1111-4000-8000-000000000001"
OTHER = "5f0c2a1b-2222-4000-8000-000000000002"
TITLE = "Deploys go through the blue cluster"


@pytest.fixture
def host(workspace):
    """A host whose project has rules and waits long for memories."""
    configure(workspace)
    write_rules(workspace, MANIFEST, **RULES)
    return Host(workspace)


def programs(run, *arguments):
    done = run(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def said(text, at="2026-11-21T12:00:00.000Z", prompt="p0"):
    fields = {"type": "user", "message": {"role": "user", "content": text}, "promptId": prompt}
    return json.dumps({**fields, "uuid": f"u-{text[:9]}", "timestamp": at, "isSidechain": False}) + "\n"


# why


def test_why_tells_rules_with_the_word_that_called_them(host, run):
    """Tokens of each piece, the bracket, the budget, and what the conversation held already."""
    host.prompt("hello", session_id=ID)
    host.prompt("add the endpoint", session_id=ID)
    data = programs(run, "why")
    (api,) = [piece for piece in data["came"] if piece["name"] == "API"]
    assert (api["group"], api["matched"], api["tokens"] > 0) == ("rules", ["endpoint"], True)
    assert (data["session"], data["prompt"], data["state"]) == (ID, 2, "sent")
    assert (data["bracket"], data["budget"]) == ("FRESH", 2500)
    assert "GLOBAL" in data["standing"]
    out = run("why").stdout
    assert "called by: endpoint" in out
    tokens = re.findall(r"^  (?:\w+ +)?(\d+)  ", out.partition("\nCame\n")[2].partition("\n\n")[0], re.MULTILINE)
    assert sum(map(int, tokens)) == data["tokens"] and "the frame and notes around these" in out


def test_why_names_the_rules_that_no_word_called(host, run):
    """And says so where nothing was sent."""
    host.prompt("hello", session_id=ID)
    host.prompt("and on", session_id=ID)
    data = programs(run, "why")
    assert (data["state"], data["not_called"]) == ("nothing", ["API"])
    assert "Nothing was sent" in run("why").stdout


def test_rules_that_a_file_called_are_told_once(host, run):
    """Where they came, and not among those that no word called."""
    write_rules(
        host.workspace, f"{MANIFEST}SQL_RECALL=migration\nSQL_PATHS=*.sql\n", sql="SQL_RULE_0=Name it.\n", **RULES
    )
    host.prompt("hello", session_id=ID)
    host.send("PreToolUse", tool_name="Read", tool_input={"file_path": "a.sql"}, tool_use_id="t1", session_id=ID)
    data = programs(run, "why")
    assert ([piece["name"] for piece in data["files"]], data["not_called"]) == (["SQL"], ["API"])
    assert run("why").stdout.count("SQL") == 1


def test_what_the_agent_was_asked_is_named_so(host, run):
    """By the words that are unclear."""
    one = {"session": "gone", "at": 1.0, "agent": "", "quote": "Take PostgreSQL.", "before": "", "near": []}
    write_open(host.workspace.shared, [{**one, "id": f"queue{number}"} for number in range(3)])
    host.prompt("hello", session_id=ID)
    assert ("candidates", "candidates") in [(one["group"], one["name"]) for one in programs(run, "why")["came"]]
    out = run("why").stdout
    assert "words of yours that are unclear" in out and '"Take PostgreSQL."' in out and "candidates" not in out


def test_why_tells_memories_by_title(host, run):
    """Those that the block showed."""
    run("memory", "add", TITLE, "--durable", "--type", "user_correction")
    host.send("SessionStart", source="startup", session_id=ID)
    run("memory", "add", "Amounts are integers of cents")
    host.prompt("which cluster do the blue deploys go through?", session_id=ID)
    assert [piece["name"] for piece in programs(run, "why")["came"] if piece["group"] == "memory"] == ["contents"]
    assert "1 memory by title" in run("why").stdout
    memories = [one["title"] for piece in programs(run, "why")["came"] for one in piece.get("memories", ())]
    assert memories == ["Amounts are integers of cents"]
    start = [one for one in programs(run, "log") if one["kind"] == "start"]
    assert "1 of your wishes" in start[0]["text"]


def test_why_is_of_the_newest_conversation_and_never_of_the_doctors_trial(host, run):
    """Another one can be asked for by the beginning of its id."""
    host.prompt("add the endpoint", session_id=ID)
    host.prompt("hello", session_id="other")
    host.prompt("hello", session_id="limpet-doctor-1")
    assert programs(run, "why")["session"] == "other"
    assert programs(run, "why", "--session", "5f0c")["session"] == ID


def test_why_fits_80_columns(host, run):
    """Where no terminal tells its width."""
    host.prompt("add the endpoint", session_id=ID)
    assert max(map(len, run("why").stdout.splitlines())) <= 80


@pytest.fixture
def talk(host, tmp_path):
    """Types a prompt in a conversation that has a transcript, where it stands before the hook hears it."""
    path = str(tmp_path / "t" / f"{ID}.jsonl")
    lines = []

    def type_prompt(text, key):
        lines.append(said(text, prompt=key))
        write(path, "".join(lines))
        return host.prompt(text, session_id=ID, prompt_id=key, transcript_path=path)

    return type_prompt


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_why_fits_a_terminal_of_any_width(talk, run, screen, columns):
    """No word and no id is broken."""
    run("memory", "add", TITLE, "--durable", "--type", "user_correction")
    run("memory", "add", "Amounts are integers of cents, whatever the currency of the account is")
    typed = "add the endpoint for the invoices of the blue cluster, and then write all of its tests, please"
    talk(typed, "p1")
    for words in ([], ["--not", "amounts"], ["--not", "API"]):
        lines = screen(columns, "why", *words)
        assert max(map(len, lines)) <= columns
        _, *others = run("why", *words).stdout.splitlines()
        assert lines[0].strip('"').removesuffix("...") in typed and lines[0].endswith('"')
        assert set(" ".join(lines[1:]).split()) <= set(" ".join(others).split())


def test_why_begins_with_what_was_typed_without_secrets(talk, run):
    """Not with the conversation's title; it says how many prompts there are."""
    talk("hello there", "p1")
    secret = "ghp_" + "a1B2" * 9
    talk(f"add the endpoint\nwith the token {secret}", "p2")
    out = run("why").stdout
    assert out.startswith('"add the endpoint with the token ') and secret not in out
    assert "Prompts so far: 2. An earlier one: limpet why NUMBER" in out
    assert run("why", "1").stdout.startswith('"hello there"')
    assert (programs(run, "why", "1")["prompt"], programs(run, "why")["prompts"]) == (1, 2)
    unknown = run("why", "7")
    assert (unknown.returncode, "It has 2 prompts" in unknown.stderr) == (1, True)


def test_of_a_private_conversation_no_words_are_told(talk, run):
    """Not those of a time when it was not private either."""
    for number, text in enumerate(["hello there", "*private", "*private off", "add the endpoint"]):
        talk(text, f"p{number}")
    assert programs(run, "why")["text"] == programs(run, "why", "1")["text"] == ""
    assert run("why").stdout.startswith("Prompt ")


def test_why_tells_what_came_at_the_start(host, run):
    """Whole with the first prompt, then in a line; alone when asked for."""
    run("memory", "add", TITLE, "--durable", "--type", "user_correction")
    host.send("SessionStart", source="startup", session_id=ID)
    host.prompt("add the endpoint", session_id=ID)
    first = run("why").stdout
    assert "Came at the start before it" in first and TITLE in first
    host.prompt("go on", session_id=ID)
    later = " ".join(run("why").stdout.split())
    assert TITLE not in later and "1 of your wishes: limpet why --start" in later
    alone = run("why", "--start").stdout
    assert TITLE in alone and "Start at " in alone
    assert programs(run, "why", "--start")["event"] == "session_start"


def reasons(run, words, *more):
    """Why something did not come, by its title or name."""
    return {one["title"]: one["why"] for one in programs(run, "why", *more, "--not", words)["found"]}


def test_why_not_tells_of_memories(talk, host, run):
    """What the record says of then, what keeps one out, and what the gate says."""
    undici = "Use undici for requests, not axios"
    run("memory", "add", TITLE, "--durable", "--type", "user_correction")
    run("memory", "add", undici, "--agent", "architect", "--private")
    run("memory", "add", "Amounts are integers of cents")
    run("memory", "add", "The changelog is written by hand")
    host.send("SessionStart", source="startup", session_id=ID)
    talk("where do amounts of the invoices come from?", "p1")
    assert reasons(run, "blue cluster") == {TITLE: "came whole at the start"}
    assert reasons(run, "undici") == {undici: "private to agent architect"}
    assert reasons(run, "integers of cents")["Amounts are integers of cents"].endswith("with prompt 1")
    run("memory", "add", "Releases, and tags, are cut on Tuesdays")
    talk("rename the folder of the grammar to syntax", "p2")
    near = "no word of the prompt is near (it has: Releases, tags, cut, Tuesdays)"
    assert reasons(run, "Tuesdays") == {"Releases, and tags, are cut on Tuesdays": near}
    lines = read_text(metrics_path(host.workspace))
    write(metrics_path(host.workspace), re.sub('"time": *"20[^"]*"', '"time":"2026-11-20T10:00:00Z"', lines))
    assert reasons(run, "Tuesdays") == {"Releases, and tags, are cut on Tuesdays": "written after this prompt"}
    out = run("why", "--not", "undici").stdout
    assert f'"{undici}" (' in out and "  private to agent architect" in out


def test_why_not_says_of_what_came_whether_it_was_all(talk, host, run):
    """A statement is none of what else the memory says, nor is a wish's title."""
    memories = Memories(host.workspace)
    memories.add(
        "Invoices are sent at night", "By the worker in Lisbon. Once a day. Never on a Sunday, for the bank sleeps."
    )
    memories.add("Amounts are integers of cents")
    memories.add("Never touch the ledger", "The bank writes it. The adviser reads it.", type="user_correction")
    host.send("SessionStart", source="startup", session_id=ID)
    talk("when are invoices sent at night?", "p1")
    talk("are amounts integers of cents?", "p2")
    assert reasons(run, "bank sleeps Sunday") == {"Invoices are sent at night": "came in part with prompt 1"}
    assert reasons(run, "integers of cents") == {"Amounts are integers of cents": "came whole with prompt 2"}
    assert reasons(run, "ledger adviser") == {"Never touch the ledger": "came as a wish at the start"}


def test_why_not_tells_of_what_was_said_in_this_very_conversation(talk, host, run):
    """Its window holds it."""
    memories = Memories(host.workspace)
    memories.add("Read TOML with tomllib", session=ID)
    talk("rename the folder of the grammar to syntax", "p1")
    here = "said in this very conversation: it comes from the next start on"
    assert reasons(run, "tomllib") == {"Read TOML with tomllib": here}


def test_why_not_tells_of_words_that_are_too_common_here(talk, host, run):
    """Of what a later prompt shares with many; the title of such a one is not worth a line."""
    memories = Memories(host.workspace)
    memories.add("The changelog is written by hand")
    talk("rename the folder of the grammar to syntax", "p1")
    memories.add_many({"title": f"Decision {number} about accounts of the file"} for number in range(40))
    talk("move the window manager and its file into another repository today", "p2")
    why = "what it shares with the prompt is too little or too common here: file"
    assert {*reasons(run, "accounts of the file").values()} == {why}


def test_why_not_tells_of_what_is_archived_and_of_a_prompt_that_says_too_little(talk, run):
    old = run("memory", "add", "Deploys run on Fridays").stdout.strip()
    run("memory", "forget", "--archive", old)
    run("memory", "add", "Amounts are integers of cents")
    talk("go on", "p1")
    archived = reasons(run, "Fridays")["Deploys run on Fridays"]
    assert reasons(run, "integers")["Amounts are integers of cents"].startswith("the prompt says too little")
    undo = archived.removeprefix("archived. To bring it back: limpet ")
    assert run(*undo.split()).returncode == 0
    assert "Deploys run on Fridays" in run("memory", "list").stdout


def test_why_not_knows_nothing_of_a_prompt_whose_words_are_gone(host, run):
    run("memory", "add", "Amounts are integers of cents")
    host.prompt("rename the folder of the grammar to syntax", session_id=ID)
    unknown = "not known: what was typed is not in the transcript, so it cannot be tried again"
    found = reasons(run, "integers")["Amounts are integers of cents"]
    assert found == unknown or found.endswith("with prompt 1")
    assert reasons(run, "api") == {"API": unknown}
    write_over_shipped(host.workspace, MANIFEST, **RULES)
    assert "shipped domains that nothing called" in run("why", "--not", "step").stdout


def test_why_not_tells_of_rules(talk, host, run):
    """Of a domain by its name or its words; of one that is off with how to have it."""
    manifest = f"{MANIFEST}QA_RECALL=tests\nQA_STATE=inactive\n"
    write_rules(host.workspace, manifest, qa="QA_RULE_0=Run undici.\n", **RULES)
    talk("write the tests of the parser", "p1")
    assert reasons(run, "api") == {"API": "none of its keywords is in the prompt"}
    assert reasons(run, "undici") == {"QA": "off: limpet rules edit qa --on"}
    assert reasons(run, "global") == {"GLOBAL": "came with this prompt"}
    talk("the endpoint", "p2")
    assert reasons(run, "api") == {"API": "came with this prompt"}
    assert reasons(run, "api", "1") == {"API": "none of its keywords is in the prompt"}
    assert reasons(run, "global") == {"GLOBAL": "in the conversation already"}


def test_why_not_names_what_was_heard_and_not_kept(talk, host, run):
    """That has all of the words, with the command that keeps it."""
    said = {"at": 1_795_000_000.0, "session": ID, "type": "decision"}
    heard = [
        Candidate(id="queue0", quote="Let's take PostgreSQL.", **said),
        Candidate(id="queue1", quote="PostgreSQL is to be of version 16.", **said),
        Candidate(id="queue2", quote="Let's take Redis.", **said),
    ]
    save(host.workspace.shared, heard)
    talk("add the endpoint", "p1")
    why = "heard, not kept. To keep it: limpet review"
    assert reasons(run, "postgresql") == dict.fromkeys((one.quote for one in heard[:2]), why)
    assert reasons(run, "Redis take") == {"Let's take Redis.": why}
    out = run("why", "--not", "postgresql").stdout
    assert out.count(why) == 1 and all(f'"{one.quote}" ({one.id})' in out for one in heard[:2])


def test_why_not_says_that_a_private_conversation_gets_nothing(talk, run):
    """Whatever was typed before."""
    run("memory", "add", TITLE, "--durable")
    talk("the blue cluster", "p1")
    talk("*private", "p2")
    done = run("why", "--not", "blue cluster")
    assert (done.returncode, done.stdout) == (1, "")
    assert "the conversation is private" in done.stderr and "limpet pause --off" in done.stderr


def test_why_not_counts_shipped_domains_that_nothing_called(talk, host, run):
    """One that is named is told of; what the project has itself is."""
    write_over_shipped(host.workspace, "API_RECALL=endpoint\n", api="API_RULE_0=Take the next step.\n")
    talk("hello there, and go on", "p1")
    assert "rules edit story --on" in reasons(run, "story")["STORY"]
    out = run("why", "--not", "step").stdout
    assert "\nAPI\n  none of its keywords" in out and "AGENT_" not in out
    assert re.search(r"^and \d+ shipped domains that nothing called: limpet rules list$", out, re.MULTILINE)


def test_rules_of_a_bracket_without_any_are_not_said_to_come(talk, host, run):
    """Nothing is sent at FRESH; below that the rules are told of by their bracket."""
    write_over_shipped(host.workspace)
    talk("hello there", "p1")
    silent = "always on, but it says nothing at FRESH"
    assert reasons(run, "context") == {"CONTEXT": silent}
    assert "CONTEXT" not in run("rules", "match", "hello there").stdout
    assert silent in run("rules", "match", "hello there", "--all").stdout
    host.prompt("and now", session_id=ID, prompt_id="p2", context_tokens=500_000)
    assert programs(run, "why")["bracket"] == "MODERATE"
    assert reasons(run, "context") == {"CONTEXT": "came with this prompt"}


def test_why_not_of_what_nothing_names_says_so(talk, run):
    talk("the endpoint", "p1")
    done = run("why", "--not", "zanzibar")
    assert (done.returncode, "No memory and no rules have these words" in done.stderr) == (1, True)


def test_why_without_any_conversation_says_what_to_do(host, run):
    """No traceback."""
    done = run("why")
    assert done.returncode == 1
    assert "No conversations yet" in done.stderr


def test_why_prints_the_text_as_it_was_sent(host, run):
    """Of the last prompt, of an earlier one, and of the start; where nothing was sent it says so."""
    start = host.send("SessionStart", source="startup", session_id=ID).text
    first = host.prompt("add the endpoint", session_id=ID).text
    host.prompt("and on", session_id=ID)
    assert run("why", "--start", "--text").stdout == f"{start}\n"
    assert run("why", "1", "--text").stdout == f"{first}\n" and "limpet why 1 --text" in run("why", "1").stdout
    assert programs(run, "why", "1", "--text") == {"text": first}
    assert (run("why", "--text").returncode, "Nothing was sent" in run("why", "--text").stderr) == (1, True)


def test_the_text_of_a_private_conversation_is_not_printed(talk, run):
    """Not that of a time when it was not private either."""
    talk("add the endpoint", "p1")
    assert "endpoint" in run("why", "--text").stdout
    talk("*private", "p2")
    talk("*private off", "p3")
    done = run("why", "1", "--text")
    assert (done.returncode, done.stdout) == (1, "") and "private" in done.stderr


def test_an_agent_is_not_shown_what_another_conversation_got(host, run, call):
    """It may hold another agent's memories."""
    host.prompt("add the endpoint", session_id=ID)
    done = call("why", "--session", ID, "--text", agent="dev")
    assert (done.returncode, done.stdout) == (1, "")


# log


def test_the_log_is_in_the_order_of_time(host, run):
    """Sent, kept, and the conversation's end, each a line."""
    host.prompt("add the endpoint", session_id=ID)
    run("memory", "add", TITLE, "--durable")
    host.send("SessionEnd", reason="other", session_id=ID)
    entries = programs(run, "log")
    kinds = [one["kind"] for one in entries]
    assert sorted(one["time"] for one in entries) == [one["time"] for one in entries]
    assert {"sent", "memory.added", "end"} <= set(kinds)
    assert f'"{TITLE}"' in run("log").stdout
    assert [one["session"] for one in programs(run, "log", "--session", "5f0c")] == [ID] * 2


def test_the_log_is_for_people(host, run):
    """In their own time, without digests and what Limpet notes for itself; what they did is theirs."""
    host.prompt("add the endpoint", session_id=ID)
    run("memory", "add", TITLE, "--durable")
    capture = Actor("capture", time.time(), DEFAULTS["retention"], session=ID)
    append_event(host.workspace.shared, capture.replace(why=WHY_DIGEST), "memory.added", {"memory": "mem-x"})
    append_event(host.workspace.shared, capture, "learning.observed", {"source": "x", "observation": "1"})
    out = run("log", first="import os, time; os.environ['TZ'] = 'JST-9'; time.tzset()").stdout
    (kept,) = [line for line in out.splitlines() if "memory kept" in line]
    assert kept.split()[2:5] == ["you", "memory", "kept:"]
    (added,) = [one["time"] for one in programs(run, "log") if one["kind"] == "memory.added"]
    assert kept.startswith(time.strftime("%Y-%m-%d %H:%M  ", time.gmtime(seconds_of(added) + 9 * 3600)))
    assert "UTC" not in out and "observed" not in out and "tokens: basic rules" in out


def test_the_log_shows_the_newest_entries(host, run):
    """As many as were asked for."""
    for number in range(4):
        host.prompt(f"the endpoint {number}", session_id=f"s{number}")
    assert [one["session"] for one in programs(run, "log", "--last", "2")] == ["s2", "s3"]


def test_the_log_tells_of_a_subagent_and_why_of_the_prompt(host, run):
    """Whose block it was, and that it was none of the conversation's."""
    host.prompt("add the endpoint", session_id=ID)
    host.send("SubagentStart", session_id=ID, agent_id="a1", agent_type="qa")
    host.send("SubagentStart", session_id=ID, agent_id="a2", agent_type="Explore")
    told = [one["text"].partition(";")[0] for one in programs(run, "log") if one["kind"] == "subagent"]
    assert told == ["subagent qa as qa-implementation begins", "subagent Explore begins"]
    assert programs(run, "why")["event"] == "prompt"


def test_an_agent_reads_no_title_of_another_agents_memory_in_the_log(host, run, call):
    """The log has the caller's rights."""
    run("memory", "add", TITLE, "--agent", "architect", "--private")
    out = call("log", agent="dev").stdout
    assert TITLE not in out


# sessions


def test_sessions_are_listed_newest_first_with_a_title(host, run, tmp_path):
    """The title is what the person first asked for, without secrets."""
    path = str(tmp_path / "t" / f"{ID}.jsonl")
    write(path, said("hello") + said("Fix the parser of the config file, please."))
    host.prompt("hello", session_id=ID, transcript_path=path)
    host.prompt("hello", session_id="other")
    os.utime(private_path(host.workspace, "sessions", f"{ID}.json"))
    found = {one["id"]: one for one in programs(run, "sessions")}
    assert found[ID]["title"].startswith("Fix the parser")
    assert (found[ID]["short"], found[ID]["prompts"], found[ID]["state"]) == (ID[:8], 1, "open")
    assert "Fix the parser" in run("sessions").stdout


def test_a_private_conversation_has_no_title(host, run, tmp_path):
    """And says that it is private."""
    path = str(tmp_path / "t" / f"{ID}.jsonl")
    host.prompt("hello", session_id=ID, transcript_path=path)
    host.prompt("*private", session_id=ID, transcript_path=path)
    write(path, said("Fix the parser of the config file, please."))
    (found,) = programs(run, "sessions")
    assert (found["title"], found["state"], found["paused"]) == ("", "private", True)
    assert "paused" in run("sessions").stdout
    assert "Private: Limpet sends nothing" in run("why").stdout


# prefixes


@pytest.mark.parametrize(
    "words",
    [
        ["why"],
        ["log"],
        ["log", "--hook"],
        ["why", "--for", "hello"],
        ["work", "set", "--clear", "squad"],
        ["work", "agent", "deactivate"],
    ],
)
def test_the_beginning_of_an_id_names_a_conversation(host, run, words):
    """Wherever one is named; one that fits several lists them; an unknown one names the newest."""
    host.prompt("the endpoint", session_id=ID)
    assert run(*words, "--session", "5f0c2a").returncode == 0
    unknown = run(*words, "--session", "zzz")
    assert (unknown.returncode, ID in unknown.stderr, "limpet sessions" in unknown.stderr) == (1, True, True)
    host.prompt("hello", session_id=OTHER)
    several = run(*words, "--session", "5f0c2a")
    assert (several.returncode, ID in several.stderr, OTHER in several.stderr) == (1, True, True)
    assert run(*words, "--session", ID).returncode == 0


# pause


def test_a_person_pauses_and_resumes_a_conversation(host, at_terminal):
    """By the beginning of its id, at once, and told how to end it; then nothing is sent until a word is typed."""
    host.prompt("hello", session_id=ID)
    paused = at_terminal("pause", "--session", "5f0c", typed="")
    assert "is paused" in paused.stdout and "limpet pause --off" in paused.stdout
    assert "?" not in paused.stdout + paused.stderr
    assert read_private(ID).paused
    shown = json.loads(host.prompt("the endpoint", session_id=ID).out)
    assert set(shown) == {"systemMessage"}
    assert "sends rules and memories" in at_terminal("pause", "--off").stdout
    assert host.prompt("the endpoint", session_id=ID).block["rules"]


def test_an_agent_in_a_paused_conversation_gets_and_keeps_nothing(host, run):
    """Its memory commands are refused, after the pause those that write."""
    host.prompt("*private", session_id=ID)
    inside = {**os.environ, "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": ID}

    def command(*words):
        line = [sys.executable, "-m", "limpet", *words]
        return subprocess.run(line, cwd=host.workspace.root, env=inside, capture_output=True, text=True, timeout=60)

    assert "paused" in command("memory", "search", "cluster").stderr
    assert "private" in command("memory", "add", TITLE).stderr
    host.prompt("*private off", session_id=ID)
    assert command("memory", "search", "cluster").returncode == 0
    assert "private" in command("memory", "add", TITLE).stderr


def test_the_memories_of_a_conversation_are_found_by_the_beginning_of_its_id(host, run):
    """Lists and searches take it too."""
    host.prompt("hello", session_id=ID)
    run("memory", "add", TITLE, "--session")
    for words in (["memory", "list"], ["memory", "search", "cluster"]):
        assert TITLE in run(*words, "--session", "5f0c2a").stdout
        assert TITLE not in run(*words, "--session", "6").stdout


def test_the_log_tells_a_private_time_once_and_no_answer_to_a_command(host, run):
    """Neither is anything that the model was told for the work."""
    host.prompt("hello", session_id=ID)
    before = len(programs(run, "log"))
    host.prompt("*limpet status", session_id=ID)
    assert len(programs(run, "log")) == before
    for typed in ("*private", "one", "two", "three"):
        host.prompt(typed, session_id=ID)
    assert run("log").stdout.count("private: nothing sent") == 1
