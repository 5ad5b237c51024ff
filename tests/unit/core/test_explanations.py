from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from foveate.core.explanations import EVIDENCE_KINDS, REFUSAL_KINDS, Evidence, Explanation, Refusal
from foveate.core.soft_maps import SoftMap


def test_evidence_and_refusals_of_every_kind() -> None:
    assert [Evidence(kind, "a cup", 1).score for kind in EVIDENCE_KINDS] == [1.0] * len(EVIDENCE_KINDS)
    assert Evidence("photo", "all of it").score is None
    assert [Refusal(kind).looked_for for kind in REFUSAL_KINDS] == [""] * len(REFUSAL_KINDS)
    assert isinstance(Evidence("thing", "a cup", np.float32(0.5)).score, float)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"kind": "smell"}, "the kind of evidence is one of text, thing, .* not smell"),
        ({"said": " "}, "says what it is"),
        ({"score": 1.5}, "from 0 to 1, not 1.5"),
        ({"score": float("nan")}, "from 0 to 1, not nan"),
    ],
)
def test_evidence_that_is_none_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Evidence(**{"kind": "thing", "said": "a cup", **wrong})


def test_an_unknown_refusal_is_refused() -> None:
    with pytest.raises(ValueError, match="the kind of a refusal is one of not_about_photo, .* not tired"):
        Refusal("tired")  # type: ignore[arg-type]


def test_a_map_and_its_meaning_come_together() -> None:
    soft = SoftMap.over(np.ones((1, 1)), (1, 1))
    assert Explanation(map=soft, map_means="how much it is looked at").map is soft
    for alone in ({"map": soft}, {"map_means": "how much it is looked at"}):
        with pytest.raises(ValueError, match="a map comes with its meaning"):
            Explanation(**alone)
