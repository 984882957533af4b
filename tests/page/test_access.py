"""Who is let in: by token and cookie, from this machine and this page alone; the rest is refused and logged."""

import json
import os
import re

import pytest

from limpet.ground.storage.files import read_text
from limpet.memory.looked_at import looked_at

from ..event_log import logged
from .conftest import HOSTILE

FORM = re.compile(r'name="form" value="([^"]+)"')


@pytest.fixture
def served(serve, filled):
    return serve(attended=False)


@pytest.fixture
def post(served):
    """Sends a form as the page itself does, but for what is said."""
    cookie = served.enter()
    token = FORM.search(served.ask("/review", Cookie=cookie)[2])[1]

    def send(path, fields, **headers):
        usual = {"Cookie": cookie, "Origin": served.base, "Content_Type": "application/x-www-form-urlencoded"}
        return served.ask(path, "POST", {"form": token, **fields}, **{**usual, **headers})

    return send


def reasons(workspace):
    return [event["data"]["reason"] for event in logged(workspace.shared, "page.refused")]


def test_the_address_ends_its_line_and_opens_once_and_again(served):
    """The token goes into a cookie that no script reads and no other site sends; a second browser gets one too."""
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{20,}", served.address)
    for _ in range(2):
        status, headers, _ = served.ask(served.address.removeprefix(served.base))
        assert (status, headers["location"]) == (303, "/")
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(headers["set-cookie"].split("; "))
    assert served.ask("/", Cookie=served.enter())[0] == 200


def test_without_a_token_nothing_is_shown(served, workspace):
    for path in ("/", "/memories", "/live", "/counts", "/conversations", "/do/forget"):
        status, _, text = served.ask(path)
        assert status == 403 and "Open the address that" in text and "deploy" not in text
    assert len(reasons(workspace)) == 6


def test_an_old_token_is_refused(serve, served, workspace):
    """That of an earlier run, and its cookie."""
    other = serve(attended=False)
    query = "/?" + served.address.partition("?")[2]
    assert other.ask(query)[0] == 403 and other.ask("/", Cookie=served.enter())[0] == 403
    assert "old" in reasons(workspace)[0]


def test_another_name_of_the_host_is_refused(served, workspace):
    """As a page does that rebinds its name to this machine, and as a proxy does; the answer says how to come."""
    cookie = served.enter()
    for host in ("evil.example", f"evil.example:{served.netloc[10:]}", "shop-8787.app.example", "127.0.0.1:1"):
        status, _, text = served.ask("/memories", Cookie=cookie, Host=host)
        assert status == 421 and host in text and "ssh -L" in text and "deploy" not in text
    assert served.ask("/", Cookie=cookie, Host="localhost:" + served.netloc.partition(":")[2])[0] == 200
    assert len(reasons(workspace)) == 4


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": ""}, {"Sec_Fetch_Site": "cross-site"}]
)
def test_a_form_of_another_site_is_refused(served, post, filled, workspace, headers):
    assert post("/do/forget", {"id": filled["old"]}, **headers)[0] == 403
    assert "another site" in reasons(workspace)[0]
    assert "deploy on Fridays" in served.ask("/memories", Cookie=served.enter())[2]


def test_a_form_without_its_field_is_refused(post, filled, workspace):
    assert post("/do/forget", {"id": filled["old"], "form": "guessed"})[0] == 403
    assert reasons(workspace) == ["The form is not of this page"]


def test_a_form_of_the_page_is_carried_out(serve, filled, workspace):
    """It leads back to the page that it was on, and to no other site."""
    served = serve()
    cookie = served.enter()
    fields = {"form": FORM.search(served.ask("/review", Cookie=cookie)[2])[1], "id": filled["heard"]}
    came = {"Referer": "http://evil.example//evil.example/review", "Origin": served.base}
    status, headers, _ = served.ask("/do/keep", "POST", fields, Cookie=cookie, **came)
    assert (status, headers["location"]) == (303, "/")
    assert filled["heard"] in looked_at(workspace)


