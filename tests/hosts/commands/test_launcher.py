"""The launcher in every shell at hand: quick and isolated where all is there, silent where something has gone, and the
user's own status line in any case."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from limpet.ground.storage.user_folders import cache_folder, state_folder
from limpet.hosts.claude_code.status_line import MARGIN
from limpet.hosts.commands.launcher import (
    EXECUTABLE,
    LONGEST_FIRST_LINE,
    MISSING,
    Target,
    launcher_path,
    read_launcher,
    render_batch,
    render_launcher,
)
from limpet.hosts.commands.lines import GONE as ABSENCE
from limpet.hosts.commands.lines import (
    NOT_INSTALLED,
    START,
    STATUS_LINE,
    hook_command,
    posix_command,
    powershell_command,
    read_command,
    status_line_command,
)

from ...conftest import SOURCE

HOST = "claude-code"
SHELLS = [shell for shell in ("sh", "bash", "dash", "zsh", "ksh") if shutil.which(shell)]
HOOK = """
import json, os, sys
def main(args):
    flags = sys.flags
    given = sys.stdin.buffer.read().decode()
    told = [args, given, flags.isolated, flags.no_site, sys.path[-1], os.environ["LIMPET_STATE"],
            os.environ["LIMPET_CACHE"], os.getppid()]
    print(json.dumps(told))
"""
# The user's own status lines, each of which prints what it gets.
OWN = {
    "plain": "cat",
    "quotes": """printf "it's %s" "$(cat)" """,
    "a comment at the end": "cat # it's mine",
    "several lines": 'read line\necho "$line"\n# done',
    "its own exit": "cat; exit 0; echo never",
    "a here document": "cat; cat <<'EOF'\nof 'mine'\nEOF",
    "braces and pipes": "{ cat; } | sed 's/a/b/' || echo \"no\"",
}

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX shells")


@pytest.fixture(params=SHELLS)
def shell(request):
    """Every shell in turn."""
    return request.param


@pytest.fixture
def package(tmp_path):
    """The folder of a stand-in for the installed package."""
    return make_package(tmp_path / "site")


def make_package(root, hook=HOOK):
    (root / "limpet").mkdir(parents=True)
    (root / "limpet" / "__init__.py").write_text("")
    (root / "limpet" / "hook.py").write_text(hook)
    return str(root)


def make_python(folder):
    """An interpreter at a path of one's choice."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "python").symlink_to(os.path.realpath(sys.executable))
    return str(folder / "python")


def write(target, path=None):
    path = path or launcher_path()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(render_launcher(target, path))
    os.chmod(path, EXECUTABLE)
    return path


def run(shell, command, stdin=b"{}", **options):
    words = [shutil.which(shell), "-c", command]
    done = subprocess.run(words, input=stdin, capture_output=True, check=False, **options)
    return done.returncode, done.stdout, done.stderr


def answer(shell, command, stdin=b"{}"):
    code, out, err = run(shell, command, stdin)
    assert (code, err) == (0, b"")
    return json.loads(out)


def test_the_line_is_the_same_for_every_project_and_version(monkeypatch):
    """Short enough to be read, and known by the product's name, also with a state folder of another name."""
    line = hook_command(HOST, "UserPromptSubmit")
    if sys.platform != "win32":
        assert line == f'"{launcher_path()}" claude-code UserPromptSubmit 2>/dev/null || exit 0'
    assert "limpet" in line and sys.executable not in line and len(line) < len(launcher_path()) * 2 + 100
    monkeypatch.setenv("LIMPET_STATE", os.path.abspath(os.sep + os.path.join("data", "state")))
    line = hook_command(HOST, "SessionStart")
    assert "limpet" in line and read_command(line)


