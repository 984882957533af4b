"""Commands that start this package in a second process.

It gets the same interpreter, the same version of the package, and site-packages.
"""

from __future__ import annotations

import os
import sys

PACKAGE_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Our package before what is installed, so that the versions agree; the standard library before both.
START = "import sys; sys.path.append(sys.argv[1]); import site; site.main(); from {} import main; main(*sys.argv[2:])"


def own_command(module: str, *words: str) -> list[str]:
    """Return the command that runs ``main`` of our module with these words."""
    return [sys.executable, "-I", "-S", "-c", START.format(module), PACKAGE_ROOT, *words]
