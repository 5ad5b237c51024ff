"""The check of an entry: every fault has its precise sentence, all are told, and the server's paths are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.challenges.checking import MOST_TOLD, Checked, check
from foveate.challenges.definition import Phase
from foveate.challenges.problems import Problem
from foveate.core.rle import encode
from tests.helpers import write
from tests.unit.runs.form_files import SIZES, Build, coco, csv, folder_of, lines, png, zipped

PHASE = Phase("evaluation", "Evaluation", "evaluation", "data")
HALF = np.zeros((48, 64), dtype=np.uint8)
HALF[:24] = 255
SOFT = HALF.copy()
SOFT[24] = 90
GOOD = png(HALF)
B_CSV = "b.jpg,1,2,30,40"
RLE = {"size": [48, 64], "counts": encode(HALF).counts.decode()}


def result(image: object = "a.jpg", **more: Any) -> dict[str, Any]:
    return {"image_id": image, "category_id": 1, "score": 0.5, "bbox": [1, 2, 30, 40], **more}


def text(name: str, data: str | bytes) -> Build:
    def build(folder: Path) -> Path:
        (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
        return folder / name

    return build


SOUND: list[tuple[str, Build, dict[str, int]]] = [
    ("CSV", csv(f"a.jpg,1,2,30,40\n{B_CSV}"), {"ok": 2}),
    ("CSV with a byte order mark", csv(f"a.jpg,1,2,30,40\n{B_CSV}", "\ufeffimage,left,top,right,bottom"), {"ok": 2}),
    ("addresses for names", csv(f"https://x.invalid/p/a.jpg,1,2,30,40\nval/{B_CSV}"), {"ok": 2}),
    ("no region", csv(f"a.jpg,,,,\n{B_CSV}"), {"no_region": 1, "ok": 1}),
    ("a zip of masks", zipped({"a.png": GOOD, "b.png": GOOD}), {"ok": 2}),
    ("a folder of masks", folder_of({"a.png": GOOD, "b.png": png(0 * HALF)}), {"ok": 1, "no_region": 1}),
    ("COCO", coco(result(), result("b.jpg", segmentation=RLE, bbox=[0, 0, 64, 24])), {"ok": 2}),
    ("JSONL", lines({"id": "a.jpg", "xyxy": [1, 2, 3, 4]}, {"id": "b.jpg", "status": "no_region"}), {"ok": 1}),
]


@pytest.mark.parametrize(("build", "counts"), [case[1:] for case in SOUND], ids=[case[0] for case in SOUND])
def test_what_is_sound_passes(build: Build, counts: dict[str, int], tmp_path: Path) -> None:
    found = check(build(tmp_path), SIZES, PHASE)
    assert (found.problems, found.ok, found.n) == ((), True, 2)
    assert counts.items() <= found.counts_by_status.items()


# What it is; how it is made, b.jpg being sound; the first problem's sentence after the file's name; its row, field,
# what was expected, what is there (None: not looked at here).
Parts = tuple[str | None, ...]
BROKEN: list[tuple[str, Build, str, Parts]] = [
    (
        "text",
        csv(f"a.jpg,1,2,wide,40\n{B_CSV}"),
        ", line 2: right is 'wide'; a number is needed here.",
        ("line 2", "right", "a number is needed here", "'wide'"),
    ),
    (
        "left empty",
        csv(f"a.jpg,,2,30,40\n{B_CSV}"),
        ", line 2, a.jpg: the box has fewer than four sides.",
        ("line 2, a.jpg", "left, top, right, bottom", None, ", 2, 30, 40"),
    ),
    (
        "infinite",
        csv(f"a.jpg,1,2,inf,40\n{B_CSV}"),
        ", line 2, a.jpg: the box 1, 2, inf, 40 has a coordinate that is not a finite number.",
        ("line 2, a.jpg", None, None, "1, 2, inf, 40"),
    ),
    (
        "outside",
        csv(f"a.jpg,1,2,65,40\n{B_CSV}"),
        ", line 2, a.jpg: the box 1, 2, 65, 40 lies outside the image, which is 64 wide and 48 high.",
        (
            "line 2, a.jpg",
            "left, top, right, bottom",
            "0 <= left < right <= 64, 0 <= top < bottom <= 48",
            "1, 2, 65, 40",
        ),
    ),
    (
        "twice",
        csv(f"a.jpg,1,2,30,40\n{B_CSV}\na.jpg,1,2,31,40"),
        ", line 4, a.jpg: it is here a second time, first line 2.",
        ("line 4, a.jpg", "", "one row", "line 4 and line 2"),
    ),
    (
        "without its suffix",
        csv(f"A,1,2,30,40\n{B_CSV}"),
        ", line 2, A: there is no sample A; the ids are like a.jpg.",
        ("line 2, A", "id", "a.jpg", "A"),
    ),
    (
        "semicolons",
        csv("a.jpg;1;2;30;40", "image;left;top;right;bottom"),
        ", line 1: the columns are not separated by commas.",
        ("line 1", "", "image, left, top, right, bottom", "image;left;top;right;bottom"),
    ),
    (
        "tabs",
        csv("a.jpg\t1\t2\t30\t40", "image\tleft\ttop\tright\tbottom"),
        ", line 1: the columns are not separated by commas.",
        ("line 1", "", None, None),
    ),
    (
        "no header",
        text("answer.csv", f"a.jpg,1,2,30,40\n{B_CSV}\n"),
        ", line 1: the columns image, left, top, right, bottom are missing; the file has a.jpg, 1, 2, 30, 40.",
        ("line 1", "image, left, top, right, bottom", None, "a.jpg, 1, 2, 30, 40"),
    ),
    (
        "capitals in the header",
        csv(B_CSV, "image,Left,top,right,bottom"),
        ", line 1: the column left is spelt 'Left'.",
        ("line 1", None, None, None),
    ),
    ("UTF-16", text("answer.csv", "image,left\n".encode("utf-16")), ": the file is not UTF-8 text but UTF-16.", ("",)),
    (
        "Latin-1",
        text("answer.csv", "image,left,top,right,bottom\né.jpg,1,2,3,4\n".encode("latin-1")),
        ": the file is not UTF-8 text (invalid continuation byte).",
        ("",),
    ),
    ("empty", text("answer.csv", b""), ": the file is empty.", ("", "", "a file", "0 bytes")),
    (
        "a workbook",
        text("answer.csv", b"PK\x03\x04\x14\0\x06\0[Content_Types].xml"),
        ": this is a workbook of Excel (XLSX), not a table of text.",
        ("", "", "CSV", "a workbook of Excel (XLSX)"),
    ),
    (
        "a page",
        text("answer.csv", "\n <!DOCTYPE html><html></html>"),
        ": this is a page of HTML or XML, not a table of text.",
        ("",),
    ),
    ("JSON", text("answer.csv", '[{"image_id": 1}]'), ": this is JSON, not a table of text.", ("",)),
    (
        "transposed",
        zipped({"a.png": png(HALF.T.copy()), "b.png": GOOD}),
        ", a.png: the mask is 48 wide and 64 high, not 64 wide and 48 high; it looks transposed, see the photo's EXIF "
        "rotation.",
        ("a.png", "size", "64 x 48", "48 x 64"),
    ),
    (
        "RGBA",
        zipped({"a.png": png(HALF, "RGBA"), "b.png": GOOD}),
        ", a.png: the mask is of the kind RGBA, not of one 8-bit channel.",
        ("a.png", "channels", "one of 8 bits", "RGBA"),
    ),
    (
        "1 for 255",
        zipped({"a.png": png(HALF // 255), "b.png": GOOD}),
        ", a.png: a mask has the values 0 and 255, this one also 1 (is 1 meant for 255?).",
        ("a.png", "values", "0 and 255", "1"),
    ),
    (
        "grey",
        zipped({"a.png": png(SOFT), "b.png": GOOD}),
        ", a.png: a mask has the values 0 and 255, this one also 90.",
        ("a.png", "values", "0 and 255", "90"),
    ),
    (
        "a JPEG",
        zipped({"a.png": b"\xff\xd8\xff\xe0....", "b.png": GOOD}),
        ", a.png: this is not a mask that can be read (it is a JPEG picture).",
        ("a.png", "", "", "it is a JPEG picture"),
    ),
    (
        "an extra one",
        zipped({"a.png": GOOD, "b.png": GOOD, "c.png": GOOD}),
        ", c.png: this is no mask of a photo that is asked about.",
        ("c.png", "", "files like a.png", "c.png"),
    ),
    (
        "no category of the list, and numbers that are no sample",
        coco(result(7, category_id=99), result(), result("b.jpg")),
        ", entry 1, image 7: there is no sample 7; the ids are like a.jpg.",
        ("entry 1, image 7", "id", "an id like a.jpg", "7"),
    ),
    (
        "an RLE of another size",
        coco(result(segmentation={**RLE, "size": [64, 48]}), result("b.jpg")),
        ", entry 1, image a.jpg: the mask is 48 wide and 64 high, not 64 wide and 48 high; it looks transposed, see "
        "the photo's EXIF rotation.",
        ("entry 1, image a.jpg",),
    ),
    (
        "numbers as texts",
        coco(result(bbox=["1", 2, 3, 4]), result("b.jpg")),
        ", entry 1, image a.jpg: bbox.0 is '1'; input should be a valid number.",
        ("entry 1, image a.jpg", "bbox.0", "input should be a valid number", "'1'"),
    ),
    (
        "two best ones",
        coco(result(), result(bbox=[1, 2, 3, 4]), result("b.jpg")),
        ", image a.jpg: entries 1 and 2 are two regions with the best score, 0.5.",
        ("image a.jpg",),
    ),
    (
        "a box in a line",
        lines({"id": "a.jpg", "xyxy": [1, 2, 70, 4]}, {"id": "b.jpg", "xyxy": [1, 2, 3, 4]}),
        ", line 1, a.jpg: the box 1, 2, 70, 4 lies outside the image, which is 64 wide and 48 high.",
        ("line 1, a.jpg", "xyxy", "0 <= left < right <= 64, 0 <= top < bottom <= 48", "1, 2, 70, 4"),
    ),
    (
        "another sample in a line",
        lines({"id": "c", "xyxy": [1, 2, 3, 4]}, *({"id": i, "xyxy": [1, 2, 3, 4]} for i in SIZES)),
        ", line 1, c: there is no sample c; the ids are like a.jpg.",
        ("line 1, c", "id"),
    ),
]


@pytest.mark.parametrize(("build", "said", "parts"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_every_fault_has_its_sentence(build: Build, said: str, parts: Parts, tmp_path: Path) -> None:
    path = build(tmp_path)
    found = check(path, SIZES, PHASE)
    first = found.problems[0]
    assert first.said == f"{path.name}{said}"
    assert first.file == path.name
    for part, wanted in zip((first.row, first.field, first.expected, first.got), parts, strict=False):
        assert wanted in (None, part)
    assert first.remedy
    assert not found.ok
    assert str(tmp_path) not in json.dumps([vars(problem) for problem in found.problems])
    assert "--skip-invalid" not in first.remedy


def told(found: Checked) -> list[str]:
    return [problem.said for problem in found.problems]


def test_all_faults_of_a_zip_are_told_not_the_first(tmp_path: Path) -> None:
    files = {
        "a.png": png(HALF, "RGB"),
        "__MACOSX/._a.png": b"x",
        ".DS_Store": b"x",
        "val/b.png": GOOD,
        "b.jpg.png": GOOD,
    }
    found = check(zipped(files)(tmp_path), SIZES, PHASE)
    remedies = {problem.row: problem.remedy for problem in found.problems}
    assert remedies == {
        ".DS_Store": "Zip without what macOS adds: zip -X masks.zip *.png.",
        "__MACOSX/._a.png": "Zip without what macOS adds: zip -X masks.zip *.png.",
        "b.jpg.png": "Call it b.png: the photo's name without a suffix of its own.",
        "val/b.png": "Zip the masks without their folder.",
        "a.png": "Save it as 8-bit grey.",
        "b.jpg": "Add the mask b.png.",
    }
    assert found.problem_count == 6
    assert found.counts_by_status == {"invalid_output": 1, "missing": 1}


def test_missing_rows_are_named_or_count_zero_as_the_phase_says(tmp_path: Path) -> None:
    path = csv(B_CSV)(tmp_path)
    assert told(check(path, SIZES, PHASE)) == ["answer.csv, a.jpg: there is no row for it."]
    zero = check(path, SIZES, Phase("p", "P", "practice", "data", missing="zero"))
    assert (zero.ok, zero.counts_by_status) == (True, {"ok": 1, "missing": 1})


def test_many_faults_are_counted_and_some_are_told_missing_ones_among_them(tmp_path: Path) -> None:
    sizes = {f"{n}.jpg": (48, 64) for n in range(400)}
    rows = "\n".join(f"{n}.jpg,1,2,99,40" for n in range(300))
    found = check(csv(rows)(tmp_path), sizes, PHASE)
    assert found.problem_count == 400
    assert len(found.problems) == MOST_TOLD
    assert found.counts_by_status == {"invalid_output": 300, "missing": 100}
    assert sum("there is no row" in said for said in told(found)) == 20


def test_a_file_in_which_nothing_fits_is_not_read_to_its_end(tmp_path: Path) -> None:
    found = check(csv("c.jpg,1,2,3,4\n" * 5_000)(tmp_path), SIZES, PHASE)
    assert told(found)[:2] == [
        "answer.csv: 1,005 of 1,005 rows are about samples that are not asked about here.",
        "answer.csv: reading ended after 1,005 faults; there are more.",
    ]
    # As many problems as rows, of which these two are none.
    assert (found.problem_count, found.explaining, found.untold) == (1_005, 2, 1_005 - 98)
    assert "missing" not in found.counts_by_status


def test_the_file_of_another_split_is_told_as_that(tmp_path: Path) -> None:
    found = check(csv("c.jpg,1,2,3,4\nd.jpg,1,2,3,4")(tmp_path), SIZES, PHASE)
    assert told(found)[0] == "answer.csv: 2 of 2 rows are about samples that are not asked about here."


def test_forms_are_known_by_the_name_that_the_sender_gives(tmp_path: Path) -> None:
    stored = write(tmp_path / "3f9a", '{"id": "a.jpg", "xyxy": [1, 2, 3, 4]}\n{"id": "b.jpg", "status": "no_region"}\n')
    found = check(stored, SIZES, PHASE, name="mine.jsonl")
    assert (found.form, found.ok) == ("jsonl", True)
    only = Phase("p", "P", "practice", "data", forms=("vizwiz",))
    refused = check(stored, SIZES, only, name="mine.jsonl")
    assert told(refused) == ["mine.jsonl: by its name this is JSON lines, and the phase does not take that."]
    assert refused.problems[0].remedy == "It takes: a zip of masks (VizWiz's), .zip."


def test_a_folder_with_the_name_of_a_table_is_one_of_masks(tmp_path: Path) -> None:
    (tmp_path / "answer.csv").mkdir()
    found = check(tmp_path / "answer.csv", SIZES, Phase("p", "P", "practice", "data", forms=("toloka",)))
    assert found.problems[0].said.startswith("answer.csv: by its name this is a zip of masks")


def test_a_phase_whose_data_tell_no_sizes(tmp_path: Path) -> None:
    sizes = {"a.jpg": None, "b.jpg": None}
    found = check(csv(f"a.jpg,3,2,1,4\n{B_CSV}")(tmp_path), sizes, PHASE)
    (problem,) = found.problems
    assert (problem.expected, problem.got) == ("left < right, top < bottom", "3, 2, 1, 4")


def test_progress_reaches_its_end(tmp_path: Path) -> None:
    sizes = {f"{n}.jpg": (48, 64) for n in range(50)}
    seen: list[tuple[int, int]] = []
    check(
        csv("\n".join(f"{n}.jpg,1,2,3,4" for n in range(50)))(tmp_path),
        sizes,
        PHASE,
        on_progress=lambda done, of: seen.append((done, of)),
    )
    assert seen == [(20, 50), (40, 50), (50, 50)]


def test_names_with_signs_cannot_forge_a_line(tmp_path: Path) -> None:
    found = check(csv(f'"x\n\u202ey",1,2,30,40\na.jpg,1,2,30,40\n{B_CSV}')(tmp_path), SIZES, PHASE)
    (problem,) = found.problems
    assert isinstance(problem, Problem)
    assert problem.said == r"answer.csv, line 3, x\n\u202ey: there is no sample x\n\u202ey; the ids are like a.jpg."
