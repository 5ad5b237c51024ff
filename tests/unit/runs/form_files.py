"""Files of predictions, sound and broken, for the tests of the forms."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import PIL.Image
from numpy.typing import NDArray

from foveate.errors import InputError
from foveate.runs.forms import read_form
from tests.helpers import write

Build = Callable[[Path], Path]
SIZES = {"a.jpg": (48, 64), "b.jpg": (48, 64)}


def csv(rows: str, header: str = "image,left,top,right,bottom") -> Build:
    return lambda folder: write(folder / "answer.csv", f"{header}\n{rows}\n")


def coco(*entries: Any) -> Build:
    return lambda folder: write(folder / "results.json", json.dumps(entries))


def lines(*values: Any) -> Build:
    return lambda folder: write(folder / "lines.jsonl", "".join(json.dumps(value) + "\n" for value in values))


def zipped(files: Mapping[str, bytes], pack: int = zipfile.ZIP_STORED) -> Build:
    def build(folder: Path) -> Path:
        with zipfile.ZipFile(folder / "masks.zip", "w", pack) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return folder / "masks.zip"

    return build


def folder_of(files: Mapping[str, bytes]) -> Build:
    def build(folder: Path) -> Path:
        for name, data in files.items():
            (folder / "masks" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "masks" / name).write_bytes(data)
        return folder / "masks"

    return build


def patched(build: Build, change: Callable[[bytes], bytes]) -> Build:
    def changed(folder: Path) -> Path:
        path = build(folder)
        path.write_bytes(change(path.read_bytes()))
        return path

    return changed


def png(values: NDArray[Any], mode: str | None = None) -> bytes:
    data = io.BytesIO()
    picture = PIL.Image.fromarray(values)
    (picture.convert(mode) if mode else picture).save(data, format="PNG")
    return data.getvalue()


def giant() -> bytes:
    """A PNG of a hundred bytes whose header says 100,000 x 100,000."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def encrypted(data: bytes) -> bytes:
    """Sets the bit that says so, in the entry's own header and in the directory."""
    changed = bytearray(data)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        changed[data.index(mark) + at] |= 1
    return bytes(changed)


def states(path: Path) -> list[str]:
    """Returns what is left of a file with one broken entry that is passed over."""
    passed_over: list[InputError] = []
    predictions = list(read_form(path, SIZES, passed_over.append))
    assert len(passed_over) == 1
    refused = [prediction for prediction in predictions if prediction.status == "invalid_output"]
    assert [prediction.reason for prediction in refused] == [error.fault for error in passed_over[: len(refused)]]
    return [prediction.status for prediction in predictions]