@pytest.mark.parametrize("id", ["../../../etc/passwd", "shared/durable/x.md", "..", "a\\b", "x\x00y", "/etc/passwd"])
def test_a_path_in_place_of_an_id_is_refused(served, post, workspace, id):
    """In a form, and in an address, however it is written there."""
    assert post("/do/forget", {"id": id})[0] == 400
    before = len(reasons(workspace))
    for page in ("memories", "conversations", "rules", "work", "learning"):
        for written in (id.replace("/", "%2f").replace("\\", "%5c").replace("\x00", "%00"), "%2e%2e"):
            status, _, text = served.ask(f"/{page}/{written}", Cookie=served.enter())
            assert status == 400 and "root:" not in text, (page, written)
    assert len(reasons(workspace)) == before + 10


def test_the_static_files_are_no_way_out(served):
    cookie = served.enter()
    assert served.ask("/static/page.css", Cookie=cookie)[0] == 200
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"):
        assert served.ask(path, Cookie=cookie)[0] in (400, 404)


def test_every_answer_forbids_scripts_and_frames_of_others(served):
    for path, cookie in (("/", served.enter()), ("/", ""), ("/memories/none", served.enter()), ("/static/page.js", "")):
        headers = served.ask(path, Cookie=cookie)[1]
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["cache-control"] == "no-store" and headers["x-content-type-options"] == "nosniff"


def test_a_script_in_a_memory_is_a_text(served, filled):
    text = served.ask(f"/memories/{filled['hostile']}", Cookie=served.enter())[2]
    assert "&lt;script&gt;" in text and HOSTILE not in text


def test_what_is_refused_again_and_again_does_not_fill_the_log(served, workspace):
    for _ in range(130):
        served.ask("/")
    assert len(reasons(workspace)) == 100


def test_what_takes_a_persons_word_is_refused_without_a_terminal(post, filled, served, workspace):
    assert post("/do/approve", {"id": filled["proposed"]})[0] == 303
    text = served.ask("/review", Cookie=served.enter())[2]
    assert "needed" in text and "terminal of your own" in text
    assert not os.path.exists(workspace.path("proposals.yaml"))


def test_a_page_below_a_client_only_shows(serve, below_claude, filled, workspace):
    """An agent starts it, reads its last word, opens it, and sends a form of the page."""
    served = serve(prefix=below_claude)
    cookie = served.enter()
    status, _, text = served.ask("/memories", Cookie=cookie)
    assert status == 200 and "This page only shows" in text and "claude-code" in text
    entry = served.ask(f"/memories/{filled['old']}", Cookie=cookie)[2]
    token = FORM.search(entry)[1]
    assert "<button" in entry and entry.count("<button") == entry.count("disabled>") + 1  # but for that of the theme
    for action in ("forget", "approve", "keep", "switch", "write-rule", "allow", "undo"):
        fields = {"form": token, "id": filled["old"], "domain": "DATA", "on": "0", "text": "x", "reason": "x"}
        assert served.ask(f"/do/{action}", "POST", fields, Cookie=cookie, Origin=served.base)[0] == 403
    assert set(reasons(workspace)) == {"This page only shows"}
    assert "deploy on Fridays" in served.ask("/memories", Cookie=cookie)[2]
    assert "DATA_RULE_0=Read the schema first." in read_text(workspace.path("rules", "data"))


def test_a_page_below_a_client_is_known_by_its_variables_too(serve, workspace, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    served = serve()
    assert "This page only shows" in served.ask("/", Cookie=served.enter())[2]


def test_a_refusal_is_told_by_the_log_and_by_the_page(served, run, workspace):
    served.ask("/memories")
    said = json.loads(run("log", "--json").stdout)
    assert any(one["text"].startswith("page refused a request: This browser has no token") for one in said)
    assert "no token" in served.ask("/guard", Cookie=served.enter())[2]
