"""What goes wrong around the page is said plainly."""

import shutil
import signal
import socket
from contextlib import closing
from http.client import HTTPConnection

from limpet.memory.model.layout import memories


def test_a_port_that_is_taken_is_said(workspace, run):
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run("dashboard", "--no-open", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 1 and "Cannot listen on port" in done.stderr and "--port 0" in done.stderr


def test_a_named_port_is_used(serve):
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert serve("--port", str(port)).base == f"http://127.0.0.1:{port}"


def test_a_project_that_nobody_trusts_has_no_page(run, tmp_path):
    (tmp_path / "other" / ".limpet").mkdir(parents=True)
    done = run("dashboard", "--no-open", cwd=tmp_path / "other")
    assert done.returncode == 1 and "limpet trust" in done.stderr


def test_without_its_packages_it_says_how_to_have_them(run):
    done = run("dashboard", "--no-open", first="import sys; sys.modules['starlette'] = None")
    assert done.returncode == 1 and "needs the extra dashboard" in done.stderr and "pip install" in done.stderr


def test_a_folder_that_cannot_be_read_is_said_on_every_page(serve, workspace, filled):
    """What cannot be seen is not called empty."""
    served = serve(attended=False)
    cookie = served.enter()
    folder = memories(workspace.shared)
    shutil.rmtree(folder)
    with open(folder, "w", encoding="utf-8") as file:
        file.write("no folder")
    for path in ("/", "/memories", "/review", "/guard"):
        status, _, text = served.ask(path, Cookie=cookie)
        assert status == 200 and f"Cannot read the folder {folder}" in text, path


def test_a_file_that_cannot_be_read_is_said(serve, workspace, filled):
    """With its name and line; the pages that do not need it go on."""
    served = serve(attended=False)
    cookie = served.enter()
    with open(workspace.kept("session.yaml"), "w", encoding="utf-8") as file:
        file.write("current_agent: [")
    status, _, text = served.ask("/work", Cookie=cookie)
    assert status == 500 and "This cannot be shown" in text and "session.yaml:" in text
    assert served.ask("/guard", Cookie=cookie)[0] == 200


def test_what_is_not_there_is_said(serve, filled):
    served = serve(attended=False)
    cookie = served.enter()
    for path in ("/memories/none-such", "/conversations/none-such", "/rules/NONE", "/learning/PR-999", "/work/S-99"):
        status, _, text = served.ask(path, Cookie=cookie)
        assert status == 404 and "This cannot be shown" in text
    assert served.ask("/nowhere", Cookie=cookie)[0] == 404


def test_it_ends_by_ctrl_c_while_a_live_page_is_open(serve):
    """At once, and with nothing but the word of the terminal."""
    served = serve()
    live = HTTPConnection(served.netloc, timeout=60)
    live.request("GET", "/live", headers={"Cookie": served.enter()})
    assert live.getresponse().readline() == b"retry: 2000\n"
    served.process.send_signal(signal.SIGINT)
    assert served.process.wait(60) == 0
    live.close()
