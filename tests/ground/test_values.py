"""Values: frozen, compared by their fields, and strict about the fields they are given."""

import pytest

from limpet.ground.values import Value


class Point(Value):
    x: int
    y: int = 0


class Named(Point):
    name: str = ""


def test_a_subclass_adds_its_fields_after_the_inherited_ones():
    """A default stands for a field that is not given; equal values are one member of a set."""
    assert Named(1, 2, "a") == Named(x=1, y=2, name="a")
    assert Point(1) == Point(1, 0)
    assert len({Point(1), Point(1, 0), Point(2)}) == 2


def test_a_value_cannot_be_changed():
    """The error names what to use instead: ``replace`` gives a copy and leaves the original."""
    point = Point(1)
    with pytest.raises(AttributeError, match="replace"):
        point.x = 2
    assert (point.replace(y=2), point) == (Point(1, 2), Point(1, 0))


@pytest.mark.parametrize(("given", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"z": 3})])
def test_missing_surplus_and_unknown_fields_are_refused(given, named):
    with pytest.raises(TypeError, match="Point"):
        Point(*given, **named)


def test_values_of_different_classes_are_never_equal():
    """Though they have the same fields and contents."""

    class Other(Value):
        x: int
        y: int = 0

    assert Point(1) != Other(1)
