from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from foveate.datasets import vizwiz_grounding
from foveate.datasets._convert import convert
from foveate.datasets._open import open_dataset
from foveate.errors import InputError


@pytest.mark.parametrize("form", ["parquet", "hf"])
def test_a_damaged_file_is_one_sentence(form: str, tmp_path: Path) -> None:
    vizwiz_grounding.write_tiny(tmp_path / "official")
    out = tmp_path / ("a.parquet" if form == "parquet" else "a")
    convert(open_dataset("vizwiz_grounding:val", tmp_path / "official"), out, to=form)
    file = out if out.is_file() else next(out.glob("*.arrow"))
    whole = file.read_bytes()
    # A name is no text any more; Parquet packs its columns, so that any changed byte damages one.
    spots = [whole.index(b"000000000001.jpg")] if form == "hf" else range(4, len(whole) // 2, 37)
    for spot in spots:
        file.write_bytes(whole[:spot] + b"\xff\xfe" + whole[spot + 2 :])
        with suppress(InputError):  # Some bytes are of no matter; whatever else is raised is a fault.
            list(open_dataset("own", out).pairs())
    if form == "hf":
        with pytest.raises(InputError, match="datasets cannot read it"):
            list(open_dataset("own", out).queries())
