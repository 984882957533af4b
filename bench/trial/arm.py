"""An arm of the trial on the disk: what it is, where its parts lie, and what is kept of its conversations."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from repositories import REPOSITORIES
from wishes import Repository

LIMPET, NOTES = "limpet", "notes"
NOTES_FILE = "CLAUDE.md"
# As much of a file of its own as a client shows when a conversation begins.
SHOWN_LINES, SHOWN_BYTES = 200, 25_000
# By this the processes that hooks start are known, and those of these.
MARK = "TRIAL_HOOK"


@dataclass(frozen=True)
class Arm:
    """``wishes`` and ``facts`` were there before the first conversation."""

    folder: Path
    name: str
    kind: str
    wishes: int = 0
    facts: int = 0
    seed: int = 0

    @property
    def repository(self) -> Repository:
        return REPOSITORIES[self.name]

    @property
    def repo(self) -> Path:
        return self.folder / "repo"

    @property
    def home(self) -> Path:
        return self.folder / "home"


@dataclass(frozen=True)
class Conversation:
    """What is kept between two commands of the agent; ``before`` and ``after`` are the wishes that were broken at the
    first stop, before any list of the client's and after it."""

    number: int
    session: str
    transcript: str
    base: str
    prompt: str = ""
    prompts: int = 0
    parent: str = ""
    window: int = 0
    calls: int = 0
    refused_stops: int = 0
    is_refused: bool = False
    tokens: int = 0
    said: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    before: tuple[str, ...] | None = None
    after: tuple[str, ...] | None = None
    left: tuple[str, ...] = ()
    is_over: bool = False

    def with_(self, **changes: object) -> Conversation:
        return replace(self, **changes)


def read_arm(folder: Path) -> Arm:
    return Arm(folder=folder, **json.loads((folder / "arm.json").read_text()))


def write_arm(arm: Arm) -> None:
    kept = {key: value for key, value in asdict(arm).items() if key != "folder"}
    (arm.folder / "arm.json").write_text(json.dumps(kept, indent=1))


def read_conversations(arm: Arm) -> list[Conversation]:
    path = arm.folder / "conversations.json"
    return [_conversation(each) for each in json.loads(path.read_text())] if path.exists() else []


def write_conversation(arm: Arm, conversation: Conversation) -> None:
    """The last one is written again, a new one after it."""
    others = [each for each in read_conversations(arm) if each.session != conversation.session]
    text = json.dumps([asdict(each) for each in (*others, conversation)], indent=1)
    (arm.folder / "conversations.json").write_text(text)


def environment(arm: Arm, session: str = "", **more: str) -> dict[str, str]:
    """That of a client in a person's terminal, and of what it starts; without a session, of that terminal itself."""
    around = ("CLAUDE", "LIMPET", "XDG_", "AI_AGENT", MARK)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(around)}
    client = {
        "CLAUDECODE": "1",
        "CLAUDE_CODE_CHILD_SESSION": "1",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
        "CLAUDE_CODE_SESSION_ATTENDED": "1",
        "CLAUDE_CODE_SESSION_ID": session,
    }
    return {
        **clean,
        "HOME": str(arm.home),
        "PATH": os.pathsep.join(filter(None, (os.environ.get("TRIAL_PATH", ""), os.environ["PATH"]))),
        "PYTHONPATH": str(arm.repo / arm.repository.python_path),
        "PYTHONDONTWRITEBYTECODE": "1",
        **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in PERSON.items()},
        **(client if session else {}),
        **more,
    }


PERSON = {"NAME": "dev", "EMAIL": "dev@localhost"}


def _conversation(kept: dict[str, object]) -> Conversation:
    return Conversation(**{key: tuple(value) if isinstance(value, list) else value for key, value in kept.items()})
