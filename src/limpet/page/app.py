"""What the page answers: a table from paths to views, one from names to actions, and the stream that says when to look
again."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from limpet.ground.errors import LimpetError
from limpet.ground.event_log import log_paths, metrics_path
from limpet.ground.recording import record
from limpet.ground.storage.files import stamp
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import Reader
from limpet.memory.model.layout import memories as memories_folder
from limpet.operations.caller import Caller
from limpet.operations.project import Project, open_as
from limpet.page import conversations, learning, memories, now, rules, work
from limpet.page.access import Gate, PageKeys, Refusal, same
from limpet.page.actions import ACTIONS, Done, Form
from limpet.page.drawing import FOLDER, draw
from limpet.page.words import ShownWords, WordAsked
from limpet.work.session import session_paths

REFUSED = "page.refused"
# Refusals that are logged of one run, and characters of a form.
MOST_LOGGED, LONGEST_FORM = 100, 200_000
# Seconds between two looks at the files while a browser shows the live page, and between two signs of life.
LOOK, ALIVE = 1.0, 15.0

View = Callable[..., tuple[str, dict[str, Any]]]
VIEWS: dict[str, View] = {
    "/": now.view_now,
    "/counts": now.view_counts,
    "/conversations": conversations.view_conversations,
    "/conversations/{key}": conversations.view_conversation,
    "/conversations/{key}/{number:int}": conversations.view_prompt,
    "/review": memories.view_review,
    "/memories": memories.view_memories,
    "/memories/{key}": memories.view_memory,
    "/rules": rules.view_rules,
    "/rules/{name}": rules.view_domain,
    "/learning": learning.view_learning,
    "/learning/{key}": learning.view_entry,
    "/work": work.view_pipeline,
    "/work/{key}": work.view_story,
    "/health": work.view_health,
    "/guard": work.view_guard,
}


class PageScene(Value):
    """``caller_at``: who calls at a moment, in seconds since 1970. ``read_only``: why nothing can be changed here, ""
    where it can."""

    workspace: Workspace
    caller_at: Callable[[Project, float], Caller]
    words: ShownWords
    read_only: str


class App:
    """The page of one run. It keeps only what was said of the last action until a page shows it."""

    def __init__(self, scene: PageScene, keys: PageKeys) -> None:
        self._scene, self._keys = scene, keys
        self._said: list[Done] = []
        self._refused = 0
        routes: list[Route | Mount] = [Route(path, self._answering(view)) for path, view in VIEWS.items()]
        routes += [
            Route("/do/{name}", self._act, methods=["POST"]),
            Route("/live", self._live),
            Mount("/static", StaticFiles(directory=f"{FOLDER}/static")),
        ]
        handlers = {LimpetError: self._failed, OSError: self._failed, HTTPException: self._missing}
        self._routed = Starlette(routes=routes, exception_handlers=handlers)  # type: ignore[arg-type]
        self.asgi = Gate(self._routed, keys, self._refuse, scene.read_only)

    def _open(self) -> Project:
        at = time.time()
        return Project(self._scene.workspace, lambda project: self._scene.caller_at(project, at))

    def _base(self, path: str) -> dict[str, Any]:
        said, self._said = self._said, []
        workspace = self._scene.workspace
        base = {"project": workspace.root, "form": self._keys.form, "read_only": self._scene.read_only, "said": said}
        base["unreadable"] = [*find_unreadable(workspace)]
        return {"path": path, "base": base, "section": "/" + path.split("/")[1]}

    def _answering(self, view: View) -> Callable[[Request], Response]:
        def answer(request: Request) -> Response:
            template, told = view(self._open(), request.query_params, **request.path_params)
            return draw(template, **self._base(request.url.path), **told)

        return answer

    async def _act(self, request: Request) -> Response:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_FORM:
                return self._refuse(request, Refusal(413, "The form is too long", "Say it in fewer words."))
        fields = {name: values[-1] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
        if not same(fields.get("form", ""), self._keys.form):
            return self._refuse(request, Refusal(403, "The form is not of this page", "Load the page again."))
        return await run_in_threadpool(self._carry_out, request, fields)

    def _carry_out(self, request: Request, fields: Mapping[str, str]) -> Response:
        name, back = str(request.path_params["name"]), _back(request, fields)
        action, form = ACTIONS.get(name), Form(fields)
        if action is None or not form.has_sane_ids:
            return self._refuse(request, Refusal(400, "The page has no such form", "Follow the links of the page."))
        project = self._open()
        try:
            done = action(project, form, self._scene.words.obtain_for(form.get("word"), project.caller.now))
        except WordAsked as asked:
            kept = {key: value for key, value in fields.items() if key not in ("form", "word", "back")}
            told: dict[str, Any] = {"says": asked.says, "fields": kept, "action": name, "back": back}
            return draw("word.html", **self._base(back), **told)
        except (LimpetError, OSError) as error:
            done = Done(str(error), is_wrong=True)
        self._said.append(done)
        return RedirectResponse(done.next or back, 303)

    async def _live(self, request: Request) -> Response:
        """Say when the project's files changed; the browser then asks for the page anew."""
        workspace = self._scene.workspace
        first = await run_in_threadpool(_stamps, workspace)

        async def changes() -> AsyncIterator[str]:
            seen, silent = first, 0.0
            yield "retry: 2000\n\n"
            while not await request.is_disconnected():
                await asyncio.sleep(LOOK)
                silent += LOOK
                found = await run_in_threadpool(_stamps, workspace)
                if found != seen:
                    seen, silent = found, 0.0
                    yield "event: change\ndata: 1\n\n"
                elif silent >= ALIVE:
                    silent = 0.0
                    yield ": alive\n\n"

        return StreamingResponse(changes(), media_type="text/event-stream")

    def _refuse(self, request: Request, refusal: Refusal) -> Response:
        self._refused += 1
        if self._refused <= MOST_LOGGED:
            actor = open_as(self._scene.workspace, Caller(reader=Reader(), now=time.time())).actor
            told = {"reason": refusal.what, "method": request.method, "path": clip(request.url.path, 200)}
            record(self._scene.workspace, actor.replace(writer="limpet dashboard"), REFUSED, told)
        return draw("error.html", refusal.status, what=refusal.what, hint=refusal.hint)

    def _failed(self, request: Request, error: Exception) -> Response:
        status = 404 if isinstance(error, LimpetError) and request.path_params else 500
        return draw("failed.html", status, **self._base(request.url.path), what=_in_words(error))

    def _missing(self, request: Request, error: HTTPException) -> Response:
        return draw("error.html", error.status_code, what="There is no such page", hint="Follow the menu.")


def find_unreadable(workspace: Workspace) -> Iterator[str]:
    """Folders of which all views would say that they are empty."""
    for folder in dict.fromkeys((workspace.home, workspace.shared, workspace.state, memories_folder(workspace.shared))):
        if os.path.lexists(folder) and not (os.path.isdir(folder) and os.access(folder, os.R_OK | os.X_OK)):
            yield folder


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError) and not isinstance(error, LimpetError):
        return f"Cannot read {error.filename or 'a file of the project'}: {error.strerror}. Run: limpet doctor"
    return str(error)


def _back(request: Request, fields: Mapping[str, str]) -> str:
    """The page that the form was on; nothing of it but its path and question, so that nobody is sent elsewhere."""
    came = urlsplit(fields.get("back") or request.headers.get("referer", ""))
    path = came.path if came.path.startswith("/") and not came.path.startswith(("//", "/do")) else "/"
    return f"{path}?{came.query}" if came.query else path


def _stamps(workspace: Workspace) -> list[object]:
    paths = [metrics_path(workspace), workspace.path("session.yaml")]
    paths += [*log_paths(workspace.shared), *session_paths(workspace)]
    return [stamp(path) for path in paths]
