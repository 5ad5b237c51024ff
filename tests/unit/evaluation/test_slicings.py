from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from foveate.core.regions import Mask, Polygon
from foveate.core.rle import encode
from foveate.core.truths import Fact
from foveate.errors import UsageError
from foveate.evaluation.slices import slicings, slicings_named
from foveate.sources.embedded import EmbeddedImage
from foveate.sources.images import FileImage
from tests.helpers import save_photo
from tests.unit.evaluation.made_results import Made, covering, run


def keys(samples: list[Made], name: str, evaluate_as: str = "box") -> dict[str, list[int]]:
    grouping = slicings_named(run(samples, evaluate_as=evaluate_as), [name])[name]
    return {group.key: group.rows.tolist() for group in grouping.groups}


def test_coverage_is_parted_at_the_thirds_and_a_sample_without_a_target_is_in_none() -> None:
    samples = [Made(covering(3)), Made(None), Made(covering(4)), Made(covering(6)), Made(covering(7)), Made()]
    assert keys(samples, "coverage") == {"small": [0], "medium": [2, 3], "large": [4, 5]}
    assert keys(samples, "targets") == {"0": [1], "1": [0, 2, 3, 4, 5]}


def test_a_band_begins_with_its_edge() -> None:
    # 0.04, 0.05, 0.19, 0.2 of the photo's 100 pixels.
    samples = [Made((0, 0, 4, 1)), Made((0, 0, 5, 1)), Made((0, 0, 9.5, 2)), Made((0, 0, 10, 2))]
    assert keys(samples, "coverage_bands") == {"under 0.05": [0], "0.05 to 0.20": [1, 2], "0.20 and more": [3]}


def test_the_whole_image_begins_above_its_share() -> None:
    samples = [Made((0, 0, 10, 9.5)), Made((0, 0, 10, 9.6))]
    assert keys(samples, "whole_image") == {"no": [0], "yes": [1]}


def ring(corners: int) -> Polygon:
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return Polygon((tuple((5 + 4 * float(np.cos(a)), 5 + 4 * float(np.sin(a))) for a in angles),))


def test_points_are_those_that_were_drawn_and_four_of_a_box() -> None:
    samples = [Made(ring(3)), Made(), Made(ring(5)), Made(ring(9)), Made(ring(10)), Made(ring(19)), Made(ring(20))]
    found = {"4 or fewer": [0, 1], "5 to 9": [2, 3], "10 to 19": [4, 5], "20 and more": [6]}
    assert keys(samples, "points", "mask") == found


def test_nobody_drew_the_points_of_a_mask() -> None:
    whole = Mask(encode(np.ones((10, 10), dtype=np.bool_)))
    assert "points" not in slicings(run([Made(whole)], evaluate_as="mask"))
    with pytest.raises(UsageError, match="points: it is known of no sample of made:all. There are: coverage,"):
        slicings_named(run([Made(whole)], evaluate_as="mask"), ["points"])


def test_parts_are_counted() -> None:
    def stripes(count: int) -> Mask:
        pixels = np.zeros((10, 10), dtype=np.bool_)
        pixels[:, : 2 * count : 2] = True
        return Mask(encode(pixels))

    samples = [Made(stripes(count)) for count in (1, 2, 3, 4, 5)]
    assert keys(samples, "parts", "mask") == {"1": [0], "2": [1], "3": [2], "4 and more": [3, 4]}


def test_rare_prefixes_are_one_slice_and_common_ones_their_own() -> None:
    samples = [Made(question="What is  this?")] * 5 + [Made(question="Why?")] * 4 + [Made(question="what IS that")]
    found = keys(samples, "question_prefix")
    assert found == {"what is": [0, 1, 2, 3, 4, 9], "(other)": [5, 6, 7, 8]}


def test_every_fact_parts_and_a_sample_may_be_in_several_slices() -> None:
    skills: list[Fact] = [("text", "object"), ("object",), ()]
    samples = [*(Made(facts={"skills": skill, "room": "hall"}) for skill in skills), Made()]
    assert keys(samples, "skills") == {"object": [0, 1], "text": [0]}
    assert keys(samples, "room") == {"hall": [0, 1, 2]}
    assert slicings(run(samples))["skills"].known == 3


def test_a_fact_with_very_many_values_parts_where_it_is_asked_for() -> None:
    made = run([Made(facts={"city": f"city {number}"}) for number in range(60)])
    assert "city" not in slicings(made)
    assert len(slicings_named(made, ["city"])["city"].groups) == 60


def test_a_fact_with_the_name_of_a_slicing_is_told_apart() -> None:
    made = run([Made(facts={"points": "far", "all": "x"})] * 5)
    found = slicings_named(made, ["points", "fact points"])
    assert [group.key for group in found["points"].groups] == ["4 or fewer"]
    assert [group.key for group in found["fact points"].groups] == ["far"]


def test_all_are_those_that_part_the_samples_into_slices_that_can_tell() -> None:
    two = [Made(covering(1), facts={"room": "hall", "floor": "1"})] * 5
    found = slicings_named(run([*two, *[Made(facts={"room": "bath", "floor": "1"})] * 5]), ["all"])
    assert list(found) == ["coverage", "coverage_bands", "whole_image", "room"]
    few = slicings_named(run([*two, *[Made(facts={"room": "bath"})] * 4]), ["all"])
    assert "room" not in few


def test_a_wrong_name_gets_the_right_one() -> None:
    made = run([Made(facts={"quality": "none"})])
    with pytest.raises(UsageError, match="slicing qualty: the samples are not parted by it. Did you mean quality?"):
        slicings_named(made, ["qualty"])


def test_rotated_is_told_of_the_photos_that_are_at_hand(tmp_path: Path) -> None:
    upright = FileImage(save_photo(tmp_path / "upright.jpg"))
    turned = tmp_path / "turned.jpg"
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    PIL.Image.new("RGB", (8, 6)).save(turned, exif=exif)
    gone = FileImage(tmp_path / "gone.jpg")
    samples = [Made(image=image) for image in (FileImage(turned), None, upright, gone, FileImage(turned))]
    assert keys(samples, "rotated") == {"upright": [2], "turned": [0, 4]}
    assert "rotated" not in slicings(run(samples))


def test_the_prediction_tells_the_size_where_the_data_set_does_not() -> None:
    samples = [Made(covering(3), known_size=False), Made(covering(3), known_size=False, predicted=None)]
    assert keys(samples, "coverage") == {"small": [0, 1]}


@pytest.mark.parametrize("stored", [1, 3, 6, 8])
def test_a_photo_in_a_row_tells_how_it_is_stored(stored: int) -> None:
    exif, file = PIL.Image.Exif(), io.BytesIO()
    exif[0x0112] = stored
    PIL.Image.new("RGB", (8, 6)).save(file, "JPEG", exif=exif)
    photo = EmbeddedImage("a.jpg", "row 1", file.getvalue)
    key = "upright" if stored == 1 else "turned"
    assert keys([Made(image=photo)], "rotated") == {key: [0]}
    assert photo.orientation == stored
