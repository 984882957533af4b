"""JSON lines on disk: one object a line, appended in one write, the only reader and writer of such files of Limpet. A
file that is full is rotated to ``.1``, ``.2`` and so on."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import dumps, loads
from limpet.ground.storage.files import open_append, open_regular, read_bytes, replace_patiently, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    Object = dict[str, Any]

# Bytes that are read at once from a file's end.
CHUNK = 65_536


def append_object(path: str, value: Mapping[str, object], limit: int, keep: int = 3) -> None:
    """Past ``limit`` bytes the file is rotated first, and ``keep`` old ones stay. Raises OSError where the disk
    refuses, ValueError and TypeError for what is no JSON."""
    append_line(path, dumps(value), limit, keep)


def append_line(path: str, line: str, limit: int, keep: int = 3) -> None:
    """In one write, owner-only; past ``limit`` bytes the file is rotated first (see ``rotate``). A last line that is
    torn, as by a full disk, is ended first, so that it does not swallow this one. Raise OSError."""
    raw = line.encode("utf-8", "surrogatepass") + b"\n"
    handle = open_append(path)
    try:
        size = os.fstat(handle).st_size
        if size + len(raw) > limit:
            os.close(handle)
            handle = -1
            rotate(path, keep)
            handle = open_append(path)
        elif size and _is_torn(handle):
            raw = b"\n" + raw
        write_all(handle, raw)
    finally:
        if handle >= 0:
            os.close(handle)


def rotate(path: str, keep: int) -> None:
    for number in range(keep, 0, -1):
        older = path if number == 1 else f"{path}.{number - 1}"
        if os.path.exists(older):
            replace_patiently(older, f"{path}.{number}")


def parse_lines(lines: Iterable[bytes], mark: bytes = b"") -> Iterator[Object]:
    """Of the lines that hold ``mark``; what is torn, as by a full disk, or no object is passed over."""
    for line in lines:
        try:
            found = loads(line.decode("utf-8", "replace").removeprefix("\ufeff")) if line and mark in line else None
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found


def read_objects(path: str, mark: bytes = b"") -> Iterator[Object]:
    """The oldest first, of the lines that hold ``mark``."""
    return parse_lines((read_bytes(path) or b"").split(b"\n"), mark)


def read_newest_first(path: str) -> Iterator[Object]:
    """From the file's end on, then what was rotated out of it. No more is read than is consumed."""
    number, older = 0, path
    while os.path.isfile(older):
        yield from parse_lines(_lines_from_end(older))
        number += 1
        older = f"{path}.{number}"


def read_appended(path: str, offsets: Mapping[int, int]) -> tuple[int, list[bytes], int] | None:
    """(The file's inode, which a rotation keeps; its complete lines beyond ``offsets[inode]``, all where that is
    unknown or is behind the end; where they end), None where there is no readable file."""
    handle = open_regular(path)
    if handle is None:
        return None
    try:
        with open(handle, "rb") as file:
            about = os.fstat(handle)
            start = offsets.get(about.st_ino, 0)
            start = start if start <= about.st_size else 0
            file.seek(start)
            *whole, _ = file.read().split(b"\n")
    except OSError:
        return None
    return about.st_ino, whole, start + sum(len(line) + 1 for line in whole)


def _is_torn(handle: int) -> bool:
    os.lseek(handle, -1, os.SEEK_END)
    return os.read(handle, 1) != b"\n"


def _lines_from_end(path: str) -> Iterator[bytes]:
    handle = open_regular(path)
    if handle is None:
        return
    try:
        with open(handle, "rb", buffering=0) as file:
            end, rest = file.seek(0, os.SEEK_END), b""
            while end > 0:
                start = max(0, end - CHUNK)
                file.seek(start)
                rest, *whole = (file.read(end - start) + rest).split(b"\n")
                yield from reversed(whole)
                if len(rest) > STATE_BYTES:
                    return
                end = start
            yield rest
    except OSError:
        return
