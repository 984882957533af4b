"""What every host must do, whoever adds it; the second host is one that nobody has, added by two folders and a line
each."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from limpet.cli import limpet
from limpet.engine.events import EVENTS
from limpet.ground.errors import LimpetError
from limpet.ground.event import Event, Reply
from limpet.ground.workspace import workspace_at
from limpet.hosts import base
from limpet.hosts.checks import FAIL, OK
from limpet.hosts.commands.launcher import launcher_path
from limpet.hosts.commands.upkeep import write_launcher
from limpet.hosts.doctor import examine
from limpet.hosts.file_changes import apply_changes
from limpet.hosts.installation import carry_out_plan, plan_installation, plan_uninstallation
from limpet.hosts.records import LOCAL, SHARED, USER, project_record, user_record
from limpet.hosts.registry import HOSTS, all_hosts, events_of, host_of, status_line_of
from limpet.hosts.servers import OWNER
from limpet.hosts.spawn import plan_spawn
from limpet.transcripts.registry import TRANSCRIPTS
from limpet.work.session import new_session, write_session

from ..conftest import SOURCE, trusted
from ..conversation import RULES, write_rules
from ..hook_host import MANIFEST, POSIX, spawn
from ..places import private_path
from ..second.registering import FOLDER, NAME, recorded, register, registering
from ..test_imports import LIBRARY

EVERY = (*HOSTS, NAME)
BLOCK = "<limpet-context>x</limpet-context>"
REPORT = """
import sys
before = set(sys.modules)
sys.path.extend(sys.argv[1:3])
for name in sys.argv[3:]:
    __import__(name)
print(*{name for name in set(sys.modules) - before if name not in sys.builtin_module_names})
"""


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """The second host is one of the product's."""
    register(monkeypatch)


@pytest.fixture(params=EVERY)
def host(request):
    """Every host in turn."""
    return host_of(request.param)


@pytest.fixture
def events(host):
    """What the hook needs of it."""
    return events_of(host.NAME)


def payloads(host):
    """(event, payload) of each recorded payload of an event that is answered."""
    folder = Path(recorded(host.NAME))
    named = [(path.stem.partition("-")[0], json.loads(path.read_text())) for path in sorted(folder.glob("*.json"))]
    for _, payload in named:
        if "transcriptPath" in payload:  # in which the prompt stands
            payload["transcriptPath"] = str(folder / "transcript.jsonl")
    return [(event, payload) for event, payload in named if event in host.EVENTS]


def files(folder):
    """Path -> bytes of everything in the folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def install(host, project, scope=LOCAL):
    write_launcher()
    apply_changes(host.plan_install(str(project / ".limpet"), scope).pending())


def members(protocol):
    """(attributes, functions) of a Protocol."""
    functions = {name: value for name, value in vars(protocol).items() if inspect.isfunction(value) and name[0] != "_"}
    return set(protocol.__annotations__), functions


@pytest.mark.parametrize(("protocol", "find"), [(base.Events, events_of), (base.Host, host_of)])
@pytest.mark.parametrize("name", EVERY)
def test_the_modules_meet_their_protocols(name, protocol, find):
    """Every attribute is there, and every function takes what the Protocol's takes (mypy compares the types)."""
    attributes, functions = members(protocol)
    module = find(name)
    assert [each for each in attributes if not hasattr(module, each)] == []
    for each, function in functions.items():
        wanted = list(inspect.signature(function).parameters)[1:]
        assert list(inspect.signature(getattr(module, each)).parameters)[: len(wanted)] == wanted


def test_a_name_is_the_registrys_and_has_a_transcript(host):
    """One word everywhere: in hook lines, in records, in conversations' states."""
    assert HOSTS[host.NAME] and TRANSCRIPTS[host.NAME]


def test_an_unknown_name_is_no_host():
    """It is no error: an older state may name one that has gone."""
    assert (events_of("nobody"), host_of("nobody")) == (None, None)


def test_each_answered_event_is_recorded_and_understood(host, events):
    """As an event that the engine answers, in the conversation and folder of the payload."""
    assert {event for event, _ in payloads(host)} == set(host.EVENTS)
    for name, payload in payloads(host):
        event = events.read_event(name, payload, {})
        assert event.kind in EVENTS or event.agent_id  # what a subagent is asked concerns no person
        assert (event.host, bool(event.session)) == (host.NAME, True)
        assert event.cwd.startswith("/home/dev/project")


def test_a_prompt_brings_its_words(host, events):
    """Whatever the host calls them."""
    read = [events.read_event(name, payload, {}) for name, payload in payloads(host)]
    assert "Add a test for the parser." in [event.prompt for event in read if event.kind == "prompt"]


@pytest.mark.parametrize("value", [None, 7, [], {}, True, 1.5])
def test_a_field_of_another_type_counts_as_absent(host, events, value):
    """A later version may send anything."""
    for name, payload in payloads(host):
        event = events.read_event(name, dict.fromkeys(payload, value), {})
        assert (event.session, event.cwd, event.prompt) == ("", "", "")
    assert isinstance(events.read_event("NoSuchEvent", {}, {}), Event)


