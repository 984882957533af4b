"""A coding agent's client at a command line, for one conversation with a scripted person: see BRIEF.md."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path

from arm import (
    NOTES_FILE,
    SHOWN_BYTES,
    SHOWN_LINES,
    Arm,
    Conversation,
    environment,
    read_arm,
    read_conversations,
    write_conversation,
)
from hooks import blocked_stop, contexts, fire, messages, refusal, wait_for_jobs
from transcript import write_call, write_closing, write_context, write_prompt, write_result, write_stop_feedback
from work import git, read_work

PATIENCE = 300
# Characters of a tool's answer: the end of a command's, the beginning of a file.
LONGEST_OUTPUT, LONGEST_READ = 30_000, 100_000
OVER = "The person says nothing more. THE SESSION IS OVER. Stop here."

Outcome = tuple[bool, str]


def main() -> None:
    folder, verb, *words = sys.argv[1:]
    arm = read_arm(Path(folder))
    if verb == "start":
        conversation = start(arm, int(words[0]))
    else:
        conversation = read_conversations(arm)[-1]
        if conversation.is_over:
            sys.exit(OVER)
        conversation = VERBS[verb](arm, conversation, words)
    write_conversation(arm, conversation)


def start(arm: Arm, number: int) -> Conversation:
    """A new conversation, with the task of this number."""
    wait_for_jobs(arm)
    session = str(uuid.uuid4())
    project = re.sub(r"[^A-Za-z0-9]", "-", str(arm.repo.resolve()))
    transcript = arm.home / ".claude" / "projects" / project / f"{session}.jsonl"
    conversation = Conversation(number, session, str(transcript), git(arm.repo, "rev-parse", "HEAD").strip())
    replies = fire(arm, conversation, "SessionStart", source="startup")
    if notes := shown_notes(arm):
        print(f"{NOTES_FILE}:\n{notes}")
        conversation = conversation.with_(tokens=len(notes) // 4, window=len(notes) // 4)
    conversation = show(arm, conversation, "SessionStart", replies)
    return prompt(arm, conversation, arm.repository.tasks[number - 1])


def shown_notes(arm: Arm) -> str:
    """The notes as a client shows them at a start: a long file is cut, and said to be."""
    path = arm.repo / NOTES_FILE
    if not path.exists():
        return ""
    lines = path.read_text().splitlines()
    shown = lines[:SHOWN_LINES]
    while len("\n".join(shown).encode()) > SHOWN_BYTES:
        shown.pop()
    cut = f"\n(cut: {NOTES_FILE} has {len(lines)} lines, the first {len(shown)} are shown)" if shown != lines else ""
    return "\n".join(shown) + cut


def prompt(arm: Arm, conversation: Conversation, text: str) -> Conversation:
    """The person types; what ran in the background has ended meanwhile."""
    wait_for_jobs(arm)
    conversation = conversation.with_(prompt=str(uuid.uuid4()), prompts=conversation.prompts + 1)
    replies = fire(arm, conversation, "UserPromptSubmit", prompt=text)
    conversation = write_prompt(arm, conversation, text)
    print(f"\nThe person says: {text}")
    return show(arm, conversation, "UserPromptSubmit", replies)


def run_shell(arm: Arm, conversation: Conversation, words: list[str]) -> Conversation:
    command = words[0]

    def run() -> Outcome:
        around = environment(arm, conversation.session)
        try:
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=arm.repo,
                env=around,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return False, f"Command timed out after {PATIENCE} s"
        said = (done.stdout + done.stderr).rstrip()[-LONGEST_OUTPUT:]
        return done.returncode == 0, said if done.returncode == 0 else f"Exit code {done.returncode}\n{said}"

    return use(arm, conversation, "Bash", {"command": command, "description": "Run a command"}, run)


def read_file(arm: Arm, conversation: Conversation, words: list[str]) -> Conversation:
    path = arm.repo / words[0]

    def read() -> Outcome:
        return (True, path.read_text()[:LONGEST_READ]) if path.is_file() else (False, "File does not exist.")

    return use(arm, conversation, "Read", {"file_path": str(path)}, read)


def write_file(arm: Arm, conversation: Conversation, words: list[str]) -> Conversation:
    path, text = arm.repo / words[0], sys.stdin.read()

    def write() -> Outcome:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return True, f"Wrote {words[0]}"

    return use(arm, conversation, "Write", {"file_path": str(path), "content": text}, write)


def edit_file(arm: Arm, conversation: Conversation, words: list[str]) -> Conversation:
    path, given = arm.repo / words[0], json.load(sys.stdin)

    def edit() -> Outcome:
        text = path.read_text() if path.is_file() else ""
        if (count := text.count(given["old"])) != 1:
            return False, f"old occurs {count} times in {words[0]}"
        path.write_text(text.replace(given["old"], given["new"]))
        return True, f"Edited {words[0]}"

    texts = {"old_string": given["old"], "new_string": given["new"]}
    return use(arm, conversation, "Edit", {"file_path": str(path), **texts}, edit)


def use(
    arm: Arm, conversation: Conversation, tool: str, given: dict[str, object], run: Callable[[], Outcome]
) -> Conversation:
    """One call of a tool, between its hooks."""
    call = f"toolu_{uuid.uuid4().hex[:24]}"
    about = {"tool_name": tool, "tool_input": given, "tool_use_id": call}
    conversation = conversation.with_(calls=conversation.calls + 1)
    before = fire(arm, conversation, "PreToolUse", **about)
    conversation = write_call(arm, conversation, call, tool, given)
    if refused := refusal(before):
        decision, reason = refused
        print(f"[{decision}] {reason}")
        conversation = conversation.with_(tokens=conversation.tokens + len(reason) // 4)
        conversation = write_result(arm, conversation, call, reason, failed=True, denied=True)
        return show(arm, conversation, "PreToolUse", before)
    ran = (str(given["command"]),) if "command" in given else ()
    conversation = conversation.with_(commands=(*conversation.commands, *ran))
    is_done, text = run()
    if is_done:
        response = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
        after = fire(arm, conversation, "PostToolUse", **about, tool_response=response)
    else:
        after = fire(arm, conversation, "PostToolUseFailure", **about, error=text, is_interrupt=False)
    print(text)
    conversation = write_result(arm, conversation, call, text, failed=not is_done)
    conversation = show(arm, conversation, "PreToolUse", before)
    return show(arm, conversation, "PostToolUse", after)


def end_turn(arm: Arm, conversation: Conversation, words: list[str]) -> Conversation:
    """The agent stops: what is broken is counted before a hook may list it, and again once a stop is let through."""
    closing = words[0]
    conversation = write_closing(arm, conversation, closing)
    if conversation.before is None:
        conversation = conversation.with_(before=broken(arm, conversation, closing))
    given = {"last_assistant_message": closing, "background_tasks": [], "session_crons": []}
    replies = fire(arm, conversation, "Stop", stop_hook_active=conversation.is_refused, **given)
    if (reason := blocked_stop(replies)) is not None:
        return refuse_stop(arm, conversation, reason)
    conversation = show(arm, conversation, "Stop", replies)
    found = broken(arm, conversation, closing)
    after = found if conversation.after is None else conversation.after
    conversation = conversation.with_(is_refused=False, after=after, left=found, commands=())
    return answer(arm, conversation, found)


def refuse_stop(arm: Arm, conversation: Conversation, reason: str) -> Conversation:
    print(f"[stop refused] {reason}")
    conversation = write_stop_feedback(arm, conversation, reason)
    return conversation.with_(
        is_refused=True,
        refused_stops=conversation.refused_stops + 1,
        calls=conversation.calls + 1,
        tokens=conversation.tokens + len(reason) // 4,
    )


def answer(arm: Arm, conversation: Conversation, found: tuple[str, ...]) -> Conversation:
    """The person names the first wish that is broken and was not named yet; without one the conversation ends."""
    unsaid = [wish for wish in arm.repository.wishes if wish.name in found and wish.name not in conversation.said]
    if unsaid:
        return prompt(arm, conversation.with_(said=(*conversation.said, unsaid[0].name)), unsaid[0].said)
    fire(arm, conversation, "SessionEnd", reason="prompt_input_exit")
    wait_for_jobs(arm)
    print(f"\n{OVER}")
    return conversation.with_(is_over=True)


def broken(arm: Arm, conversation: Conversation, closing: str) -> tuple[str, ...]:
    work = read_work(arm.repo, conversation.base, arm.repository.package, conversation.commands, closing)
    return tuple(wish.name for wish in arm.repository.wishes if wish.is_broken(work))


def show(arm: Arm, conversation: Conversation, event: str, replies: list[dict[str, object]]) -> Conversation:
    """What hooks say, to the person and to the agent, whose tokens are counted by four characters each."""
    for message in messages(replies):
        print(f"(the person sees: {message})")
    texts = contexts(replies)
    for text in texts:
        print(f"<system-reminder>\n{text}\n</system-reminder>")
    conversation = write_context(arm, conversation, event, texts)
    return conversation.with_(tokens=conversation.tokens + sum(len(text) // 4 for text in texts))


VERBS = {"sh": run_shell, "read": read_file, "write": write_file, "edit": edit_file, "done": end_turn}

if __name__ == "__main__":
    main()
