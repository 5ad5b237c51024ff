from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from foveate.errors import InputError
from foveate.formats.vizwiz_quality import read_vizwiz_quality
from tests.helpers import SHARED, needs_shared

FLAWS = {"FRM": 1, "BLR": 5, "DRK": 0, "BRT": 3, "OBS": 0, "OTH": 2, "NON": 0, "ROT": 4}
GOOD: dict[str, Any] = {"flaws": FLAWS, "image": "a.jpg", "unrecognizable": 4}


def saved(folder: Path, values: object) -> Path:
    path = folder / "val.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    return path


def test_a_record(tmp_path: Path) -> None:
    (record,) = read_vizwiz_quality(saved(tmp_path, [GOOD]))
    assert (record.image, record.unrecognizable) == ("a.jpg", 4)
    assert record.flaws
    assert record.flaws.model_dump() == {
        "framing": 1,
        "blur": 5,
        "dark": 0,
        "bright": 3,
        "obstruction": 0,
        "rotation": 4,
        "other": 2,
        "none": 0,
    }


def test_the_test_split_tells_no_votes(tmp_path: Path) -> None:
    (record,) = read_vizwiz_quality(saved(tmp_path, [{"image": "a.jpg"}]))
    assert (record.flaws, record.unrecognizable) == (None, None)


@needs_shared
@pytest.mark.parametrize(("split", "n"), [("train", 23_431), ("val", 7_750), ("test", 8_000)])
def test_the_real_files_are_read_as_they_are_written(split: str, n: int) -> None:
    path = SHARED / "vizwiz" / "quality" / f"{split}.json"
    raw = json.loads(path.read_bytes())
    records = list(read_vizwiz_quality(path))
    assert len(records) == len(raw) == n
    expected = Counter((r["image"], r.get("unrecognizable"), r.get("flaws", {}).get("ROT")) for r in raw)
    assert expected == Counter((r.image, r.unrecognizable, r.flaws.rotation if r.flaws else None) for r in records)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"flaws": FLAWS, "unrecognizable": 1}, "record 2: image is missing"),
        ({"flaws": FLAWS, "image": "b.jpg"}, "record 2: it lacks unrecognizable, but has flaws"),
        ({"unrecognizable": 0, "image": "b.jpg"}, "record 2: it lacks flaws, but has unrecognizable"),
        (GOOD | {"unrecognizable": 6}, "record 2: unrecognizable is 6; input should be less than or equal to 5"),
        (GOOD | {"unrecognizable": -1}, "record 2: unrecognizable is -1; input should be greater than or equal to 0"),
        (GOOD | {"unrecognizable": ""}, "record 2: unrecognizable is ''; input should be a valid integer"),
        (GOOD | {"unrecognizable": "4"}, "record 2: unrecognizable is '4'; "),
        (GOOD | {"unrecognizable": 1.5}, "record 2: unrecognizable is 1.5; "),
        (GOOD | {"unrecognizable": True}, "record 2: unrecognizable is True; "),
        (GOOD | {"flaws": [1, 5]}, "record 2: flaws is [1, 5]; "),
        (GOOD | {"flaws": FLAWS | {"BLR": 9}}, "record 2: flaws.BLR is 9; input should be less than or equal to 5"),
        (GOOD | {"flaws": FLAWS | {"BLR": None}}, "record 2: flaws.BLR is None; input should be a valid integer"),
        (GOOD | {"flaws": FLAWS | {"FOG": 1}}, "record 2: flaws.FOG is 1; extra inputs are not permitted"),
        (GOOD | {"flaws": {k: v for k, v in FLAWS.items() if k != "NON"}}, "record 2: flaws.NON is missing"),
        (GOOD, "record 2, a.jpg: it is here a second time, first record 1"),
        (3, "record 2: this is a JSON int, not an object"),
    ],
)
def test_broken_records_stop_or_are_counted(record: object, said: str, tmp_path: Path) -> None:
    path = saved(tmp_path, [GOOD, record, GOOD | {"image": "c.jpg"}])
    with pytest.raises(InputError, match=re.escape(f"{path}, {said}")):
        list(read_vizwiz_quality(path))
    errors: list[InputError] = []
    assert [record.image for record in read_vizwiz_quality(path, errors.append)] == ["a.jpg", "c.jpg"]
    assert len(errors) == 1


def test_an_object_is_no_list(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is a JSON dict, not a list of records"):
        list(read_vizwiz_quality(saved(tmp_path, {"a.jpg": GOOD})))
