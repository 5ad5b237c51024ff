from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.errors import InputError
from foveate.formats.json_stream import stream_elements, stream_members
from tests.helpers import write

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(1 - 2**63, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=4)


def members(path: Path, at: str = "") -> dict[str, Any]:
    return {key: row.values for key, row in stream_members(path, at)}


def elements(path: Path, at: str = "") -> list[Any]:
    return [row.values for _, row in stream_elements(path, at)]


def counted(path: Path, at: str = "") -> tuple[list[str], list[str]]:
    errors: list[InputError] = []
    kept = [key for key, _ in stream_members(path, at, errors.append)]
    return kept, [error.fault for error in errors]


@given(st.dictionaries(TEXT, OBJECTS, max_size=4), st.booleans(), st.booleans())
def test_what_is_read_is_what_the_standard_library_reads(entries: dict[str, Any], ascii_only: bool, mark: bool) -> None:
    path = _scratch()
    text = json.dumps(entries, ensure_ascii=ascii_only, indent=1)
    path.write_bytes((b"\xef\xbb\xbf" if mark else b"") + text.replace("\n", "\r\n").encode())
    assert members(path) == json.loads(text)
    path.write_text(json.dumps({"before": [1], "here": list(entries.values())}), encoding="utf-8")
    assert elements(path, "here") == list(entries.values())


def _scratch() -> Path:
    import tempfile

    return Path(tempfile.gettempdir()) / "foveate-json-stream.json"


def test_entries_know_where_they_stand(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", '[{"x": 1}, {"x": 2.5}]')
    assert [(number, row.where) for number, row in stream_elements(path, name="photo")] == [
        (1, f"{path}, photo 1"),
        (2, f"{path}, photo 2"),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "after 0 entries: the file is empty or cut off."),
        ('{"a": {"x": 1}, "b": {"x"', "after 1 entry: the file is empty or cut off."),
        ('{"a": {"x": 1}, "b": {"x": NaN}}', "after 1 entry: this is not valid JSON (invalid char in json text near"),
        ('{"a": {"x": 1}} {', "this is not valid JSON (trailing garbage near"),
        ('{"a": {"x": "\\ud800"}}', "this is not valid JSON (half a character, \\ud800)."),
        ('{"a": {"x": "\\udc00\\ud800"}}', "this is not valid JSON (half a character, \\udc00)."),
        ("[]", "it is not an object."),
        ("7", "it is not an object."),
    ],
)
def test_a_broken_file_is_one_sentence(tmp_path: Path, text: str, fault: str) -> None:
    path = write(tmp_path / "a.json", text)
    with pytest.raises(InputError) as caught:
        members(path)
    assert fault in caught.value.fault.replace("\\\\", "\\")
    assert caught.value.fault.startswith(str(path))


def test_escaped_pairs_and_backslashes_are_whole(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", '{"a": {"x": "\\ud83d\\ude00", "y": "\\\\ud800", "z": "\\u00e4"}}')
    assert members(path) == {"a": {"x": "\U0001f600", "y": "\\ud800", "z": "ä"}}


@pytest.mark.parametrize("before", range(65_500, 65_560))
def test_a_pair_over_the_edge_of_a_piece_that_is_read_is_whole(tmp_path: Path, before: int) -> None:
    path = write(tmp_path / "a.json", '{"a": {"x": "' + "x" * before + '\\ud83d\\ude00"}}')
    assert members(path)["a"]["x"][-1] == "\U0001f600"
    write(path, '{"a": {"x": "' + "x" * before + '\\ud83d,ude00"}}')
    with pytest.raises(InputError, match="half a character"):
        members(path)


def test_an_entry_that_cannot_be_taken_is_counted_and_the_others_kept(tmp_path: Path) -> None:
    text = '{"a": {"x": 1}, "b": 3, "a": {"x": 2}, "c": {"y": [{"z": 1, "z": 2}]}, "d": {}, "": {"x": 1}}'
    kept, faults = counted(write(tmp_path / "a.json", text))
    assert kept == ["a", "d", ""]
    assert [fault.rpartition(", ")[2] for fault in faults] == [
        "not an object.",
        "a: it is here a second time.",
        "c: the key z appears twice.",
    ]


def test_keys_of_several_files_belong_together(tmp_path: Path) -> None:
    first, second = write(tmp_path / "1.json", '{"a": {}}'), write(tmp_path / "2.json", '{"a": {}}')
    seen: set[str] = set()
    assert [key for key, _ in stream_members(first, seen=seen)] == ["a"]
    with pytest.raises(InputError, match=r"2\.json, a: it is here a second time"):
        list(stream_members(second, seen=seen))


def test_a_list_under_a_key(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", '{"images": [], "other": 1}')
    assert elements(path, "images") == []
    with pytest.raises(InputError, match="it has no questions"):
        elements(path, "questions")
    with pytest.raises(InputError, match="its other is not a list"):
        elements(path, "other")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        members(tmp_path / "none.json")
    with pytest.raises(InputError, match="it cannot be read"):
        members(tmp_path)
    path = tmp_path / "a.json"
    path.write_bytes('{"a": {}}'.encode("utf-16"))
    with pytest.raises(InputError, match="not UTF-8 text but UTF-16"):
        members(path)
    path.write_bytes(b'{"a": {"x": "\xff"}}')
    with pytest.raises(InputError, match="invalid bytes in UTF8 string"):
        members(path)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        path = tmp_path / f"{count}.json"
        path.write_text(json.dumps([{"n": n, "text": "x" * 200} for n in range(count)]))
        tracemalloc.start()
        for _ in stream_elements(path):
            pass
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(10)
    assert peak(40_000) < 1.5 * peak(2_000)
