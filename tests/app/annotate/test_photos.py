"""Photos as people draw on them: upright, right, in the size of their geometry, of every kind of file."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from django.test import Client
from numpy.typing import NDArray

from foveate.annotation.origin import Origin, photo_finder
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project, Task
from foveate.app.annotate.services import finding, photos
from foveate.app.refused import RefusedError
from tests.app.annotate.making import Api, all_at_once, annotators, content_of, make_project
from tests.app.conftest import signed_in

pytestmark = pytest.mark.django_db

Pixels = NDArray[np.uint8]


def scene(height: int, width: int) -> Pixels:
    """A photo that is unlike each of its turns: waves of its own in each channel, over a slope."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    channels = [
        127 + 80 * np.sin(x / 17 + c) * np.cos(y / (23 + 5 * c)) + 40 * (x / width - y / height) for c in range(3)
    ]
    pixels: Pixels = np.clip(np.stack(channels, axis=2), 0, 255).astype(np.uint8)
    return pixels


def with_orientation(pixels: Pixels, turn: int) -> bytes:
    """The bytes of a JPEG that is stored in the given orientation; its EXIF says how it is made upright."""
    # What each orientation stores of an upright photo (EXIF 2.3: where the stored row 0 and column 0 are).
    stored = {
        1: pixels,
        2: pixels[:, ::-1],
        3: pixels[::-1, ::-1],
        4: pixels[::-1],
        5: pixels.transpose(1, 0, 2),
        6: pixels.transpose(1, 0, 2)[::-1],
        7: pixels.transpose(1, 0, 2)[::-1, ::-1],
        8: pixels.transpose(1, 0, 2)[:, ::-1],
    }[turn]
    image = PIL.Image.fromarray(np.ascontiguousarray(stored))
    exif = image.getexif()
    exif[0x0112] = turn
    exif[0x010F] = "a maker that nobody need know"
    out = io.BytesIO()
    image.save(out, "JPEG", quality=98, subsampling=0, exif=exif)
    return out.getvalue()


def task_of(organiser: User, folder: Path, name: str, size_hw: tuple[int, int]) -> Task:
    (folder / "questions.csv").write_text(f"image,question\n{name},What is this?\n")
    project = make_project(organiser, tasks=1)
    Project.objects.filter(pk=project.pk).update(dataset="folder", root=str(folder))
    Task.objects.filter(project=project).update(image_name=name, height=size_hw[0], width=size_hw[1])
    return Task.objects.select_related("project").get(project=project)


def shown(client: Client, task: Task) -> Pixels:
    """What a browser shows: the address that the API tells, decoded; without turning it by any EXIF."""
    told = Api(client).lend(task.project.slug).json()["task"]
    answer = client.get(told["photo"]["url"])
    assert answer.status_code == 200
    with PIL.Image.open(io.BytesIO(content_of(answer))) as image:
        assert image.mode == "RGB"
        assert not image.getexif()
        return np.asarray(image)


def far(one: Pixels, two: Pixels) -> float:
    assert one.shape == two.shape
    return float(np.abs(one.astype(int) - two.astype(int)).max())


@pytest.fixture
def client_of_one() -> Client:
    return signed_in(annotators(1)[0])


@pytest.mark.parametrize("turn", range(1, 9))
def test_each_exif_orientation_is_shown_upright(
    organiser: User, client_of_one: Client, tmp_path: Path, turn: int
) -> None:
    upright = scene(40, 70)
    (tmp_path / "a.jpg").write_bytes(with_orientation(upright, turn))
    task = task_of(organiser, tmp_path, "a.jpg", (40, 70))
    assert far(shown(client_of_one, task), upright) <= 12


def saved(image: PIL.Image.Image, path: Path, **options: Any) -> None:
    image.save(path, **options)


def grey(path: Path) -> Pixels:
    pixels = scene(30, 50)[:, :, 0]
    saved(PIL.Image.fromarray(pixels), path)
    return np.repeat(pixels[:, :, None], 3, axis=2)


def deep_grey(path: Path) -> Pixels:
    pixels = (scene(30, 50)[:, :, 0].astype(np.uint16) << 8) + 77
    saved(PIL.Image.fromarray(pixels), path)
    return np.repeat((pixels >> 8).astype(np.uint8)[:, :, None], 3, axis=2)


def transparent(path: Path) -> Pixels:
    pixels = scene(30, 50)
    alpha = np.zeros((30, 50, 1), np.uint8)
    alpha[:, 25:] = 255
    saved(PIL.Image.fromarray(np.concatenate([pixels, alpha], axis=2)), path)
    pixels[:, :25] = 255
    return pixels


