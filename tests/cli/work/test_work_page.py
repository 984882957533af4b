"""docs/work.md: every command on the page does what the page shows, and its example of a workflow is one."""

import re
import shlex
from pathlib import Path

from limpet.work.pipeline.state import folder_of
from limpet.work.pipeline.workflow import parse_workflow
from limpet.work.project import read_project

from ...finishing import do_step

PAGE = (Path(__file__).parents[3] / "docs" / "work.md").read_text(encoding="utf-8")


def blocks(language):
    """The page's blocks of this language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def commands():
    """(command, the lines shown under it), in order."""
    found = []
    for line in "".join(blocks("console")).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def is_shown(text, shown):
    """Whether the text is what the page shows, where ``...`` stands for anything."""
    return re.fullmatch("\n".join(".*".join(map(re.escape, line.split("..."))) for line in shown), text, re.DOTALL)


def test_every_command_of_the_page_does_what_it_shows(call, workspace):
    """In one project, from the first to the last, with the page's document in it once the run has a name."""
    (document,) = blocks("markdown")
    assert len(commands()) > 12
    for command, shown in commands():
        if command == "limpet work finish discovery.md":
            do_step(workspace.root, call("work", "finish").stdout)
            session = read_project(workspace)[0]
            text = document.replace("RUN", session["run"]).replace("WORK", folder_of(session))
            Path(workspace.root, "discovery.md").write_text(text, encoding="utf-8")
        done = call(*shlex.split(command)[1:])
        lines = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines())
        assert is_shown(lines, shown), f"$ {command}\n{lines}"


def test_the_pages_workflow_is_one():
    """It can be taken as it stands."""
    (text,) = blocks("yaml")
    assert [step.agent for step in parse_workflow(text, "hotfix", "hotfix.yaml").steps] == ["dev", "devops"]
