"""What every grounder promises, whatever the photo and the question."""

from __future__ import annotations

from pathlib import Path

import PIL.Image
import pytest

from foveate import plugins
from foveate.core.cards import GrounderCard
from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.errors import UsageError
from foveate.execution.ground import load_grounder
from foveate.execution.map_queries import map_queries
from foveate.grounders._attention.trained import default_file
from foveate.grounders._protocol import Explains, ExplainsByMap, Grounder
from foveate.sources.images import FileImage
from tests.explained import agree
from tests.helpers import save_photo

NAMES = [name for name in plugins.modules("grounders") if name != "missing_package"]
BUILT_IN = [name for name, module in plugins.modules("grounders").items() if module.startswith("foveate.")]
QUESTIONS = (
    "What is this?",
    "Where can we cook meals?",
    "What does it say?",
    "¿Qué es esto? 这是什么",
    "?",
    "x" * 5000,
)


def ready(name: str, folder: Path) -> Grounder:
    """Returns a method; one that needs a file writes itself a tiny one."""
    write_tiny = getattr(plugins.load("grounders", name), "write_tiny", None)
    return load_grounder(name, write_tiny(folder) if write_tiny else None)[1]


def asked(name: str, photo: Path, questions: tuple[str, ...] = QUESTIONS) -> list[Prediction]:
    grounder = ready(name, photo.parent)
    image = FileImage(photo)
    queries = [Query(str(n), photo.name, image, text, image.size_hw) for n, text in enumerate(questions)]
    return list(map_queries(queries, grounder))


@pytest.mark.parametrize("name", NAMES)
def test_the_card_is_complete(name: str) -> None:
    card: GrounderCard = plugins.load("grounders", name).CARD
    assert card.name == name
    assert card.summary.endswith(".")
    assert card.reference


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size_hw", [(1, 1), (1, 40), (37, 2), (48, 64), (501, 333)])
def test_any_question_of_any_photo_gives_a_valid_prediction(
    name: str, size_hw: tuple[int, int], tmp_path: Path
) -> None:
    for prediction in asked(name, save_photo(tmp_path / "photo.png", size_hw)):
        assert prediction.status in {"ok", "no_region"}, prediction.reason
        assert prediction.size_hw == size_hw
        if prediction.final:
            assert prediction.candidates[0] == prediction.final


@pytest.mark.parametrize("name", NAMES)
def test_the_same_question_gets_the_same_answer(name: str, tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "photo.png")
    first, second = (asked(name, photo, ("What is this?", "What is this?", "What is this?")) for _ in range(2))
    assert len({(p.status, p.answer, p.final, p.candidates) for p in (*first, *second)}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_what_it_explains_agrees_with_its_prediction(name: str, tmp_path: Path) -> None:
    grounder = ready(name, tmp_path)
    if not isinstance(grounder, Explains):
        assert name not in BUILT_IN, "every method of our own explains itself"
        pytest.skip("explains nothing")
    image = FileImage(save_photo(tmp_path / "photo.png", (96, 128)))
    grounder.prepare(image, image.size_hw)
    by_map: object = grounder
    for question in (*QUESTIONS, "Is there a dog?", "How many cats are there?", "How are you?"):
        said = grounder.ground(question)
        told = grounder.explain()
        assert agree(said, told), (question, told)
        assert told.map is None or told.map_means
        if isinstance(by_map, ExplainsByMap):
            with_map = by_map.explain_map()
            assert (with_map.rests_on, with_map.others, with_map.refusal) == (told.rests_on, told.others, told.refusal)
            assert with_map.map is None or with_map.map.load().on(image.size_hw).shape == image.size_hw
        # Telling why changes nothing.
        assert grounder.ground(question) == said


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_card_tells_speed_and_licence(name: str) -> None:
    card: GrounderCard = plugins.load("grounders", name).CARD
    assert "two CPU cores" in card.speed
    assert card.licence
    assert not card.sends_to, "a method of our own keeps photos on this machine"


@pytest.mark.parametrize("name", NAMES)
def test_a_photo_of_20_megapixels_is_taken(name: str, tmp_path: Path) -> None:
    PIL.Image.new("RGB", (5472, 3648), (120, 120, 120)).save(tmp_path / "large.jpg")
    (prediction,) = asked(name, tmp_path / "large.jpg", ("What is this?",))
    assert prediction.status in {"ok", "no_region"}, prediction.reason


@pytest.mark.parametrize("name", [n for n in NAMES if not plugins.load("grounders", n).CARD.needs_image])
def test_a_prior_needs_no_photo(name: str, tmp_path: Path) -> None:
    grounder = ready(name, tmp_path)
    (prediction,) = map_queries([Query("a", "a.jpg", None, "What?", (480, 640))], grounder)
    assert prediction.status == "ok"


@pytest.mark.parametrize("name", [n for n in NAMES if hasattr(plugins.load("grounders", n), "write_tiny")])
def test_what_was_trained_says_on_what(name: str, tmp_path: Path) -> None:
    told = getattr(ready(name, tmp_path), "trained_on")  # noqa: B009
    assert {"dataset", "fingerprint", "n", "file", "sha256"} <= set(told)


@pytest.mark.parametrize("name", [n for n in NAMES if hasattr(plugins.load("grounders", n), "write_tiny")])
def test_without_its_file_it_says_how_to_make_one(name: str) -> None:
    if default_file(name).is_file():
        assert load_grounder(name)[0].name == name, "what comes with the package is taken"
        return
    with pytest.raises(UsageError, match=r"foveate (analyze|train) "):
        load_grounder(name)
