"""Documents that finish a step, the deeds that they name, and the operation."""

import os
import re

from limpet.ground.trust.approvals import TYPED
from limpet.operations.approval import PersonWord
from limpet.operations.work.finish import finish_current_step, show_form

SEEN = "docs/seen.md"


def agreed(says, shown=None):
    """The word of a person who agrees to everything."""
    return PersonWord(says=says, how=TYPED)


def filled(form, unmet=0):
    """The form with a summary and every criterion met but the last ``unmet`` ones; one of its own where it has none."""
    lines = form.replace("## Summary\n", "## Summary\n\nIt is done.\n").splitlines()
    boxes = [place for place, line in enumerate(lines) if re.match(r"- \[ \] \d+\. ", line)]
    for place in boxes[: len(boxes) - unmet]:
        lines[place] = lines[place].replace("[ ]", "[x]") + f": {SEEN}"
    return "\n".join(lines if boxes else [*lines, f"- [x] It works: {SEEN}"]) + "\n"


def do_step(root, form):
    """Make what the form's step is to make, in the project at ``root``: the files among its outputs, a story where its
    output are stories, and the file that ``filled`` names as evidence."""
    named = re.search(r"## Outputs\n\n(.*?)\n## ", form, re.DOTALL)
    assert named
    for path in [SEEN, *re.findall(r"^- (\S+)$", named[1], re.MULTILINE)]:
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "a", encoding="utf-8") as file:
            file.write(f"Made at {path}.\n")
    if form.startswith("---\nfrom_agent: tasks\n"):
        add_story(root)


def add_story(root, name="S-1"):
    """Write a story that can be begun."""
    folder = os.path.join(root, ".limpet", "stories", name)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "story.md"), "w", encoding="utf-8") as file:
        file.write(f"---\nid: {name}\ntitle: The export\nstatus: done\n---\n\n## Acceptance Criteria\n\n- [x] A file\n")


def finish_step(project, unmet=0):
    """What became of the current step of an opened project, its deeds done and a person agreeing to what is asked."""
    form = show_form(project)
    do_step(project.workspace.root, form)
    return finish_current_step(project, filled(form, unmet), "-", agreed)
