"""The repositories of the trial, by name."""

from __future__ import annotations

from repositories.boltons import BOLTONS
from repositories.humanize import HUMANIZE

REPOSITORIES = {each.name: each for each in (HUMANIZE, BOLTONS)}
