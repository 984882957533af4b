"""Commands run for a gate: this program starts them itself, so that exit code and output are not hearsay."""

from __future__ import annotations

import hashlib
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence

from holdfast.ground.errors import HoldfastError
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.text.escaping import clip
from holdfast.ground.workspace import Workspace
from holdfast.work.pipeline.gate import Run

LONGEST = 300
_CHUNK = 65_536


def run_command(words: Sequence[str], workspace: Workspace, folder: str, show: Callable[[bytes], object]) -> Run:
    """Run the command in ``folder`` and show its output, both streams as one; return the run, with secrets redacted in
    the command.

    A single word with spaces goes through the shell. Raises HoldfastError for a command that cannot start.
    """
    line = words[0] if len(words) == 1 else shlex.join(words)
    in_shell = len(words) == 1 and any(space in line for space in " \t\n")
    command: str | list[str] = line if in_shell else [shutil.which(words[0]) or words[0], *words[1:]]
    shown, digest = clip(without_secrets(workspace, line), LONGEST), hashlib.sha256()
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            shell=in_shell,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except (OSError, ValueError) as error:
        what = without_secrets(workspace, f"cannot be started ({error})")
        raise HoldfastError(what, shown, "nothing was recorded") from None
    with process:
        assert process.stdout is not None
        while chunk := process.stdout.read1(_CHUNK):  # type: ignore[attr-defined]
            digest.update(chunk)
            show(chunk)
    code = process.returncode
    # A signal that ended it becomes the exit code that shells give it.
    return Run(shown, code if code >= 0 else 128 - code, digest.hexdigest())
