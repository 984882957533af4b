"""``limpet pause``: what a person agrees to, and which conversation it is."""

from ..hook_host import Host


def test_the_conversation_is_named_before_it_is_paused(workspace, call):
    """By its id, with what follows; an agent is refused."""
    Host(workspace).prompt("hello", session_id="s1")
    done = call("pause", "--session", "s1", agent="dev")
    assert done.returncode == 1
    assert (
        "Pause Limpet for conversation s1: nothing of it is kept from now on, not after the pause either" in done.stderr
    )
    assert "paused" not in call("status").stdout


def test_where_there_is_no_conversation_nobody_is_asked(call):
    """It is said at once."""
    done = call("pause", "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert "conversation" in done.stderr


def test_a_pause_ends_for_the_same_conversation(workspace, call):
    """And says what stays; without a pause nobody is asked for a word."""
    Host(workspace).prompt("hello", session_id="s1")
    assert call("pause", "--yes").stdout.startswith("Limpet is paused for conversation s1.")
    assert "keeps nothing of it" in call("pause", "--off", "--yes").stdout
    assert call("pause", "--off").stdout == "Limpet is not paused for conversation s1.\n"


def test_that_a_conversation_has_ended_is_said_before(workspace, call):
    """It may be taken up again, so it can be paused."""
    host = Host(workspace)
    host.prompt("hello", session_id="s1")
    host.send("SessionEnd", session_id="s1", reason="exit")
    assert (
        "Pause Limpet for conversation s1, which has ended: nothing"
        in call("pause", "--session", "s1", agent="dev").stderr
    )
