"""Signs that methods give, how signs are put together, and runs without samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Polygon, Shape
from foveate.core.rle import area, decode, encode
from foveate.core.truths import Truth
from foveate.errors import InputError, UsageError
from foveate.evaluation._audit_methods import _right_when_as_sure, looks
from foveate.evaluation._audit_turns import TURNS, turned_label
from foveate.evaluation.audit import SIGNS, Audit, Labels, Sign, audit, suspicion, without
from foveate.evaluation.results import Results
from tests.unit.evaluation.made import SIZE, asked, results, said

LABEL, FOUND, NEAR = Box((0, 0, 20, 20)), Box((50, 50, 90, 90)), Box((52, 50, 90, 90))


def ordinary(n: int) -> list[Truth]:
    """Returns labels at many places."""
    return [asked(f"s{k}", Box((k, k, 30 + k, 30 + k))) for k in range(n)]


def labels_for(truths: Sequence[Truth]) -> Labels:
    queries = [Query(truth.id, f"{truth.id}.jpg", None, f"What is {truth.id}?", SIZE) for truth in truths]
    return Labels("made:val", truths, queries)


def run(name: str, truths: Sequence[Truth], *first: Shape | None, score: float | None = None) -> Results:
    """Returns a method that says `first` of the first samples, and finds the others."""
    shapes = [*first, *(truth.targets[0].shape for truth in truths[len(first) :])]
    pairs: list[tuple[Prediction | None, Truth]] = [
        (said(truth.id, shape, score=score), truth)  # type: ignore[arg-type]
        for truth, shape in zip(truths, shapes, strict=True)
    ]
    return results(pairs, name=name)


TRUTHS = [asked("bad", LABEL), *ordinary(9)]


def of_first(*runs: Results, truths: Sequence[Truth] = TRUTHS) -> dict[str, Sign]:
    found = audit(labels_for(truths), runs)
    suspect = next((one for one in found.suspects if one.row == 0), None)
    return {sign.name: sign for sign in suspect.signs} if suspect else {}


def test_two_that_agree_against_the_label() -> None:
    found = of_first(run("a", TRUTHS, FOUND), run("b", TRUTHS, NEAR))
    # The groups of the nine others are one voice each; that of the first is the only one, and it is not with its label,
    # so that to agree means nothing here. That each alone misses it does: nine of ten are right.
    assert {name: sign.strength for name, sign in found.items()} == {"sure_miss": pytest.approx(0.9 / 2)}
    moved = [Box((k + 1, k, 31 + k, 30 + k)) for k in range(9)]
    found = of_first(run("a", TRUTHS, FOUND), run("b", TRUTHS, NEAR, *moved))
    # Nine of ten groups are with the label; 1 − 0 of 0.95; two voices: 3/4.
    assert found["methods_agree"].strength == pytest.approx(0.9 * 0.75)
    assert found["methods_agree"].why == (
        "a and b agree with each other (IoU 0.95) and not with the label (0.00 at most); "
        "where 2 agree, the label is with them in 90 %"
    )


def test_what_is_the_same_to_the_pixel_is_one_voice() -> None:
    found = of_first(run("a", TRUTHS, FOUND), run("b", TRUTHS, FOUND))
    assert set(found) == {"sure_miss"}


def test_a_voice_for_the_label_halves_what_two_say_against_it() -> None:
    moved = [Box((k + 1, k, 31 + k, 30 + k)) for k in range(9)]
    third = [Box((k, k + 1, 30 + k, 31 + k)) for k in range(9)]
    # In five of the nine others two agree, with the label: there trust is 5 of 6.
    others = [run("a", TRUTHS, FOUND, *[None] * 5), run("b", TRUTHS, NEAR, *moved)]
    alone = of_first(*others, run("c", TRUTHS, None, *third))["methods_agree"].strength
    with_label = of_first(*others, run("c", TRUTHS, LABEL, *third))["methods_agree"].strength
    assert alone == pytest.approx(5 / 6 * 0.75)
    assert with_label == pytest.approx(alone / 2)


def test_a_single_sure_miss() -> None:
    # Nine of ten regions are right; IoU 0; half, as it is one voice.
    found = of_first(run("a", TRUTHS, FOUND, score=0.8))["sure_miss"]
    assert found.strength == pytest.approx(0.9 / 2)
    assert found.why == ("a, as sure as 0.80, misses the label (IoU 0.00); such regions of it are right in 90 %")
    assert of_first(run("a", TRUTHS, FOUND))["sure_miss"].why.startswith("a misses the label")
    assert of_first(run("a", TRUTHS, LABEL)) == of_first(run("a", TRUTHS, None)) == {}


def test_a_method_that_is_seldom_right_says_little() -> None:
    truths = [asked("bad", LABEL), *ordinary(19)]
    wrong = [FOUND, *(Box((60 + k, 0, 70 + k, 5)) for k in range(10))]
    assert of_first(run("a", truths, *wrong), truths=truths)["sure_miss"].strength == pytest.approx(9 / 20 / 2)


def test_how_sure_a_region_is_counts() -> None:
    truths = [asked("bad", LABEL), *ordinary(39)]

    def strength(of_bad: float) -> float:
        pairs: list[tuple[Prediction | None, Truth]] = [(said("bad", FOUND, score=of_bad), truths[0])]
        for n, truth in enumerate(truths[1:]):
            shape = truth.targets[0].shape if n < 20 else Box((80, 0, 90, 5 + n))
            pairs.append((said(truth.id, shape, score=0.9 if n < 20 else 0.2), truth))  # type: ignore[arg-type]
        found = audit(labels_for(truths), [results(pairs, name="a")])
        return next(sign.strength for one in found.suspects if one.row == 0 for sign in one.signs)

    # As sure as those that are right: 20 of 21; as those that are not: 20 of 40.
    assert strength(0.9) == pytest.approx(20 / 21 / 2)
    assert strength(0.2) == pytest.approx(20 / 40 / 2)


def test_how_often_as_sure_regions_are_right_goes_by_no_order_of_the_samples() -> None:
    # Two are surer than the other twelve, of one score, so that the ten surest end within those.
    truths = [asked(str(n), Box((0, 0, 20, 20))) for n in range(14)]
    hits = [Box((0, 0, 20, 20)), Box((60, 60, 80, 80))]
    found = []
    for order in (range(14), [0, 1, *range(13, 1, -1)]):
        samples = [(said(str(n), hits[n >= 8], score=0.9 if n < 2 else 0.5), truths[n]) for n in order]
        shares = _right_when_as_sure(results(samples))
        found.append({n: shares[place] for place, n in enumerate(order)})
    assert found[0] == found[1] == pytest.approx(dict.fromkeys(range(14), 8 / 14))


def test_a_label_that_fits_once_it_is_mirrored() -> None:
    truths = [asked("bad", Box((5, 40, 25, 60))), *ordinary(9)]
    found = of_first(run("a", truths, Box((75, 40, 95, 60))), truths=truths)
    # Nine of ten regions are right; from 0 to 1; one voice: 1/2.
    assert found["turned"].strength == pytest.approx(0.9 / 2)
    assert found["turned"].why.endswith("the label would fit what methods find: IoU 1.00, now 0.00")
    assert "turned" not in of_first(run("a", truths, Box((40, 0, 60, 10))), truths=truths)


def test_a_whole_photo_where_methods_find_a_part() -> None:
    truths = [asked("bad", Box((0, 0, 100, 100))), *ordinary(9)]
    found = of_first(run("a", truths, Box((0, 0, 50, 50))), truths=truths)["whole_for_methods"]
    assert found.strength == pytest.approx(0.75 / 2 / 2)
    assert found.why == "the target covers 100 % of the photo, what methods find 25 %"
    assert "whole_for_methods" not in of_first(run("a", truths, Box((0, 0, 100, 60))), truths=truths)


def test_priors_are_found_out_and_left_aside() -> None:
    truths = [asked("bad", LABEL), *ordinary(29)]
    fixed = run("centre", truths, *[Box((25, 25, 75, 75))] * 30)
    few = run("by answer", truths, *[(FOUND, NEAR)[n % 2] for n in range(30)])
    method = run("method", truths)
    assert [looks(one) for one in (fixed, few, method)] == [False, False, True]
    found = audit(labels_for(truths), [fixed, few, method])
    assert (found.methods, found.priors, found.suspects) == (["method"], ["centre", "by answer"], [])
    # Of few photos nothing is said.
    assert looks(run("centre", TRUTHS, *[FOUND] * 10))


def test_a_tiny_target_that_a_method_finds_is_less_suspicious() -> None:
    tiny = Box((40, 40, 41, 41))
    truths = [asked("bad", tiny), *ordinary(9)]
    alone = of_first(truths=truths)["tiny"]
    found = of_first(run("a", truths, tiny), truths=truths)["tiny"]
    assert found.strength == alone.strength / 2
    assert found.why == f"{alone.why}; but a finds it"
    assert of_first(run("a", truths, FOUND), truths=truths)["tiny"] == alone


def test_signs_together_and_the_order() -> None:
    assert suspicion([]) == 0.0
    assert suspicion([Sign("tiny", 0.5, ""), Sign("tiny", 0.2, "")]) == pytest.approx(0.6)
    assert suspicion([Sign("tiny", 1.0, ""), Sign("tiny", 0.2, "")]) == 1.0
    truths = [asked("a", Box((0, 0, 2, 2))), asked("b", Box((0, 0, 1, 1))), asked("c", FOUND), asked("d")]
    more = {"c": [Sign("answer_elsewhere", 0.4, "it is there")], "d": [Sign("answer_elsewhere", 0.4, "no target")]}
    found = audit(labels_for(truths), more=more)
    assert [(one.rank, one.id) for one in found.suspects] == [(1, "c"), (2, "b"), (3, "a")]
    assert found.n == 3
    assert found.counts == {"tiny": 2, "answer_elsewhere": 1}
    assert set(found.counts) <= set(SIGNS)
    assert found.as_dict()["suspects"][0]["signs"][0]["why"] == "it is there"


def test_a_run_on_a_part_of_the_labels_in_another_order() -> None:
    moved = [Box((k + 1, k, 31 + k, 30 + k)) for k in range(9)]
    whole, other = run("a", TRUTHS, FOUND), run("b", TRUTHS, NEAR, *moved)
    turned = results(list(zip(other.predictions, other.truths, strict=True))[::-1], name="b")
    expected_, again = audit(labels_for(TRUTHS), [whole, other]), audit(labels_for(TRUTHS), [whole, turned])
    assert again == expected_
    part = results(list(zip(other.predictions, other.truths, strict=True))[:5], name="b")
    found: Audit = audit(labels_for(TRUTHS), [part])
    assert [one.id for one in found.suspects] == ["bad"]
    with pytest.raises(InputError, match="b: it was asked about bad, which made:val has not"):
        audit(labels_for(TRUTHS[1:]), [part])


@pytest.mark.parametrize("name", TURNS)
def test_turns_of_boxes_polygons_and_masks_agree(name: str) -> None:
    size = (40, 60)
    box = Box((6, 4, 30, 12))
    polygon = Polygon((((6, 4), (30, 4), (30, 12), (6, 12)),))
    turned = [turned_label(shape, size, TURNS[name]) for shape in (box, polygon, Mask(box.rle(size)))]
    assert turned[0] == turned[1]
    other = decode(turned[0]) ^ decode(turned[2])
    # A mask is moved by whole pixels: where it is stretched, which a swap of the sides does, an edge may be one off.
    swapped = not (name.startswith("mirrored") or name == "turned by 180 degrees")
    assert other.sum() <= (24 + 8 if swapped else 0)
    assert area(turned[0]) == 24 * 8


def test_turns_by_hand() -> None:
    bits = np.zeros((2, 2), dtype=bool)
    bits[0, 1] = True  # Top right.
    where = {
        name: tuple(np.argwhere(decode(turned_label(Mask(encode(bits)), (2, 2), turn)))[0].tolist())
        for name, turn in TURNS.items()
    }
    assert where == {
        "turned by 180 degrees": (1, 0),
        "mirrored left to right": (0, 0),
        "mirrored top to bottom": (1, 1),
        "turned by 90 degrees": (1, 1),
        "turned by 270 degrees": (0, 0),
        "transposed": (1, 0),
        "transposed and turned": (0, 1),
    }


def test_a_run_without_samples() -> None:
    whole = run("a", TRUTHS, FOUND)
    found = without(whole, {"bad", "s3"})
    assert len(found) == 8
    assert [truth.id for truth in found.truths] == ["s0", "s1", "s2", "s4", "s5", "s6", "s7", "s8"]
    assert found.regions["iou"].tolist() == [1.0] * 8
    assert found.answers["keyed"].shape == (8,)
    assert [one.id for one in found.loaded.predictions] == [truth.id for truth in found.truths]
    assert found.loaded.notes == ["2 of 10 samples were left out"]
    assert found.queries[0].id == "s0"
    assert len(whole) == 10
    with pytest.raises(InputError, match="a: it has no sample nobody"):
        without(whole, ["nobody"])
    with pytest.raises(UsageError, match="all 10 samples would be left out"):
        without(whole, [truth.id for truth in TRUTHS])