def test_a_reply_reaches_the_model_where_it_may(host, events):
    """As JSON, on a prompt where the host can; nothing is printed for nothing."""
    kinds = {name: events.read_event(name, payload, {}).kind for name, payload in payloads(host)}
    told = {name: events.render_reply(name, Reply(BLOCK)) for name in kinds}
    prompts = [name for name, kind in kinds.items() if kind == "prompt"]
    assert prompts and all(
        (BLOCK in str(json.loads(told[name] or "{}"))) == (base.PROMPT in host.CAN) for name in prompts
    )
    assert all(isinstance(json.loads(text or "{}"), dict) for text in told.values())
    assert {events.render_reply(name, Reply()) for name in kinds} == {""}


def test_its_capabilities_are_what_it_shows(host, events):
    """A word of ``base``, and true."""
    kinds = {events.read_event(name, payload, {}).kind for name, payload in payloads(host)}
    assert {*base.CAPABILITIES} == host.CAN | {*host.WHY_NOT} and not host.CAN & {*host.WHY_NOT}
    assert (base.HEADLESS in host.CAN) == (host.HEADLESS is not None)
    assert (base.COMPACTION in host.CAN) == ({"pre_compact", "post_compact"} <= kinds)


def test_what_the_hook_imports_of_it_is_light(host, events):
    """Of the standard library no more than any prompt needs."""
    command = [sys.executable, "-I", "-S", "-c", REPORT, SOURCE, FOLDER, events.__name__]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ours = ("limpet", HOSTS[host.NAME].partition(".")[0])
    assert {name for name in done.stdout.split() if name.partition(".")[0] not in ours} <= LIBRARY


def test_a_status_line_takes_the_bytes_of_a_payload(host):
    """Where the host can draw one."""
    if base.WINDOW in host.CAN:
        assert list(inspect.signature(status_line_of(host.NAME).main).parameters) == ["raw"]
    else:
        with pytest.raises(ImportError):
            status_line_of(host.NAME)


def test_installing_registers_every_event_and_again_changes_nothing(host, project):
    """In each scope that it has."""
    for scope in host.SCOPES:
        install(host, project, scope)
        found = {each.scope: each for each in host.registered(str(project))}[scope]
        assert sorted(found.events) == sorted(host.EVENTS) and os.path.isfile(found.path)
        before = files(project.parent)
        install(host, project, scope)
        assert files(project.parent) == before


def test_what_is_registered_in_a_folder_is_in_force_there(host, project):
    """And elsewhere nothing, but what serves all of the user's projects."""
    install(host, project)
    assert set(host.registered(str(project))) <= set(host.in_force(str(project)))
    assert host.in_force(str(project.parent)) == ()


def test_removal_brings_back_the_bytes_from_before(host, project):
    """Of a file that was there, and none where there was none."""
    install(host, project)
    (path,) = [Path(each.path) for each in host.registered(str(project))]
    home = str(project / ".limpet")
    apply_changes(host.plan_removal(home, host.SCOPES).pending())
    assert files(project) == {} and not path.parent.exists()
    path.parent.mkdir(parents=True)
    path.write_bytes(b'{ "own":\t1 }\r\n')
    install(host, project)
    assert path.read_bytes() != b'{ "own":\t1 }\r\n'
    apply_changes(host.plan_removal(home, host.SCOPES).pending())
    assert files(project) == {str(path.relative_to(project)): b'{ "own":\t1 }\r\n'}


def test_files_that_name_this_machine_are_told(host, project):
    """They are among those that are written."""
    install(host, project)
    private = host.private_files(str(project))
    assert private and all(os.path.isfile(path) for path in private)
    assert launcher_path() in Path(private[0]).read_text()


def test_every_file_that_is_written_is_told(host, project):
    """Beside them the drafts of a killed installation are looked for."""
    written = host.written_files(str(project))
    for scope in host.SCOPES:
        changes = host.plan_install(str(project / ".limpet"), scope).changes
        records = {project_record(str(project / ".limpet")), user_record()}
        assert {change.path for change in changes} - records <= set(written)


@POSIX
def test_checks_fail_before_installing_and_pass_after_it(host, project):
    """The trial runs every line, and leaves nothing behind."""
    assert FAIL in {check.status for check in host.check(str(project))}
    (project / ".limpet").mkdir()
    install(host, project)
    assert FAIL not in {check.status for check in host.check(str(project))}
    write_rules(workspace_at(str(project)), MANIFEST, **RULES)
    tried = list(host.try_hooks(workspace_at(str(project))))
    assert len(tried) >= len(host.EVENTS) and [check for check in tried if check.status != OK] == []
    assert not list(Path(workspace_at(str(project)).data).rglob("sessions/*"))


