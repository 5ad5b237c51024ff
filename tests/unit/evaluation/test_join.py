from __future__ import annotations

import pytest

from foveate.errors import InputError
from foveate.evaluation.join import join
from tests.helpers import predicted, truth

BOX = (0.0, 0.0, 10.0, 10.0)


def test_two_predictions_of_one_id() -> None:
    with pytest.raises(InputError, match=r"a\.csv: two predictions have the id x\. Keep one"):
        join([predicted("x", BOX), predicted("x", BOX)], [truth("x", BOX)], where="a.csv")


def test_ids_that_the_data_set_does_not_have() -> None:
    with pytest.raises(InputError, match="1 of 2 predictions have ids that the data set does not have: y"):
        join([predicted("x", BOX), predicted("y", BOX)], [truth("x", BOX)])


def test_ids_in_the_same_letters_written_in_another_way() -> None:
    composed, apart = "\u00e9.jpg", "e\u0301.jpg"
    with pytest.raises(InputError) as caught:
        join([predicted(apart, BOX), predicted("x", BOX)], [truth(composed, BOX), truth("x", BOX)], where="a.csv")
    assert str(caught.value) == (
        "a.csv: 1 of 2 predictions have ids that the data set does not have, 1 of them its own in the same letters, "
        f"written in another way (Unicode): {apart}. Write them as the data set does."
    )
    with pytest.raises(InputError, match="does not have: e.jpg; its own are like é.jpg"):
        join([predicted("e.jpg", BOX)], [truth(composed, BOX)])
    assert join([predicted(apart, BOX)], [truth(composed, None), truth(apart, BOX)]).missing == [composed]


def test_ids_of_a_data_set_that_has_none() -> None:
    with pytest.raises(InputError, match="does not have: y; its own are like .it has none."):
        join([predicted("y", BOX)], [])


def test_another_size_is_another_frame() -> None:
    with pytest.raises(InputError, match="for a photo 32 wide and 24 high, not 64 wide and 48 high"):
        join([predicted("x", BOX, (24, 32))], [truth("x", BOX, (48, 64))])


def test_a_transposed_size_is_called_so() -> None:
    with pytest.raises(InputError, match="it looks transposed.*EXIF"):
        join([predicted("x", BOX, (64, 48))], [truth("x", BOX, (48, 64))])


def test_a_box_outside_the_photo_is_found_even_when_the_prediction_has_no_size() -> None:
    with pytest.raises(InputError, match="x: the box 0, 0, 10, 60 lies outside the image"):
        join([predicted("x", (0, 0, 10, 60))], [truth("x", BOX, (48, 64))])


def test_what_is_missing_is_named() -> None:
    assert join([], [truth("x", BOX), truth("y", None)]).missing == ["x", "y"]


def test_two_truths_of_one_id() -> None:
    with pytest.raises(InputError, match="the truths: two have one id: x"):
        join([], [truth("x", BOX), truth("x", BOX)])
