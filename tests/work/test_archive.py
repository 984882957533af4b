"""What is closed leaves the session's file, and nothing else of it."""

import json

from limpet.work import archive
from limpet.work.archive import ARCHIVE, archive_closed, closed_places, read_archive
from limpet.work.project import read_project

from .writing import content, put

ITEM = "{{id: BL-{0:03}, title: t{0}, priority: low, status: {1}}}"


def backlog(statuses):
    """A session's text with an item of each status."""
    return "backlog:\n" + "".join(f"  - {ITEM.format(number, one)}\n" for number, one in enumerate(statuses, 1))


def test_the_newest_closed_ones_stay_and_all_that_is_open():
    """Once there are twice as many as are kept; the highest id stays wherever it stands."""
    closed = {"status": "done"}
    items = [{"id": f"BL-{number:03}", **closed} for number in (900, *range(2, 6))] + [{"id": "BL-006"}]
    assert closed_places({"backlog": items}, 2) == {"backlog": (1, 2)}
    assert closed_places({"backlog": items}, 3) == {}
    assert closed_places({"deviations": [{"resolved": True}, {"resolved": False}, {"resolved": True}] * 2}, 1) == {
        "deviations": (0, 2, 3)
    }
    assert closed_places({"mode_transitions": [{"to": "build"}] * 3}, 1) == {"mode_transitions": (0, 1)}


def test_the_archive_is_on_the_disk_before_the_session_loses_what_went_there(workspace, monkeypatch):
    """A power cut in between costs nothing."""
    put(workspace, "session.yaml", backlog(["done", "pending", "done", "done"]))
    held = []
    monkeypatch.setattr(archive, "sync_file", lambda path: held.append(len(read_project(workspace)[0]["backlog"])))
    archive_closed(workspace, 1)
    assert (held, len(read_project(workspace)[0]["backlog"])) == ([4], 2)


def test_what_is_archived_can_be_read_and_the_rest_keeps_its_bytes(workspace):
    """Comments, order and unknown fields too; the count says how many."""
    text = backlog(["done", "pending", "done", "done"]).replace("  - {id: BL-002", "  # ours\n  - {mine: 1, id: BL-002")
    put(workspace, "session.yaml", "# top\nmode: build\n" + text + "# end\n")
    archive_closed(workspace, 1)
    session, problems = read_project(workspace)
    assert (problems, [item["id"] for item in session["backlog"]]) == ([], ["BL-002", "BL-004"])
    assert session["archived"] == {"backlog": 2}
    assert [item["id"] for item in read_archive(workspace, "backlog")] == ["BL-001", "BL-003"]
    assert "  # ours\n  - {mine: 1, id: BL-002" in content(workspace, "session.yaml")
    assert content(workspace, "session.yaml").startswith("# top\nmode: build\nbacklog:\n")


def test_what_a_crash_left_in_both_is_read_once(workspace):
    """The archive is written first; a half line, as of a full disk, costs itself only."""
    lines = [json.dumps({"list": "backlog", "item": {"id": name}}) for name in ("BL-001", "BL-001", "BL-002")]
    put(workspace, "/".join(ARCHIVE), "\n".join(lines) + '\n{"list": "back')
    assert [item["id"] for item in read_archive(workspace, "backlog")] == ["BL-001", "BL-002"]
    assert read_archive(workspace, "deviations") == []


def test_transitions_have_no_id_and_are_all_kept(workspace):
    """Each that differs."""
    steps = "".join(f"  - {{to: build, trigger: t{number}}}\n" for number in range(5))
    put(workspace, "session.yaml", f"mode_transitions:\n{steps}")
    archive_closed(workspace, 1)
    assert [one["trigger"] for one in read_archive(workspace, "mode_transitions")] == ["t0", "t1", "t2", "t3"]
    assert [one["trigger"] for one in read_project(workspace)[0]["mode_transitions"]] == ["t4"]


def test_a_file_that_cannot_be_changed_stays_as_it_is(workspace):
    """Here a newer version's."""
    text = "schema_version: 2\n" + backlog(["done"] * 9)
    put(workspace, "session.yaml", text)
    archive_closed(workspace, 1)
    assert content(workspace, "session.yaml") == text
    assert read_archive(workspace, "backlog") == []


def test_a_list_that_cannot_be_cut_stays_and_is_not_archived_again_and_again(workspace):
    """What cannot leave the session must not stand in the archive: here an item stands for another one too."""
    items = [f"  - {ITEM.format(number, 'done')}\n" for number in range(1, 8)]
    put(workspace, "session.yaml", f"backlog:\n{''.join(items)}  - *a\n".replace("- {", "- &a {", 1))
    archive_closed(workspace, 1)
    assert len(read_project(workspace)[0]["backlog"]) == 8
    assert read_archive(workspace, "backlog") == []


def test_a_list_in_brackets_is_archived_too(workspace):
    """However people write it."""
    put(workspace, "session.yaml", f"backlog: [{', '.join(ITEM.format(number, 'done') for number in range(1, 9))}]\n")
    archive_closed(workspace, 1)
    assert [item["id"] for item in read_project(workspace)[0]["backlog"]] == ["BL-008"]
    assert len(read_archive(workspace, "backlog")) == 7