def test_it_is_started_without_a_terminal_where_it_can(host, workspace, tmp_path, monkeypatch):
    """With the prompt and the new conversation's id in its words; elsewhere the continuation is what there is."""
    write_session(workspace, new_session("abc", host.NAME, workspace.root, 0.0))
    variable = host.HEADLESS.variable if host.HEADLESS else "UNUSED"
    planned = plan_spawn(workspace, "abc", {variable: sys.executable}, 1.0)
    assert bool(planned.command) == (base.HEADLESS in host.CAN)
    if planned.command:
        is_named = not host.HEADLESS.told  # else the host gives the id, which is known once it runs
        assert is_named == any(planned.session in word for word in planned.command if planned.session)
        assert bool(planned.join) == is_named and planned.session in planned.join
        assert not any("{" in word for word in planned.command)
    assert planned.path == "limpet resume --full abc"
    assert os.path.isfile(private_path(workspace, "continuation", "abc.md"))


def test_two_hosts_share_a_project_and_leave_it_as_it_was(project, monkeypatch):
    """Their entries stand in one record, and each takes its own out."""
    monkeypatch.setenv("PATH", "")
    (project / ".second").mkdir()
    (project / ".second" / "settings.json").write_bytes(b'{"a":  1}')
    (project / "CLAUDE.md").write_bytes(b"mine")
    before = files(project)
    carry_out_plan(plan_installation(str(project), LOCAL, EVERY))
    record = json.loads(Path(project_record(str(project / ".limpet"))).read_text())
    assert {entry["host"] for entry in record["files"].values()} == {*EVERY, OWNER}
    assert all(host.registered(str(project)) for host in all_hosts())
    assert plan_installation(str(project), LOCAL, EVERY).is_empty
    carry_out_plan(plan_uninstallation(str(project), False, False, True))
    assert files(project) == before


def test_an_uninstallation_that_is_broken_off_anywhere_is_finished_by_the_next(project, monkeypatch):
    """Every settings file gets its old bytes back, whichever were left."""
    monkeypatch.setenv("PATH", "")
    for folder in (".second", ".claude"):
        (project / folder).mkdir()
    (project / ".second" / "settings.json").write_bytes(b'{"a":  1}')
    mine = b'{"statusLine": {"type": "command",  "command": "mine"}}'
    (project / ".claude" / "settings.local.json").write_bytes(mine)
    before, done = files(project), 0
    while True:
        carry_out_plan(plan_installation(str(project), LOCAL, EVERY))
        job = plan_uninstallation(str(project), False, False, True)
        apply_changes(job.changes[:done])
        carry_out_plan(plan_uninstallation(str(project), False, False, True))
        assert files(project) == before
        if done == len(job.changes):
            return
        done += 1


@POSIX
def test_the_doors_show_each_host(project, monkeypatch):
    """Status names both clients, doctor examines both."""
    (project / ".second").mkdir()
    carry_out_plan(plan_installation(str(project), LOCAL, EVERY))
    trusted(project)
    monkeypatch.chdir(project)
    lines = CliRunner().invoke(limpet, ["status"], catch_exceptions=False).output.splitlines()
    works = next(line for line in lines if line.startswith("works in"))
    assert [host_of(name).TITLE in works for name in EVERY] == [True] * len(EVERY)
    checks = [check.what for check in examine(str(project))]
    assert "second: all hooks" in checks and any(what.startswith("second: Asked answers") for what in checks)
    assert any(what.startswith("/limpet is offered by") for what in checks)


def test_the_host_that_is_asked_for_is_installed_alone(project):
    """Whatever else is used here."""
    (project / "CLAUDE.md").write_bytes(b"mine")
    carry_out_plan(plan_installation(str(project), LOCAL, [NAME]))
    assert [host.NAME for host in all_hosts() if host.registered(str(project))] == [NAME]


@pytest.mark.parametrize("scope", [SHARED, USER])
def test_a_scope_that_a_host_lacks_is_refused(project, scope):
    """The second host has settings of this machine only."""
    with pytest.raises(LimpetError, match=f"--{scope}"):
        plan_installation(str(project), scope, [NAME])


def test_the_second_host_is_answered_by_the_hook(workspace):
    """A prompt in a process of its own: its payload in, our block in its JSON out, usage from its own transcript."""
    write_rules(workspace, MANIFEST, **RULES)
    log = Path(workspace.root) / "log.txt"
    log.write_text("user hello\nused 450000\n")
    given = {"talk": "t", "folder": workspace.root, "text": "the endpoint", "log": str(log)}
    answer = spawn(json.dumps(given).encode(), NAME, "Asked", cwd=workspace.root, first=registering(SOURCE))
    assert (answer.code, answer.err) == (0, b"")
    block = json.loads(answer.out)["add"]
    assert "Version it." in block and 'bracket="MODERATE"' in block
    state = json.loads(Path(private_path(workspace, "sessions", "t.json")).read_text())
    assert (state["host"], state["usage"]["used"]) == (NAME, 450_000)


def test_the_status_line_of_the_second_host_is_drawn_by_the_hook(workspace):
    """What it prints is its own."""
    answer = spawn(b"12345", NAME, "StatusLine", cwd=workspace.root, first=registering(SOURCE))
    assert (answer.code, answer.out, answer.err) == (0, b"5 bytes", b"")
