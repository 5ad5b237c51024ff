from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from foveate.errors import InputError
from foveate.formats.vizwiz_vqa import read_vizwiz_vqa
from tests.helpers import SHARED, needs_shared

TEN = [{"answer": "cup", "answer_confidence": "yes"}] * 9 + [{"answer": "mug", "answer_confidence": "maybe"}]
GOOD: dict[str, Any] = {
    "image": "a.jpg",
    "question": "What is this?",
    "answers": TEN,
    "answer_type": "other",
    "answerable": 1,
}
FIX = "Fix the record, or pass --skip-invalid."


def without(*names: str) -> dict[str, Any]:
    return {key: value for key, value in GOOD.items() if key not in names}


def saved(folder: Path, values: object) -> Path:
    path = folder / "val.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    return path


def test_a_record(tmp_path: Path) -> None:
    (record,) = read_vizwiz_vqa(saved(tmp_path, [GOOD | {"_how": "an extra key"}]))
    assert (record.image, record.question, record.answer_type, record.answerable) == (
        "a.jpg",
        "What is this?",
        "other",
        1,
    )
    assert record.texts == ("cup",) * 9 + ("mug",)
    assert record.confidences == ("yes",) * 9 + ("maybe",)


def test_the_test_split_tells_no_answers(tmp_path: Path) -> None:
    (record,) = read_vizwiz_vqa(saved(tmp_path, [without("answers", "answer_type", "answerable")]))
    assert (record.texts, record.answer_type, record.answerable) == ((), None, None)


@needs_shared
def test_the_real_part_is_read_as_it_is_written() -> None:
    path = SHARED / "vizwiz" / "val_vqa_partial.json"
    raw = json.loads(path.read_bytes())
    records = list(read_vizwiz_vqa(path))
    assert len(records) == len(raw) == 3_039
    for record, values in zip(records, raw, strict=True):
        assert record.image == values["image"]
        assert record.texts == tuple(answer["answer"] for answer in values["answers"])
        assert record.confidences == tuple(answer["answer_confidence"] for answer in values["answers"])
        assert (record.answer_type, record.answerable) == (values["answer_type"], values["answerable"])


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (without("image"), f"record 2: image is missing. {FIX}"),
        (without("question"), f"record 2: question is missing. {FIX}"),
        (without("answers"), f"record 2: it lacks answers, but has answer_type, answerable. {FIX}"),
        (GOOD | {"answers": []}, "record 2: it lacks answers, but has answer_type, answerable."),
        (without("answer_type", "answerable"), "record 2: it lacks answer_type, answerable, but has answers."),
        (GOOD | {"image": 7}, "record 2: image is 7; input should be a valid string"),
        (GOOD | {"question": " "}, "record 2: question is ' '; a text is needed here"),
        (GOOD | {"answers": "cup"}, "record 2: answers is 'cup'; input should be a valid tuple"),
        (GOOD | {"answers": ["cup"]}, "record 2: answers.0 is 'cup'; "),
        (GOOD | {"answers": [{"answer": "cup"}]}, "record 2: answers.0.answer_confidence is missing"),
        (
            GOOD | {"answers": [*TEN[:9], {"answer": "cup", "answer_confidence": "sure"}]},
            "record 2: answers.9.answer_confidence is 'sure'; input should be 'yes', 'maybe' or 'no'",
        ),
        (
            GOOD | {"answer_type": "colour"},
            "record 2: answer_type is 'colour'; input should be 'other', 'unanswerable', 'yes/no' or 'number'",
        ),
        (GOOD | {"answerable": 2}, "record 2: answerable is 2; "),
        (GOOD | {"answerable": True}, "record 2: answerable is True; input should be a valid integer"),
        (GOOD | {"answerable": "1"}, "record 2: answerable is '1'; "),
        (GOOD, "record 2, a.jpg: it is here a second time, first record 1. Keep one row for it, or pass"),
        ("a.jpg", f"record 2: this is a JSON str, not an object. {FIX}"),
        ([], "record 2: this is a JSON list, not an object"),
    ],
)
def test_broken_records_stop_or_are_counted(record: object, said: str, tmp_path: Path) -> None:
    path = saved(tmp_path, [GOOD, record, GOOD | {"image": "c.jpg"}])
    with pytest.raises(InputError, match=re.escape(f"{path}, {said}")):
        list(read_vizwiz_vqa(path))
    errors: list[InputError] = []
    assert [record.image for record in read_vizwiz_vqa(path, errors.append)] == ["a.jpg", "c.jpg"]
    assert len(errors) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "this is not valid JSON"),
        ("{}", "it is a JSON dict, not a list of records. Take the official file."),
        ("null", "it is a JSON NoneType, not a list of records"),
        ('[{"image": "a.jpg"}', "this is not valid JSON"),
        ('[{"image": "a.jpg", "image": "b.jpg"}]', "the key image appears twice"),
    ],
)
def test_files_that_are_none(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "val.json"
    path.write_text(text)
    with pytest.raises(InputError, match=re.escape(said)):
        list(read_vizwiz_vqa(path))


def test_an_empty_list_has_no_records(tmp_path: Path) -> None:
    assert list(read_vizwiz_vqa(saved(tmp_path, []))) == []


def test_crlf_and_a_byte_order_mark_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "val.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([GOOD], indent=1).replace("\n", "\r\n").encode())
    assert [record.image for record in read_vizwiz_vqa(path)] == ["a.jpg"]


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it cannot be read"):
        list(read_vizwiz_vqa(tmp_path / "val.json"))