def cmyk(path: Path) -> Pixels:
    # Of CMYK without a profile, red is what is not cyan, times what is not black.
    inks = np.zeros((30, 50, 4), np.uint8)
    inks[:, :25, 0], inks[:, 25:, 3] = 255, 255
    PIL.Image.frombytes("CMYK", (50, 30), inks.tobytes()).save(path, quality=100)
    expected = np.zeros((30, 50, 3), np.uint8)
    expected[:, :25] = (0, 255, 255)
    return expected


def palette(path: Path) -> Pixels:
    image = PIL.Image.fromarray(scene(30, 50)).quantize(16)
    saved(image, path)
    return np.asarray(image.convert("RGB"))


@pytest.mark.parametrize(
    ("name", "make", "tolerance"),
    [
        ("grey.png", grey, 0),
        ("deep.png", deep_grey, 0),
        ("clear.png", transparent, 0),
        ("print.jpg", cmyk, 3),
        ("few.gif", palette, 0),
    ],
)
def test_every_kind_of_file_is_shown_right(
    organiser: User, client_of_one: Client, tmp_path: Path, name: str, make: Callable[[Path], Pixels], tolerance: int
) -> None:
    expected = make(tmp_path / name)
    task = task_of(organiser, tmp_path, name, (30, 50))
    pixels = shown(client_of_one, task)
    if name == "print.jpg":  # Where JPEG's blocks meet the edge of the inks, they run.
        pixels, expected = np.delete(pixels, range(15, 35), axis=1), np.delete(expected, range(15, 35), axis=1)
    assert far(pixels, expected) <= tolerance


@pytest.mark.parametrize("size_hw", [(1, 1), (1, 8), (8, 1), (3, 5)])
def test_the_smallest_photos_are_shown_pixel_for_pixel(
    organiser: User, client_of_one: Client, tmp_path: Path, size_hw: tuple[int, int]
) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (*size_hw, 3), dtype=np.uint8)
    saved(PIL.Image.fromarray(pixels), tmp_path / "a.png")
    assert far(shown(client_of_one, task_of(organiser, tmp_path, "a.png", size_hw)), pixels) == 0


