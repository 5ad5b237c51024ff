from __future__ import annotations

import pytest

from foveate.annotation.instructions import default_instructions
from foveate.annotation.kinds import Kind, ProjectSettings


@pytest.mark.parametrize(
    ("kind", "shape", "parts"),
    [
        ("grounding", "box", ["Three steps", "outer boundary", "Whole image", "Cannot draw", "Examples"]),
        ("box_collection", "box", ["Ask", "Draw the box", "Verify", "only\none"]),
        ("reannotation", "box", ["Draw a box", "Cannot draw"]),
        ("reannotation", "polygon", ["outer boundary", "Examples"]),
    ],
)
def test_each_kind_says_what_is_done(kind: Kind, shape: str, parts: list[str]) -> None:
    text = default_instructions(kind, ProjectSettings.model_validate({"shape": shape}))
    assert not text.startswith("# ")
    for part in parts:
        assert part in text
