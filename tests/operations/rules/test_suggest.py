"""Keywords that a domain's rules suggest."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.operations.rules.transaction import suggest_words

from ...conversation import write_rules


@pytest.fixture
def project(workspace):
    """Two domains, of which only one speaks of migrations."""
    rules = "DB_RULE_0=Every migration has a rollback.\nDB_RULE_1=Run a migration on a copy of the database first.\n"
    write_rules(workspace, "DB_RECALL=database\nQA_RECALL=test\n", db=rules, qa="QA_RULE_0=Test on a copy.\n")
    return workspace


def test_words_of_its_rules_are_suggested_unless_it_has_them(project):
    """What it says more than others comes first; an unknown domain is refused by its name."""
    words = [one.word for one in suggest_words(project, "db")]
    assert words[0] == "migration" and "database" not in words
    with pytest.raises(LimpetError, match="No domain DBX"):
        suggest_words(project, "dbx")
