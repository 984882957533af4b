"""The status line keeps the host's exact figures and shows the user's own line with our part beside it."""

from __future__ import annotations

import base64
import json
import shlex
import sys
from pathlib import Path

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.workspace import workspace_at
from limpet.hosts.claude_code import status_line as statusline
from limpet.hosts.claude_code.install import plan_install
from limpet.hosts.claude_code.status_line import beside, main, own_line, read_status_figures
from limpet.hosts.file_changes import apply_changes
from limpet.hosts.records import LOCAL, USER, project_record, user_record
from limpet.operations.mirror import refresh_mirror
from limpet.work.conversation import Private, write_private

from ...conftest import trusted, write_settings

WINDOW = {
    "context_window_size": 200_000,
    "current_usage": {
        "input_tokens": 10,
        "cache_creation_input_tokens": 200,
        "cache_read_input_tokens": 30_000,
        "output_tokens": 4_000,
    },
    "used_percentage": 15,
    "remaining_percentage": 85,
}


VOID = {**WINDOW, "current_usage": None, "used_percentage": None, "remaining_percentage": None}
PASS_THROUGH = "import sys; sys.stdout.buffer.write(b'<' + sys.stdin.buffer.read() + b'>\\xff\\n\\x1b[1m')"
OURS = b" | limpet FRESH 85%"

posix = pytest.mark.skipif(sys.platform == "win32", reason="the user's line is a POSIX shell line")


def payload(project, **changes):
    return {"session_id": "s1", "cwd": str(project), "model": {"id": "m"}, "context_window": WINDOW, **changes}


def draw(project, capfdbinary, **changes):
    main(json.dumps(payload(project, **changes)).encode())
    return capfdbinary.readouterr().out


def status_folder(project):
    return Path(workspace_at(str(project)).cached("status"))


def stored(project, name="s1"):
    return json.loads((status_folder(project) / f"{name}.json").read_text())


def own_settings(folder, command, **members):
    folder.mkdir(exist_ok=True)
    line = {"type": "command", "command": command, **members}
    (folder / "settings.json").write_text(json.dumps({"statusLine": line}))


def install(project, scope=LOCAL):
    apply_changes(plan_install(str(project / ".limpet"), scope).pending())


@pytest.fixture(autouse=True)
def home(project):
    (project / ".limpet").mkdir()
    trusted(project)


@pytest.mark.parametrize(
    ("window", "figures"),
    [
        (WINDOW, (200_000, 34_210, 85)),
        ({"context_window_size": 1_000_000, "used_percentage": 12.5}, (1_000_000, 125_000, None)),
        (VOID, (200_000, None, None)),
        *((none, None) for none in (None, {}, [], {"context_window_size": None}, {"context_window_size": "200k"})),
    ],
)
def test_the_sum_of_the_last_usage_is_what_is_used(window, figures):
    """Or the percentage; after a compaction figures are void, without a window there are none."""
    names = ("window", "used", "remaining", "model", "at", "transcript_size")
    wanted = figures and dict(zip(names, (*figures, "m", 7, 9), strict=True))
    assert read_status_figures({"context_window": window, "model": {"id": "m"}}, 7, 9) == wanted


@pytest.mark.parametrize(
    ("remaining", "line"), [(81, "FRESH 81%"), (59.9, "MODERATE 60%"), (25, "DEPLETED 25%"), (3, "CRITICAL 3%")]
)
def test_our_own_line_names_bracket_and_rest(remaining, line):
    assert own_line({"remaining": remaining}, DEFAULTS["context"]) == f"limpet {line}"


def test_our_own_line_says_that_the_conversation_is_paused(project, capfdbinary):
    """And no figures of it are kept."""
    write_private("s1", Private(since="2026-11-21T12:00:00Z"))
    assert draw(project, capfdbinary) == b"limpet paused"
    assert not (status_folder(project) / "s1.json").exists()


def test_our_own_line_says_that_it_is_ready_while_nothing_is_known(project, capfdbinary):
    """Before the first answer, and after a compaction."""
    for window in (None, VOID):
        assert draw(project, capfdbinary, context_window=window) == b"limpet ready"


