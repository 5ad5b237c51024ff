from __future__ import annotations

import json
from pathlib import Path

import pytest

from foveate.analysis.analyze import analyze_data
from foveate.analysis.near_duplicates import near_duplicates
from foveate.analysis.photo_work import Job, Settings, Work, look, photos_by_name, photos_of, pixels_of
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, OutputError, UnavailableError, UsageError
from foveate.sources._files import sha256_of
from foveate.sources.images import FileImage
from tests.helpers import save_photo, write


def size_of_photo(job: Job) -> list[int]:
    """Returns height and width, and notes beside the photo that it was looked at."""
    if isinstance(job.image, FileImage):
        with (job.image.path.parent / "looks.txt").open("a") as file:
            file.write(job.image.name + "\n")
    return list(pixels_of(job).shape[:2])


def die(job: Job) -> None:
    import os

    os._exit(1)


WORK = Work("sizes", "1", size_of_photo)


def jobs(folder: Path, count: int) -> dict[str, Job]:
    return {str(k): Job(FileImage(save_photo(folder / f"{k}.png", (8 + k, 9), (k, 0, 0)))) for k in range(count)}


def looked_at(folder: Path) -> list[str]:
    return sorted((folder / "looks.txt").read_text().split())


class Told:
    def __init__(self) -> None:
        self.said: list[tuple[str, int, int]] = []
        self.steps = 0

    def begin(self, what: str, total: int, done: int) -> None:
        self.said.append((what, total, done))

    def advance(self) -> None:
        self.steps += 1


def test_each_photo_is_looked_at_once(tmp_path: Path) -> None:
    settings, told = Settings(cache=tmp_path / "cache"), Told()
    first = look(jobs(tmp_path, 3), WORK, settings, "looking", told)
    again = look(jobs(tmp_path, 4), WORK, settings, "looking")
    assert first.made == {"0": [8, 9], "1": [9, 9], "2": [10, 9]}
    assert (first.kept, again.kept, again.made["3"]) == (0, 3, [11, 9])
    assert looked_at(tmp_path) == ["0.png", "1.png", "2.png", "3.png"]
    assert (told.said, told.steps) == ([("looking", 3, 0)], 3)


def test_several_processes_make_the_same(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"no photo")
    wanted = jobs(tmp_path, 5) | {"broken": Job(FileImage(tmp_path / "broken.png"))}
    alone = look(wanted, WORK, Settings(1, tmp_path / "one"), "looking")
    together = look(wanted, WORK, Settings(2, tmp_path / "two"), "looking")
    assert (together.made, together.unread) == (alone.made, alone.unread)
    assert list(together.made) == [str(k) for k in range(5)]
    kept = [sorted(path.name for path in (tmp_path / folder).rglob("*.json")) for folder in ("one", "two")]
    assert kept[0] == kept[1]


def test_another_version_looks_again_and_so_do_damaged_files(tmp_path: Path) -> None:
    settings = Settings(cache=tmp_path / "cache")
    look(jobs(tmp_path, 2), WORK, settings, "looking")
    assert look(jobs(tmp_path, 2), Work("sizes", "2", size_of_photo), settings, "looking").kept == 0
    for path in (tmp_path / "cache").rglob("*.json"):
        path.write_text(path.read_text()[:10])
    assert look(jobs(tmp_path, 2), WORK, settings, "looking").made == {"0": [8, 9], "1": [9, 9]}
    assert len(looked_at(tmp_path)) == 6


def test_what_a_kill_leaves_does_no_harm(tmp_path: Path) -> None:
    settings = Settings(cache=tmp_path / "cache")
    look(jobs(tmp_path, 1), WORK, settings, "looking")
    (kept,) = (tmp_path / "cache").rglob("*.json")
    (kept.parent / ".0123456789abcdef.part").write_text("{")
    assert look(jobs(tmp_path, 1), WORK, settings, "looking").kept == 1
    assert json.loads(kept.read_text()) == {"version": "1", "made": [8, 9]}


def test_a_photo_is_hashed_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []

    def counting(path: Path) -> str:
        hashed.append(path.name)
        return sha256_of(path)

    monkeypatch.setattr("foveate.analysis.photo_work.sha256_of", counting)
    settings, wanted = Settings(cache=tmp_path / "cache"), jobs(tmp_path, 2)
    first = look(wanted, WORK, settings, "looking")
    again = look(wanted, Work("other", "1", size_of_photo), settings, "looking again")
    near_duplicates({"a": {name: job.image for name, job in wanted.items()}}, settings)
    assert hashed == ["0.png", "1.png"]
    assert first.names == again.names == {key: sha256_of(tmp_path / f"{key}.png") for key in "01"}
    save_photo(tmp_path / "0.png", (20, 20))
    assert look(wanted, WORK, settings, "looking").made == {"0": [20, 20], "1": [9, 9]}
    assert hashed == ["0.png", "1.png", "0.png"]


def test_a_renamed_photo_is_known_by_its_bytes(tmp_path: Path) -> None:
    settings = Settings(cache=tmp_path / "cache")
    look(jobs(tmp_path, 1), WORK, settings, "looking")
    (tmp_path / "0.png").rename(tmp_path / "new.png")
    assert look({"x": Job(FileImage(tmp_path / "new.png"))}, WORK, settings, "looking").kept == 1


def test_a_part_of_a_photo_is_kept_apart(tmp_path: Path) -> None:
    image = FileImage(save_photo(tmp_path / "0.png", (8, 9)))
    wanted = {"whole": Job(image), "part": Job(image, (1, 2, 4, 8))}
    assert look(wanted, WORK, Settings(cache=tmp_path / "cache"), "looking").made == {"whole": [8, 9], "part": [6, 3]}


def test_a_process_that_ends_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="Run it again, with fewer --workers; what is done is kept"):
        look(jobs(tmp_path, 2), Work("dies", "1", die), Settings(2, tmp_path / "cache"), "looking")


def test_places_that_cannot_be_written_and_no_workers_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="Choose another --cache"):
        look(jobs(tmp_path, 1), WORK, Settings(cache=tmp_path / "file"), "looking")
    with pytest.raises(UsageError, match="0 is not at least 1"):
        Settings(workers=0)


def test_an_absent_photo_is_told(tmp_path: Path) -> None:
    looked = look({"x": Job(FileImage(tmp_path / "x.png"))}, WORK, Settings(cache=tmp_path), "looking")
    assert "x.png" in looked.unread["x"]
    with pytest.raises(InputError):
        pixels_of(Job(FileImage(tmp_path / "x.png")))


@pytest.mark.parametrize("heights", [(48, 50, 48), (50, 48, 48), (48, 48, 50)])
def test_a_photo_whose_samples_state_two_sizes_is_not_used_whichever_comes_first(
    tmp_path: Path, heights: tuple[int, ...]
) -> None:
    save_photo(tmp_path / "a.png")
    save_photo(tmp_path / "b.png")
    told = {"question": "Q?", "width": 64, "targets": [{"box": [0, 0, 9, 9]}]}
    rows = [told | {"image": "a.png", "height": height} for height in heights] + [
        told | {"image": "b.png", "height": 48}
    ]
    data = open_dataset(str(write(tmp_path / "s.jsonl", "\n".join(map(json.dumps, rows)))))
    jobs, unusable = photos_of(analyze_data(data).columns, photos_by_name(data))
    assert list(jobs) == ["b.png"]
    assert list(unusable) == ["a.png"]
    assert "48" in unusable["a.png"]
    assert "50" in unusable["a.png"]
