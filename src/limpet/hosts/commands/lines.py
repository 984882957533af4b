"""The command lines that hosts run on their events: written, read back, and run as a host runs them, with a deadline
that no grandchild outlives. Separate from ``launcher``, which the lines start."""

from __future__ import annotations

import os
import re
import sys

from limpet.ground.own_name import WINDOWS
from limpet.ground.storage.user_folders import QUIET, QUIET_FILE
from limpet.ground.values import Value
from limpet.hosts.commands.launcher import (
    DOUBLE,
    MISSING,
    NAMES,
    PACKAGE_ROOT,
    POWERSHELL,
    SINGLE,
    double_quoted,
    launcher_path,
    out_of_double,
    out_of_powershell,
    out_of_single,
    powershell_quoted,
    single_quoted,
    slashed,
    windows_launcher,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from subprocess import Popen

# What Claude Code calls PowerShell in the member ``shell`` of a hook.
POWERSHELL_NAME = "powershell"
# What is printed where nothing is said at an event whose silence a client takes for a denial: host -> event -> answer.
# None of Antigravity's answers leaves it to the client; ``ask`` lets through what the user always allows.
UNANSWERED = {"antigravity": {"PreToolUse": '{"decision": "ask"}'}}
# The name under which a host draws its status line, as if that were an event.
STATUS_LINE = "StatusLine"
# The event at which a hook line says that there is no Limpet any more, in the shape of the hosts that have it.
START = "SessionStart"
GONE = '{"systemMessage": "Limpet: not installed. Rules, memories and guard are off. Reinstall it, run limpet status"}'
# A client of 60 columns keeps 4 for its margins and cuts what is longer.
NOT_INSTALLED = "limpet: not installed. Reinstall, run limpet status"

BOOTSTRAP = (
    r"exec('import sys\nsys.path.append(sys.argv[1])\n"
    r"try:\n from limpet.hook import main\nexcept Exception:\n pass\nelse:\n main(sys.argv[2:])')"
)

# Before the line for tools that only read: what lets most of their calls pass (``engine.steps.quiet``).
QUIET_LINE = re.compile(rf"\[ -f {DOUBLE} \] && \. {DOUBLE}; ", re.DOTALL)
POSIX_LINE = re.compile(
    rf"{DOUBLE} ([\w-]+) (\w+) 2>/dev/null(?: \| grep \.)? \|\| (?:exit 0|printf '%s\\n' '[^']*'|eval {SINGLE}|"
    rf"{{ \[ -e {DOUBLE} \] \|\| touch {DOUBLE}; own=\$\(eval {SINGLE}\); "
    rf"printf '%s\\n' \$\{{own:\+\"\$own\"\}} {SINGLE}; }} 2>/dev/null)",
    re.DOTALL,
)
POWERSHELL_LINE = re.compile(
    rf"if \(Test-Path -LiteralPath {POWERSHELL}\) {{ & {POWERSHELL} ([\w-]+) (\w+)"
    rf"(?:; if \(\$LASTEXITCODE -eq 0\) {{ exit 0 }})? }}; (?:exit 0|'[^']*'; exit 0|Invoke-Expression {POWERSHELL}|"
    rf"if \(-not \(Test-Path -LiteralPath {POWERSHELL}\)\) {{ \$null = New-Item {POWERSHELL} -ErrorAction Ignore }}; "
    rf"(?:Invoke-Expression {POWERSHELL}; )?{POWERSHELL}; exit 0)",
    re.DOTALL,
)
DIRECT_LINE = re.compile(rf"{DOUBLE} -I -S -c {DOUBLE} {DOUBLE} ([\w-]+) (\w+)", re.DOTALL)
SHARED_LINE = re.compile(r"command -v limpet >/dev/null 2>&1 .*\blimpet hook ([\w-]+) (\w+)\b.*")


class FinishedLine(Value):
    """``code`` is None when the deadline passed."""

    code: int | None
    out: bytes
    err: bytes
    seconds: float


def run_line(
    line: str, stdin: bytes, seconds: float, cwd: str | None = None, env: Mapping[str, str] | None = None
) -> FinishedLine:
    """Raise OSError when there is no shell or no ``cwd``."""
    import subprocess
    import time

    start = time.monotonic()
    process = subprocess.Popen(
        shell_words(line),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=env,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(stdin, seconds)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired as late:
        out, err, code = late.stdout or b"", late.stderr or b"", None
        end_process(process)
    return FinishedLine(code, out, err, time.monotonic() - start)


def shell_words(line: str) -> list[str]:
    """Do as Claude Code does: take ``sh``, on Windows Git Bash, or PowerShell where that is not installed."""
    if sys.platform != "win32":
        return ["/bin/sh", "-c", line]
    bash = git_bash()
    return [bash, "-c", line] if bash else [f"{POWERSHELL_NAME}.exe", "-NoProfile", "-NonInteractive", "-Command", line]


def speaks_powershell() -> bool:
    return sys.platform == "win32" and not git_bash()


def git_bash() -> str:
    """Return the path of Git Bash on Windows, "" for none: where the user says, Git's usual folder, beside ``git``."""
    import shutil

    git = shutil.which("git")
    beside = os.path.join(os.path.dirname(os.path.dirname(git)), "bin", "bash.exe") if git else ""
    places = (os.environ.get("CLAUDE_CODE_GIT_BASH_PATH", ""), "C:/Program Files/Git/bin/bash.exe", beside)
    return next((path for path in places if path and os.path.isfile(path)), "")


def end_process(process: Popen[bytes]) -> None:
    """End the process and, where there are process groups, all that it started; it leads one of its own."""
    if sys.platform == "win32":
        process.kill()
    else:
        import signal
        from contextlib import suppress

        with suppress(ProcessLookupError):  # the shell has ended, and who still holds its output has left the group
            os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            pipe.close()
    process.wait()


class HookLine(Value):
    """A command line of ours, read back.

    ``launcher``: "" where it names none; then ``python`` and ``root``, interpreter and package, are of the direct form.
    ``own``: the user's own status line, which runs where ours cannot; "" for none.
    ``quiet``: the variable that names the project, by which calls that nothing concerns pass; "" where none does.
    """

    host: str
    event: str
    launcher: str = ""
    python: str = ""
    root: str = ""
    own: str = ""
    quiet: str = ""


def hook_command(host: str, event: str) -> str:
    """It ends with 0, whatever is missing, and is silent but when a session starts."""
    if speaks_powershell():
        return powershell_command(windows_launcher(), host, event)
    return posix_command(launcher_path(), host, event)


def status_line_command(host: str, own: str) -> str:
    """Where ours cannot run, the shell runs ``own``, the user's, on the input that nobody took."""
    if speaks_powershell():
        return powershell_command(windows_launcher(), host, STATUS_LINE, own)
    return posix_command(launcher_path(), host, STATUS_LINE, own)


def posix_command(launcher: str, host: str, event: str, own: str = "") -> str:
    """``eval`` takes any text: one that ends with a comment, several lines, even what is no sentence of the shell."""
    answer = UNANSWERED.get(host, {}).get(event, "")
    if answer:
        return f"{double_quoted(slashed(launcher))} {host} {event} 2>/dev/null | {_or_print(answer)}"
    otherwise = f"printf '%s\\n' {single_quoted(GONE)}" if event == START else "exit 0"
    if event == STATUS_LINE:
        mark = double_quoted(slashed(launcher) + MISSING)
        shown = f"own=$(eval {single_quoted(own)}); printf '%s\\n' ${{own:+\"$own\"}} {single_quoted(NOT_INSTALLED)}"
        otherwise = f"{{ [ -e {mark} ] || touch {mark}; {shown}; }} 2>/dev/null"
    return f"{double_quoted(slashed(launcher))} {host} {event} 2>/dev/null || {otherwise}"


def quiet_command(command: str, variable: str) -> str:
    """``command`` is a POSIX one; without the variable, or the file of that project, it is run as it is."""
    line = read_command(command)
    return _quiet_opening(line.launcher, variable) + command if line else command


def _quiet_opening(launcher: str, variable: str) -> str:
    folder = double_quoted(f"{slashed(os.path.dirname(launcher))}/{QUIET}").removesuffix('"')
    path = f'{folder}${variable}/{QUIET_FILE}"'
    return f"[ -f {path} ] && . {path}; "


def powershell_command(launcher: str, host: str, event: str, own: str = "") -> str:
    """PowerShell knows neither ``||`` (before 7) nor /dev/null; the launcher keeps silent by itself."""
    path = powershell_quoted(launcher)
    done, otherwise = "", "exit 0"
    if event == START:
        done, otherwise = "; if ($LASTEXITCODE -eq 0) { exit 0 }", f"{powershell_quoted(GONE)}; exit 0"
    if event == STATUS_LINE:
        done = "; if ($LASTEXITCODE -eq 0) { exit 0 }"
        mark = powershell_quoted(launcher.removesuffix(WINDOWS) + MISSING)
        noted = f"if (-not (Test-Path -LiteralPath {mark})) {{ $null = New-Item {mark} -ErrorAction Ignore }}"
        theirs = f"Invoke-Expression {powershell_quoted(own)}; " if own else ""
        otherwise = f"{noted}; {theirs}{powershell_quoted(NOT_INSTALLED)}; exit 0"
    return f"if (Test-Path -LiteralPath {path}) {{ & {path} {host} {event}{done} }}; {otherwise}"


def shared_command(host: str, event: str) -> str:
    """Return the line for committed files: silent, and exit 0, on a machine without Limpet."""
    answer = UNANSWERED.get(host, {}).get(event, "")
    otherwise = f"| {_or_print(answer)}" if answer else "|| exit 0"
    return f"command -v limpet >/dev/null 2>&1 && limpet hook {host} {event} 2>/dev/null {otherwise}"


def _or_print(answer: str) -> str:
    """``grep`` hands on what there is, and fails where there is nothing."""
    return f"grep . || printf '%s\\n' {single_quoted(answer)}"


def plugin_command(host: str, event: str) -> str:
    """It says that it is a plugin's: beside a line of the settings it has nothing to say."""
    return shared_command(host, f"{event} plugin")


def direct_command(host: str, event: str, python: str = sys.executable, root: str = PACKAGE_ROOT) -> str:
    """Do without the launcher, for a project of no lasting installation. ``root``: the folder around the package."""
    return f'{_quoted_path(python)} -I -S -c "{BOOTSTRAP}" {_quoted_path(root)} {host} {event}'


def render_hook_line(line: HookLine) -> str:
    """Leave out the user's own status line: a settings file of the project may say more than the parts tell."""
    if line.launcher.endswith(WINDOWS):
        return powershell_command(line.launcher, line.host, line.event)
    if line.launcher:
        opening = _quiet_opening(line.launcher, line.quiet) if line.quiet else ""
        return opening + posix_command(line.launcher, line.host, line.event)
    if line.python:
        return direct_command(line.host, line.event, line.python, line.root)
    return shared_command(line.host, line.event)


def lies_in_project(line: HookLine, root: str) -> bool:
    """Whether a program that the line starts lies in the project at ``root``, as one that came with it does. Where home
    is the project, or lies in it, what is installed there is the user's own."""
    inside = os.path.realpath(root) + os.sep
    home = os.path.realpath(os.path.expanduser("~")) + os.sep
    paths = filter(None, (line.launcher, line.python, line.root))
    return not home.startswith(inside) and any(
        os.path.realpath(os.path.join(root, path)).startswith(inside) for path in paths
    )


def read_command(command: object) -> HookLine | None:
    """Return None for anybody else's command; another version's is read too."""
    if not isinstance(command, str) or "limpet" not in command:
        return None
    if opening := QUIET_LINE.match(command):
        variable = opening[1].rpartition("$")[2].removesuffix(f"/{QUIET_FILE}")
        line = read_command(command[opening.end() :])
        is_ours = line and variable.isidentifier() and opening[0] == _quiet_opening(line.launcher, variable)
        return line.replace(quiet=variable) if line and is_ours else None
    if found := POSIX_LINE.fullmatch(command):
        launcher, host, event, old, _, _, own, _ = found.groups()
        return _of_launcher(out_of_double(launcher), host, event, out_of_single(old or own or ""))
    if found := POWERSHELL_LINE.fullmatch(command):
        _, launcher, host, event, old, _, _, own, _ = found.groups()
        return _of_launcher(out_of_powershell(launcher), host, event, out_of_powershell(old or own or ""))
    found = DIRECT_LINE.fullmatch(command)
    if found and "limpet.hook" in found[2]:
        python, _, root, host, event = found.groups()
        return HookLine(host, event, python=out_of_double(python), root=out_of_double(root))
    found = SHARED_LINE.fullmatch(command)
    return HookLine(found[1], found[2]) if found else None


def _of_launcher(path: str, host: str, event: str, own: str) -> HookLine | None:
    name = re.split(r"[/\\]", path)[-1].removesuffix(WINDOWS)
    return HookLine(host, event, launcher=path, own=own) if name in NAMES else None


def _quoted_path(path: str) -> str:
    return double_quoted(slashed(path))