def test_our_own_line_says_that_a_project_is_not_trusted(project, tmp_path, capfdbinary):
    stranger = tmp_path / "stranger"
    (stranger / ".limpet").mkdir(parents=True)
    assert draw(stranger, capfdbinary, session_id="s2") == b"limpet: not trusted, run limpet trust"


def test_one_setting_takes_our_part_away(project, user, capfdbinary):
    """Figures are kept all the same."""
    write_settings(workspace_at(str(project)), "hosts: {status_line: false}\n")
    refresh_mirror(workspace_at(str(project)))
    assert draw(project, capfdbinary) == b""
    own_settings(user / ".claude", "echo mine")
    install(project)
    assert draw(project, capfdbinary) == (b"mine\n" if sys.platform != "win32" else b"mine\r\n")
    assert stored(project)["window"] == 200_000


@pytest.mark.parametrize(
    ("theirs", "shown"),
    [
        (b"mine", b"mine | limpet FRESH 85%"),
        (b"mine \n", b"mine | limpet FRESH 85%\n"),
        (b"one\ntwo\n", b"one | limpet FRESH 85%\ntwo\n"),
        (b"\x1b[31mred", b"\x1b[31mred\x1b[0m | limpet FRESH 85%"),
        (b"\x1b]8;;https://example.org/a/long/way/to/go/on\x07link\x1b]8;;\x07\n", None),
        (b"x" * 42, b"x" * 42 + b"\nlimpet FRESH 85%"),
        ("\u6f22".encode() * 21, "\u6f22".encode() * 21 + b"\nlimpet FRESH 85%"),
        (b"x" * 42 + b"\nshort\n", b"x" * 42 + b"\nshort | limpet FRESH 85%\n"),
        (b" \n", b"limpet FRESH 85%"),
        (b"", b"limpet FRESH 85%"),
    ],
)
def test_our_part_stands_behind_the_first_line_with_room_for_it(theirs, shown):
    """By the columns that a terminal shows, else below."""
    found = beside(theirs, "limpet FRESH 85%", 60)
    assert found == (shown or theirs[:-1] + b"\x1b[0m" + OURS + b"\n")


@posix
def test_the_columns_that_the_client_tells_count(project, user, capfdbinary, monkeypatch):
    own_settings(user / ".claude", f"echo {'x' * 60}")
    install(project)
    assert draw(project, capfdbinary) == b"x" * 60 + b"\nlimpet FRESH 85%\n"
    monkeypatch.setenv("COLUMNS", "120")
    assert draw(project, capfdbinary) == b"x" * 60 + OURS + b"\n"


def test_the_figures_are_kept_under_the_session_with_the_transcripts_size(project, capfdbinary):
    """Inside the folder, whatever the session's id."""
    transcript = project / "t.jsonl"
    transcript.write_bytes(b"x" * 123)
    assert draw(project, capfdbinary, transcript_path=str(transcript)) == b"limpet FRESH 85%"
    assert (stored(project)["used"], stored(project)["transcript_size"]) == (34_210, 123)
    draw(project, capfdbinary, session_id="../../evil")
    assert not list(project.glob("evil*")) and len(list(status_folder(project).iterdir())) == 2


@posix
def test_the_users_line_gets_the_same_bytes_and_every_byte_of_it_is_shown(project, user, capfdbinary):
    own_settings(user / ".claude", f"{shlex.quote(sys.executable)} -c {shlex.quote(PASS_THROUGH)}")
    install(project)
    raw = json.dumps(payload(project)).encode()
    main(raw)
    assert capfdbinary.readouterr().out == b"<" + raw + b">\xff\n\x1b[1m\n\x1b[0mlimpet FRESH 85%"
    assert stored(project)["window"] == 200_000


