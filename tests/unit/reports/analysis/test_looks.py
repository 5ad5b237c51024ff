from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from foveate.core.masks import box_to_rle
from foveate.core.regions import Box
from foveate.core.truths import Target
from foveate.formats.prior_npz import read_prior
from foveate.perception.text_lines import text_line
from foveate.reports.analysis import looks as module
from foveate.reports.analysis.looks import Wanted, looks
from foveate.reports.analysis.looks_pictures import heat, outlined
from foveate.reports.analysis.looks_shares import mean_of
from foveate.reports.sections.parts import Album, Figure, Section, Table
from foveate.sources.images import FileImage
from tests.helpers import save_photo
from tests.unit.analysis.looked import Sample, analysed, dataset

SIZE = (48, 64)


def wanted(tmp_path: Path, *, prior: bool = True) -> Wanted:
    out = tmp_path / "prior.npz" if prior else None
    return Wanted(True, True, True, True, out, cache=tmp_path / "cache")


def made(folder: Path, count: int = 6, photos: bool = True) -> list[Sample]:
    """Returns samples with two annotators each, and patterned photos unless there are none."""
    samples = []
    for k in range(count):
        image = None
        if photos:
            pixels = np.random.default_rng(k).integers(0, 256, (*SIZE, 3), dtype=np.uint8)
            folder.mkdir(parents=True, exist_ok=True)
            PIL.Image.fromarray(pixels).save(folder / f"p{k}.png")
            image = FileImage(folder / f"p{k}.png")
        targets = [Target(Box((0, 0, 32, 48)), "cup", "a"), Target(Box((0, 0, 32, 24 + 4 * k)), "cup", "b")]
        samples.append(Sample(targets, photo=f"p{k}.png", image=image, facts={"skills": ["text", "colour"][k % 2 :]}))
    return samples


def sections(samples: list[Sample], tmp_path: Path, prior: bool = True) -> dict[str, Section]:
    data, analysis = dataset(samples, SIZE), analysed(samples, SIZE)
    return {section.key: section for section in looks(data, analysis, wanted(tmp_path, prior=prior))}


def test_all_chapters_with_photos(tmp_path: Path) -> None:
    found = sections(made(tmp_path), tmp_path)
    assert list(found) == ["text", "mean_images", "galleries", "agreement", "near_duplicates", "priors"]
    names = [part.name for section in found.values() for part in section.parts]
    assert len(set(names)) == len(names)
    assert {"text_in_evidence", "mean_images_answer", "agreement", "priors_alone"} <= set(names)
    for section in found.values():
        for part in section.parts:
            assert part.about
            if isinstance(part, Table):
                assert {len(row) for row in part.rows} <= {len(part.head)}
            if isinstance(part, Album):
                assert all(photo.image[:2] == b"\xff\xd8" and photo.about for photo in part.photos)
            if isinstance(part, Figure):
                assert part.svg.startswith("<svg")


def test_without_photos_each_chapter_is_one_sentence(tmp_path: Path) -> None:
    found = sections(made(tmp_path, photos=False), tmp_path)
    for key in ("text", "mean_images", "galleries", "near_duplicates"):
        assert found[key].parts == ()
        assert "is here" in found[key].lead
    assert found["priors"].parts


def test_without_a_target_nothing_crashes(tmp_path: Path) -> None:
    found = sections([Sample([], photo="p.png"), Sample([], photo="q.png")], tmp_path)
    assert list(found) == ["text", "mean_images", "galleries", "near_duplicates", "priors"]
    assert found["priors"].lead == "No sample of made:all has a target, so that there is no prior."
    assert not (tmp_path / "prior.npz").exists()


def test_the_same_data_give_the_same_chapters(tmp_path: Path) -> None:
    assert sections(made(tmp_path), tmp_path) == sections(made(tmp_path), tmp_path)


def test_the_agreement_is_told_in_numbers(tmp_path: Path) -> None:
    # IoU of b with a: (24 + 4 k) / 48.
    section = sections(made(tmp_path, photos=False), tmp_path, prior=False)["agreement"]
    values = [(24 + 4 * k) / 48 for k in range(6)]
    assert f"6 pairs of annotations of 6 samples: mean IoU {np.mean(values):.3f}" in section.lead
    table = section.parts[1]
    assert isinstance(table, Table)
    assert [row[1] for row in table.rows] == [0, 0, 2, 2, 2]
    assert [row[3] for row in table.rows] == [10.0, None, None, 20.0, 60.0]


def test_the_prior_is_written_and_its_table_is_that_of_the_data(tmp_path: Path) -> None:
    section = sections(made(tmp_path, photos=False), tmp_path)["priors"]
    prior = read_prior(tmp_path / "prior.npz")
    assert (prior.n, prior.mean.shape) == (6, (64, 64))
    table = section.parts[0]
    assert isinstance(table, Table)
    # Every target is the left half, whatever its prior goes by.
    by_name = {row[0]: row for row in table.rows}
    assert by_name["whole image"][2] == 0.5
    assert [by_name[name][2] for name in ("all samples", "question", "vision skill")] == [1.0, 1.0, 1.0]
    assert by_name["question"][8] == 6
    assert "whole image has a mean IoU of 0.500" in section.lead


