"""What a conversation says is heard, and what it teaches is kept, by the hook (decisions 8, 22, 23, 26)."""

import itertools
import json
import os
import time

import pytest

from limpet.memory.candidates import read_candidate_files
from limpet.work.session import new_session, write_session

from ..conversation import write
from ..event_log import logged
from ..finishing import finish_step
from ..leaks import holding
from ..memories import configure, ids, listed, short, until
from ..operations.callers import PERSON, opened
from ..places import private_path

ERROR = "sqlalchemy.exc.OperationalError: no such table: jobs"
# Yesterday: by the real clock what was said must still be hot.
DAY = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86_400))
ENGLISH = {
    "decision": "Let's use Postgres for the job queue.",
    "user_correction": "No, use tabs, not spaces.",
    "resolution": ERROR,
}
PORTUGUESE = {
    "decision": "Vamos usar Postgres para a fila de tarefas.",
    "user_correction": "Não, use tabs em vez de espaços.",
    "resolution": ERROR,
}


# Of other languages: a decision and a correction each.
OTHERS = {
    "de": ("Ab jetzt nehmen wir Postgres für die Warteschlange.", "Nein, nimm Tabs statt Leerzeichen."),
    "ja": ("ジョブキューは Postgres を使うことにした。", "スペースじゃなくてタブを使ってください。"),
    "zh": ("我们决定用 Postgres 做任务队列。", "不对，要用制表符，别用空格。"),
    "ko": ("작업 큐는 Postgres로 가기로 했어.", "아니, 스페이스 말고 탭으로 써줘."),
}


class Transcript:
    """A conversation as Claude Code logs it; every message comes a minute after the one before."""

    def __init__(self, workspace, name="talk"):
        self.name, self.path = name, os.path.join(workspace.root, f"{name}.jsonl")
        self.numbers = itertools.count()

    def user(self, text):
        self._log("user", {"role": "user", "content": text})

    def model(self, text):
        self._log("assistant", {"role": "assistant", "model": "m", "content": [{"type": "text", "text": text}]})

    def tool(self, name, given, failed=False, said="ok"):
        """The model uses a tool."""
        key = f"t{next(self.numbers)}"
        use = {"type": "tool_use", "id": key, "name": name, "input": given}
        result = {"type": "tool_result", "tool_use_id": key, "content": said, "is_error": failed}
        self._log("assistant", {"role": "assistant", "model": "m", "content": [use]})
        self._log("user", {"role": "user", "content": [result]})

    def lesson(self, said):
        """A decision, a correction, and an error with its mend, after the task."""
        self.user("Hello.")
        self.user(said["decision"])
        self.model("Done.")
        self.user(said["user_correction"])
        self.tool("Bash", {"command": "pytest -q"}, failed=True, said=f"Exit code 1\nE   {ERROR}")
        self.tool("Edit", {"file_path": "tests/conftest.py"})
        self.model("The fixture creates the table now.")
        self.tool("Bash", {"command": "pytest -q"})

    def _log(self, kind, message):
        number = next(self.numbers)
        time = f"{DAY}T{number // 60:02}:{number % 60:02}:00.000Z"
        line = {"type": kind, "uuid": f"{self.name}-{number}", "timestamp": time, "message": message}
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


@pytest.fixture
def talk(workspace):
    return Transcript(workspace)


def become(host, agent, session="s"):
    """Let the conversation be this agent's."""
    state = new_session(session, "claude-code", host.workspace.root, 0.0)
    write_session(host.workspace, {**state, "active_agent": agent})


def compact(host, talk, **payload):
    """The host is about to compact."""
    answer = host.send("PreCompact", **{"trigger": "auto", "transcript_path": talk.path, **payload})
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")


def learned(memories):
    """Type -> its entries, of all but digests."""
    found = {}
    for entry in memories.entries():
        if "digest" not in entry.tags:
            found.setdefault(entry.type, []).append(entry)
    return found


def captured(workspace, session="s"):
    """Whether a capture of the conversation has ended."""
    return os.path.exists(private_path(workspace, "sessions", f"{session}.captured"))


def title_of(memories, kind):
    memories.tell_index()
    (entry,) = learned(memories)[kind]
    return entry


