"""The prompt path: what the hook may import (``modules``), and what makes it start quickly (``bundle``, ``sqlite``)."""
