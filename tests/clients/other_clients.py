"""The real Codex and Gemini CLI, driven offline, as far as commands that their agents run need it.

    run = codex(tmp_path).ask(project, "go [[tool:exec_command {\\"cmd\\": \\"ls\\"}]]")
    assert run.returncode == 0

Set HOLDFAST_CODEX and HOLDFAST_GEMINI to the clients to use; without one its tests are skipped, with the reason.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .fake_model import URL
from .process import DUMMY_KEY, REPOSITORY, beside_the_fake, environment_of, find_program, records_in

TIMEOUT = 120.0
_CODEX = """\
model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
[analytics]
enabled = false
[features]
daemon_auto_start = false
"""
_GEMINI = """{"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false},
 "telemetry": {"enabled": false}, "general": {"enableAutoUpdate": false}}
"""


@dataclass(frozen=True)
class OtherClient:
    """An installed client, the words and variables to start it with, and a folder for its home and its records."""

    executable: Path
    folder: Path
    words: tuple[str, ...]
    variables: Mapping[str, str]

    def ask(self, project: Path, prompt: str) -> subprocess.CompletedProcess[str]:
        """Give it one prompt, without a terminal."""
        path = os.pathsep.join([str(self.executable.parent), os.environ.get("PATH", "")])
        client = [str(self.executable), *self.words, prompt]
        return subprocess.run(
            beside_the_fake(client, project.resolve(), records_in(self.folder), None),
            cwd=REPOSITORY,
            env=environment_of(self.folder, {**self.variables, "PATH": path}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )


def codex(folder: Path) -> OtherClient:
    """Codex CLI, whose commands run without its sandbox."""
    executable = find_program("codex", "Codex CLI", "HOLDFAST_CODEX", "tools/install_clients.py --codex")
    _write(folder / "home" / ".codex" / "config.toml", _CODEX)
    address = f'model_providers.fake.base_url="{URL}/v1"'
    words = ("exec", "-c", address, "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox")
    return OtherClient(executable, folder.resolve(), words, {"CODEX_HOME": str(folder.resolve() / "home" / ".codex")})


def gemini(folder: Path) -> OtherClient:
    """Gemini CLI, which asks about no tool."""
    executable = find_program("gemini", "Gemini CLI", "HOLDFAST_GEMINI", "tools/install_clients.py --gemini")
    _write(folder / "home" / ".gemini" / "settings.json", _GEMINI)
    variables = {"GEMINI_API_KEY": DUMMY_KEY, "GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_CLI_NO_RELAUNCH": "true"}
    return OtherClient(executable, folder.resolve(), ("-m", "gemini-2.5-flash", "-y", "-p"), variables)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
