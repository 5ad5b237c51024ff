"""The papers' tables on the real files, against figures that were computed elsewhere."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from foveate.evaluation.estimates import Draws
from foveate.evaluation.load import DataPlace
from foveate.evaluation.papers import MeasuredValue
from foveate.execution.ground import ground
from foveate.reports.evaluation.paper_report import PaperMade, paper_report
from foveate.reports.sections.latex import latex
from tests.helpers import SHARED, needs_shared
from tests.unit.reports.sections.test_latex import read, rows

pytestmark = [pytest.mark.reference, needs_shared]
QUICK = Draws(100)


def measured(made: PaperMade, table: str, method: str) -> dict[str, MeasuredValue]:
    found = next(one for one in made.tables.tables if one.table.key == table)
    row = next(row for row in found.rows if row.method == method)
    return {cell.column: cell.measured for cell in row.cells if cell.measured}


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> PaperMade:
    out, root = tmp_path_factory.mktemp("runs"), SHARED / "toloka"
    sources = [root / f"{split}_crowd_baseline.csv" for split in ("test_public", "test_private")]
    for grounder in ("whole_image", "centre_box"):
        for split in ("test_public", "test_private"):
            ground(f"toloka_vqa:{split}", root, grounder=grounder, out=out / f"{grounder}-{split}")
            sources.append(out / f"{grounder}-{split}")
    return paper_report("toloka", sources, DataPlace(root=root), draws=QUICK)


def test_the_cups_table_has_the_known_values(cup: PaperMade) -> None:
    known = {
        "crowd, non-experts": (0.8802, 0.8715),
        "whole image": (0.0429, 0.0427),
        "centre box of half the sides": (0.0656, 0.0660),
    }
    for method, (public, private) in known.items():
        found = measured(cup, "cup", method)
        assert found["public"].value == pytest.approx(public, abs=5e-5)
        assert found["private"].value == pytest.approx(private, abs=5e-5)
        assert (found["public"].n, found["private"].n) == (1705, 4504)
    assert all(not how.lines[0].startswith("Files:") for how in cup.tables.how)


def test_runs_relative_to_the_crowd_are_the_ratio_of_the_means(cup: PaperMade) -> None:
    crowd = cup.ceilings["toloka_vqa:test_public"].crowd
    assert crowd is not None
    shares = {run.name: run.relative.value for run in crowd.runs}
    assert shares == {
        "whole_image-test_public": pytest.approx(0.0429 / 0.8802, abs=1e-4),
        "centre_box-test_public": pytest.approx(0.0656 / 0.8802, abs=1e-4),
    }


def test_the_latex_of_the_real_tables_can_be_read(cup: PaperMade) -> None:
    text = latex(cup.sections)
    read(text)
    assert text.isascii()
    head = rows(text)[0]
    assert (
        len([cell for cell in head if "published" in cell]) == len([cell for cell in head if "measured:" in cell]) == 2
    )
    assert any("0.8802" in cell for row in rows(text) for cell in row)


def test_vizwiz_whole_image_by_coverage_alone(tmp_path: Path) -> None:
    root = SHARED / "vizwiz"
    ground("vizwiz_grounding:val", root, grounder="whole_image", out=tmp_path / "whole")
    made = paper_report("vizwiz", [tmp_path / "whole"], DataPlace(), tmp_path / "page", draws=QUICK)
    # Its IoU is the target's share of the photo; sizes by thirds 681 / 233 / 217 by the rule of pycocotools.
    sizes = measured(made, "size", "whole image")
    assert [sizes[key].n for key in ("small", "medium", "large")] == [681, 233, 217]
    mean = measured(made, "mean_iou", "whole image")["all"]
    assert mean.value == pytest.approx(0.3330, abs=5e-5)
    weighted = [(sizes[key].value or 0) * sizes[key].n for key in ("below_5", "to_20", "from_20")]
    assert np.sum(weighted) / 1131 == pytest.approx(mean.value)
    maps = measured(made, "map", "whole image")
    hits = maps["image_50"].value
    assert hits is not None
    # One score for all: about the square of the share of hits (reference of metrics, D.2: 2 to 13 % above it).
    assert hits**2 < (maps["coco_50"].value or 0) < 1.13 * hits**2
    with (tmp_path / "page" / "tables" / "vizwiz_values.csv").open(newline="") as file:
        told = [row for row in csv.DictReader(file) if (row["method"], row["column"]) == ("whole image", "all")]
    assert {row["kind"]: round(float(row["value"]), 4) for row in told} == {"published": 0.33, "measured": 0.333}
