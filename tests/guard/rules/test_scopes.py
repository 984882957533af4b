"""Where may be written: by the mode, and by the story in force."""

import pytest

from ..scenes import STORY, answer, read, scene, write

MODE, FILES, FINE = ("ask", "mode.scope"), ("ask", "story.files"), ("allow", "")


def at(mode, agent="dev", **others):
    return scene(agent, workflow="solo", mode=mode, **others)


@pytest.mark.parametrize(
    ("mode", "path", "wanted"),
    [
        ("planning", "src/a.py", MODE),
        ("planning", "docs/plan.md", FINE),
        ("planning", ".limpet/artifacts/prd.md", FINE),
        ("build", "src/a.py", FINE),
        ("build", ".github/workflows/ci.yml", MODE),
        ("deploy", ".github/workflows/ci.yml", FINE),
    ],
)
def test_the_mode_says_what_is_written(mode, path, wanted):
    """Planning documents, build code, deploy infrastructure too."""
    assert answer(write(path), at(mode)) == wanted


@pytest.mark.parametrize("mode", ["planning", "build", "deploy"])
@pytest.mark.parametrize("path", ["src/a.py", ".github/workflows/ci.yml", ".limpet/session.yaml"])
def test_everything_is_read_in_every_mode(mode, path):
    """Article XI."""
    assert answer(read(path), at(mode)) == FINE


def test_what_leaves_the_project_is_asked_during_a_workflow():
    """But for temporary files, and for what the settings name; a mode that was set once binds nobody afterwards."""
    assert answer(write("src/a.py"), scene("dev", mode="planning")) == FINE
    assert answer(write("a", folder="/opt/other"), at("build")) == MODE
    assert answer("echo x > /opt/other/a", at("build")) == MODE
    assert answer("echo x > /tmp/a 2> /dev/null", at("build")) == FINE
    assert answer(write("a", folder="/opt/other"), at("build", settings={"outside": ["/opt/other/**"]})) == FINE


def test_a_push_waits_for_deploy_mode():
    """QA approves first (Article XI)."""
    assert answer("git push", at("build", "devops")) == MODE
    assert answer("git push", at("deploy", "devops")) == ("allow", "authority.push")


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        *(("src/orders/edit.py", FINE), ("tests/orders/deep/test_a.py", FINE)),
        *((".limpet/handoffs/dev.md", FINE), ("dist/a.js", FINE)),
        *(("src/billing.py", FILES), ("src/orders/deep/a.py", FILES), ("package.json", FILES)),
    ],
)
def test_the_storys_files_are_written_and_others_asked_about(path, wanted):
    """By glob, where a star means a name, by folder; Limpet's own and what tools make are not its matter. A story
    without files limits nothing."""
    assert answer(write(path), scene("dev", story=STORY)) == wanted
    assert answer(write(path), scene("dev", story=STORY.replace(files=()))) == FINE


def test_in_auto_and_where_the_host_asks_nothing_nothing_is_asked():
    """The modes decide only what is asked; unless a person set one of Limpet's, the host is not contradicted."""
    assert answer(write("src/a.py"), at("planning", permission="auto")) == FINE
    assert answer("git push", at("build", permission="auto")) == ("deny", "authority.push")
    assert answer(write("src/a.py"), at("planning", host_mode="bypassPermissions")) == FINE
    assert answer(write("src/a.py"), at("planning", host_mode="bypassPermissions", permission="ask"))[0] == "ask"