@pytest.mark.parametrize("said", [ENGLISH, PORTUGUESE], ids=["en", "pt"])
def test_before_a_compaction_what_was_said_and_done_is_kept(host, memories, talk, said):
    """By the time the host goes on: decision, correction, and the mend with its error, which nobody looked at yet."""
    talk.lesson(said)
    compact(host, talk)
    found = learned(memories)
    assert {kind: len(each) for kind, each in found.items()} == dict.fromkeys(said, 1)
    for kind, text in said.items():
        (one,) = found[kind]
        assert text in one.body and one.tags == ("unreviewed",)
        assert one.session == "s" and one.created_at.startswith(DAY)


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_person_settles_and_corrects_is_heard_in_other_languages(host, memories, talk, language):
    """Cues stand between signs of any kind; a request and a nod settle nothing."""
    decision, correction = OTHERS[language]
    for text in (
        "Hello.",
        decision,
        "ok",
        correction,
        "了解です",
        "帮我看看这个报错",
        "Schau dir bitte den Fehler an",
        "이 버그 고쳐줘",
    ):
        talk.user(text)
        talk.model("Done.")
    compact(host, talk)
    memories.tell_index()
    found = {kind: [entry.body for entry in each] for kind, each in learned(memories).items()}
    assert found.keys() == {"decision", "user_correction"}
    assert (decision in found["decision"][0]) and (correction in found["user_correction"][0])


def test_only_what_holds_for_later_is_kept(host, memories, talk):
    """Not what is wanted once or of one value; a wish that is put as a question is."""
    talk.user("Hello.")
    for text in ("No, just this once use the old API", "No, that is wrong, the timestamp is in seconds"):
        talk.user(text)
        talk.model("Done.")
    talk.user("Can you stop adding comments to every line?")
    compact(host, talk)
    (kept,) = learned(memories)["user_correction"]
    assert kept.title == "Can you stop adding comments to every line?"


def test_what_was_heard_comes_with_later_blocks(host, memories, talk):
    """In its own words."""
    talk.lesson(ENGLISH)
    compact(host, talk)
    key = title_of(memories, "decision").id
    assert short(key) in ids(host.prompt("Does Postgres hold the job queue?", session_id="later", transcript_path=...))


def test_after_a_compaction_what_was_decided_is_told_in_its_order(host, memories, talk):
    """The newest first, with the words that reverse what came before."""
    for text in ("Hello.", "Let's use 4 workers.", "make it 8 workers instead", "Add the parser of invoices."):
        talk.user(text)
        talk.model("Done.")
    compact(host, talk)
    start = host.send("SessionStart", source="compact", transcript_path=talk.path)
    told = " ".join(start.block["continuation"])
    assert told.index("8 workers instead") < told.index("4 workers")


def test_after_a_compaction_the_last_words_for_the_model_are_told(host, memories, talk):
    """Not a command, mistyped or not."""
    talk.user("Hello.")
    talk.user("Where do you handle a float?")
    talk.model("In money.py.")
    talk.user("*remembr the CI is slow")
    talk.user("/limpet help")
    compact(host, talk)
    start = host.send("SessionStart", source="compact", transcript_path=talk.path)
    told = " ".join(start.block["continuation"])
    assert 'Last user message: "Where do you handle a float?"' in told


@pytest.mark.parametrize("reason", ["clear", "logout", "prompt_input_exit", "other"])
def test_the_end_of_a_conversation_captures_in_the_background(host, memories, talk, reason):
    """The host gives a second and a half; the hook is back before."""
    talk.lesson(ENGLISH)
    host.send("SessionEnd", reason=reason, transcript_path=talk.path)
    assert until(lambda: captured(host.workspace))
    assert set(learned(memories)) == set(ENGLISH)


def test_a_gotcha_keeps_what_mended_it(host, memories, talk):
    """As its workaround, in the words of whoever mended it."""
    for number in range(3):
        fail(host, number)
    assert until(lambda: memories.entries())
    talk.lesson(ENGLISH)
    compact(host, talk)
    (gotcha,) = learned(memories)["gotcha"]
    assert (gotcha.workaround, gotcha.resolved) == ("The fixture creates the table now.", True)


@pytest.mark.parametrize("event", ["PreCompact", "SessionEnd", "PostToolUseFailure"])
def test_where_nothing_shall_be_captured_nothing_is(host, memories, talk, event):
    """``memory.capture: false``."""
    configure(host.workspace, "memory: {capture: false}")
    talk.lesson(ENGLISH)
    for number in range(3):
        fail(host, number, hook=event, transcript_path=talk.path)
    assert not os.path.exists(private_path(host.workspace, "memories"))
    assert not os.path.exists(private_path(host.workspace, "candidates"))
    assert not captured(host.workspace)


def fail(host, number, error=f"Exit code 1\nE   {ERROR}", hook="PostToolUseFailure", **payload):
    """A tool fails."""
    given = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}, "tool_use_id": f"toolu_{number}"}
    answer = host.send(hook, **{**given, "error": error, **payload})
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")


