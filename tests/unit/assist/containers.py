"""What is in the file of a picture, part by part, read by hand after each format's standard; no library of pictures."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping


def png(content: bytes) -> Iterator[str]:
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    at = 8
    while at < len(content):
        length, name = struct.unpack_from(">I4s", content, at)
        yield name.decode()
        at += 12 + length
    assert at == len(content)


def jpeg(content: bytes) -> Iterator[str]:
    """Yields segments; a JFIF header says its thumbnail's size, which must be none."""
    assert content.startswith(b"\xff\xd8")
    at = 2
    while True:
        mark, code = content[at], content[at + 1]
        assert mark == 0xFF
        if code == 0xD9:
            break
        length = struct.unpack_from(">H", content, at + 2)[0]
        body = content[at + 4 : at + 2 + length]
        is_jfif = code == 0xE0 and body[:5] == b"JFIF\0" and len(body) == 14 and body[12:] == b"\0\0"
        yield "JFIF" if is_jfif else f"{code:02x}"
        at += 2 + length
        if code == 0xDA:  # What follows is the picture, with 0xFF escaped by 0x00 and restarts.
            while content[at] != 0xFF or content[at + 1] in {0, *range(0xD0, 0xD8)}:
                at += 1
    assert at + 2 == len(content)


def webp(content: bytes) -> Iterator[str]:
    assert content[:4] == b"RIFF"
    assert content[8:12] == b"WEBP"
    assert struct.unpack_from("<I", content, 4)[0] + 8 == len(content)
    at = 12
    while at < len(content):
        name, length = struct.unpack_from("<4sI", content, at)
        yield name.decode()
        at += 8 + length + length % 2
    assert at == len(content)


def tiff(content: bytes) -> Iterator[str]:
    """Yields the tags of the directories, of which there must be one: a thumbnail is a second one."""
    assert content[:4] == b"II*\0"
    at = struct.unpack_from("<I", content, 4)[0]
    count = struct.unpack_from("<H", content, at)[0]
    for entry in range(count):
        yield str(struct.unpack_from("<H", content, at + 2 + 12 * entry)[0])
    assert struct.unpack_from("<I", content, at + 2 + 12 * count)[0] == 0


_BOXES = {"meta": 4, "iprp": 0, "ipco": 0, "dinf": 0}


def avif(content: bytes, kept: str = "") -> Iterator[str]:
    """Yields boxes, those within others too; of an item its type, of colours their kind."""
    at = 0
    while at < len(content):
        length, raw = struct.unpack_from(">I4s", content, at)
        name, body = raw.decode(), content[at + 8 : at + length]
        if name == "colr":
            yield f"colr {body[:4].decode()}"
        elif name == "infe":
            yield f"infe {body[8:12].decode()}"
        elif name == "iinf":
            yield name
            yield from avif(body[6:])
        else:
            yield name
        if name in _BOXES:
            yield from avif(body[_BOXES[name] :])
        at += length
    assert at == len(content)


PARTS: Mapping[str, Callable[[bytes], Iterator[str]]] = {
    "png": png, "jpeg": jpeg, "webp": webp, "avif": avif, "tiff": tiff,
}  # fmt: skip
# What a picture needs to be shown. JPEG: tables, frame, scan. TIFF: its size, kind of pixels, and where these are.
# AVIF: nothing but one coded picture ("av01"), colours by numbers ("nclx") rather than by a profile.
_AVIF = ("ftyp", "meta", "hdlr", "pitm", "iloc", "iinf", "infe av01", "iprp", "ipco", "ipma", "ispe", "pixi", "av1C")
_TIFF = ("256", "257", "258", "259", "262", "273", "277", "278", "279", "284", "317", "339")
ALLOWED: Mapping[str, frozenset[str]] = {
    "png": frozenset({"IHDR", "IDAT", "IEND"}),
    "jpeg": frozenset({"JFIF", "db", "c0", "c4", "da"}),
    "webp": frozenset({"VP8 "}),
    "avif": frozenset({*_AVIF, "colr nclx", "mdat"}),
    "tiff": frozenset(_TIFF),
}
