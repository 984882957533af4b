"""Commands typed into a prompt: star-commands and ``/limpet``."""
