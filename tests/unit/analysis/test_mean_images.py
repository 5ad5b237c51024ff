from __future__ import annotations

from pathlib import Path

import numpy as np

from foveate.analysis.mean_images import FRAME_HW, MeanImages, in_frame, mean_images
from foveate.analysis.photo_work import Settings
from foveate.core.masks import box_to_rle
from foveate.core.regions import Box
from foveate.core.truths import Target
from foveate.sources.images import FileImage
from tests.helpers import save_photo
from tests.unit.analysis.looked import Sample, analysed, dataset

SIZE = (48, 64)


def samples_of(folder: Path, count: int, answer: str = "cup") -> list[Sample]:
    return [
        Sample(
            [Target(Box((0, 0, 32, 48) if k % 2 else (0, 0, 64, 48)))],
            answer=answer,
            photo=f"{answer}{k}.png",
            image=FileImage(save_photo(folder / f"{answer}{k}.png", SIZE, (10 * k, 0, 200))),
        )
        for k in range(count)
    ]


def found(samples: list[Sample], cache: Path, least: int = 4) -> MeanImages:
    images = {one.photo: one.image for one in samples}
    data, analysis = dataset(samples, SIZE), analysed(samples, SIZE)
    return mean_images(data, analysis, images, Settings(cache=cache), by=("answer",), least=least)


def test_the_mean_is_that_of_photos_and_of_targets(tmp_path: Path) -> None:
    (mean,) = found(samples_of(tmp_path, 4), tmp_path / "cache").images
    assert (mean.grouping, mean.key, mean.n, mean.of) == ("answer", "cup", 4, 4)
    assert mean.photo.shape == (*FRAME_HW, 3)
    assert (mean.photo == (15, 0, 200)).all()
    np.testing.assert_allclose(mean.mask[:, : FRAME_HW[1] // 2 - 2], 1.0)
    np.testing.assert_allclose(mean.mask[:, FRAME_HW[1] // 2 + 2 :], 0.5)


def test_groups_with_few_photos_are_counted(tmp_path: Path) -> None:
    samples = samples_of(tmp_path, 4) + samples_of(tmp_path, 3, "mug")
    result = found(samples, tmp_path / "cache")
    assert ([mean.key for mean in result.images], result.few, result.photos) == (["cup"], 1, 7)


def test_a_broken_photo_is_left_out_and_named(tmp_path: Path) -> None:
    samples = samples_of(tmp_path, 5)
    whole = (tmp_path / "cup0.png").read_bytes()
    (tmp_path / "cup0.png").write_bytes(whole[:-30])
    result = found(samples, tmp_path / "cache")
    assert (result.images[0].n, result.images[0].of, list(result.unread)) == (4, 5, ["cup0.png"])
    assert (result.images[0].photo == (25, 0, 200)).all()


def test_a_region_in_the_frame_keeps_its_place() -> None:
    frame = in_frame(box_to_rle((100, 0, 400, 150), (300, 400)))
    assert frame[: FRAME_HW[0] // 2, FRAME_HW[1] // 4 :].all()
    assert frame.mean() == 0.375
