"""Candidates found by words."""

from limpet.memory.candidates import Candidate, search_candidates


def candidate(quote, at=0.0):
    return Candidate(id="abcdef", at=at, session="talk", quote=quote)


def test_the_best_comes_first_and_what_shares_no_word_not_at_all():
    """A rare word weighs more than one that all hold; of equals the newer comes first."""
    known = [
        candidate("The export button belongs to the toolbar."),
        candidate("The import button is fine."),
        candidate("Nothing of it."),
        candidate("The import button is fine.", 5.0),
    ]
    found = search_candidates(known, "where does the export button go", 3)
    assert [each.quote[:11] for each in found] == ["The export ", "The import ", "The import "]
    assert [each.at for each in found[1:]] == [5.0, 0.0]
    assert search_candidates(known, "export button", 1) == found[:1]
    assert search_candidates(known, "zebra", 3) == ()