def test_a_tool_that_fails_three_times_makes_a_gotcha(host, memories):
    """Two times make none; it is shared, has a severity, and is listed to the next conversation."""
    for number in range(2):
        fail(host, number)
    assert until(lambda: failures(host.workspace) == 2)
    assert memories.entries() == []
    fail(host, 2)
    assert until(lambda: memories.entries())
    (gotcha,) = memories.entries()
    assert (gotcha.type, gotcha.scope, gotcha.category) == ("gotcha", "shared", "test")
    assert "no such table" in gotcha.title
    assert listed(host.prompt("Translate the login page into Welsh", session_id="next")) == [short(gotcha.id)]


REFUSALS = (
    "PreToolUse:Bash hook error: dev may not push. Hand it to @devops, or have the user do it.",
    "Permission to use Bash with command git push has been denied.",
    "Exit code 1\nlimpet: Only the user can decide this. Run it in your own terminal.",
)


@pytest.mark.parametrize("said", REFUSALS, ids=("guard", "permission", "people only"))
def test_what_was_refused_is_no_lesson(host, memories, talk, said):
    """S22: told by the event or in the transcript, however often; a real failure beside it is one."""
    for number in range(4):
        fail(host, f"refused-{number}", said, tool_input={"command": "git push"})
        talk.tool("Bash", {"command": "git push"}, failed=True, said=said)
    for number in range(3):
        fail(host, number)
    assert until(lambda: failures(host.workspace) == 7 and memories.entries())
    compact(host, talk)
    host.send("SessionEnd", reason="other", transcript_path=talk.path)
    assert ["no such table" in entry.title for entries in learned(memories).values() for entry in entries] == [True]
    assert b"may not push" not in host.send("SessionStart", source="startup", session_id="next").out


def failures(workspace):
    """How many failures of tools were logged."""
    return len(logged(workspace.shared, "tool.failed"))


def test_a_transcript_of_other_bytes_teaches_nothing_and_harms_nothing(host, memories, talk):
    """Nor does one that is not there."""
    write(talk.path, b"\0" * 9000)
    compact(host, talk)
    os.unlink(talk.path)
    compact(host, talk, trigger="manual")
    assert memories.entries() == [] and read_candidate_files(host.workspace.shared) == []


def test_what_an_agent_kept_to_itself_is_shared_once_its_gate_is_passed(host, memories, talk, run):
    """The gate bears it out (decision 22), and the daily maintenance says so."""
    run("work", "start", "greenfield")
    become(host, "greenfield-wu")
    talk.lesson(ENGLISH)
    compact(host, talk)
    assert {entry.scope for entry in learned(memories)["resolution"]} == {"private"}
    assert finish_step(opened(host.workspace, PERSON.replace(now=time.time()))).finished
    host.send("SessionStart", source="startup", session_id="later")
    # a look in the middle of the move finds it in neither folder
    assert until(lambda: {entry.scope for entry in learned(memories).get("resolution", ())} == {"shared"})


def test_a_conversation_that_goes_on_after_its_end_was_told_is_not_over(host, memories, talk, run):
    """A prompt says so, whatever came before: what was for it is not filed."""
    write(host.workspace.cached("kept"), "")  # today's maintenance is done: no second one meanwhile
    host.send("SessionStart", source="startup", transcript_path=talk.path)
    memories.add("A finding", storage="session", session="s")
    host.send("SessionEnd", reason="other", transcript_path=talk.path)
    host.prompt("And another thing.")
    assert run("memory", "upkeep").returncode == 0
    assert [entry.storage for entry in memories.entries()] == ["session"]


@pytest.mark.parametrize("ways", [([],), ([], ["--now"]), (["--now"],)], ids=["kept", "forgotten", "erased"])
def test_what_is_erased_is_in_no_file_of_ours(host, memories, talk, run, ways):
    """Neither in the entry, put away or not, nor in digest, index, the blocks that were sent or what was heard."""
    talk.user("Hello.")
    talk.tool("Edit", {"file_path": "src/app.py"})
    talk.user("Always run the quuxlint before you commit.")
    compact(host, talk)
    host.send("SessionStart", source="startup", session_id="later", transcript_path=...)
    (wish,) = learned(memories)["user_correction"]
    for way in ways:
        assert run("memory", "forget", wish.id, *way).returncode == 0
    files = holding(host.workspace.replace(home=host.workspace.cache), "quuxlint")
    assert bool(files) == (ways[-1] == []), "\n".join(files)


def test_what_is_edited_leaves_the_digest_in_its_first_words(host, memories, talk, run):
    """Which says what was heard."""
    talk.user("Hello.")
    talk.tool("Edit", {"file_path": "src/app.py"})
    talk.user("Always use ruff for Bolt.")
    compact(host, talk)
    (wish,) = learned(memories)["user_correction"]
    digest = next(entry for entry in memories.entries() if "digest" in entry.tags)
    assert "Bolt" in digest.body
    assert run("memory", "edit", wish.id, "--title", "Always use ruff").returncode == 0
    assert "Bolt" not in memories.library.show(digest.id, count=False).entry.body
