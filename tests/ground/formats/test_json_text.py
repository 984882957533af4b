"""JSON without ``json``: the fast path and the public fallback read, refuse and write what ``json`` does."""

import importlib.util
import json
import math
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import limpet
from limpet.ground.formats import json_text as jsontext
from limpet.ground.formats.json_text import dumps, spelled_out

from ...strategies import QUICK


def load_without_c_scanner():
    """A second copy of the module, loaded as on an interpreter that has no ``_json``."""
    spec = importlib.util.spec_from_file_location("jsontext_without_c", jsontext.__file__)
    module = importlib.util.module_from_spec(spec)
    kept = sys.modules["_json"]
    sys.modules["_json"] = None
    try:
        spec.loader.exec_module(module)
    finally:
        sys.modules["_json"] = kept
    return module


fallback = load_without_c_scanner()
both = pytest.mark.parametrize("codec", [jsontext, fallback], ids=["c", "public"])

atoms = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(atoms, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)
layouts = st.sampled_from([None, 0, 1, 2, 4])
words = ["0", "1", "-", ".", "e", "true", "null", "NaN", "-Infinity", '"a"', "\\u00e9"]
scraps = st.lists(st.sampled_from(words + list('{}[]:,"\\ \n\t\r/')), max_size=12)
malformed = scraps.map("".join) | st.text()


def outcome(loads, text):
    """The value's repr (NaN equals nothing, itself included), or that the text was refused and where."""
    try:
        return repr(loads(text))
    except ValueError as error:
        return ("refused", str(error))


def test_the_fast_path_is_in_use_here_and_the_fallback_is_not_fast():
    """The two modules under test really take different paths on this interpreter."""
    assert "_json" in type(jsontext.scan).__module__
    assert fallback.scan is fallback._refuse


@both
@given(value=values, indent=layouts)
def test_any_value_is_written_as_json_writes_it(codec, value, indent):
    """The text is ``json.dumps``'s, byte for byte, in every layout."""
    assert codec.dumps(value, indent) == json.dumps(value, indent=indent)


@both
@given(value=values, indent=layouts, ascii_only=st.booleans())
def test_any_json_text_is_read_as_json_reads_it(codec, value, indent, ascii_only):
    """Escaped or not, on one line or many, the value comes back."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert codec.loads(f" \n{text}\r\t") == value


@both
@given(text=malformed)
def test_text_is_refused_exactly_when_json_refuses_it(codec, text):
    """Acceptance, value and complaint are those of ``json.loads`` on any text."""
    assert outcome(codec.loads, text) == outcome(json.loads, text)


@both
@given(value=values, cut=st.integers(min_value=0))
def test_cut_off_text_is_refused_as_json_refuses_it(codec, value, cut):
    """A half-written document never passes for a whole one where ``json`` would object."""
    text = json.dumps(value)
    part = text[: cut % (len(text) + 1)]
    assert outcome(codec.loads, part) == outcome(json.loads, part)


@both
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "a": 2}', {"a": 2}),
        ("-0", 0),
        ("1E400", math.inf),
        ("-Infinity", -math.inf),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"\\ud800"', "\ud800"),
    ],
)
def test_corners_of_the_format_are_read(codec, text, value):
    """Last duplicate wins; huge numbers, infinities, surrogate pairs and lone surrogates are read."""
    assert codec.loads(text) == value


@both
@pytest.mark.parametrize(
    ("text", "position"),
    [("", 0), ("  ", 2), ("[1] x", 4), ('{"a" 1}', 5), ('["a', 1), ('"a\nb"', 2), ("\ufeff[]", 0), ("{'a': 1}", 1)],
)
def test_bad_json_is_a_value_error_with_its_position(codec, text, position):
    """The complaint names the character at which the text stops being JSON."""
    with pytest.raises(ValueError, match=rf"\(char {position}\)"):
        codec.loads(text)


@both
@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_deep_nesting_is_a_value_error(codec, opening):
    """A hundred thousand brackets neither crash the interpreter nor raise RecursionError."""
    with pytest.raises(ValueError, match="nested too deeply"):
        codec.loads(opening * 100_000)


def test_tuples_and_subclasses_of_the_basic_types_are_written_plainly():
    """A tuple is an array, a subclass's own repr does not leak into the text, and a circular list cannot be written."""

    class Count(int):
        def __repr__(self) -> str:
            return "Count!"

    assert jsontext.dumps((Count(3), True)) == "[3, true]"
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(ValueError, match="contains itself"):
        jsontext.dumps(circle)


@both
@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_without_a_json_form_become_null(codec, number):
    """NaN and the infinities, which strict readers reject, are written as null."""
    assert codec.dumps([number, 1.5]) == "[null, 1.5]"


@both
@pytest.mark.parametrize("value", [{1, 2}, b"bytes", object(), {1: "a"}, {None: 1}, [1j]])
def test_a_value_without_a_json_form_is_a_type_error(codec, value):
    """Sets, bytes, objects, complex numbers and keys that are no strings are refused rather than guessed at."""
    with pytest.raises(TypeError):
        codec.dumps(value)


def test_a_scanner_that_answers_nonsense_is_overruled(monkeypatch):
    """If a later interpreter changes the private scanner, the public module judges."""
    monkeypatch.setattr(jsontext, "scan", lambda text: None)
    assert jsontext.loads(' {"a": [1]} ') == {"a": [1]}


def test_neither_json_nor_re_is_imported_on_the_good_path():
    """A bare interpreter that reads and writes JSON has loaded neither module afterwards."""
    source = os.path.dirname(os.path.dirname(limpet.__file__))
    code = (
        f"import sys; sys.path.append({source!r})\n"
        "from limpet.ground.formats.json_text import loads, dumps\n"
        'dumps(loads(\'{"a": [1, 2.5, true, null, "\\\\u00e9"]}\'), 2)\n'
        "print(sorted({'json', 're', 'typing', 'enum', 'functools', 'collections'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("text", "found"),
    [('{"a": 1}', {"a": 1}), (b'{"a": "\xff"}', {"a": "\ufffd"}), ("[1]", {}), ("{", {}), ("", {}), (None, {})],
)
def test_an_object_is_read_where_there_is_one(text, found):
    """Anything else is an empty one."""
    assert jsontext.read_object(text) == found


SIGNS = [*'a\\u"é审😀\n\x7f\x85\u2028 ', "\ud83d", "\ude00", "\\u00e9"]


@QUICK
@given(st.lists(st.sampled_from(SIGNS), max_size=12).map("".join))
def test_letters_beyond_ascii_are_spelled_out_and_mean_the_same(text):
    """However backslashes stand before them, and with half of a pair."""
    escaped = dumps({"k": text})
    assert json.loads(spelled_out(escaped)) == json.loads(escaped)
    assert spelled_out(dumps("客户 \\u00e9 😀")) == '"客户 \\\\u00e9 😀"'
