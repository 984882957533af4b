"""The command that a host runs on every event: JSON in, JSON out, exit code 0, and never a word on stderr.

It does without ``__future__``, which would be the one module that a prompt reads from the standard library's files.
"""

import _thread
import gc
import os
import sys
import time

from limpet import SILENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import Client
    from limpet.ground.clock import Clock
    from limpet.ground.event import Event, Reply
    from limpet.ground.workspace import Workspace
    from limpet.hosts.base import Events


# The process lives for some milliseconds: looking for cycles would cost it one of them and free nothing.
gc.disable()

# The name under which a host draws its status line, which is no event: it needs few modules, and not the bundle.
STATUS_LINE = "StatusLine"
# Seconds that an event has, unless the host gives it less.
USUAL = 5
# The events at which work of others is waited for longer than anybody waits for an answer: capture and checks.
LONG = ("PreCompact", "Stop", "AfterAgent", "preCompact", "stop")
# Of the time that an event has: when all waiting is over, when what can be left out is, and when the process ends
# whatever it is at. The rest is for the interpreter's start, which nobody here sees.
WAITING, OPTIONAL, ALL = 0.7, 0.8, 0.9

# Held by who says the last word, which is said once.
_last_word = _thread.allocate_lock()
# What is said when the time is over, and the seconds that the event has.
_late = b""
_given: float = USUAL


def main(args: list[str]) -> None:
    """``args``: the host, its name of the event, and perhaps ``plugin``; the payload comes on stdin."""
    if args[:1] == ["git"]:  # which asks before a push: no host, and the one that gets an answer by the exit code
        os._exit(_answer_git())
    answer = ""
    try:
        if not _is_silent():
            answer = _answer(*args[:3])
    finally:
        _leave(answer)


def _answer_git() -> int:
    """Return the code by which git ends a push or goes on; a failure of ours stops nobody."""
    try:
        from limpet.hosts.git_hook import main as answer

        return answer()
    except Exception:
        return 0


def _is_silent() -> bool:
    """Return whether this is a hook in a model's call of ours; any other value of the variable is ignored."""
    token = os.environ.get(SILENT)
    if not token:
        return False
    from limpet.ground.trust.signed import is_token

    return is_token(token, SILENT, time.time())


def _answer(host: str = "", name: str = "", origin: str = "") -> str:
    global _given
    began = time.perf_counter()
    _given = 10 if name == STATUS_LINE else USUAL
    _watch(began)
    if name == STATUS_LINE:
        _draw(host)
        return ""
    _add_ground()
    from limpet.ground.bundle import PROMPT, TOOL, use_bundle

    # A tool call before it is run needs few modules, and has a bundle of its own.
    use_bundle(TOOL if name in ("PreToolUse", "BeforeTool", "preToolUse") else PROMPT)
    from limpet.hosts.registry import events_of, find_sender

    events = events_of(host)
    if events:
        given = events.TIMEOUTS.get(name, USUAL)
        _given = given if name in LONG else min(given, USUAL)
    payload = _payload(sys.stdin.buffer.read())
    host = find_sender(host, payload) if payload else ""
    events = events_of(host)
    if payload is None or events is None or (origin == "plugin" and _stands_back(host, name, events)):
        return ""
    from limpet.ground.clock import Clock
    from limpet.ground.event import SCRIPT

    event = events.read_event(name, payload, os.environ)
    clock = Clock(deadline=began + _given * WAITING, end=began + _given * OPTIONAL)
    if event.is_persons and _concerns_person(event) and _is_nested():
        event = event.replace(origin=SCRIPT)
    event = _with_client(events, event, clock)
    return events.render_reply(name, _handle(host, name, events, event, clock, origin == "plugin"))


def _with_client(events: "Events", event: "Event", clock: "Clock") -> "Event":
    """Note which process serves the conversation, with its start and the first prompt that finds no such note; the
    processes are not looked up at any other event."""
    if event.kind not in ("session_start", "prompt", "session_end") or not event.session or event.agent_id:
        return event
    from limpet.work import serving
    from limpet.work.session import TRIAL

    if event.session.startswith(TRIAL):
        return event
    if event.kind == "session_end":
        serving.end_serving(event.session, clock.now())
        return event
    starts = "session_start" in events.KINDS.values()
    is_known = serving.is_served(event.session) if starts else serving.has_client(event.session)
    if event.kind == "prompt" and is_known:
        return event
    try:
        from limpet.hosts.surroundings import note_client

        return event.replace(follows=note_client(event, os.environ, clock.now()))
    except Exception:  # the answer is worth more
        return event


def _stands_back(host: str, name: str, events: "Events") -> bool:
    from limpet.hosts.surroundings import stands_back

    return stands_back(host, name, os.environ.get(events.PROJECT) or os.getcwd())


