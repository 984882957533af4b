"""Data against a JSON Schema, with the reference implementation as referee."""

import copy

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.settings import config_schema
from limpet.ground.formats.schema import DROPPED, Fault, leaf_paths, nearest, sift

CONFIG = config_schema()
KEYS = sorted({key for path, _ in leaf_paths(CONFIG) for key in path} | {"unknown", "claude-3.5"})
VALUES = st.recursive(
    st.sampled_from(
        [None, True, False, 0, 1, 60, 600, 2500, 2500.0, 0.5, 101, -1, 10**12]
        + ["", "x", "none", "L0", "ask", "off", "words"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)


@st.composite
def altered_defaults(draw):
    """The defaults with some values exchanged, so that the referee sees nearly good data too."""
    data = copy.deepcopy(DEFAULTS)
    for path, _ in draw(st.lists(st.sampled_from(list(leaf_paths(CONFIG))), max_size=3)):
        target = data
        for key in path[:-1]:
            target = target[key]
        if isinstance(target, dict) and path:
            target[path[-1]] = draw(VALUES)
    return data


@given(altered_defaults() | VALUES)
def test_a_value_has_no_fault_exactly_when_the_referee_finds_it_valid(data):
    """Our small checker and jsonschema agree on validity, and what is kept is valid."""
    kept, faults = sift(data, CONFIG)
    assert (not faults) == jsonschema.Draft202012Validator(CONFIG).is_valid(data)
    assert kept is DROPPED or jsonschema.Draft202012Validator(CONFIG).is_valid(kept)


@pytest.mark.parametrize(
    ("data", "kept", "faults"),
    [
        ({"a": "x", "b": 2}, {"b": 2}, [Fault(("a",), "must be an integer (got 'x')")]),
        ({"a": True}, {}, [Fault(("a",), "must be an integer (got true)")]),
        ({"a": 3.0}, {"a": 3}, []),
        ({"a": 3.5}, {}, [Fault(("a",), "must be an integer (got 3.5)")]),
        ({"a": 0}, {}, [Fault(("a",), "must be at least 1 (got 0)")]),
        ({"a": 10}, {}, [Fault(("a",), "must be at most 9 (got 10)")]),
        ({"n": float("nan")}, {}, [Fault(("n",), "must be a finite number (got NaN)")]),
        ({"list": ["p", "z"]}, {}, [Fault(("list",), "must be one of p, q (got 'z')")]),
        ({"list": ["p", "q"]}, {"list": ["p", "q"]}, []),
        ({"open": {"n.1": 1, "b": ""}}, {"open": {"n.1": 1}}, [Fault(("open", "b"), "must be an integer (got '')")]),
        ({"c": 1}, {}, [Fault(("c",), "is unknown")]),
        ([], DROPPED, [Fault((), "must be a mapping (got [])")]),
    ],
)
def test_a_fault_costs_its_own_value_and_says_what_was_wanted(data, kept, faults):
    """The bad parts go, the good stay, and each fault names its key path, the demand and the value."""
    schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "a": {"type": "integer", "minimum": 1, "maximum": 9},
            "b": {"type": "number"},
            "n": {"type": "number"},
            "list": {"type": "array", "items": {"enum": ["p", "q"]}},
            "open": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
    }
    assert sift(data, schema) == (kept, faults)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("context.budgts", " (did you mean context.budgets?)"),
        ("budgets", " (did you mean context.budgets?)"),
        ("devmode", " (did you mean rules.devmode?)"),
        ("zzzzzz", ""),
    ],
)
def test_the_nearest_known_name_is_proposed(name, advice):
    """A slip of the finger or a forgotten section leads to the right name, nonsense to none."""
    assert nearest(name, ["context", "context.budgets", "rules", "rules.devmode"]) == advice
