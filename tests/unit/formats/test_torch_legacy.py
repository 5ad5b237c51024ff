"""Old files of PyTorch: what they hold is read, what they would do is not done."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path

import numpy as np
import pytest

from foveate.errors import InputError
from foveate.formats.torch_legacy import read_torch_legacy
from tests.unit.formats.torch_files import (
    NONE,
    View,
    framed,
    legacy,
    listing,
    mapping,
    name,
    rebuilt,
    several,
    stored,
    text,
    whole,
)

NUMBERS = np.arange(12, dtype=np.float32)
PLAIN = {"a.weight": View("1", 0, (3, 4), (4, 1))}


def write(path: Path, data: bytes) -> Path:
    (path / "weights.pth").write_bytes(data)
    return path / "weights.pth"


def test_arrays_by_name_each_from_its_place_and_by_its_strides(tmp_path: Path) -> None:
    views = {
        **PLAIN,
        "turned": View("1", 0, (4, 3), (1, 4)),
        "end": View("1", 10, (2,), (1,)),
        "every second": View("1", 1, (2, 3), (6, 2)),
        "scalar": View("2", 0, (), ()),
        "nothing": View("2", 0, (0, 3), (3, 1)),
    }
    found = read_torch_legacy(write(tmp_path, legacy(views, {"1": NUMBERS, "2": NUMBERS[5:6]})))
    assert list(found) == list(views)
    assert found["a.weight"].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert found["turned"].tolist() == [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]
    assert found["end"].tolist() == [10, 11]
    assert found["every second"].tolist() == [[1, 3, 5], [7, 9, 11]]
    assert found["scalar"].shape == ()
    assert found["scalar"] == 5
    assert found["nothing"].shape == (0, 3)
    assert all(array.dtype == np.float32 and array.flags.c_contiguous for array in found.values())


def test_whole_numbers_too(tmp_path: Path) -> None:
    row = mapping({"steps": rebuilt(View("1", 0, (2,), (1,)), 2, "LongStorage")}, ordered=True)
    data = framed(row, {"1": NUMBERS[:0]})[: -struct.calcsize("<q")] + struct.pack("<qqq", 2, 7, -1)
    assert read_torch_legacy(write(tmp_path, data))["steps"].tolist() == [7, -1]


def test_the_state_of_the_dictionary_is_passed_over(tmp_path: Path) -> None:
    state = mapping({"_metadata": mapping({}, ordered=True)}) + b"b"
    found = read_torch_legacy(write(tmp_path, legacy(PLAIN, {"1": NUMBERS}, state=state)))
    assert list(found) == ["a.weight"]


# Each would run something if an unpickler read it, or is a door to that.
ATTACKS = {
    "a command": name("os", "system") + several(text("touch {out}")) + b"R",
    "a command by its stack": text("os") + text("system") + b"\x93" + several(text("touch {out}")) + b"R",
    "an old instance": b"(" + text("touch {out}") + b"ios\nsystem\n",
    "an object": b"(" + name("os", "system") + text("touch {out}") + b"o",
    "a new object": name("builtins", "object") + b")\x81",
    "a name beside the four": name("torch", "load") + several(text("{out}")) + b"R",
    "a name that only begins like one": name("torch", "FloatStorages") + b")R",
    "a storage that is called": name("torch", "FloatStorage") + several(text("{out}")) + b"R",
    "a dictionary with contents": name("collections", "OrderedDict") + several(listing()) + b"R",
    "the state of a list": mapping({"a": listing() + mapping({}) + b"b"}),
    "a reference by text": b"Pstorage\n",
    "a reference to a module": several(text("module"), text("os"), text("1"), text("cpu"), whole(1), NONE) + b"Q",
    "a window of a storage": several(
        text("storage"), name("torch", "FloatStorage"), text("1"), text("cpu"), whole(12), several(text("2"))
    )
    + b"Q",
    "an extension": b"\x82\x01",
    "bytes": b"C\x01a",
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_nothing_is_run_and_nothing_else_is_taken(tmp_path: Path, attack: bytes) -> None:
    out = tmp_path / "out"
    path = write(tmp_path, framed(attack.replace(b"{out}", str(out).encode()), {"1": NUMBERS}))
    with pytest.raises(InputError, match=r"weights\.pth: it is no dictionary of arrays as old PyTorch saved it"):
        read_torch_legacy(path)
    assert not out.exists()


def test_the_first_attack_is_one(tmp_path: Path) -> None:
    """Against tests that cannot fail: Python's own unpickler does what it says."""
    out = tmp_path / "out"
    command = name("os", "system") + several(text(f"touch '{out}'")) + b"R"
    pickle.loads(b"\x80\x02" + command + b".")
    assert out.exists()


BROKEN = {
    "it begins otherwise": b"PK\x03\x04" + bytes(40),
    "it is empty": b"",
    "big-endian": legacy(PLAIN, {"1": NUMBERS}, little=False),
    "numbers are missing": legacy(PLAIN, {"1": NUMBERS})[:-1],
    "all numbers are missing": legacy(PLAIN, {"1": NUMBERS})[: -4 * 12 - 8],
    "something follows": legacy(PLAIN, {"1": NUMBERS}) + b"x",
    "a storage too many": legacy(PLAIN, {"1": NUMBERS, "2": NUMBERS}),
    "another count": legacy(PLAIN, {"1": NUMBERS}).replace(struct.pack("<q", 12), struct.pack("<q", 11)),
    "a count without end": legacy(PLAIN, {"1": NUMBERS}).replace(struct.pack("<q", 12), struct.pack("<q", 2**62)),
    "it reaches beyond the end": legacy({"a": View("1", 1, (3, 4), (4, 1))}, {"1": NUMBERS}),
    "it reaches beyond by its strides": legacy({"a": View("1", 0, (3, 4), (5, 1))}, {"1": NUMBERS}),
    "it reaches before the beginning": legacy({"a": View("1", 3, (2,), (-1,))}, {"1": NUMBERS}),
    "a negative offset": legacy({"a": View("1", -1, (2,), (1,))}, {"1": NUMBERS}),
    "a negative side": legacy({"a": View("1", 0, (-2,), (1,))}, {"1": NUMBERS}),
    "strides of another length": legacy({"a": View("1", 0, (2, 2), (1,))}, {"1": NUMBERS}),
    "one number many times": legacy({"a": View("1", 0, (10**9, 10**9), (0, 0))}, {"1": NUMBERS}),
    "something else than arrays": framed(mapping({"epoch": whole(3)}, ordered=True), {"1": NUMBERS}),
    "no dictionary": framed(listing(), {"1": NUMBERS}),
    "a storage as an array": framed(mapping({"a": stored("1", 12)}), {"1": NUMBERS}),
    "a key that is no text": framed(mapping({}, ordered=True) + whole(1) + NONE + b"s", {}),
    "a tuple without its beginning": framed(b"t", {}),
    "nothing on the stack": framed(b"R", {}),
    "two values": framed(b"NN", {}),
    "a mark left": framed(b"(", {}),
    "a memory that nobody filled": framed(b"h\x07", {}),
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_broken_files_are_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(InputError, match="it is no dictionary of arrays"):
        read_torch_legacy(write(tmp_path, data))


def test_the_sentence_says_what_it_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path, framed(name("os", "system") + b")R", {}))
    with pytest.raises(InputError, match=r"\(it names os\.system, which no array needs\)\. Give another file\."):
        read_torch_legacy(path)
