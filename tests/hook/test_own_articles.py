"""A project's own articles through the hook: other constitutions' severities, and the reminder."""

import pytest

from ..conftest import write_settings
from ..conversation import write
from ..memories import fill

ARTICLE = "### XVII. Patient data ({})\n- MUST NOT put a real name into a log.\n"


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        *(("NON-NEGOTIABLE", "BLOCK"), ("must", "BLOCK"), ("Mandatory", "BLOCK"), ("SHOULD", "WARN")),
        *(("Recommended", "WARN"), ("MAY", "INFO"), ("optional", "INFO"), ("BLOCK", "BLOCK")),
    ],
)
def test_severities_of_other_constitutions_are_understood(host, check, given, meant):
    """SYNAPSE writes NON-NEGOTIABLE, MUST and SHOULD (R6)."""
    write(host.workspace.path("constitution.md"), ARTICLE.format(given))
    assert f"XVII. Patient data ({meant})" in host.prompt().block["constitution"]
    assert not [finding for finding in check() if "severity" in finding]


def test_the_reminder_begins_with_the_projects_own_articles(host):
    """Of `constitution.md` and of the rules domain CONSTITUTION, so that no cut takes them."""
    write(host.workspace.path("constitution.md"), ARTICLE.format("MUST"))
    with open(host.workspace.path("rules", "manifest"), "a", encoding="utf-8") as manifest:
        manifest.write("CONSTITUTION_STATE=active\n")
    write(host.workspace.path("rules", "constitution"), "CONSTITUTION_RULE_ART18_0=Release notes\n")
    write_settings(host.workspace, "context: {short_form_every: 1}\n")
    path = fill(host.workspace, "MODERATE")
    host.prompt(transcript_path=path)
    reminder = host.prompt("and on", transcript_path=path).block["reminder"]
    own = "XVII. Patient data (BLOCK): MUST NOT put a real name into a log. Article 18. Release notes. "
    assert reminder.startswith(f"Still in force: {own}")
