"""The catalogue of texts: the same keys and placeholders in every language."""

import os
import re
import string

import pytest

import limpet
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.text.messages import language_code, say, texts_for
from limpet.ground.text.words import LANGUAGES

FOLDER = os.path.join(os.path.dirname(limpet.__file__), "framework", "texts")


def catalogue(language):
    """Key -> text of what the language's own file says."""
    with open(os.path.join(FOLDER, f"{language}.yaml"), encoding="utf-8") as file:
        sections = load_yaml(file.read(), language)
    return {f"{section}.{key}": text for section, texts in sections.items() for key, text in texts.items()}


def placeholders(text):
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_missing_and_the_placeholders_are_the_same(language):
    """Nor is one too many, empty, or left in English."""
    english, own = catalogue("en"), catalogue(language)
    assert list(own) == list(english)
    assert {key: placeholders(text) for key, text in own.items()} == {
        key: placeholders(text) for key, text in english.items()
    }
    assert all(isinstance(text, str) and text.strip() for text in own.values())
    assert language == "en" or not [
        key for key in own if own[key] == english[key] and re.search(r"[a-z] [a-z]", own[key])
    ]


@pytest.mark.parametrize(
    ("language", "code"),
    [("pt", "pt"), ("pt-BR", "pt"), ("es_MX.UTF-8", "es"), ("FR", "fr"), ("de", "en"), ("", "en"), ("estonian", "en")],
)
def test_a_language_tag_finds_its_catalogue(language, code):
    """What is not there is English."""
    assert language_code(language) == code


def test_a_text_is_said_with_its_values():
    """In the language, or in English; each has a file with the seed's confirmation (chati.dev V7.1 section 6)."""
    assert say("resume.task", "pt", task="S-1") == "Tarefa: S-1"
    assert say("resume.task", "de", task="S-1") == "Task: S-1"
    with pytest.raises(KeyError):
        say("no.such", "en")
    said = {language: texts_for(language)["exit.done"] for language in LANGUAGES}
    assert said["en"] == "Session saved. Type /limpet work to resume."
    assert len(set(said.values())) == 4 and all("/limpet" in text for text in said.values())
    assert sorted(os.listdir(FOLDER)) == sorted(f"{language}.yaml" for language in LANGUAGES)
