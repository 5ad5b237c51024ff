from __future__ import annotations

import numpy as np
import pytest
from markdown_it import MarkdownIt

from foveate.annotation.examples import EXAMPLES
from foveate.annotation.instructions import default_instructions
from foveate.annotation.kinds import KINDS, Kind
from foveate.core.rle import area
from foveate.datasets._open import open_dataset


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", ["box", "polygon"])
def test_every_kind_is_told_as_markdown_below_the_headings_of_a_page(kind: Kind, shape: str) -> None:
    tokens = MarkdownIt().parse(default_instructions(kind, "box" if shape == "box" else "polygon"))
    assert any(token.type == "bullet_list_open" for token in tokens)
    assert {token.tag for token in tokens if token.type == "heading_open"} <= {"h3", "h4"}
    assert not any(token.type in {"html_block", "html_inline"} for token in tokens)


def test_they_tell_what_is_drawn() -> None:
    assert "draw a box" in default_instructions("reannotation")
    assert "one outline" in default_instructions("reannotation", "polygon")
    steps = default_instructions("grounding")
    assert [f"### Step {n}" in steps for n in (1, 2, 3)] == [True] * 3


def test_examples_are_of_samples_that_are_so() -> None:
    found = {truth.id: truth for truth in open_dataset("photos").truths()}
    for example in EXAMPLES:
        truth = found[example.sample]
        regions = [target.shape for target in truth.targets]
        whole = [
            shape for shape in regions if truth.size_hw and area(shape.rle(truth.size_hw)) == np.prod(truth.size_hw)
        ]
        if example.outcome == "several_regions":
            assert (len(regions), truth.match) == (2, "union")
        elif example.outcome == "cannot_draw":
            assert not regions
        else:
            assert len(regions) == 1
            assert bool(whole) == (example.outcome == "whole_image")
