"""The check on the cup's and VizWiz's real files, spoilt in every way that people spoil them."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from foveate.challenges.checking import check
from foveate.challenges.checking_questions import sizes_of
from foveate.challenges.definition import Phase
from foveate.core.rle import MaskArray, decode
from foveate.formats.mask_png import mask_png
from foveate.formats.vizwiz_json import read_vizwiz
from tests.helpers import SHARED, needs_shared
from tests.unit.runs.form_files import png

CUP = SHARED / "toloka"
PHASE = Phase("evaluation", "Evaluation", "evaluation", "data")
Sides = tuple[float, float, float, float]
Spoil = Callable[[Sides, float, float], Sides]


def spoilt(path: Path, spoil: Spoil) -> Path:
    with (CUP / "test_public_crowd_baseline.csv").open(newline="") as source, path.open("w", newline="") as out:
        table = csv.writer(out)
        table.writerow(("image", "left", "top", "right", "bottom"))
        for row in csv.DictReader(source):
            left, top, right, bottom, width, height = (
                float(row[name]) for name in ("left", "top", "right", "bottom", "width", "height")
            )
            table.writerow((row["image"], *spoil((left, top, right, bottom), width, height)))
    return path


# What was done; how; what the file as a whole is told to be; how many boxes do not fit their photos: counted by the
# plain rules of the form, here once more.
SPOILT: list[tuple[str, Spoil, str]] = [
    ("left and right", lambda b, w, h: (b[2], b[1], b[0], b[3]), "right, top, left, bottom (left and right swapped)"),
    ("top and bottom", lambda b, w, h: (b[0], b[3], b[2], b[1]), "left, bottom, right, top (top and bottom swapped)"),
    ("corners", lambda b, w, h: (b[2], b[3], b[0], b[1]), "right, bottom, left, top (the two corners swapped)"),
    ("x and y", lambda b, w, h: (b[1], b[0], b[3], b[2]), "top, left, bottom, right (x and y swapped)"),
    ("widths", lambda b, w, h: (b[0], b[1], b[2] - b[0], b[3] - b[1]), "left, top, width, height"),
    (
        "shares",
        lambda b, w, h: (b[0] / w, b[1] / h, b[2] / w, b[3] / h),
        "shares of the photo's width and height, from 0 to 1",
    ),
    (
        "thousandths",
        lambda b, w, h: (1e3 * b[0] / w, 1e3 * b[1] / h, 1e3 * b[2] / w, 1e3 * b[3] / h),
        "thousandths of the photo's width and height",
    ),
]


@needs_shared
@pytest.mark.parametrize(("spoil", "meant"), [case[1:] for case in SPOILT], ids=[case[0] for case in SPOILT])
def test_columns_that_were_mixed_up_are_recognised(spoil: Spoil, meant: str, tmp_path: Path) -> None:
    sizes = sizes_of(CUP / "test_public.csv")
    found = check(spoilt(tmp_path / "answer.csv", spoil), sizes, PHASE)
    bad = found.counts_by_status["invalid_output"]
    assert found.problems[0].said == (
        f"answer.csv: {bad:,} of 1,705 boxes do not fit their photos; read as {meant}, they would."
    )
    # What explains them is told, and is no problem more.
    assert (found.problem_count, found.explaining) == (bad, 1)


@needs_shared
def test_the_crowd_passes_and_another_split_does_not() -> None:
    sizes = sizes_of(CUP / "test_public.csv")
    assert len(sizes) == 1_705
    sound = check(CUP / "test_public_crowd_baseline.csv", sizes, PHASE)
    assert (sound.ok, sound.counts_by_status) == (True, {"ok": 1_705})
    # The targets of another split: all rows named as strange, and all of ours as missing.
    other = check(CUP / "test_private.csv", sizes, PHASE)
    assert "samples that are not asked about here" in other.problems[0].said or "faults" in other.problems[0].said
    assert other.problem_count > 4_000


@needs_shared
def test_a_few_wrong_boxes_are_no_habit(tmp_path: Path) -> None:
    turned = iter([True, True, True])
    path = spoilt(
        tmp_path / "answer.csv",
        lambda b, w, h: (b[2], b[1], b[0], b[3]) if next(turned, False) else b,
    )
    found = check(path, sizes_of(CUP / "test_public.csv"), PHASE)
    assert found.problem_count == 3
    assert all("is inverted (right < left)" in problem.said for problem in found.problems)


@needs_shared
def test_coco_boxes_given_as_corners_are_recognised(tmp_path: Path) -> None:
    sizes = sizes_of(CUP / "test_public.csv")
    with (CUP / "test_public_crowd_baseline.csv").open(newline="") as file:
        entries = [
            {
                "image_id": row["image"].rpartition("/")[2],
                "category_id": 1,
                "score": 1.0,
                "bbox": [float(row[side]) for side in ("left", "top", "right", "bottom")],
            }
            for row in csv.DictReader(file)
        ]
    (tmp_path / "results.json").write_text(json.dumps(entries))
    found = check(tmp_path / "results.json", sizes, PHASE)
    assert found.problems[0].said.endswith("read as left, top, right, bottom, they would.")
    # COCO's own numbers for the photos: the id that is meant is told.
    numbered = [{**entry, "image_id": int(str(entry["image_id"])[:-4])} for entry in entries]
    (tmp_path / "results.json").write_text(json.dumps(numbered))
    found = check(tmp_path / "results.json", sizes, PHASE)
    assert found.problems[1].remedy == "Did you mean 000000001066.jpg?"


@needs_shared
def test_masks_of_vizwiz_spoilt_one_by_one(tmp_path: Path) -> None:
    masks: dict[str, MaskArray] = {}
    for name, record, polygon in read_vizwiz(SHARED / "vizwiz" / "val_grounding.json"):
        if polygon is not None and record.height * record.width < 400_000 and len(masks) < 8:
            masks[name] = decode(polygon.rle(record.size_hw))
    sizes = {name: (mask.shape[0], mask.shape[1]) for name, mask in masks.items()}
    names = [name[:-4] for name in masks]
    files = {f"{name}.png": mask_png(masks[f"{name}.jpg"]) for name in names}
    spoils = {
        0: (png(np.ascontiguousarray(masks[f"{names[0]}.jpg"].T) * np.uint8(255)), "it looks transposed"),
        1: (png(masks[f"{names[1]}.jpg"] * np.uint8(255), "RGB"), "of the kind RGB"),
        2: (png(masks[f"{names[2]}.jpg"] * np.uint8(255), "P"), "of the kind P"),
        3: (png(masks[f"{names[3]}.jpg"] * np.uint8(1)), "is 1 meant for 255?"),
        4: (png(masks[f"{names[4]}.jpg"].astype(np.uint16) * 257), "of the kind I;16"),
        5: (png(masks[f"{names[5]}.jpg"][:-1] * np.uint8(255)), "high, not"),
    }
    with zipfile.ZipFile(tmp_path / "masks.zip", "w") as archive:
        for name, data in files.items():
            place = names.index(name[:-4])
            if place < 7:  # The last one is missing.
                archive.writestr(name, spoils[place][0] if place in spoils else data)
    found = check(tmp_path / "masks.zip", sizes, PHASE)
    by_row = {problem.row: problem.said for problem in found.problems}
    assert all(said in by_row[f"{names[place]}.png"] for place, (_, said) in spoils.items())
    assert by_row[f"{names[7]}.jpg"].endswith("there is no mask for it.")
    assert found.problem_count == 7
    assert found.counts_by_status == {"invalid_output": 6, "ok": 1, "missing": 1}


@needs_shared
def test_questions_tell_sizes_in_each_of_their_forms(tmp_path: Path) -> None:
    vizwiz = SHARED / "vizwiz" / "val_grounding.json"
    official = json.loads(vizwiz.read_text())
    expected = {name: (record["height"], record["width"]) for name, record in official.items()}
    bare = {n: {k: v for k, v in r.items() if k in {"width", "height", "question"}} for n, r in official.items()}
    (tmp_path / "questions.json").write_text(json.dumps(bare))
    assert sizes_of(tmp_path / "questions.json") == expected
    first = (CUP / "test_public.csv").read_text().splitlines()[1].split(",")
    assert next(iter(sizes_of(CUP / "test_public.csv").items())) == (
        first[0].rpartition("/")[2],
        (int(first[2]), int(first[1])),
    )
    table = io.StringIO()
    table.write('{"id": "a", "image": "a.jpg", "question": "What?", "width": 64, "height": 48}\n')
    (tmp_path / "questions.jsonl").write_text(table.getvalue())
    assert sizes_of(tmp_path / "questions.jsonl") == {"a": (48, 64)}