@posix
def test_it_hands_event_and_stdin_to_the_hook_in_a_bare_interpreter(shell, package):
    """A stray module beside the package or the launcher wins over nothing."""
    write(Target(sys.executable, package))
    for folder in (package, state_folder()):
        with open(os.path.join(folder, "json.py"), "w") as file:
            file.write("raise SystemExit(2)")
    told = answer(shell, hook_command(HOST, "PreCompact"), b'{"a": "\xc3\xa9"}')
    assert told[:-1] == [[HOST, "PreCompact"], '{"a": "é"}', 1, 1, package, state_folder(), cache_folder()]


@posix
@pytest.mark.parametrize("odd", ["with space", "x" * LONGEST_FIRST_LINE, 'my "$python`s\\', "tab\tand 'quote'", "é"])
def test_an_interpreter_that_a_first_line_cannot_carry_is_started_by_the_shell(shell, tmp_path, odd):
    """Whatever stands in the paths of interpreter, package and state."""
    python, package = make_python(tmp_path / odd), make_package(tmp_path / f"{odd} site")
    path = write(Target(python, package), str(tmp_path / f"{odd} limpet" / "hook"))
    assert answer(shell, posix_command(path, HOST, "X"))[4] == package
    assert read_launcher(path) == Target(python, package)


