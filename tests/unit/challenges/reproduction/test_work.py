"""The job of an entry that is a program, from a pack to an answer."""

from __future__ import annotations

import dataclasses
import json
import stat
from pathlib import Path
from typing import Any

import pytest

from foveate.challenges.definition import DataReference, Reproduction
from foveate.challenges.pack import Pack, write_pack
from foveate.challenges.reproduction.engines import best_here, engine_named
from foveate.challenges.reproduction.inputs import write_inputs
from foveate.challenges.reproduction.outcome import Log
from foveate.challenges.reproduction.work import reproduce_entry, withheld
from foveate.challenges.said import to_said
from foveate.datasets import toloka_vqa
from foveate.errors import InputError, UnavailableError, UsageError
from tests.unit.challenges.reproduction.conftest import LIMITS, Fake


@pytest.fixture
def data(tmp_path: Path) -> Path:
    toloka_vqa.write_tiny(tmp_path / "data")
    (tmp_path / "data" / "images" / "another.jpg").write_bytes(b"not asked about")
    return tmp_path / "data"


@pytest.fixture
def pack(tmp_path: Path, data: Path) -> Pack:
    return write_pack(DataReference("toloka_vqa:test_private", data), tmp_path / "packs")


def task(tmp_path: Path, pack: Pack, data: Path, **more: Any) -> dict[str, Any]:
    return {
        "pack": str(pack.folder),
        "reproduction": to_said(LIMITS),
        "scratch": str(tmp_path / "scratch"),
        "container": "team/model:1",
        "file": str(tmp_path),
        "images": str(data / "images"),
        "engine": "docker",
        "work": "entry-3",
        "log": str(tmp_path / "logs" / "3.log"),
        **more,
    }


def test_a_container_answers(tmp_path: Path, pack: Pack, data: Path, fake: Fake) -> None:
    told: list[tuple[str, float, str]] = []
    answer = reproduce_entry(task(tmp_path, pack, data), lambda *said: told.append((said + (0.0, ""))[:3]))
    assert isinstance(answer, Path)
    # The engine that plays gives back what it was given: the questions, without their targets.
    lines = answer.read_text().splitlines()
    assert lines[0] == "image,width,height,question"
    assert len(lines) == 1 + pack.n
    log = tmp_path / "logs" / "3.log"
    assert log.read_text().endswith("3 photos\n")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert [stage for stage, _, _ in told] == ["running"] * 3
    assert "foveate.work=entry-3" in fake.said("run")[0]


def test_whose_fault_it_is(tmp_path: Path, pack: Pack, data: Path, fake: Fake) -> None:
    def given(**more: Any) -> object:
        scratch = tmp_path / f"scratch {len(list(tmp_path.iterdir()))}"
        scratch.mkdir()
        return reproduce_entry(task(tmp_path, pack, data, scratch=str(scratch), **more), lambda *_: None)

    fake.plays(code=3)
    assert given() == {"failed": "it ended with the exit code 3."}
    assert "reading" in (tmp_path / "logs" / "3.log").read_text()
    assert given(container="--privileged")["failed"].startswith("the image: '--privileged' is not")  # type: ignore[index]
    fake.plays(code=125, inspect={"says": "false 0001-01-01T00:00:00Z"})
    with pytest.raises(UnavailableError, match="the engine failed"):
        given()
    with pytest.raises(UnavailableError, match="no folder is known"):
        given(images="")
    with pytest.raises(UsageError, match="Did you mean docker"):
        given(engine="dockr")
    fake.plays(version={"code": 1, "says": "no daemon"})
    with pytest.raises(UnavailableError, match=r"docker does not answer \(no daemon\)"):
        given()


def test_only_what_a_question_names_is_handed_in(tmp_path: Path, pack: Pack, data: Path) -> None:
    into = tmp_path / "into"
    into.mkdir()
    (data / "images").chmod(0o700)
    questions, images = write_inputs(pack.queries, data, Reproduction(), into)
    assert sorted(path.name for path in images.iterdir()) == sorted(query.image_name for query in pack.queries)
    assert all(path.stat().st_mode & 0o004 for path in [questions, images, *images.iterdir()])
    header = questions.read_text().splitlines()[0]
    assert not {"left", "top", "right", "bottom"} & set(header.split(","))


