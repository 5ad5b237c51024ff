from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Box
from foveate.core.soft_maps import SoftMap
from tests.helpers import Sides
from tests.unit.reports.made import QUESTIONS, SIZE, answering, mask_of, write_run, write_table

MIDDLE: Sides = (16.0, 12.0, 48.0, 36.0)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder with four questions and two runs, `one` and `two`."""
    table = write_table(tmp_path / "data", QUESTIONS)
    soft = SoftMap.over(np.linspace(0, 1, 12).reshape(3, 4), SIZE)
    one = [
        answering("a", Box((0, 0, 32, 24)), "cup", soft),
        answering("b", mask_of((16, 12, 32, 36)), "a tin"),
        answering("c", None, None),
        Prediction("d", "error", size_hw=SIZE, reason="out of memory"),
    ]
    two = [answering("a", None, "cup"), answering("b", Box(MIDDLE), "box"), answering("c", Box(MIDDLE), None)]
    write_run(tmp_path / "one", table, one)
    write_run(tmp_path / "two", table, two)
    return tmp_path
