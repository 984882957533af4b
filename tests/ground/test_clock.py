"""A clock says how long may be waited."""

import pytest

from limpet.ground.clock import Clock


@pytest.mark.parametrize(("now", "wanted", "left"), [(0.0, 2.0, 2.0), (3.0, 2.0, 1.5), (4.5, 2.0, 0.0)])
def test_no_wait_goes_beyond_the_deadline(now, wanted, left):
    assert Clock(timer=lambda: now, deadline=4.5).left(wanted) == left


def test_without_a_deadline_a_wait_is_as_long_as_wanted():
    assert Clock().left(2.5) == 2.5
