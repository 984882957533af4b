"""The shipped schemas, against the defaults."""

import json
import os

import jsonschema
import pytest

import limpet
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.settings import FALLING, config_schema, merge_layers, value_at
from limpet.ground.config.settings import Layer as SettingsLayer
from limpet.ground.formats.schema import leaf_paths, load_schema

CONFIG = config_schema()


@pytest.mark.parametrize("name", ["config", "session"])
def test_a_shipped_schema_is_valid_by_its_own_standard(name):
    """The file obeys the draft that it names, its references included."""
    path = os.path.join(os.path.dirname(limpet.__file__), "framework", "schemas", f"{name}.schema.json")
    with open(path, encoding="utf-8") as file:
        raw = json.load(file)
    jsonschema.Draft202012Validator.check_schema(raw)
    assert jsonschema.Draft202012Validator(load_schema(name)).is_valid({})


def test_every_default_has_its_schema_and_description_and_is_valid():
    """The two lists of settings are one; what holds without any file breaks no rule that a file must keep."""
    documented = {path for path, _ in leaf_paths(CONFIG)}
    for path in documented:
        assert isinstance(value_at(DEFAULTS, path), (int, float, str, list, dict)), path
    assert _paths(DEFAULTS, documented) == documented
    jsonschema.Draft202012Validator(CONFIG).validate(DEFAULTS)
    assert all(value_at(DEFAULTS, upper) > value_at(DEFAULTS, lower) for upper, lower in FALLING)
    assert merge_layers([SettingsLayer("default", DEFAULTS)]) == DEFAULTS
    assert [path for path, schema in leaf_paths(CONFIG) if not schema.get("description")] == []


def _paths(values, documented, path=()):
    found = set()
    for key, value in values.items():
        here = (*path, key)
        found |= _paths(value, documented, here) if isinstance(value, dict) and here not in documented else {here}
    return found
