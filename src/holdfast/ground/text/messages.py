"""Texts for people in their own language, from one catalogue: ``framework/texts/<language>.yaml``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from holdfast.ground.formats.yaml_text import load_yaml
from holdfast.ground.text.languages import ENGLISH, LANGUAGES


def say(key: str, language: str, **values: object) -> str:
    """Return the text ``key`` (``section.name``) with its placeholders filled in. Raises KeyError for an unknown
    key."""
    return texts_for(language)[key].format(**values)


def texts_for(language: str) -> dict[str, str]:
    """Return key -> text in this language; a text that it lacks, and every unknown language, is English."""
    return {**_read(ENGLISH), **_read(language_code(language))}


def language_code(language: str) -> str:
    """Return the catalogue's language for a tag such as ``pt-BR`` or ``es_MX.UTF-8``; English for one that it has
    not."""
    code = language.strip().lower()[:2]
    return code if code in LANGUAGES and not language.strip()[2:3].isalpha() else ENGLISH


@cache
def _read(language: str) -> dict[str, str]:
    name = f"{language}.yaml"
    text = (files("holdfast") / "framework" / "texts" / name).read_text(encoding="utf-8")
    sections = load_yaml(text, name)
    assert isinstance(sections, dict)
    return {f"{section}.{key}": text for section, texts in sections.items() for key, text in texts.items()}
