"""docs/stories.md: every command on the page does what the page shows."""

import os

from limpet.work.stories.evidence import check_story
from limpet.work.stories.text import read_story_text

from ...conversation import write
from ..pages import check_shown, page_blocks, page_commands


def test_every_command_of_the_page_does_what_it_shows(workspace, call):
    """In one project, from the first to the last."""
    commands = page_commands("stories")
    assert len(commands) == 5
    for (_, *words), shown in commands:
        check_shown(call(*words), shown)
        if words == ["work", "story", "start"]:
            write(os.path.join(workspace.root, "src", "export.py"), "")


def test_the_example_story_is_a_good_one(tmp_path):
    """Nothing stands against it."""
    story = read_story_text(page_blocks("stories", "markdown")[0], "f", "S-12")
    assert (story.agent, len(story.acceptance), len(story.tasks)) == ("@dev", 1, 1)
    assert check_story(story, "S-12", str(tmp_path), "f") == ()
