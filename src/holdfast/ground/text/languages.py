"""The languages in which people may speak with the product: all that it says or understands, in each of them."""

ENGLISH = "en"
LANGUAGES = (ENGLISH, "pt", "es", "fr")
