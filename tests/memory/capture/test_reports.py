"""What the model tells of a mend."""

from holdfast.memory.capture.reports import mend_words, read_report


def test_cause_and_mend_of_a_turn_are_one_resolution():
    """In the model's own words, from several messages."""
    found = read_report(
        ["Let me look.", "The problem is that the cookie lacks SameSite.", "Fixed: the cookie now has it."]
    )
    assert (found.type, found.text) == ("resolution", "The problem is that the cookie lacks SameSite.")
    assert found.whole == "The problem is that the cookie lacks SameSite.\nFixed: the cookie now has it."


def test_a_cause_without_a_mend_is_none_and_a_mend_without_a_cause_is_none():
    """The one is half of it, the other work done."""
    assert read_report(["The problem is that the cookie lacks SameSite."]) is None
    assert read_report(["Updated the footer to the new colours of the brand."]) is None


def test_after_a_complaint_the_first_words_tell_the_cause():
    """The person had shown what was wrong."""
    told = [
        "The action installs version one, the config needs version two.",
        "Updated the workflow to use version two.",
    ]
    assert read_report(told) is None
    assert read_report(told, complaint=True).text == told[0]


def test_guesses_and_next_steps_are_no_mend():
    """Nor is what is asked."""
    assert read_report(["Maybe the problem is the cache.", "Fixed?"]) is None
    assert mend_words(["Let me run it again.", "ok"]) == ""
