"""The page as a person has it: served by a process of its own, in a terminal or without one, and seen in Chromium."""

import os
import re
import select
import shutil
import subprocess
import sys
import time
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import pytest

from limpet.engine import handle
from limpet.ground.clock import Clock
from limpet.ground.event import Event
from limpet.hosts.surroundings import variables_of_hosts
from limpet.learning.model import KnowledgeEntry, KnowledgeEvidence
from limpet.learning.store import change_stores
from limpet.memory.candidates import Candidate, save
from limpet.operations.memory.candidates import CONFLICT

from ..conftest import SOURCE
from ..conversation import write_rules
from ..knowledge import learned_here
from ..memories import Memories
from ..tool_calls import at_work
from ..wishes import say

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NONE = "NO CHROMIUM on this machine, so nothing of the page is looked at: apt-get install chromium"
NO_AGENT = "from limpet.hosts import surroundings\nsurroundings.read_ancestors = tuple\n"
WORD = re.compile(r"To agree, type\s+(\w+)")
CONVERSATION = "talk-one"
HOSTILE = '<script>document.title = "taken"</script><img src=x onerror="document.title=1">'


class Served:
    """A page under way; ``address`` has its token."""

    def __init__(self, process, source):
        self.process, self._source, self._read = process, source, ""
        self.address = self._wait(re.compile(r"(http://\S+)\s"))
        parts = urlsplit(self.address)
        self.netloc, self.base = parts.netloc, f"http://{parts.netloc}"

    def word(self):
        """The one that the terminal shows now."""
        found = self._wait(WORD)
        self._read = ""
        return found

    def _wait(self, pattern):
        while not (found := pattern.search(self._read)):
            assert select.select([self._source], [], [], 60)[0], self._read
            more = os.read(self._source, 65536).decode()
            assert more, self._read
            self._read += more.replace("\r\n", "\n")
        return found[1]

    def ask(self, path, method="GET", fields=None, **headers):
        """Status, headers and text of an answer."""
        connection = HTTPConnection(self.netloc, timeout=60)
        body = urlencode(fields) if fields is not None else None
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named)
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read().decode()
        connection.close()
        return found

    def enter(self):
        """The cookie that a browser gets for the token."""
        status, headers, _ = self.ask(urlsplit(self.address).path + "?" + urlsplit(self.address).query)
        assert status == 303
        return headers["set-cookie"].partition(";")[0]


@pytest.fixture
def serve(workspace, monkeypatch):
    """Starts pages of the project, which end with the test; ``prefix``: a command that starts it."""
    running = []
    for name in variables_of_hosts():
        monkeypatch.delenv(name, raising=False)

    def start(*words, prefix=(), attended=True, cwd=workspace.root):
        first = "" if prefix else NO_AGENT
        code = f"{first}import sys\nsys.argv[0] = 'limpet'\nfrom limpet.__main__ import main\nmain()"
        command = [*prefix, sys.executable, "-c", code, "dashboard", "--no-open", *words]
        environment = {**os.environ, "PYTHONPATH": SOURCE}
        if attended:
            source, terminal = pytest.importorskip("pty").openpty()
            streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
        else:
            source, terminal = os.pipe()
            streams = {"stdin": subprocess.DEVNULL, "stdout": terminal, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(command, cwd=cwd, env=environment, start_new_session=True, **streams)
        os.close(terminal)
        running.append((process, source))
        return Served(process, source)

    yield start
    for process, source in running:
        if process.poll() is None:
            os.killpg(process.pid, 15)
        process.wait(60)
        os.close(source)


@pytest.fixture(scope="module")
def chromium():
    """Ended with the module: beside its loop no other test could have one."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(NONE)
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def look(chromium):
    """Opens the page in a browser of its own; afterwards nothing was wrong in it, and nothing was asked elsewhere."""
    wrong, asked, contexts = [], [], []

    def opened(served, width=1280, scheme="light"):
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        context.on("request", lambda request: asked.append(request.url))
        page = context.new_page()
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(served.address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []
    assert {urlsplit(address).hostname for address in asked} <= {"127.0.0.1"}


@pytest.fixture
def filled(workspace, run):
    """A project with something on every page."""
    write_rules(
        workspace,
        "GLOBAL_STATE=active\nDATA_RECALL=schema, database\nAPI_STATE=active\nAPI_PATHS=src/api/**\n",
        data="# Ours.\nDATA_RULE_0=Read the schema first.\n",
        api="API_RULE_0=Version it.\n",
    )
    client = at_work(workspace)
    memories = Memories(workspace)
    kept = {
        "proposed": say(memories),
        "old": memories.add("We deploy on Fridays", source="person"),
        "heard": memories.add("Use pnpm", tags=("unreviewed",), source=f"capture:{CONVERSATION}", session=CONVERSATION),
        "hostile": memories.add(f"Quotes {HOSTILE}", body=HOSTILE, source="person"),
    }
    body = f"It stands beside the old.\n\nThe person's {kept['old']} contradicts this and takes precedence."
    kept["beside"] = memories.add("We deploy on Mondays", body=body, tags=(CONFLICT,), source="person")
    quote = "always write the changelog"
    save(workspace.shared, [Candidate(id="hearda", at=time.time(), session="c9", quote=quote, type="user_correction")])
    for prompt in ("change the schema of the database", "go on", f"quote {HOSTILE}"):
        event = Event(kind="prompt", host="claude-code", session=CONVERSATION, cwd=workspace.root, prompt=prompt)
        handle(event, workspace, Clock())
    assert client.bash("git push")[0] == "deny"
    evidence = [_evidence(n, effect) for n, effect in enumerate(("create", "reinforce", "contradict", "contradict"))]
    entry = KnowledgeEntry(kind="principle", id="PR-001", text="Validate in the service", evidence=tuple(evidence))
    change_stores(workspace, lambda known: {**known, "principle": (entry,)})
    learned_here(workspace, entry)
    done = run("work", "story", "add", "Add the export", "--criterion", "A CSV file is downloaded")
    assert done.returncode == 0, done.stderr
    return kept


def _evidence(number, effect):
    at = f"2026-11-{10 + number}T10:00:00Z"
    return KnowledgeEvidence(source=f"conversation:c{number}", observation="OB-001", effect=effect, agent="dev", at=at)
