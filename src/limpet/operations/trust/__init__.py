"""Trust in a project (decision 46): what it would bring, giving it, and its state for ``status`` and ``doctor``."""
