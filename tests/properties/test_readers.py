"""Readers answer every damage to a file with a sentence of ours, and count it where they pass over it.

One file of a tiny copy is damaged at random: values dropped, put in another's place, doubled, written as text, or the
bytes cut off, turned to UTF-16, changed. Whatever comes out must be samples or an `InputError`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foveate import plugins
from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.core.truths import Target, Truth
from foveate.datasets._check import check
from foveate.datasets._convert import convert
from foveate.datasets._open import Dataset, open_dataset
from foveate.errors import FoveateError, InputError
from foveate.formats import samples_jsonl
from foveate.formats._sample_forms import Sample
from foveate.formats.sample_forms import FORMS
from tests.helpers import save_photo

# The demo's own photos are fetched, not read from files of the user.
NAMES = [name for name in plugins.modules("datasets") if name not in {"photos", "own"}]
TREACHEROUS: list[Any] = [
    *(None, True, 0, -1, 3, 0.5, -0.5, 1e308, float("nan"), float("inf"), 10**25, 2**31, 2**63, -(10**9)),
    *("", " ", "x", "5", "nan", "\x00", "\ud800", "a/b#c:d", "../../etc", "é" * 3, "a" * 3_000, "a" * 300 + ".jpg"),
    *("/", ".", "..", "http://x/y.jpg", [], {}, [[]], [None], {"a": 1}, [1, 2], [[1, 2]], [[0, 0], [1, 1]]),
    *([[0, 0, 5, 5, 0, 5]], {"size": [48, 64], "counts": "x"}, {"size": [1, 1], "counts": [1]}),
]
PIECES = [*(bytes([sign]) for sign in b'",{}[]\n\0\x80'), b"\\u0000", b"\\ud800", b"NaN", b"-Infinity", b"1e999"]


@dataclass(frozen=True)
class Tiny:
    """A tiny copy of a data set, and the files of it that are damaged."""

    name: str
    splits: tuple[str, ...]
    root: Path
    files: tuple[Path, ...]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the way to each value below the outermost."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*path, key)
        yield from places(one, (*path, key))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def treacherous(random: Random) -> Any:
    # A copy: a second damage of the same value may change the inside of what the first has put there.
    return deepcopy(random.choice(TREACHEROUS))


def with_damage(value: Any, random: Random) -> Any:
    """Returns a value with one to three of its parts dropped, replaced, doubled, written as text or multiplied."""
    ways: list[Callable[[Any, Any], Any]] = [
        lambda _, __: treacherous(random),
        lambda _, __: treacherous(random),
        lambda old, _: str(old),
        lambda _, other: other,
        lambda old, _: old * random.choice([-1, 1_000, 1e-9]) if isinstance(old, int | float) else [old, deepcopy(old)],
    ]
    for _ in range(random.choice([1, 1, 2, 3])):
        found = list(places(value))
        if not found:
            return treacherous(random)
        *way, key = random.choice(found)
        inner = at(value, tuple(way))
        other = json.loads(json.dumps(at(value, random.choice(found))))
        if random.random() < 0.3:
            del inner[key]
        elif isinstance(inner, list) and random.random() < 0.2:
            inner.insert(key, other)
        else:
            inner[key] = random.choice(ways)(inner[key], other)
    return value


def damaged_bytes(data: bytes, random: Random) -> bytes:
    spot = random.randrange(len(data) + 1)
    ways: list[Callable[[], bytes]] = [
        lambda: data[:spot],
        lambda: b"\xef\xbb\xbf" + data,
        lambda: data.decode("utf-8", "replace").encode("utf-16"),
        lambda: data.replace(b"\n", random.choice([b"\r\n", b"\r"])),
        lambda: b"",
        lambda: data + data,
        lambda: data[:spot] + random.choice(PIECES) + data[spot:],
        lambda: data[:spot] + bytes([random.randrange(256)]) + data[spot + 1 :],
        lambda: data.replace(b"{", b'{"image": 1, "image": 2, ', 1),
        lambda: b"PK\x03\x04" + data,
    ]
    return random.choice(ways)()


def damaged(path: Path, random: Random) -> bytes:
    data = path.read_bytes()
    if path.suffix not in {".json", ".jsonl", ".csv"} or random.random() < 0.25:
        return damaged_bytes(data, random)
    if path.suffix == ".json":
        return json.dumps(with_damage(json.loads(data), random)).encode()
    if path.suffix == ".jsonl":
        lines = with_damage([json.loads(line) for line in data.splitlines()], random)
        return "\n".join(json.dumps(line) for line in (lines if isinstance(lines, list) else [lines])).encode()
    rows = with_damage(list(csv.reader(io.StringIO(data.decode()))), random)
    table = io.StringIO()
    writer = csv.writer(table, quoting=csv.QUOTE_ALL)
    for row in rows if isinstance(rows, list) else [rows]:
        writer.writerow(row if isinstance(row, list) else [row])
    return table.getvalue().encode("utf-8", "replace")


@contextmanager
def instead(path: Path, data: bytes) -> Iterator[None]:
    whole = path.read_bytes()
    path.write_bytes(data)
    try:
        yield
    finally:
        path.write_bytes(whole)


def outcome(data: Dataset, reading: Callable[[], Iterator[object]]) -> None:
    told: list[str] = []
    try:
        for _ in reading():
            pass
    except InputError as error:
        told += [str(error), error.remedy]
    assert all(len(sentence.splitlines()) == 1 for sentence in [*told, *data.skipped])


def own_samples() -> list[Sample]:
    inside = np.zeros((48, 64), dtype=bool)
    inside[4:30, 4:20] = True
    hole = (((1, 1), (40, 1), (40, 40), (1, 40)), ((10, 10), (20, 10), (20, 20)))
    shapes: tuple[Box | Polygon | Mask, ...] = (Box((8, 8, 24, 40)), Polygon(hole), Mask(encode(inside)))
    return [
        Sample(Query(name, name, None, question, (48, 64)), Truth(name, ("red",), (target,), size_hw=(48, 64)))
        for number, shape in enumerate(shapes)
        for name, question, target in [(f"{number}.png", "What is red?", Target(shape, "red", "A"))]
    ]


def own_copy(form: str, root: Path) -> Tiny:
    """Writes samples of every shape in a form, with their photos."""
    source = root / "source"
    for number in range(3):
        save_photo(source / f"{number}.png")
    samples_jsonl.write(own_samples(), source / "s.jsonl")
    out = root / "own" if FORMS[form].is_folder else root / "own" / f"x{FORMS[form].suffixes[0]}"
    convert(open_dataset("own", source), out, to=form, lossy=True, photos="copy")
    return Tiny("own", ("all",), root / "own", damageable(root / "own"))


def damageable(root: Path) -> tuple[Path, ...]:
    return tuple(sorted(path for path in root.rglob("*") if path.is_file()))


@pytest.fixture(scope="module", params=[*NAMES, *(f"own {form}" for form in FORMS)])
def tiny(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    root = tmp_path_factory.mktemp("tiny")
    name: str = request.param
    if name.startswith("own "):
        return own_copy(name.removeprefix("own "), root)
    module = plugins.load("datasets", name)
    module.write_tiny(root)
    return Tiny(name, tuple(module.CARD.splits), root, damageable(root))


@settings(max_examples=30, derandomize=True)
@given(random=st.randoms(use_true_random=False))
def test_a_damaged_file_is_read_or_answered_with_a_sentence(tiny: Tiny, random: Random) -> None:
    path = random.choice(tiny.files)
    split = random.choice([one for one in tiny.splits if one in path.name] or list(tiny.splits))
    with instead(path, damaged(path, random)):
        refused = ""
        try:
            open_dataset(f"{tiny.name}:{split}", tiny.root)
        except FoveateError as error:
            refused = str(error)
        if refused:
            # A release, and what was made here, says of itself which splits it has: looked at before anything is read.
            assert path.name == "release.json" or path.parent.name == "made"
            assert len(refused.splitlines()) == 1
            return
        for skip_invalid in (False, True):
            data = open_dataset(f"{tiny.name}:{split}", tiny.root, skip_invalid=skip_invalid)
            for reading in (data.queries, data.truths, data.pairs):
                outcome(data, reading)
        for finding in check(f"{tiny.name}:{split}", tiny.root, decode=True).findings:
            assert len(finding.what.splitlines()) == 1
