"""The languages that the product understands and answers in."""

ENGLISH = "en"
LANGUAGES = (ENGLISH, "pt", "es", "fr")
