"""The languages that the product understands and answers in."""

ENGLISH = "en"
LANGUAGES = (ENGLISH, "pt", "es", "fr")


def language_code(language: str) -> str:
    """Return our language for a tag such as ``pt-BR`` or ``es_MX.UTF-8``; English for one that it has
    not."""
    code = language.strip().lower()[:2]
    return code if code in LANGUAGES and not language.strip()[2:3].isalpha() else ENGLISH