def test_the_text_table_has_the_published_figures_beside_and_says_they_do_not_compare(tmp_path: Path) -> None:
    section = sections(made(tmp_path), tmp_path, prior=False)["text"]
    assert "not comparable" in section.lead
    table = section.parts[0]
    assert isinstance(table, Table)
    assert [row[7] for row in table.rows[:3]] == [52.0, None, 7.0]


def test_photos_without_a_target_have_their_own_table_and_sentence(tmp_path: Path) -> None:
    samples = made(tmp_path)
    samples[0].targets = samples[1].targets = ()
    save_photo(tmp_path / "p9.png", SIZE)
    section = sections(samples, tmp_path, prior=False)["text"]
    assert [part.name for part in section.parts][:2] == ["text_in_evidence", "text_elsewhere"]
    table = section.parts[1]
    assert isinstance(table, Table)
    assert [(row[0], row[1], row[2]) for row in table.rows if row[0] == "the photo has text"] == [
        ("the photo has text", "samples without a target", 2),
        ("the photo has text", "photos that no sample names", 1),
    ]
    assert "Of 2 samples without a target, 0 (0 %) have text in the photo." in section.lead
    assert "Of 1 photo that no sample names, 0 (0 %) have text in the photo." in section.lead
    assert "of the 4 samples" not in section.lead


def test_near_duplicates_of_other_data_sets_are_shown(tmp_path: Path) -> None:
    ours, theirs = made(tmp_path / "ours"), made(tmp_path / "theirs", 3)
    analysis = analysed(ours, SIZE)
    only = Wanted(False, False, True, False, None, agreement=False, cache=tmp_path / "cache")
    (section,) = looks(dataset(ours, SIZE), analysis, only, [dataset(theirs, SIZE)])
    assert (
        section.lead
        == "6 of 9 photos here are in 3 groups of the same photo, 3 of them with photos of several data sets."
    )
    counts, _, groups, album = section.parts
    assert isinstance(counts, Table)
    assert counts.rows == [["made:all", "made:all (2)", 3, 0, 0]]
    assert isinstance(groups, Table)
    assert groups.rows[:2] == [[1, "made:all", "p0.png"], [1, "made:all (2)", "p0.png"]]
    assert isinstance(album, Album)
    assert len(album.photos) == 3


def test_what_is_not_wanted_is_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(data: object) -> dict[str, None]:
        raise AssertionError("photos were looked up")

    monkeypatch.setattr(module, "_photos", never)
    samples = made(tmp_path, photos=False)
    nothing = Wanted(False, False, False, False, None)
    found = looks(dataset(samples, SIZE), analysed(samples, SIZE), nothing)
    assert [section.key for section in found] == ["agreement"]


def test_an_interval_says_nothing_of_equal_values_or_one_photo() -> None:
    of = np.ones(3, dtype=bool)
    assert mean_of(np.array([1.0, 1.0, 1.0]), of, ["a", "b", "c"]).low is None
    assert mean_of(np.array([1.0, 0.0, 1.0]), of, ["a", "a", "a"]).low is None
    share = mean_of(np.array([1.0, 0.0, 1.0]), of, ["a", "b", "c"])
    assert (share.n, share.low, share.high) == (3, 0.0, 1.0)
    assert share.value == pytest.approx(2 / 3)
    assert mean_of(np.array([1.0]), np.zeros(1, dtype=bool), ["a"]).value is None


def test_a_target_and_a_line_are_outlined_on_a_small_photo(tmp_path: Path) -> None:
    pixels = np.zeros((480, 640, 3), dtype=np.uint8)
    quad = np.array([[400, 40], [600, 40], [600, 90], [400, 90]], dtype=np.float64)
    line = text_line("word", 1.0, quad, (480, 640))
    assert line
    (tmp_path / "shown.jpg").write_bytes(outlined(pixels, box_to_rle((40, 40, 200, 300), (480, 640)), [line]))
    shown = np.asarray(PIL.Image.open(tmp_path / "shown.jpg"), dtype=np.int64)
    assert shown.shape == (240, 320, 3)
    blue = (shown[..., 2] > 150) & (shown[..., 0] < 130)
    yellow = (shown[..., 0] > 180) & (shown[..., 2] < 130)
    assert blue[:, :110].any()
    assert not blue[:, 110:].any()
    assert yellow[:50, 190:].any()
    assert not yellow[:, :190].any()


def test_heat_goes_from_dark_to_yellow() -> None:
    shown = np.asarray(heat(np.array([[0.0, 1.0]]), (10, 20)))
    assert shown[0, 0].tolist() == pytest.approx([68, 1, 84], abs=3)
    assert shown[0, -1].tolist() == pytest.approx([253, 231, 37], abs=3)


def test_a_broken_photo_is_counted_in_every_chapter(tmp_path: Path) -> None:
    samples = made(tmp_path)
    (tmp_path / "p0.png").write_bytes(b"no photo")
    found = sections(samples, tmp_path, prior=False)
    for key in ("text", "mean_images", "galleries", "near_duplicates"):
        assert "1 photo could not be used, the first: " in found[key].lead
    assert f"f {len(samples) - 1} photos here" in found["near_duplicates"].lead


def test_a_black_photo_is_told(tmp_path: Path) -> None:
    samples = made(tmp_path, 2)
    save_photo(tmp_path / "p0.png", SIZE, (0, 0, 0))
    assert "1 photo without contrast" in sections(samples, tmp_path, prior=False)["near_duplicates"].lead