def _handle(host: str, name: str, events: "Events", event: "Event", clock: "Clock", by_plugin: bool) -> "Reply":
    global _late
    from limpet.engine import handle, late_reply
    from limpet.work.conversation import find_project

    named, cwd = os.environ.get(events.PROJECT) or "", event.cwd or os.getcwd()
    workspace, begun = find_project(event.session, named, cwd), ""
    if workspace is None and by_plugin and event.kind in ("session_start", "prompt"):
        from limpet.hosts.beginning import BEGUN, begin_project

        if begin_project(named or cwd, clock.now()):
            workspace, begun = find_project(event.session, named, cwd), BEGUN
    if workspace and events.CARRIES and event.kind == "prompt" and (again := _carried(workspace, event)):
        return again
    client = _client(host, events, event).replace(name=lambda: _name(host))
    if workspace:
        _late = _encoded(events.render_reply(name, _runnable(late_reply(event, client), client)))
    reply = _runnable(handle(event, workspace, clock, client), client)
    if workspace and events.CARRIES and not event.agent_id:
        from limpet.hosts.carrying import carry

        reply = carry(workspace, event, reply, events.CARRIES)
    if workspace and not workspace.stranger and event.kind in ("session_start", "session_end"):
        _refresh_rules(workspace, clock)
    return reply.replace(message="\n".join(filter(None, (begun, reply.message)))) if begun else reply


def _refresh_rules(workspace: "Workspace", clock: "Clock") -> None:
    try:
        from limpet.hosts.registry import RULE_FOLDERS

        for host, folder in RULE_FOLDERS.items():
            if os.path.isdir(os.path.join(workspace.root, folder)):
                from limpet.hosts.rules_file import refresh_rules

                refresh_rules(host, workspace.root, clock.now())
    except Exception:  # the answer is worth more
        return


def _carried(workspace: "Workspace", event: "Event") -> "Reply | None":
    from limpet.ground.event import Reply
    from limpet.hosts.carrying import find_carried

    block = find_carried(workspace, event)
    return Reply(block=block) if block else None


def _runnable(reply: "Reply", client: "Client") -> "Reply":
    """Name commands that run to the agent; a block does so itself, where it counts its size."""
    if "limpet " not in reply.reason + reply.unfinished:
        return reply
    from limpet.ground.own_name import with_name

    name = client.name()
    return reply.replace(reason=with_name(reply.reason, name), unfinished=with_name(reply.unfinished, name))


def _name(host: str) -> str:
    from limpet.ground.own_name import find_name

    return find_name(host)


def _client(host: str, events: "Events", event: "Event") -> "Client":
    from limpet.engine.event_context import Client

    if event.kind != "tool_before":
        from limpet.ground.late import Late
        from limpet.hosts.registry import faults

        starts, folder = "session_start" in events.KINDS.values(), os.environ.get(events.PROJECT) or event.cwd
        settings = Late("limpet.hosts.window")
        return Client(
            faults=faults,
            starts=starts,
            shows=events.SHOWS,
            keeps=events.CARRIES != "again",
            confirms=events.CONFIRMS,
            project=os.environ.get(events.PROJECT) or "",
            model=lambda: settings.typed_model(os.environ),
            window=lambda model: settings.set_window(host, folder, model, os.environ),
        )
    from limpet.hosts.registry import tools_of

    tools = tools_of(host)
    if tools is None:
        return Client()
    return Client(
        call=tools.read_call(event),
        hears=tools.HEARS,
        can_ask=lambda: tools.can_ask(event, os.environ),
        asks=lambda: tools.asks_person(event, os.environ),
    )


def _concerns_person(event: "Event") -> bool:
    """Whether it counts who started the client: where a conversation begins, and where a command may be typed."""
    if event.kind != "prompt":
        return event.kind == "session_start"
    from limpet.ground.storage.user_folders import approvals_folder

    return event.prompt.lstrip()[:1] in ("*", "/", "$") or os.path.isdir(approvals_folder())


def _is_nested() -> bool:
    from limpet.ground.processes import read_ancestors
    from limpet.hosts.surroundings import is_nested

    return is_nested(read_ancestors())


def _add_ground() -> None:
    """Add the package around the bundle, which holds no code: looking for it on the disk takes 0.2 ms."""
    if "limpet.ground" not in sys.modules:
        package = sys.modules["limpet.ground"] = type(sys)("limpet.ground")
        package.__path__ = [f"{os.path.dirname(__file__)}/ground"]


def _draw(host: str) -> None:
    """What cannot be imported ends the process with 1 before anything is read, so that the shell runs the user's."""
    try:
        from limpet.hosts.registry import status_line_of

        line = status_line_of(host)
    except Exception:
        os._exit(1)
    raw = sys.stdin.buffer.read()
    if line:
        line.main(raw)


def _payload(raw: bytes) -> dict[str, object] | None:
    from limpet.ground.formats.json_text import loads

    try:
        found = loads(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _watch(began: float) -> None:
    """Have the process end by itself in time; a machine that gives no thread has to wait for the host."""
    try:
        _thread.start_new_thread(_end_late, (began,))
    except RuntimeError:
        return


def _end_late(began: float) -> None:
    """Say that it was too late, unless the answer is on its way, and go. It turns out meanwhile what the host gives."""
    while (left := began + _given * ALL - time.perf_counter()) > 0:
        time.sleep(left)
    try:
        if _last_word.acquire(False) and _late:
            os.write(1, _late)
    finally:
        os._exit(0)


def _leave(answer: str) -> None:
    """Print the answer and exit at once with 0: there is nothing to tidy up, and a closed pipe is no error."""
    _last_word.acquire()
    try:
        if answer:
            sys.stdout.buffer.write(_encoded(answer))
        sys.stdout.flush()
    finally:
        os._exit(0)


def _encoded(answer: str) -> bytes:
    if "\\u" in answer:
        from limpet.ground.formats.json_text import spelled_out

        answer = spelled_out(answer)
    return answer.encode("utf-8", "replace") + b"\n" if answer else b""
