"""Trained on A, tested on B, from the headers of runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from foveate.datasets._open import fingerprint, open_dataset
from foveate.errors import InputError, UsageError
from foveate.evaluation.score import score
from foveate.evaluation.transfer import Row, transfer
from foveate.execution.controls import ground_controls
from foveate.execution.ground import ground
from foveate.runs.header import Header
from foveate.runs.store import writing
from tests.helpers import write

HEAD = "image,id,question,width,height,left,top,right,bottom\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "q.csv", HEAD + "".join(f"{n}.png,q{n},What?,60,40,0,0,30,40\n" for n in range(8)))


def print_of(table: Path) -> str:
    return fingerprint(list(open_dataset("folder", table.parent, questions=table).queries()))


def made(out: Path, table: Path, trained_on: Mapping[str, Any], side: float = 30.0, **config: Any) -> Path:
    """Writes a run that says what it was trained on; its box is so wide."""
    queries = list(open_dataset("folder", table.parent, questions=table).queries())
    header = Header(
        "folder:all",
        print_of(table),
        "made",
        {"file": str(out), **config},
        len(queries),
        len(queries),
        places={"root": str(table.parent), "questions": str(table)},
        trained_on=trained_on,
    )
    region = Region(Box((0.0, 0.0, side, 40.0)), None)
    with writing(out, header, resume=False) as run:
        for query in queries:
            run.append(Prediction(query.id, "ok", None, None, region, (region,), (40, 60)))
    return out


def test_rows_are_what_was_trained_on_and_cells_are_scores(tmp_path: Path, table: Path) -> None:
    own = {"dataset": "folder:all", "fingerprint": print_of(table)}
    runs = [
        made(tmp_path / "a", table, {"dataset": "made:train", "fingerprint": "ab"}, 15.0),
        made(tmp_path / "b", table, own, 30.0),
        made(tmp_path / "c", table, {"dataset": "folder:all", "fingerprint": "cd"}, 60.0),
    ]
    found = transfer(runs, resamples=50)
    assert found.columns == ["folder:all"]
    assert [(row.method, row.trained_on) for row in found.rows] == [
        ("made", "made:train"),
        ("made", "folder:all"),
        ("made", "folder:all"),
    ]
    cells = list(found.cells.values())
    assert [cell.value.value for cell in cells] == [0.5, 1.0, 0.5]
    assert [cell.seen for cell in cells] == ["no", "yes", "perhaps"]
    assert cells[0].value == score(runs[0], metrics=["mean_iou"], resamples=50).metrics["mean_iou"]
    assert found.notes == []


def test_a_method_that_was_trained_on_nothing_stands_beside(tmp_path: Path, table: Path) -> None:
    ground("folder", tmp_path, questions=table, grounder="whole_image", out=tmp_path / "w")
    found = transfer([tmp_path / "w", made(tmp_path / "a", table, {"dataset": "made:train", "fingerprint": "ab"})])
    assert found.rows[0] == Row("whole_image", "nothing", "")
    assert found.cells[found.rows[0], "folder:all"].seen == "no"


def test_options_tell_runs_of_one_method_apart_but_files_do_not(tmp_path: Path, table: Path) -> None:
    trained = {"dataset": "made:train", "fingerprint": "ab"}
    one, other = (made(tmp_path / f"{share}", table, trained, share=share, by="all") for share in (0.3, 0.5))
    assert [row.method for row in transfer([one, other]).rows] == ["made (share=0.3)", "made (share=0.5)"]
    twice = made(tmp_path / "twice", table, trained, share=0.3, by="all")
    with pytest.raises(UsageError, match=r"twice: .* is of made, trained on made:train and tested on folder:all, too"):
        transfer([one, twice])


def test_it_is_plain_json(tmp_path: Path, table: Path) -> None:
    found = transfer([made(tmp_path / "a", table, {"dataset": "made:train", "fingerprint": "ab"})])
    told = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert told["cells"][0]["trained_on"] == "made:train"
    assert told["cells"][0]["value"] == 1.0
    assert told["cells"][0]["seen"] == "no"


def test_a_data_set_that_was_moved_is_found_by_its_root(tmp_path: Path) -> None:
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
    at = write(tmp_path / "here" / "d.csv", HEAD + "0.png,q0,What?,60,40,0,0,30,40\n")
    run = made(tmp_path / "a", at, {"dataset": "made:train", "fingerprint": "ab"})
    (tmp_path / "here").rename(tmp_path / "moved")
    with pytest.raises(InputError, match="its data were at"):
        transfer([run])
    # The table of `folder` is no root, and has no option here.
    with pytest.raises(InputError, match=r"d\.csv"):
        transfer([run], {"folder": tmp_path / "moved"})


def test_what_has_no_place_in_it_is_refused(tmp_path: Path, table: Path) -> None:
    with pytest.raises(UsageError, match="no run is given"):
        transfer([])
    with pytest.raises(UsageError, match="does not say which data set"):
        transfer([write(tmp_path / "boxes.csv", "ID,left,top,right,bottom\n")])
    asked: dict[str, Any] = {"questions": table, "grounder": "whole_image", "only": ["question_blanked"]}
    ground_controls("folder", tmp_path, out=tmp_path / "out", **asked)
    with pytest.raises(InputError, match="it is a control"):
        transfer([tmp_path / "out" / "question_blanked"])