def test_a_photo_in_a_row_of_parquet_is_shown(organiser: User, client_of_one: Client, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    upright = scene(40, 70)
    image = {"bytes": with_orientation(upright, 6), "path": "a.jpg"}
    table = arrow.table({"id": ["one"], "image": [image], "question": ["What is this?"], "answer": ["waves"]})
    parquet.write_table(table, tmp_path / "samples.parquet")
    file = tmp_path / "samples.parquet"
    name = next(q.image_name for q in _queries(file))
    project = make_project(organiser, tasks=1)
    Project.objects.filter(pk=project.pk).update(dataset=str(file), root="")
    Task.objects.update(image_name=name, height=40, width=70)
    assert far(shown(client_of_one, Task.objects.select_related("project").get()), upright) <= 12


def _queries(file: Path) -> list[Any]:
    from foveate.datasets._open import open_dataset

    return list(open_dataset(str(file)).queries())


def test_a_photo_of_twenty_megapixels_is_shown_in_tiles(organiser: User, client_of_one: Client, tmp_path: Path) -> None:
    height, width = 3_648, 5_472
    upright = scene(height, width)
    upright[1_000:1_003, 2_000:2_003] = (255, 0, 0)
    (tmp_path / "a.jpg").write_bytes(with_orientation(upright, 8))
    task = task_of(organiser, tmp_path, "a.jpg", (height, width))
    photo = Api(client_of_one).lend(task.project.slug).json()["task"]["photo"]
    tiles = photo["tiles"]
    assert (tiles["size"], tiles["levels"]) == (512, 5)
    with PIL.Image.open(tmp_path / "a.jpg") as stored:
        # The file's own pixels, turned by hand: what orientation 8 means.
        reference = np.rot90(np.asarray(stored), 1)
    whole = np.zeros_like(reference)
    for row in range(8):
        for column in range(11):
            data = content_of(client_of_one.get(f"{tiles['url']}4/{column}_{row}"))
            with PIL.Image.open(io.BytesIO(data)) as tile:
                y, x = row * 512, column * 512
                part = whole[y : y + tile.height, x : x + tile.width]
                part[:] = np.asarray(tile)
    difference = np.abs(whole.astype(np.int16) - reference.astype(np.int16)).max(axis=2)
    assert difference.max() <= 20
    assert whole[1_001, 2_001, 0] > 200
    assert whole[1_001, 2_001, 1] < 80
    smallest = content_of(client_of_one.get(f"{tiles['url']}0/0_0"))
    with PIL.Image.open(io.BytesIO(smallest)) as tile:
        assert tile.size == (342, 228)
    for wrong in ("5/0_0", "4/11_0", "4/0_8", "0/1_0"):
        assert client_of_one.get(tiles["url"] + wrong).status_code == 404
    with PIL.Image.open(io.BytesIO(content_of(client_of_one.get(photo["url"])))) as full:
        assert full.size == (width, height)


def test_a_small_photo_has_no_tiles(organiser: User, client_of_one: Client, tmp_path: Path) -> None:
    saved(PIL.Image.fromarray(scene(30, 50)), tmp_path / "a.png")
    task = task_of(organiser, tmp_path, "a.png", (30, 50))
    url = Api(client_of_one).lend(task.project.slug).json()["task"]["photo"]["url"]
    assert client_of_one.get(url.removesuffix("full") + "tiles/0/0_0").status_code == 404


def test_a_browser_keeps_a_photo_and_nobody_between_does(
    organiser: User, client_of_one: Client, tmp_path: Path
) -> None:
    saved(PIL.Image.fromarray(scene(30, 50)), tmp_path / "a.png")
    task = task_of(organiser, tmp_path, "a.png", (30, 50))
    url = photos.address(task, "thumb")
    first = client_of_one.get(url)
    content_of(first)
    assert first.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    again = client_of_one.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client_of_one.head(url).status_code == 200
    # Another project under the same number, after a restored backup for instance, has other addresses.
    Project.objects.filter(pk=task.project_id).update(fingerprint="another")
    assert client_of_one.get(url).status_code == 404


def test_a_photo_that_has_changed_its_size_is_told(organiser: User, client_of_one: Client, tmp_path: Path) -> None:
    saved(PIL.Image.fromarray(scene(30, 50)), tmp_path / "a.png")
    task = task_of(organiser, tmp_path, "a.png", (30, 50))
    content_of(client_of_one.get(photos.address(task, "full")))
    saved(PIL.Image.fromarray(scene(50, 30)), tmp_path / "a.png")
    answer = client_of_one.get(photos.address(task, "full"))
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "0.png" in page
    assert "30 x 50" in page
    assert "50 x 30" in page


def test_a_photo_written_anew_in_its_size_is_shown_anew(organiser: User, client_of_one: Client, tmp_path: Path) -> None:
    saved(PIL.Image.fromarray(scene(30, 50)), tmp_path / "a.png")
    task = task_of(organiser, tmp_path, "a.png", (30, 50))
    content_of(client_of_one.get(photos.address(task, "full")))
    saved(PIL.Image.fromarray(np.full((30, 50, 3), 9, np.uint8)), tmp_path / "a.png")
    os.utime(tmp_path / "a.png", ns=(1, 1))
    assert shown(client_of_one, task).max() == 9


def test_a_photo_or_folder_that_is_gone_is_told_and_found_again(
    organiser: User, client_of_one: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    saved(PIL.Image.fromarray(scene(30, 50)), folder / "a.png")
    task = task_of(organiser, folder, "a.png", (30, 50))
    (folder / "a.png").rename(tmp_path / "a.png")
    with pytest.raises(RefusedError, match="photo_missing"):
        photos.rendering(task, "full")
    (tmp_path / "a.png").rename(folder / "a.png")
    monkeypatch.setattr(finding, "_PATIENCE", 0.0)
    assert photos.rendering(task, "full").is_file()
    shutil.move(folder, tmp_path / "away")
    answer = client_of_one.get(photos.address(task, "thumb"))
    assert answer.status_code in (404, 503)
    assert str(tmp_path) not in answer.content.decode()


def test_a_damaged_photo_is_told_without_the_servers_folders(
    organiser: User, client_of_one: Client, tmp_path: Path
) -> None:
    saved(PIL.Image.fromarray(scene(30, 50)), tmp_path / "a.png")
    data = (tmp_path / "a.png").read_bytes()
    (tmp_path / "a.png").write_bytes(data[: len(data) // 2])
    task = task_of(organiser, tmp_path, "a.png", (30, 50))
    answer = client_of_one.get(photos.address(task, "full"))
    assert answer.status_code == 422
    assert "cut off or damaged" in answer.content.decode()
    assert str(tmp_path) not in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_rendering_that_many_ask_for_is_made_once_and_a_data_set_is_read_once(
    organiser: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(PIL.Image.fromarray(scene(300, 500)), tmp_path / "a.png")
    task = task_of(organiser, tmp_path, "a.png", (300, 500))
    made: list[int] = []
    read: list[Origin] = []

    def write(pixels: Pixels) -> bytes:
        made.append(1)
        return b"\x89PNG"

    def find(origin: Origin) -> Any:
        read.append(origin)
        return photo_finder(origin)

    monkeypatch.setattr(photos, "encoded", write)
    monkeypatch.setattr(finding, "photo_finder", find)
    paths = all_at_once([partial(photos.rendering, task, "full")] * 12)
    assert len(set(paths)) == 1
    assert (len(made), len(read)) == (1, 1)
    files, size = photos.views_size()
    assert files >= 1
    assert size >= 4
    # All of it can be deleted at any time.
    shutil.rmtree(photos.views_folder())
    assert photos.rendering(task, "full").is_file()
