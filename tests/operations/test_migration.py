"""An import beside a client that runs, and one that cannot be finished."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.migration.journal import unfinished
from limpet.operations import migration
from limpet.operations.migration import import_original, plan_import, roll_back
from limpet.operations.project import open_unasked
from limpet.operations.trust_record import keep_rules

from ..conversation import write
from ..originals import bring, seen


def test_a_file_that_somebody_wrote_meanwhile_stops_it(workspace):
    """Nothing is written then, and it can be tried again."""
    bring(workspace, "carl")
    keep_rules(workspace)
    project = open_unasked(workspace)
    plan = plan_import(workspace, "carl", 0.0)
    write(workspace.path("rules", "tide-data"), "TIDE_DATA_RULE_0=Just typed.\n")
    keep_rules(workspace)
    before = seen(workspace)
    with pytest.raises(LimpetError, match="changed the file"):
        import_original(project, plan)
    assert seen(workspace) == before and not unfinished(workspace)
    import_original(project, plan_import(workspace, "carl", 1.0))
    with open(workspace.path("rules", "tide-data"), encoding="utf-8") as file:
        assert file.read().startswith("TIDE_DATA_RULE_0=Just typed.\nTIDE_DATA_RULE_2=Times are UTC.\n")


def test_a_disk_that_refuses_leaves_all_as_it_was(workspace, monkeypatch):
    bring(workspace, "chati")
    keep_rules(workspace)
    project, written, real = open_unasked(workspace), [], migration._write

    def refuse(change):
        if len(written) == 3:
            raise OSError(28, "No space left on device")
        written.append(change)
        real(change)

    before = seen(workspace)
    monkeypatch.setattr(migration, "_write", refuse)
    with pytest.raises(LimpetError, match="No space left"):
        import_original(project, plan_import(workspace, "chati", 0.0))
    assert seen(workspace) == before and len(written) == 3


def test_what_was_interrupted_is_finished_by_nobody_else(workspace, monkeypatch):
    """Another import waits until that one was rolled back."""
    bring(workspace, "carl")
    bring(workspace, "shaktra")
    keep_rules(workspace)
    project = open_unasked(workspace)
    before = seen(workspace)
    with monkeypatch.context() as patch:
        patch.setattr(migration, "_write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            import_original(project, plan_import(workspace, "carl", 0.0))
    assert unfinished(workspace) == "carl"
    with pytest.raises(LimpetError, match="interrupted"):
        import_original(project, plan_import(workspace, "shaktra", 1.0))
    assert roll_back(project).kind == "carl" and seen(workspace) == before


def interrupted(change):
    raise KeyboardInterrupt
