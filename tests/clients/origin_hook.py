"""The hook of record_origins.py: writes down all that it is told, into the file that it is given. Linux."""

import glob
import json
import os
import re
import socket
import sys
import time

SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|AUTH")
LINES = 10


def main() -> None:
    """Write one line: payload, environment, ancestors, the ends of the transcript and of the list of typed prompts."""
    payload = json.load(sys.stdin)
    home = os.environ.get("HOME", "")
    record = {
        "event": payload.get("hook_event_name"),
        "time": time.time(),
        "payload": payload,
        "environment": environment(),
        "ancestors": ancestors(),
        "transcript": tail(payload.get("transcript_path") or ""),
        "history": tail(os.path.join(home, ".claude", "history.jsonl")),
        "sessions": [tail(path) for path in sorted(glob.glob(os.path.join(home, ".claude", "sessions", "*")))],
        "user": [os.getuid(), os.getsid(0), os.getpgid(0)],
    }
    if record["event"] == "PreToolUse":
        record["tried"] = try_places("hook")
    if record["event"] == "UserPromptSubmit":
        record["waited"] = wait_and_look(payload.get("transcript_path") or "", home)
    with open(sys.argv[1], "a", encoding="utf-8") as log:
        log.write(json.dumps(record) + "\n")


def wait_and_look(transcript: str, home: str) -> "dict[str, object]":
    """What stands in the two files after a second, while the client still waits; after how many milliseconds each
    grew."""
    begun, listed = time.monotonic(), os.path.join(home, ".claude", "history.jsonl")
    sizes = {"transcript": size_of(transcript), "history": size_of(listed)}
    grew = {"transcript": [], "history": []}
    while time.monotonic() < begun + 1:
        time.sleep(0.01)
        for name, path in (("transcript", transcript), ("history", listed)):
            if size_of(path) != sizes[name]:
                sizes[name] = size_of(path)
                grew[name].append(round((time.monotonic() - begun) * 1000))
    told = {"grew": grew["transcript"], "listed": grew["history"]}
    return {"transcript": tail(transcript), "history": tail(listed), **told}


def size_of(path: str) -> int:
    """The size of a file; -1 if there is none."""
    try:
        return os.stat(path).st_size
    except OSError:
        return -1


def try_places(name: str) -> "dict[str, str]":
    """Where this process may write: "written", or the error."""
    home, project, temporary = os.environ.get("HOME", ""), os.getcwd(), os.environ.get("TMPDIR", "/tmp")
    folders = (home, home + "/.claude", home + "/.local/state", project, project + "/.claude", "/tmp", temporary)
    files = [os.path.join(folder, "probe-" + name) for folder in folders]
    tried = {}
    for path in [*files, project + "/.claude/settings.json", "/dev/tty"]:
        try:
            if not path.endswith(("tty", "json")):
                os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "ab"):
                tried[path] = "written"
            if path in files:
                os.remove(path)
        except OSError as error:
            tried[path] = str(error)
    try:
        with socket.socket(socket.AF_UNIX) as door:
            door.connect(os.environ.get("CLAUDE_CODE_MESSAGING_SOCKET", ""))
        tried["CLAUDE_CODE_MESSAGING_SOCKET"] = "connected"
    except OSError as error:
        tried["CLAUDE_CODE_MESSAGING_SOCKET"] = str(error)
    return tried


def environment() -> "dict[str, str]":
    """The environment, sorted, without the values of secrets."""
    return {name: "[left out]" if SECRET.search(name) else os.environ[name] for name in sorted(os.environ)}


def tail(path: str) -> "list[str] | None":
    """The last lines of a file; None if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()[-LINES:]
    except OSError:
        return None


def ancestors() -> "list[dict[str, object]]":
    """This process and those above it, as /proc tells."""
    found, pid = [], os.getpid()
    while pid:
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                name, fields = file.read().rpartition(")")[::2]
            with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
                command = file.read().split("\0")[:-1]
        except OSError:
            break
        parent, started = int(fields.split()[1]), int(fields.split()[19])
        found.append(
            {"pid": pid, "parent": parent, "name": name.partition("(")[2], "started": started, "command": command}
        )
        pid = parent
    return found


if __name__ == "__main__":
    main()
