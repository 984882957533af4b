"""docs/work.md: every command on the page does what the page shows, and its example of a workflow is one."""

import os

from limpet.work.pipeline.state import folder_of
from limpet.work.pipeline.workflow import parse_workflow
from limpet.work.project import read_project

from ...conversation import write
from ...finishing import do_step
from ..pages import check_shown, page_blocks, page_commands


def test_every_command_of_the_page_does_what_it_shows(call, workspace):
    """In one project, from the first to the last, with the page's document in it once the run has a name."""
    (document,) = page_blocks("work", "markdown")
    commands = page_commands("work")
    assert len(commands) >= 8
    for (_, *words), shown in commands:
        if words == ["work", "finish", "discovery.md"]:
            do_step(workspace.root, call("work", "finish").stdout)
            session = read_project(workspace)[0]
            text = document.replace("RUN", session["run"]).replace("WORK", folder_of(session))
            write(os.path.join(workspace.root, "discovery.md"), text)
        check_shown(call(*words), shown)


def test_the_pages_workflow_is_one():
    """It can be taken as it stands."""
    (text,) = page_blocks("work", "yaml")
    assert [step.agent for step in parse_workflow(text, "hotfix", "hotfix.yaml").steps] == ["dev", "devops"]
