"""Values: frozen, compared by their fields, and strict about the fields they are given."""

import pytest

from limpet.ground.values import Value


class Point(Value):
    x: int
    y: int = 0


class Named(Point):
    name: str = ""


def test_a_subclass_adds_its_fields_after_the_inherited_ones():
    assert Named(1, 2, "a") == Named(x=1, y=2, name="a")


def test_a_default_stands_for_a_field_that_is_not_given():
    assert Point(1) == Point(1, 0)


@pytest.mark.parametrize(("given", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"z": 3})])
def test_missing_surplus_and_unknown_fields_are_refused(given, named):
    with pytest.raises(TypeError, match="Point"):
        Point(*given, **named)


def test_a_value_cannot_be_changed():
    """The error names what to use instead."""
    with pytest.raises(AttributeError, match="replace"):
        Point(1).x = 2


def test_replace_gives_a_copy_and_leaves_the_original():
    point = Point(1)
    changed = point.replace(y=2)
    assert (point, changed) == (Point(1, 0), Point(1, 2))


def test_values_of_different_classes_are_never_equal():
    """Though they have the same fields and contents."""

    class Other(Value):
        x: int
        y: int = 0

    assert Point(1) != Other(1)


def test_equal_values_are_one_member_of_a_set():
    assert len({Point(1), Point(1, 0), Point(2)}) == 2
