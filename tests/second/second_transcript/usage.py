"""How full the context is."""

from __future__ import annotations

import os

from limpet.transcripts.tail import Reading, lines_from_end, neighbours, size_of


def read_usage(path, since=0):
    """Return the newest figure."""
    blank = Reading(size=size_of(path))
    for offset, line in lines_from_end(path):
        if offset < since:
            break
        if line == b"cut":
            return blank.replace(boundary=offset)
        word, _, text = line.partition(b" ")
        if word == b"used" and text.isdigit():
            return blank.replace(used=int(text), model="second-model", at=offset)
    return blank


def session_of(path):
    """Return the file's name."""
    return os.path.splitext(os.path.basename(path))[0]


def find_parent(path, used):
    """Return the neighbour that used so much."""
    return next((each for each in neighbours(path) if read_usage(each).used == used), "")


def holds(path, needle):
    """Return whether a line since the last cut holds it."""
    for _, line in lines_from_end(path):
        if line == b"cut":
            return False
        if needle in line:
            return True
    return False