def test_two_photos_of_one_name_in_two_folders_stay_two(tmp_path: Path, pack: Pack) -> None:
    photos, into = tmp_path / "photos", tmp_path / "into"
    for name in ("a", "b"):
        (photos / name).mkdir(parents=True)
        (photos / name / "x.jpg").write_text(name)
        (photos / name / "x.jpg").chmod(0o600)
    into.mkdir()
    queries = [dataclasses.replace(pack.queries[0], id=name, image_name=f"{name}/x.jpg") for name in ("a", "b")]
    limits = dataclasses.replace(LIMITS, questions="/in/questions.jsonl")
    questions, images = write_inputs(queries, photos, limits, into)
    assert [(images / name / "x.jpg").read_text() for name in ("a", "b")] == ["a", "b"]
    assert [json.loads(line)["image"] for line in questions.read_text().splitlines()] == ["a/x.jpg", "b/x.jpg"]
    # The copy may be read by all, the photo itself stays as it was.
    assert stat.S_IMODE((images / "a" / "x.jpg").stat().st_mode) == 0o644
    assert stat.S_IMODE((photos / "a" / "x.jpg").stat().st_mode) == 0o600


def test_photos_that_are_not_there_are_named(tmp_path: Path, pack: Pack, data: Path) -> None:
    gone = pack.queries[1].image_name
    (data / "images" / gone).unlink()
    (tmp_path / "into").mkdir()
    with pytest.raises(UnavailableError, match=f"1 photos are not there: {gone}"):
        write_inputs(pack.queries, data, LIMITS, tmp_path / "into")
    with pytest.raises(InputError):
        write_inputs(pack.queries, tmp_path / "nowhere", LIMITS, tmp_path / "into")
    with pytest.raises(UsageError, match="no form '.xml'"):
        write_inputs(pack.queries, data, dataclasses.replace(LIMITS, questions="/q.xml"), tmp_path / "into")


def test_a_bad_answer_tells_the_team_nothing_that_the_program_chose(tmp_path: Path) -> None:
    secret = "what is on the private photo?"
    problems = [{"file": "answer.csv", "row": "3", "got": secret, "said": f"row 3: {secret}", "remedy": "Write a box."}]
    log = tmp_path / "3.log"
    log.write_text("what it printed\n")
    answer = withheld({"log": str(log)}, {"problems": problems, "problem_count": 17})
    assert secret not in json.dumps(answer)
    assert answer["problem_count"] == len(answer["problems"]) == 1
    assert log.read_text().startswith("what it printed\n")
    assert secret in log.read_text()
    assert withheld({}, {"scores": {}}) == {"scores": {}}


def test_the_first_engine_that_works_is_taken(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    assert best_here() == "docker"
    (fake.folder / "docker").write_text("#!/bin/sh\nexit 1\n")
    assert best_here() == "podman"
    monkeypatch.setenv("PATH", "/nowhere")
    assert best_here() == "process"
    with pytest.raises(UsageError):
        engine_named("")


@pytest.mark.parametrize("sizes", [[1] * 300_000, [300_000], [70_000, 200_000, 50_000], [65_536, 196_608], [10]])
def test_a_log_keeps_both_ends(sizes: list[int]) -> None:
    log, printed = Log(), b"".join(bytes([97 + n % 26]) * size for n, size in enumerate(sizes))
    at = 0
    for size in sizes:
        log.add(printed[at : at + size])
        at += size
    first, last = printed[: 64 * 1024], printed[64 * 1024 :][-192 * 1024 :]
    dropped = len(printed) - len(first) - len(last)
    between = f"\n[{dropped:,} bytes left out]\n" if dropped else ""
    assert log.text() == first.decode() + between + last.decode()
