"""Modules that are imported when one of their functions is called: a table of functions loads none that it does not
need, and a reader's tools follow its names.

    if TYPE_CHECKING:
        from limpet.engine.steps import window
    else:
        window = Late("limpet.engine.steps.window")

``late_modules`` makes several of one package. Tables of commands need no import for types: tests call each command.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Late:
    """A module by its name; what is read of it is a function that imports the module and calls its own."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, function: str) -> "Callable[..., Any]":
        def call(*given: object) -> object:
            return getattr(__import__(self._name, fromlist=[function]), function)(*given)

        call.__name__ = function
        call.__module__ = self._name
        return call


class LateModule:
    """A module by its name, imported when something of it is first read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> "Any":
        __import__(self._name)
        value = getattr(sys.modules[self._name], name)
        setattr(self, name, value)
        return value


def late_modules(package: str, names: str) -> tuple[Late, ...]:
    return tuple(Late(f"{package}.{name}") for name in names.split())
