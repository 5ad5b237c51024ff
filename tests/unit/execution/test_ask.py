from __future__ import annotations

from pathlib import Path

import pytest

import foveate
from foveate.errors import FoveateError, InputError, UsageError
from tests.helpers import save_photo, write


def test_ask_gives_a_prediction_in_pixels_of_the_photo(tmp_path: Path) -> None:
    prediction = foveate.ask(save_photo(tmp_path / "a.png"), "What is this?", grounder="whole_image")
    assert isinstance(prediction, foveate.Prediction)
    assert prediction.id == "a.png"
    assert prediction.size_hw == (48, 64)
    assert prediction.final is not None
    assert prediction.final.shape.xyxy == (0, 0, 64, 48)


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question(question: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the question: it is empty. Ask something"):
        foveate.ask(save_photo(tmp_path / "a.png"), question)


def test_photos_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        foveate.ask(tmp_path / "none.png", "What is this?")
    whole = save_photo(tmp_path / "a.png", (300, 400)).read_bytes()
    (tmp_path / "cut.png").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"cut\.png: the photo is cut off or damaged"):
        foveate.ask(tmp_path / "cut.png", "Where can we cook meals?")
    with pytest.raises(InputError, match="not a photo"):
        foveate.ask(write(tmp_path / "text.png", "hello"), "What is this?")


def test_a_method_that_fails_is_not_an_answer(tmp_path: Path) -> None:
    with pytest.raises(FoveateError, match="the method slow_corner failed .TypeError") as caught:
        foveate.ask(save_photo(tmp_path / "a.png"), "Q?", grounder="slow_corner", config={"pause": "long"})
    assert caught.value.exit_code == 1