@posix
@pytest.mark.parametrize("folder", ["plain", "with space"])
def test_no_process_stands_between_the_shell_and_the_interpreter(tmp_path, package, folder):
    """The second form gives its process to the interpreter."""
    path = write(Target(make_python(tmp_path / folder), package))
    process = subprocess.Popen(
        ["/bin/sh", "-c", hook_command(HOST, "X")], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    out, _ = process.communicate()
    assert json.loads(out)[-1] == process.pid and os.path.exists(path)


def spoil(what, tmp_path):
    """An installation from which something has gone."""
    python, package = make_python(tmp_path / "venv"), make_package(tmp_path / "site")
    path = write(Target(python, package))
    if what == "launcher":
        os.unlink(path)
    elif what == "folder":
        shutil.rmtree(state_folder())
    elif what == "interpreter":
        os.unlink(python)
    elif what == "right to run it":
        os.chmod(path, 0o600)
    elif what == "package":
        shutil.rmtree(package)
    elif what == "hook module":
        os.unlink(os.path.join(package, "limpet", "hook.py"))
    elif what == "whole package":
        with open(os.path.join(package, "limpet", "hook.py"), "w") as file:
            file.write("def broken(:")


GONE = ["launcher", "folder", "interpreter", "right to run it", "package", "hook module", "whole package"]


@posix
@pytest.mark.parametrize("what", GONE)
def test_whatever_has_gone_the_hook_is_silent(shell, tmp_path, what):
    """Exit code 0 and no word: a prompt goes on."""
    spoil(what, tmp_path)
    assert run(shell, hook_command(HOST, "UserPromptSubmit")) == (0, b"", b"")


@posix
@pytest.mark.parametrize("what", GONE)
def test_whatever_has_gone_a_start_of_a_conversation_says_so(shell, tmp_path, what):
    """With a status line or without one, in the shape that the client shows to the person."""
    spoil(what, tmp_path)
    assert "not installed" in answer(shell, hook_command(HOST, START))["systemMessage"]


def test_the_line_of_a_start_reads_back_as_one_of_ours():
    """In both forms."""
    windows = "C:\\Users\\Anna O'Neil\\AppData\\Local\\limpet\\hook.cmd"
    lines = (posix_command("/home/a b/limpet/hook", HOST, START), powershell_command(windows, HOST, START))
    assert [(found.host, found.event, found.launcher) for found in map(read_command, lines) if found] == [
        (HOST, START, "/home/a b/limpet/hook"),
        (HOST, START, windows),
    ]


@posix
@pytest.mark.parametrize("what", GONE)
@pytest.mark.parametrize("own", OWN.values(), ids=OWN)
def test_whatever_has_gone_the_users_own_status_line_runs_and_the_absence_is_said(shell, tmp_path, what, own):
    """On the input, of which nothing was taken, and in a line below."""
    spoil(what, tmp_path)
    alone = run(shell, own, b"a payload\n")[1].strip(b"\n")
    assert alone
    told = run(shell, status_line_command(HOST, own), b"a payload\n")
    assert told == (0, b"%s\n%s\n" % (alone, NOT_INSTALLED.encode()), b"")
    assert len(NOT_INSTALLED) <= 60 - MARGIN  # a client of 60 columns shows the command too


@posix
@pytest.mark.parametrize("what", GONE)
@pytest.mark.parametrize("own", ["", "if then; '", "echo noise >&2; exit 3"])
def test_whatever_has_gone_the_absence_is_said_alone_where_the_user_has_no_line_that_speaks(shell, tmp_path, what, own):
    spoil(what, tmp_path)
    assert run(shell, status_line_command(HOST, own)) == (0, NOT_INSTALLED.encode() + b"\n", b"")


@posix
def test_the_absence_leaves_one_mark_as_old_as_its_beginning(shell, tmp_path):
    """Beside the launcher; the hook lines leave none."""
    spoil("interpreter", tmp_path)
    mark = launcher_path() + MISSING
    run(shell, hook_command(HOST, "UserPromptSubmit"))
    assert not os.path.exists(mark)
    run(shell, status_line_command(HOST, ""))
    os.utime(mark, (1_600_000_000, 1_600_000_000))
    run(shell, status_line_command(HOST, ""))
    assert os.stat(mark).st_mtime == 1_600_000_000


@posix
@pytest.mark.parametrize("own", [*OWN.values(), "if then; '", ""])
def test_where_limpet_is_there_the_users_line_is_left_to_it(shell, package, own):
    """A line that is no sentence of the shell does not spoil ours."""
    write(Target(sys.executable, package))
    assert answer(shell, status_line_command(HOST, own))[0] == [HOST, STATUS_LINE]


@posix
def test_a_package_that_lacks_what_the_status_line_imports_leaves_the_input_alone(shell, tmp_path):
    """The real hook, without its hosts: it ends with 1 before it reads."""

    site = tmp_path / "site"
    shutil.copytree(os.path.join(SOURCE, "limpet"), site / "limpet", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(site / "limpet" / "hosts")
    write(Target(sys.executable, str(site)))
    shown = b"a payload\n" + NOT_INSTALLED.encode() + b"\n"
    assert run(shell, status_line_command(HOST, "cat"), b"a payload") == (0, shown, b"")


@pytest.mark.parametrize("own", [*OWN.values(), "", "it''s \u2019 $x"])
def test_each_form_reads_back_as_it_was_written(own):
    """Doctor and uninstall know a line by its parts."""
    windows = "C:\\Users\\Anna O'Neil\\AppData\\Local\\limpet\\hook.cmd"
    for path, line in (
        ("/home/a b/$x/limpet/hook", posix_command("/home/a b/$x/limpet/hook", HOST, STATUS_LINE, own)),
        (windows, powershell_command(windows, HOST, STATUS_LINE, own)),
    ):
        found = read_command(line)
        assert found and (found.launcher, found.host, found.event, found.own) == (path, HOST, STATUS_LINE, own)


@pytest.mark.parametrize(
    "line",
    ['"/opt/tool/hook" claude-code X 2>/dev/null || exit 0', '"/opt/limpet/x" claude-code X 2>/dev/null || exit 0'],
)
def test_a_line_of_that_shape_is_ours_only_with_our_name(line):
    assert read_command(line) is None


def test_the_line_for_powershell_knows_neither_bars_nor_the_null_device():
    """Windows PowerShell 5.1 reads it; the file is looked for before it is started."""
    path = "C:\\Users\\Anna O'Neil\\AppData\\Local\\limpet\\hook.cmd"
    quoted = "'C:\\Users\\Anna O''Neil\\AppData\\Local\\limpet\\hook.cmd'"
    mark = quoted.replace(".cmd", ".missing")
    assert powershell_command(path, HOST, "PreCompact") == (
        f"if (Test-Path -LiteralPath {quoted}) {{ & {quoted} claude-code PreCompact }}; exit 0"
    )
    assert powershell_command(path, HOST, START) == (
        f"if (Test-Path -LiteralPath {quoted}) {{ & {quoted} claude-code SessionStart; "
        f"if ($LASTEXITCODE -eq 0) {{ exit 0 }} }}; '{ABSENCE}'; exit 0"
    )
    assert powershell_command(path, HOST, STATUS_LINE, "echo 'a'\n# b") == (
        f"if (Test-Path -LiteralPath {quoted}) {{ & {quoted} claude-code StatusLine; "
        f"if ($LASTEXITCODE -eq 0) {{ exit 0 }} }}; if (-not (Test-Path -LiteralPath {mark})) "
        f"{{ $null = New-Item {mark} -ErrorAction Ignore }}; "
        f"Invoke-Expression 'echo ''a''\n# b'; '{NOT_INSTALLED}'; exit 0"
    )


@pytest.mark.parametrize(
    "line",
    [
        "\"/home/me/limpet/hook\" claude-code StatusLine 2>/dev/null || eval 'it'\\''s mine'",
        "if (Test-Path -LiteralPath 'C:\\limpet\\hook.cmd') { & 'C:\\limpet\\hook.cmd' claude-code StatusLine; "
        "if ($LASTEXITCODE -eq 0) { exit 0 } }; Invoke-Expression 'it''s mine'",
    ],
)
def test_a_status_line_that_is_silent_where_limpet_is_missing_is_read_too(line):
    """As earlier versions wrote it."""
    found = read_command(line)
    assert found and (found.event, found.own) == (STATUS_LINE, "it's mine")


def test_on_windows_the_line_is_git_bashs_with_forward_slashes(monkeypatch):
    """A backslash would be taken for an escape."""
    monkeypatch.setattr(sys, "platform", "win32")
    line = posix_command("C:\\Users\\Anna B\\AppData\\Local\\limpet\\hook", HOST, "PreCompact")
    assert line == '"C:/Users/Anna B/AppData/Local/limpet/hook" claude-code PreCompact 2>/dev/null || exit 0'


def test_on_windows_the_launcher_is_started_by_sh_and_a_batch_file(monkeypatch):
    """Git Bash takes the first, PowerShell the second; a percent sign would be a variable there."""
    target = Target("C:\\Users\\50% Anna\\venv\\python.exe", "C:\\Users\\50% Anna\\venv\\Lib\\site-packages")
    path = "C:\\Users\\50% Anna\\AppData\\Local\\limpet\\hook"
    monkeypatch.setattr(sys, "platform", "win32")
    opening = render_launcher(target, path).decode().split("\n")[:2]
    assert opening == [
        "#!/bin/sh",
        '"exec" "C:/Users/50% Anna/venv/python.exe" "-IS" "C:/Users/50% Anna/AppData/Local/limpet/hook" "$@"',
    ]
    assert render_batch(target, path).decode() == (
        '@echo off\r\n"C:\\Users\\50%% Anna\\venv\\python.exe" -IS "%~dp0hook" %* 2>nul\r\n'
    )
    assert b"chcp 65001" in render_batch(Target("C:\\é\\python.exe", "C:\\"), path)


@pytest.mark.parametrize(
    "text", ["", "#!/bin/sh\necho mine\n", "#!/usr/bin/python3 -IS\nprint()\n", "\x00", "x" * 100_000]
)
def test_a_file_that_is_none_of_ours_leads_nowhere(tmp_path, text):
    (tmp_path / "hook").write_text(text)
    assert read_launcher(str(tmp_path / "hook")) is None
    assert read_launcher(str(tmp_path / "missing")) is None
