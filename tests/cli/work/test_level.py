"""``limpet work set --level``, and what a capture makes of what was typed."""

import json

from limpet.work.project import read_project


def test_a_person_sets_the_level(workspace, run):
    """It is said, and kept without a confidence."""
    done = run("work", "set", "--level", "power_user")
    assert (done.returncode, done.stdout) == (0, "user level: power_user (.limpet/session.yaml)\n")
    assert read_project(workspace)[0]["user_level"] == "power_user"
    assert json.loads(run("work", "set", "--level", "auto", "--json").stdout)["changed"] == {"user_level": "auto"}


def test_an_unknown_level_is_refused_with_the_nearest(run):
    """And nothing is written."""
    done = run("work", "set", "--level", "poweruser")
    assert done.returncode == 2 and "Did you mean power_user?" in done.stderr
