"""Files that must not be opened: each is refused with its sentence, in little memory, and sound ones are not."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foveate.challenges.checking import check
from foveate.challenges.definition import Limits, Phase
from foveate.challenges.uploads import BOUNDS, megabytes, problem_of_name, scan
from foveate.errors import InputError
from foveate.formats.mask_png import mask_png
from tests.unit.runs.form_files import Build, encrypted, giant, patched, png, zipped

HALF = np.zeros((48, 64), dtype=np.uint8)
HALF[:24] = 255
GOOD = png(HALF)
SMALL = replace(BOUNDS, members=4, directory=400, small=1000, ratio=2, member=5000, json=200, values=8, depth=3)
LIMITS = Limits()


def refused(path: Path, bounds: object = BOUNDS, name: str | None = None) -> str:
    with pytest.raises(InputError) as caught:
        scan(path, LIMITS, name=name, bounds=bounds)  # type: ignore[arg-type]
    return str(caught.value).replace(str(path), "FILE")


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def with_chunk(kind: bytes, data: bytes) -> bytes:
    """The good PNG with a chunk more, after its head."""
    head = 8 + 12 + 13
    return GOOD[:head] + chunk(kind, data) + GOOD[head:]


def entry(name: str, **more: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    for key, value in more.items():
        setattr(info, key, value)
    return info


def zip_of(*entries: tuple[zipfile.ZipInfo, bytes]) -> Build:
    def build(folder: Path) -> Path:
        with zipfile.ZipFile(folder / "masks.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for info, data in entries:
                archive.writestr(info, data)
        return folder / "masks.zip"

    return build


def overlapping(folder: Path) -> Path:
    """Two names in the directory for the same bytes."""
    path = zipped({"a.png": GOOD, "b.png": GOOD})(folder)
    data = bytearray(path.read_bytes())
    second = data.rindex(b"PK\x01\x02")
    data[second + 42 : second + 46] = bytes(4)  # Its place is the first one's.
    path.write_bytes(bytes(data))
    return path


def sized(folder: Path) -> Path:
    """A zip whose end says that its directory has two gigabytes."""
    path = zipped({"a.png": GOOD})(folder)
    data = bytearray(path.read_bytes())
    end = data.rindex(b"PK\x05\x06")
    data[end + 12 : end + 16] = struct.pack("<I", 2**31)
    path.write_bytes(bytes(data))
    return path


BAD_ZIPS: list[tuple[str, Build, str]] = [
    ("a path above", zipped({"../a.png": GOOD}), "FILE, ../a.png: its name leads out of the folder."),
    ("a rooted path", zipped({"/etc/a.png": GOOD}), "FILE, /etc/a.png: its name leads out of the folder."),
    ("a drive", zipped({"C:\\a.png": GOOD}), "FILE, C:\\a.png: its name leads out of the folder."),
    (
        "a link",
        zip_of((entry("a.png", external_attr=0o120777 << 16), b"/etc/passwd")),
        "FILE, a.png: it is a link to another file.",
    ),
    ("encrypted", patched(zipped({"a.png": GOOD}), encrypted), "FILE, a.png: it is encrypted."),
    (
        "an odd packing",
        zip_of((entry("a.png", compress_type=zipfile.ZIP_LZMA), GOOD)),
        "FILE, a.png: it is packed in an unusual way.",
    ),
    ("letters that turn", zipped({"a\u202egnp.exe": GOOD}), r"FILE, a\u202egnp.exe: its name holds letters that turn"),
    ("a bell", zipped({"a\x07.png": GOOD}), r"FILE, a\x07.png: its name holds signs that are no letters."),
    (
        "a 0 in a name",
        patched(zipped({"aX.png": GOOD}), lambda data: data.replace(b"aX.png", b"a\0.png")),
        r"FILE, a\x00.png: its name holds signs that are no letters.",
    ),
    ("a long name", zipped({"a" * 300: GOOD}), "its name has 300 letters; at most 255 are taken."),
    ("files over one another", overlapping, "FILE: files in it lie over one another: b.png."),
    ("no files at its places", patched(zipped({"a.png": GOOD}), lambda d: b"x" + d[1:]), "its place in the zip holds"),
    ("a large directory", sized, "FILE: the list of its files has 2 GiB."),
    ("a zip inside", zipped({"a.png": b"PK\x03\x04...."}), "FILE, a.png: there is a zip inside the zip."),
    ("a giant", zipped({"a.png": giant()}), "FILE, a.png: the picture is 100000 wide and 100000 high by its head."),
    (
        "a text bomb",
        zipped({"a.png": with_chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(2 * 2**20), 9))}),
        "FILE, a.png: a text or profile in it unpacks to more than 1 MiB.",
    ),
    (
        "a profile bomb",
        zipped({"a.png": with_chunk(b"iCCP", b"icc\0\0" + zlib.compress(bytes(2 * 2**20), 9))}),
        "FILE, a.png: a text or profile in it unpacks to more than 1 MiB.",
    ),
    (
        "a large part",
        zipped({"a.png": with_chunk(b"eXIf", bytes(2 * 2**20))}),
        "FILE, a.png: a part of it that is no picture has 2 MiB.",
    ),
    (
        "many parts",
        zipped({"a.png": GOOD[:33] + 100 * chunk(b"tIME", bytes(7)) + GOOD[33:]}),
        "FILE, a.png: more than 64 parts stand before its pixels.",
    ),
    ("no zip", lambda folder: _write(folder / "masks.zip", b"no zip"), "FILE: this is not a zip that can be read (it"),
    ("cut off", patched(zipped({"a.png": GOOD}), lambda data: data[:-60] + data[-22:]), "this is not a zip that can"),
]


def _write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(("build", "said"), [case[1:] for case in BAD_ZIPS], ids=[case[0] for case in BAD_ZIPS])
def test_a_zip_that_must_not_be_opened(build: Build, said: str, tmp_path: Path) -> None:
    path = build(tmp_path)
    assert said in refused(path)
    # The check tells the same, and lives.
    found = check(path, {"a.jpg": (48, 64)}, Phase("p", "P", "practice", "d"))
    assert (found.problem_count, len(found.problems)) == (1, 1)


def test_zips_larger_than_any_honest_one(tmp_path: Path) -> None:
    five = zipped({f"{n}.png": GOOD for n in range(5)})(tmp_path)
    assert "it holds 5 files; at most 4 are taken" in refused(five, SMALL)
    assert "the list of its files has" in refused(five, replace(SMALL, members=9, directory=100))
    large = zipped({"a.png": bytes(6000)}, zipfile.ZIP_DEFLATED)(tmp_path)
    assert "FILE, a.png: it unpacks to more than 4.883 KiB" in refused(large, SMALL)
    total = zipped({f"{n}.png": bytes(4000) for n in range(4)}, zipfile.ZIP_DEFLATED)(tmp_path)
    assert "and unpacks to 15.62 KiB" in refused(total, replace(SMALL, directory=4000))
    scan(total, LIMITS, bounds=replace(SMALL, directory=4000, ratio=200))


def test_a_zip_of_64_bits_is_judged_by_its_own_directory(tmp_path: Path) -> None:
    path = zipped({"a.png": GOOD})(tmp_path)
    data = path.read_bytes()
    end = data.rindex(b"PK\x05\x06")
    number, size, offset = struct.unpack_from("<HII", data, end + 10)

    def long_end(said: int) -> bytes:
        record = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, number, number, said, offset)
        locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, end, 1)
        full = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
        return data[:end] + record + locator + full

    path.write_bytes(long_end(size))
    scan(path, LIMITS)
    path.write_bytes(long_end(2**40))
    assert "the list of its files has 1024 GiB" in refused(path)
    # A long end that one reader finds and another does not: what it says is not believed.
    whole = long_end(size)
    path.write_bytes(whole[:end] + b"PK\x06\x06" + whole[end:].replace(b"PK\x06\x06", b"PKxx", 1))
    assert "it has two ends" in refused(path)
    path.write_bytes(whole[: len(whole) - 22 - 20 + 8] + struct.pack("<Q", 0) + whole[len(whole) - 22 - 4 :])
    assert "it has two ends" in refused(path)


def test_sound_files_pass(tmp_path: Path) -> None:
    scan(zipped({"a.png": GOOD, "folder/": b"", "note.txt": b"x", "b.png": GOOD[:20]})(tmp_path), LIMITS)
    # A photo of twelve megapixels without a region packs a thousandfold, twice.
    empty = mask_png(np.zeros((3000, 4000), dtype=bool))
    scan(zipped({f"{n}.png": empty for n in range(30)}, zipfile.ZIP_DEFLATED)(tmp_path), LIMITS)
    scan(zipped({"a.png": with_chunk(b"iTXt", b"k\0\1\0\0\0" + zlib.compress(b"short"))})(tmp_path), LIMITS)
    scan(zipped({"a.png": with_chunk(b"zTXt", b"k\0\0no zlib")})(tmp_path), LIMITS)
    scan(zipped({"a.png": GOOD[:8], "b.png": GOOD[:20]})(tmp_path), LIMITS)
    scan(_write(tmp_path / "a.csv", b"image,left\n" * 5), LIMITS)
    scan(_write(tmp_path / "a.json", b'[{"image_id": "]]]]\\"[[[[", "bbox": [1, 2, 3, 4]}]'), LIMITS)


Make = Callable[[], bytes]
BAD_TEXTS: list[tuple[str, str, Make, str]] = [
    ("empty", "a.csv", lambda: b"", "FILE: the file is empty."),
    ("a byte of 0", "a.csv", lambda: b"image,left\n" + b"x\0", "FILE, line 2: there is a byte of 0 in it"),
    ("a late byte of 0", "a.csv", lambda: b"image\n" * 2000 + b"x\0", "FILE, line 2001: there is a byte of 0 in it"),
    ("a 0 in lines", "a.jsonl", lambda: b"{}\n{}\0", "FILE, line 2: there is a byte of 0 in it"),
    ("an endless line", "a.csv", lambda: b"a\n" + b"x" * (2**20 + 1), "FILE, line 2: the line has more than 1 MiB."),
    ("empty lines", "a.csv", lambda: b"a" + b"\n" * 5_000_001, "FILE: it has more than 5,000,000 lines."),
    ("empty lines of old", "a.csv", lambda: (b"\r" * 1000 + b"\n") * 5001, "FILE: it has more than 5,000,000 lines."),
    ("empty lines of JSON", "a.jsonl", lambda: b"\n" * 5_000_001, "FILE: it has more than 5,000,000 lines."),
    ("an endless object", "a.jsonl", lambda: b"{" * (5 * 2**20), "FILE, line 1: the line has more than 4 MiB."),
    ("depth", "a.json", lambda: b"[" * 40, "FILE: its lists and objects lie more than 32 deep in one another."),
    ("many values", "a.json", lambda: b"[" + b"0," * 3_000_001, "FILE: it has more than 3,000,000 values."),
    ("a long text", "a.json", lambda: b'["' + b"x" * (6 * 2**20), "FILE: a text in it has more than 4 MiB."),
    ("a 0 in JSON", "a.json", "[1]".encode("utf-16"), "FILE: there is a byte of 0 in it"),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("name", "made", "said"), [c[1:] for c in BAD_TEXTS], ids=[c[0] for c in BAD_TEXTS])
def test_a_text_that_must_not_be_opened(name: str, made: Make | bytes, said: str, tmp_path: Path) -> None:
    path = _write(tmp_path / name, made if isinstance(made, bytes) else made())
    assert said in refused(path)


@given(st.text(alphabet="ab\n", max_size=200), st.integers(1, 40), st.integers(0, 40))
def test_lines_are_measured_and_counted_as_a_plain_split_does(text: str, most: int, most_lines: int) -> None:
    lines = text.split("\n")
    with tempfile.TemporaryDirectory() as folder:
        path = _write(Path(folder) / "a.csv", b"-" + text.encode())
        try:
            scan(path, LIMITS, bounds=replace(BOUNDS, cells=most, lines=most_lines))
            said = ""
        except InputError as error:
            said = str(error)
    lines[0] = "-" + lines[0]
    too_long = [number for number, line in enumerate(lines, 1) if len(line) > most]
    assert bool(said) == bool(too_long or len(lines) - 1 > most_lines)
    if "the line has" in said:
        assert f", line {too_long[0]}: " in said


def test_what_is_no_file_or_too_large(tmp_path: Path) -> None:
    assert "FILE: it cannot be read." in refused(tmp_path / "nothing.csv")
    assert "FILE: it is no ordinary file." in refused(tmp_path)
    os.mkfifo(tmp_path / "pipe.csv")
    assert "FILE: it is no ordinary file." in refused(tmp_path / "pipe.csv")
    path = _write(tmp_path / "a.csv", b"x" * 2048)
    with pytest.raises(InputError, match="it has 2 KiB, and at most 1 KiB are taken"):
        scan(path, Limits(most_bytes=1024))
    with (tmp_path / "a.json").open("wb") as file:
        file.truncate(65 * 2**20)
    assert "a file of JSON has at most 64 MiB" in refused(tmp_path / "a.json")


def test_a_file_that_goes_away_amid_the_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _write(tmp_path / "a.jsonl", b"{}")

    def gone(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "open", gone)
    assert "FILE: it cannot be read (Input/output error)." in refused(path)


DEEP = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='[]{},:"\\\u00e9x'),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(alphabet='[{",\\', max_size=3), inner, max_size=4)
    ),
    max_leaves=30,
)


def depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def size(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(size, inner))


@settings(deadline=None)
@given(DEEP, st.booleans())
def test_a_json_is_refused_by_its_true_depth_and_size(value: object, escaped: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = _write(Path(folder) / "a.json", json.dumps(value, ensure_ascii=escaped).encode())
        true_depth, true_size = depth(value), size(value)
        # A list that is not empty counts once for itself and once a value beside the first: at most twice in all.
        scan(path, LIMITS, bounds=replace(BOUNDS, depth=true_depth, values=2 * true_size))
        if true_depth:
            assert "deep in one another" in refused(path, replace(BOUNDS, depth=true_depth - 1))
        if true_size > 1:
            assert "values" in refused(path, replace(BOUNDS, values=true_size - 1))


def test_names_that_senders_give(tmp_path: Path) -> None:
    path = _write(tmp_path / "stored", b"image,left\n")
    scan(path, LIMITS, name="Réponse finale (2).csv")
    for name in ("", "  ", "..", "a\n.csv", "\ud800.csv", "x" * 256, "a\u2066.csv"):
        assert problem_of_name(name)
        assert "its name" in refused(path, name=name)
    assert megabytes(1536) == "1.5 KiB"


def test_a_json_without_end_is_read_in_little_memory(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.json", b"[" + b"[1,2,3]," * 120_000)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="more than 300,000 values"):
            scan(path, LIMITS, bounds=replace(BOUNDS, values=300_000))
        assert tracemalloc.get_traced_memory()[1] < 40 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("seed", range(40))
def test_damaged_zips_never_raise_anything_else(seed: int, tmp_path: Path) -> None:
    drawn = random.Random(seed)
    path = zipped({"a.png": GOOD, "b.png": with_chunk(b"zTXt", b"k\0\0" + zlib.compress(b"x"))})(tmp_path)
    data = bytearray(path.read_bytes())
    for _ in range(drawn.randint(1, 12)):
        data[drawn.randrange(len(data))] = drawn.randrange(256)
    if drawn.random() < 0.3:
        del data[drawn.randrange(len(data)) :]
    path.write_bytes(bytes(data))
    found = check(path, {"a.jpg": (48, 64), "b.jpg": (48, 64)}, Phase("p", "P", "practice", "d"))
    assert all(problem.said.startswith("masks.zip") for problem in found.problems)
    assert found.ok == (not found.problems)


_MEASURE = """
import sys, time
from pathlib import Path
from foveate.challenges.checking import check
from foveate.challenges.definition import Limits, Phase
sizes = {f"{n}.jpg": (1500, 2000) for n in range(int(sys.argv[2]))}
begun = time.monotonic()
found = check(Path(sys.argv[1]), sizes, Phase("p", "P", "practice", "d"))
# Of this process's own memory: ru_maxrss begins with that of whoever began it.
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(found.problem_count, dict(found.counts_by_status), peak // 1024, time.monotonic() - begun)
"""


def _masks(path: Path, n: int, pad: int) -> Path:
    """Writes a zip of large masks, each with so many random bytes behind its end, which nothing reads."""
    mask = np.zeros((1500, 2000), dtype=bool)
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(n):
            mask[number % 1400 : number % 1400 + 100, : 500 + number % 900] ^= True
            archive.writestr(f"{number}.png", mask_png(mask) + os.urandom(pad))
    return path


@pytest.mark.slow
def test_two_gibibytes_of_masks_are_checked_in_little_memory(tmp_path: Path) -> None:
    path = _masks(tmp_path / "masks.zip", 2_373, 880_000)
    assert path.stat().st_size > 1.9 * 2**30
    told = subprocess.run(
        [sys.executable, "-c", _MEASURE, str(path), "2373"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert int(told[0]) == 0
    assert int(told[-2]) < 500, told


def test_forty_large_masks_are_checked_in_little_memory(tmp_path: Path) -> None:
    path = _masks(tmp_path / "masks.zip", 40, 100)
    told = subprocess.run([sys.executable, "-c", _MEASURE, str(path), "40"], capture_output=True, text=True, check=True)
    assert told.stdout.startswith("0 {'ok'")
    assert int(told.stdout.split()[-2]) < 400
