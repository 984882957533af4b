"""Its status line: how many bytes it was given."""

import sys


def main(raw):
    """Print it."""
    sys.stdout.write(f"{len(raw)} bytes")
    sys.stdout.flush()
