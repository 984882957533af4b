"""Texts for people in their own language, from one catalogue: ``framework/texts/<language>.yaml``."""

from __future__ import annotations

import os
from functools import cache

import limpet
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.text.words import ENGLISH, language_code


def say(key: str, language: str, **values: object) -> str:
    return texts_for(language)[key].format(**values)


def texts_for(language: str) -> dict[str, str]:
    """A text that a language lacks, and every unknown language, is English."""
    return {**_read(ENGLISH), **_read(language_code(language))}


@cache
def _read(language: str) -> dict[str, str]:
    name = f"{language}.yaml"
    path = os.path.join(os.path.dirname(limpet.__file__), "framework", "texts", name)
    with open(path, encoding="utf-8") as file:
        sections = load_yaml(file.read(), name)
    assert isinstance(sections, dict)
    found: dict[str, str] = {}
    for section, texts in sections.items():
        found |= {f"{section}.{key}": text for key, text in texts.items()}
    return found
