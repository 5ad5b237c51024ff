from __future__ import annotations

import pytest

from foveate.analysis.analyze import analyze
from foveate.reports.analysis.papers import papers_section
from foveate.reports.sections.parts import Table
from tests.helpers import SHARED, needs_shared


@needs_shared
def test_published_values_stand_beside_ours() -> None:
    section = papers_section([analyze("vizwiz_grounding:val", SHARED / "vizwiz")])
    assert section is not None
    (table,) = section.parts
    assert isinstance(table, Table)
    rows = {(row[0], row[1], row[2]): row for row in table.rows}
    severe = rows["vizwiz_grounding", "coverage", "image quality: severe"]
    assert (severe[3], severe[7]) == (0.83, 45)
    assert severe[5] == pytest.approx(0.816, abs=0.001)
    assert rows["vizwiz_grounding", "centre x", "all"][3:5] == [0.48, 0.14]
    assert rows["VQS", "boundary complexity", "all"][3] is None
    assert rows["CLEVR-Answers", "boundary complexity", "all"][5] is None
    assert "VQA-HAT" in table.about


def test_nothing_is_published_of_own_data() -> None:
    assert papers_section([]) is None
