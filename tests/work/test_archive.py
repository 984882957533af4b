"""What is closed leaves the session's file, and nothing else of it."""

import pytest

from limpet.work import project
from limpet.work.project import archive_closed, closed_places, read_project

from .writing import archived, content, put

ITEM = "{{id: DV-{0:03}, reason: t{0}, resolved: {1}}}"


def deviations(*resolved):
    """A session's text with a deviation for each."""
    return "deviations:\n" + "".join(f"  - {ITEM.format(number, one)}\n" for number, one in enumerate(resolved, 1))


def test_the_newest_closed_ones_stay_and_all_that_is_open():
    """Once there are twice as many as are kept; the highest id stays wherever it stands."""
    closed = {"resolved": True}
    items = [{"id": f"DV-{number:03}", **closed} for number in (900, *range(2, 6))] + [{"id": "DV-006"}]
    assert closed_places({"deviations": items}, 2) == {"deviations": (1, 2)}
    assert closed_places({"deviations": items}, 3) == {}
    assert closed_places({"deviations": [{"resolved": True}, {"resolved": False}, {"resolved": True}] * 2}, 1) == {
        "deviations": (0, 2, 3)
    }
    assert closed_places({"mode_transitions": [{"to": "build"}] * 3}, 1) == {"mode_transitions": (0, 1)}


def test_the_archive_is_on_the_disk_before_the_session_loses_what_went_there(workspace, monkeypatch):
    """A power cut in between costs nothing."""
    put(workspace, "session.yaml", deviations("true", "false", "true", "true"))
    held = []
    monkeypatch.setattr(project, "sync_file", lambda path: held.append(len(read_project(workspace)[0]["deviations"])))
    archive_closed(workspace, 1)
    assert (held, len(read_project(workspace)[0]["deviations"])) == ([4], 2)


def test_what_is_archived_can_be_read_and_the_rest_keeps_its_bytes(workspace):
    """Comments, order and unknown fields too."""
    text = deviations("true", "false", "true", "true").replace("  - {id: DV-002", "  # ours\n  - {mine: 1, id: DV-002")
    put(workspace, "session.yaml", "# top\nmode: build\n" + text + "# end\n")
    archive_closed(workspace, 1)
    session, problems = read_project(workspace)
    assert (problems, [item["id"] for item in session["deviations"]]) == ([], ["DV-002", "DV-004"])
    assert [item["id"] for item in archived(workspace, "deviations")] == ["DV-001", "DV-003"]
    assert "  # ours\n  - {mine: 1, id: DV-002" in content(workspace, "session.yaml")
    assert content(workspace, "session.yaml").startswith("# top\nmode: build\ndeviations:\n")


def test_transitions_have_no_id_and_are_all_kept(workspace):
    """Each that differs."""
    steps = "".join(f"  - {{to: build, trigger: t{number}}}\n" for number in range(5))
    put(workspace, "session.yaml", f"mode_transitions:\n{steps}")
    archive_closed(workspace, 1)
    assert [one["trigger"] for one in archived(workspace, "mode_transitions")] == ["t0", "t1", "t2", "t3"]
    assert [one["trigger"] for one in read_project(workspace)[0]["mode_transitions"]] == ["t4"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("schema_version: 2\n" + deviations(*["true"] * 9), 9),
        (deviations(*["true"] * 7).replace("- {", "- &a {", 1) + "  - *a\n", 8),
        (f"deviations: [{', '.join(ITEM.format(number, 'true') for number in range(1, 9))}]\n", 1),
    ],
    ids=["a newer version's", "an item that stands for another one too", "in brackets"],
)
def test_what_cannot_leave_the_session_does_not_stand_in_the_archive(workspace, text, left):
    """Such a file stays as it is; a list in brackets is archived too."""
    put(workspace, "session.yaml", text)
    archive_closed(workspace, 1)
    assert len(read_project(workspace)[0]["deviations"]) == left
    assert len(archived(workspace, "deviations")) == (7 if left == 1 else 0)
    assert left == 1 or content(workspace, "session.yaml") == text
