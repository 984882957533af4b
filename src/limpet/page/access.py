"""Who may ask the page, and from where: every request passes here before anything of the project is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from secrets import compare_digest, token_urlsafe

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from limpet.ground.text.escaping import clip
from limpet.ground.values import Value

STATIC = "/static/"
# Parts of a path: names of pages, ids of memories and conversations, names of domains.
_PART = re.compile(r"(?!\.{1,2}$)[\w.:@~ -]{0,120}")
_STRANGE = re.compile(r"%2f|%5c|%00|\\|//", re.IGNORECASE)
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer, with which a browser says no origin of its own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
OPEN = "Open the address that `limpet dashboard` printed last: it holds the token of this run."


class PageKeys:
    """What a request must know, made anew by every start. ``token``: of the printed address; ``form``: a field of every
    form of ours."""

    def __init__(self, port: int) -> None:
        self.token, self._cookie, self.form, self._ticket = (token_urlsafe(16) for _ in range(4))
        self.cookie_name = f"limpet-{port}"
        self.address = f"http://127.0.0.1:{port}/"
        self.hosts = (f"127.0.0.1:{port}", f"localhost:{port}")

    def take_ticket(self) -> str:
        """Return a token for one use: whoever starts a browser shows its address to all who list processes."""
        return self._ticket

    def admit(self, token: str) -> bool:
        is_ticket = same(token, self._ticket)
        if is_ticket:
            self._ticket = token_urlsafe(16)
        return is_ticket or same(token, self.token)

    def knows(self, cookie: str) -> bool:
        return same(cookie, self._cookie)

    def welcome(self, path: str) -> Response:
        answer = RedirectResponse(path, 303)
        answer.set_cookie(self.cookie_name, self._cookie, path="/", httponly=True, samesite="strict")
        return answer


class Refusal(Value):
    status: int
    what: str
    hint: str


def same(given: str, known: str) -> bool:
    return compare_digest(given.encode("utf-8", "replace"), known.encode())


class Gate:
    """``refuse`` logs a refusal and makes its page; ``read_only``: why nothing can be changed here, "" where it can."""

    def __init__(
        self, app: ASGIApp, keys: PageKeys, refuse: Callable[[Request, Refusal], Response], read_only: str
    ) -> None:
        self._app, self._keys, self._refuse, self._read_only = app, keys, refuse, read_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope, receive)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        answer = self._answer(request) or self._app
        await answer(scope, receive, send_with_headers)

    def _answer(self, request: Request) -> Response | None:
        if refusal := self._against_source(request):
            return self._refuse(request, refusal)
        path, token = request.url.path, request.query_params.get("token")
        if path.startswith(STATIC):
            return None
        if token is not None and self._keys.admit(token):
            return self._keys.welcome(path)
        if token is not None:
            return self._refuse(request, Refusal(403, "This token is old, or was never one of this page", OPEN))
        if not self._keys.knows(request.cookies.get(self._keys.cookie_name, "")):
            return self._refuse(request, Refusal(403, "This browser has no token for the page", OPEN))
        if request.method == "POST" and self._read_only:
            return self._refuse(request, Refusal(403, "This page only shows", self._read_only))
        return None

    def _against_source(self, request: Request) -> Refusal | None:
        host, headers = request.headers.get("host", ""), request.headers
        if host.lower() not in self._keys.hosts:
            port = self._keys.address.rstrip("/").rpartition(":")[2]
            hint = f"Open {self._keys.address} on this machine; from another one: ssh -L {port}:127.0.0.1:{port} HOST"
            return Refusal(421, f"This page does not answer as {clip(host, 80) or 'a nameless host'}", hint)
        changes = request.method not in ("GET", "HEAD")
        origin = headers.get("origin", "" if changes else None)
        if origin not in (None, f"http://{host}"):
            return Refusal(403, "The request comes from another site", "Use the forms of the page itself.")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and (
            changes or headers.get("sec-fetch-mode") != "navigate"
        ):
            return Refusal(403, "The request comes from another site", "Use the forms of the page itself.")
        raw = str(request.scope.get("raw_path", b"").decode("ascii", "replace"))
        if _STRANGE.search(raw) or not all(map(_PART.fullmatch, request.url.path.split("/"))):
            return Refusal(400, "There is no such address on this page", "Follow the links of the page.")
        return None
