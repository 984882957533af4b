"""Steps finished by the command."""

import pytest

from ...finishing import do_step, filled


@pytest.fixture
def finish(call, workspace):
    """Finishes the current step as its agent does: takes the form, fills it in, gives it back."""

    def finish_step(unmet=0, **given):
        form = call("work", "finish", **given)
        assert form.returncode == 0, form.stderr
        do_step(workspace.root, form.stdout)
        return call("work", "finish", "-", "--yes", stdin=filled(form.stdout, unmet), **given)

    return finish_step


@pytest.fixture
def override(at_terminal):
    """Passes over a gate as a person does: at a terminal, by the word that they are shown."""

    def override_gate(*arguments, reason="prototype first"):
        done = at_terminal("work", "approve", "--override", "--reason", reason, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return override_gate
