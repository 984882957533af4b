"""The caller on record."""

from holdfast.ground.config.defaults import DEFAULTS
from holdfast.operations.work.actor import actor_of

from ..callers import DEV, NOW, PERSON


def test_an_actor_has_the_callers_name_moment_and_conversation(workspace):
    """An agent is told as one, with the conversation in which it works."""
    actor = actor_of(workspace, DEV)
    assert (actor.writer, actor.now, actor.session) == ("agent:dev", NOW, "talk")
    assert actor.retention == DEFAULTS["retention"]


def test_a_door_with_a_name_is_on_record_by_it(workspace):
    """``by`` comes before the person."""
    assert actor_of(workspace, PERSON.replace(by="holdfast exit")).writer == "holdfast exit"