@posix
@pytest.mark.parametrize(
    ("users", "projects", "later", "shown"),
    [
        ("echo old", "", "echo new", b"new"),
        ("echo user", "echo project", "", b"project"),
        ("echo begun; echo noise >&2; exit 3", "", "", b"begun"),
    ],
    ids=["as it is now", "the project's before the user's", "what a failing one printed"],
)
def test_which_line_is_run_beside_ours(project, user, capfdbinary, users, projects, later, shown):
    own_settings(user / ".claude", users)
    if projects:
        own_settings(project / ".claude", projects)
    install(project)
    if later:
        own_settings(user / ".claude", later)
    assert draw(project, capfdbinary) == shown + OURS + b"\n"


@posix
@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_line_that_a_checkout_brings_after_init_is_not_run(project, user, capfdbinary, name):
    """In the file that ours stands in or beside it; what was agreed to goes on."""
    own_settings(project / ".claude", "echo agreed")
    install(project)
    path = project / ".claude" / name
    settings = {**json.loads(path.read_text()), "statusLine": {"type": "command", "command": "echo theirs"}}
    path.write_text(json.dumps(settings))
    assert draw(project, capfdbinary) == b"agreed" + OURS + b"\n"


@posix
def test_a_record_in_the_project_runs_nothing(project, capfdbinary):
    """A branch that force-adds one (S4)."""
    entry = {"host": "claude-code", "status_line": {"type": "command", "command": "echo theirs"}}
    files = {".claude/settings.local.json": {**entry, "runs": entry["status_line"]}}
    install(project)
    (project / ".limpet" / "install.json").write_text(json.dumps({"schema": 1, "files": files}))
    assert draw(project, capfdbinary) == b"limpet FRESH 85%"


@posix
def test_installed_for_the_user_the_first_line_of_all_is_run_once(project, user, tmp_path, capfdbinary):
    """Also in a folder without Limpet, and without the user's record: it stands in their own settings, in our line."""
    own_settings(user / ".claude", "echo first")
    install(project, USER)
    (tmp_path / "elsewhere").mkdir()
    assert draw(tmp_path / "elsewhere", capfdbinary, session_id="s2") == b"first\n"
    assert not (tmp_path / "elsewhere" / ".limpet").exists()
    record = Path(user_record()).read_bytes()
    Path(user_record()).unlink()
    assert draw(project, capfdbinary) == b"first" + OURS + b"\n"
    Path(user_record()).write_bytes(record)
    install(project)
    assert draw(project, capfdbinary) == b"first" + OURS + b"\n"


@posix
def test_what_goes_wrong_with_our_part_does_not_cost_the_user_their_line(project, user, capfdbinary, monkeypatch):
    """Such as a folder that takes no file."""
    own_settings(user / ".claude", "echo mine")
    install(project)
    status_folder(project).parent.parent.mkdir(parents=True)
    status_folder(project).parent.write_text("in the way")
    assert draw(project, capfdbinary) == b"mine" + OURS + b"\n"
    monkeypatch.setattr(statusline, "read_mirror", lambda *given: 1 / 0)
    assert draw(project, capfdbinary) == b"mine\n"


@posix
@pytest.mark.parametrize("command", ["echo early; sleep 60 & sleep 60; echo late", "echo early; setsid sleep 3 & exit"])
def test_a_line_that_hangs_is_ended_at_the_deadline_and_shows_what_came(
    project, user, capfdbinary, monkeypatch, command
):
    monkeypatch.setattr(statusline, "DEADLINE", 0.3)
    own_settings(user / ".claude", command)
    install(project)
    assert draw(project, capfdbinary) == b"early" + OURS + b"\n"


@pytest.mark.parametrize(
    "raw", [b"", b"no json", b"[]", b"\xff", b'{"cwd": 5, "session_id": {}, "workspace": 1, "model": 2}']
)
def test_a_payload_of_any_shape_is_borne(raw, capfdbinary):
    main(raw)
    assert capfdbinary.readouterr().out == b""


@pytest.mark.parametrize("text", ["{", '{"files": []}', '{"files": {"x": 1}}', base64.b64encode(b"junk").decode()])
def test_a_damaged_record_is_borne(project, text, capfdbinary):
    path = Path(project_record(str(project / ".limpet")))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert draw(project, capfdbinary) == b"limpet FRESH 85%"
