"""docs/stories.md: every command on the page does what the page shows."""

import os
import re
import shlex
from pathlib import Path

from limpet.work.stories.evidence import check_story
from limpet.work.stories.text import read_story_text

PAGE = (Path(__file__).parents[3] / "docs" / "stories.md").read_text(encoding="utf-8")


def commands():
    """(command, the lines shown under it) of the page's console blocks, in order."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def test_every_command_of_the_page_does_what_it_shows(workspace, call):
    """In one project, from the first to the last; ``...`` stands for anything."""
    os.mkdir(os.path.join(workspace.root, "src"))
    Path(workspace.root, "src", "export.py").touch()
    assert len(commands()) > 8
    for command, shown in commands():
        done = call(*shlex.split(command)[1:])
        lines = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines())
        pattern = "\n".join(".*".join(map(re.escape, line.split("..."))) for line in shown)
        assert re.fullmatch(pattern, lines, re.DOTALL), f"$ {command}\n{lines}"


def test_the_example_story_is_a_good_one(tmp_path):
    """Nothing stands against it."""
    example = re.search(r"^```markdown\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[1]
    story = read_story_text(example, "f", "S-12")
    assert (story.agent, len(story.acceptance), len(story.tasks)) == ("@dev", 1, 1)
    assert check_story(story, "S-12", str(tmp_path), "f") == ()
