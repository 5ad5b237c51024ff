from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import PIL.Image
import pytest
from typer.testing import CliRunner, Result

from foveate import assist, plugins
from foveate.assist.private import Found
from foveate.cli._app import app
from foveate.cli._ask_photos import asking_of
from foveate.cli._ask_told import prose
from foveate.core.regions import Box, Region
from foveate.errors import FoveateError, InputError, UsageError
from tests.helpers import save_photo, write
from tests.unit.assist.made import answered


def asked(*words: object, given: bytes | None = None) -> Result:
    done = CliRunner().invoke(app, ["ask", *map(str, words), "--grounder", "centre_box"], input=given)
    if not isinstance(done.exception, FoveateError | SystemExit | None):
        raise done.exception
    return done


def lines(done: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def refused(done: Result) -> FoveateError:
    assert isinstance(done.exception, FoveateError), done.output
    assert done.stdout == ""
    return done.exception


def pixels(path: Path) -> Any:
    with PIL.Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"))


def test_the_words_come_first_then_the_region_in_numbers() -> None:
    made = answered(reason="pocket cannot tell", notes=("It holds several pictures.",))
    assert prose(assist.reply(made), made.prediction) == [
        "Creamy tomato basil. Lower middle of the photo, about a tenth of it. "
        "How often that is right was never measured.",
        "Region  30, 60, 70, 90  (left, top, right, bottom in pixels)",
        "Score   0.80  (0 to 1: how sure the method is, on a scale of its own)",
        "Note    Pocket cannot tell.",
        "Note    It holds several pictures.",
    ]
    assert "(0 to 1: its measured chance)" in prose(assist.reply(made), made.prediction, "its measured chance")[2]


@pytest.mark.parametrize("answer", ["no", "0", "neither"])
def test_an_answer_without_a_region_is_printed(answer: str) -> None:
    made = answered(answer, None, reason="pocket looked for dog and did not find one.")
    said, note = prose(assist.reply(made), made.prediction)
    assert said.startswith(answer.capitalize() + ".")
    assert note == "Note    Pocket looked for dog and did not find one."


def test_a_refusal_is_printed_with_the_methods_own_reason() -> None:
    made = answered(None, None, reason="there is\nno \x1b[31mtext")
    said, reason = prose(assist.reply(made), made.prediction)
    assert said.startswith("I cannot answer this from the photo: ")
    assert reason == "No region. There is no [31mtext."


def test_words_are_a_photo_and_its_question_or_photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d" / "in").mkdir(parents=True)
    for name in ("d/b.JPG", "d/in/a.heic", "d/notes.txt", "d/.hidden.png"):
        write(tmp_path / name, "")
    one = asking_of(["a.jpg", "What", "is", "this?"], [])
    assert ([each.said for each in one.photos], one.questions, one.is_one) == (["a.jpg"], ("What is this?",), True)
    several = asking_of(["-", "x.png", "d", "x.png", "-"], ["A?", "B?"])
    assert [each.said for each in several.photos] == ["-", "x.png", "d/b.JPG", "d/in/a.heic"]
    assert (several.questions, several.is_one) == (("A?", "B?"), False)
    assert not asking_of(["d/in"], ["A?"]).is_one  # A folder may hold more tomorrow.
    assert asking_of(["a.jpg"], ["A?"]).is_one


@pytest.mark.parametrize(
    ("words", "questions", "problem"),
    [
        (["a.png"], [], "there is none"),
        (["a.png", " "], [], "it is empty"),
        (["a.png"], ["What?", ""], "it is empty"),
        (["a.png"], ["x" * 2001], "it has 2,001 letters"),
        (["a.png", "a.png"], [], "it is a photo and stands where the question stands"),
        (["empty"], ["What?"], "there is no photo in this folder"),
    ],
)
def test_what_is_no_question_is_said(
    words: list[str], questions: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_photo(tmp_path / "a.png")
    (tmp_path / "empty").mkdir()
    with pytest.raises((UsageError, InputError), match=problem):
        asking_of(words, questions)


def test_a_broken_photo_is_a_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    photos = [save_photo(tmp_path / "a.png"), write(tmp_path / "b.jpg", "hello"), save_photo(tmp_path / "c.png")]
    done = asked(*photos, tmp_path / "none.png", "-q", "What?", "-q", "Where?", "--jsonl")
    assert done.exit_code == 3
    told = [(Path(line["image"]).name, line["question"], line["status"]) for line in lines(done)]
    assert told == [
        ("a.png", "What?", "ok"),
        ("a.png", "Where?", "ok"),
        ("b.jpg", None, "error"),
        ("c.png", "What?", "ok"),
        ("c.png", "Where?", "ok"),
        ("none.png", None, "error"),
    ]
    assert {line["version"] for line in lines(done)} == {1}
    broken = lines(done)[2]["error"]
    assert (broken["exit_code"], broken["problem"][:31]) == (3, "this is not a photo that can be")
    assert done.stderr.endswith("4 of 8 questions failed.\n")
    spoken = asked(*photos, "-q", "What?")
    assert spoken.exit_code == 3
    assert spoken.stdout.count("Middle of the photo") == 2
    assert f"{photos[2]}: What?" in spoken.stdout
    assert "b.jpg: this is not a photo" in spoken.stderr


def test_the_standard_input_is_a_photo(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "a.png").read_bytes()
    (line,) = lines(asked("-", "What?", "--json", "--style", "clock", given=photo))
    assert (line["image"], line["said"][:24], line["size_hw"]) == ("-", "I have no words for it, ", [48, 64])
    assert line["words"]["place"] == assist.reply(answered(None, Box((25, 25, 75, 75))), "clock").place
    done = asked("-", "What?", given=b"hello")
    assert "the standard input: this is not a photo" in str(refused(done))


def test_each_picture_is_what_python_makes_under_a_name_of_its_own(tmp_path: Path) -> None:
    photo = tmp_path / "in" / "jar.png"
    photo.parent.mkdir()
    rng = np.random.default_rng(1)
    PIL.Image.fromarray(rng.integers(0, 256, (48, 64, 3), dtype=np.uint8)).save(photo)
    kinds = [word for kind in ("--magnify", "--hide-rest", "--keep") for word in (kind, tmp_path / "out")]
    (line,) = lines(asked(photo, "What?", *kinds, "--contrast", "--json"))
    read, region = assist.read_photo(photo), Region(Box((16, 12, 48, 36)), None)
    for kind, expected in {
        "upright": read.pixels,
        "larger": assist.larger(read, region, contrast=True).pixels,
        "hidden": assist.hide_rest(read, region).pixels,
    }.items():
        path = Path(line["pictures"][kind]["path"])
        assert path == tmp_path / "out" / f"jar-{kind}.png"
        assert np.array_equal(pixels(path), expected), kind
        assert line["pictures"][kind]["alt"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "jar-hidden.png",
        "jar-larger.png",
        "jar-upright.png",
    ]
    assert line["problems"] == []


def test_the_kept_photo_is_upright_and_tells_nothing_else(tmp_path: Path) -> None:
    exif = PIL.Image.Exif()
    exif[0x0112], exif[0x8825] = 6, {1: "N", 2: (52.0, 31.0, 12.0)}
    PIL.Image.new("RGB", (64, 48), "red").save(tmp_path / "a.jpg", exif=exif, comment="home")
    done = asked(tmp_path / "a.jpg", "What?", "--keep", tmp_path / "out", "--format", "jpeg")
    assert done.stderr == f"The photo without its metadata is in {tmp_path / 'out' / 'a-upright.jpg'}.\n"
    with PIL.Image.open(tmp_path / "out" / "a-upright.jpg") as kept:
        assert (kept.size, dict(kept.getexif())) == ((48, 64), {})
    assert b"home" not in (tmp_path / "out" / "a-upright.jpg").read_bytes()


def test_names_neither_collide_nor_write_over_a_photo(tmp_path: Path) -> None:
    photos = [save_photo(tmp_path / name) for name in ("one/a.png", "two/A.png", "two/a-upright.png")]
    before = {path: path.read_bytes() for path in photos}
    (tmp_path / "outside.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "two" / "a-2-upright.png").symlink_to(tmp_path / "outside.txt")
    done = asked(*photos, "-q", "What?", "--keep", tmp_path / "two", "--jsonl")
    names = [Path(line["pictures"]["upright"]["path"]).name for line in lines(done)]
    # The first may not be called a-upright.png: that is the third photo.
    assert names == ["a-2-upright.png", "A-upright.png", "a-upright-upright.png"]
    assert {path: path.read_bytes() for path in photos} == before
    assert (tmp_path / "outside.txt").read_text(encoding="utf-8") == "mine"
    assert not list((tmp_path / "two").glob(".*.part"))


def test_what_is_private_is_looked_for_once_a_photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def find(photo: Any) -> tuple[Found, ...]:
        calls.append(photo.shape)
        return (Found("face", Region(Box((0, 0, 8, 8)), 0.9), 0.9, "a face"),)

    monkeypatch.setattr(assist, "find_private", find, raising=False)
    photo = save_photo(tmp_path / "a.png")
    told = lines(asked(photo, "-q", "A?", "-q", "B?", "--hide-private", tmp_path / "out", "--jsonl"))
    assert calls == [(48, 64, 3)]
    assert [line["question"] for line in told] == ["A?", "B?"]
    for number, line in enumerate(told, 1):
        made = line["pictures"]["private"]
        assert Path(made["path"]).name == f"a-q{number}-private.png"
        assert pixels(made["path"])[4, 4].tolist() == [128, 128, 128]
        assert made["notes"][0] == "1 face is hidden."
        assert "misses things" in made["notes"][1]


def test_a_picture_that_a_format_cannot_hold_does_not_lose_the_answer(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "a.png", (1, 16_400))
    done = asked(photo, "What?", "--hide-rest", tmp_path / "out", "--format", "webp", "--json")
    assert done.exit_code == 2
    (line,) = lines(done)
    assert (line["status"], line["pictures"]) == ("ok", {"hidden": None})
    assert line["problems"][0]["problem"].startswith("it is 16400 x 1")
    assert "a.png: the picture: it is 16400 x 1" in done.stderr


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("a.png", "b.png", "-q", "What?", "--json"), "it prints one answer, and there may be several"),
        (("a.png", "-q", "A?", "-q", "B?", "--save", "x.png"), "it writes one picture"),
        (("a.png", "What?", "--json", "--jsonl"), "only one can be"),
        (("a.png", "What?", "--straighten"), "it changes what is shown larger, and nothing is"),
        (("a.png", "What?", "--contrast", "--keep", "out"), "it changes what is shown larger, and nothing is"),
        (("a.png", "What?", "--keep", "out", "--format", "gif"), "pictures are not written in it"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anything_is_read(words: tuple[str, ...], problem: str) -> None:
    error = refused(asked(*words))
    assert (error.exit_code, error.problem[: len(problem)]) == (2, problem)


def test_a_method_that_sends_photos_away_is_asked_only_with_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load: Callable[..., Any] = plugins.load
    there = load("grounders", "centre_box")
    card = replace(there.CARD, sends_to="the makers of Example, in Ireland")
    remote = SimpleNamespace(CARD=card, Grounder=there.Grounder)
    monkeypatch.setattr(plugins, "load", lambda kind, name: remote if name == "centre_box" else load(kind, name))
    photo = save_photo(tmp_path / "a.png")
    error = refused(asked(photo, "What?"))
    assert (error.exit_code, error.problem) == (
        2,
        "it sends photo and question away, to the makers of Example, in Ireland",
    )
    assert "--send" in error.remedy
    done = asked(photo, "What?", "--send")
    assert (done.exit_code, done.stderr) == (0, "Photos and questions are sent to the makers of Example, in Ireland.\n")


def test_why_is_told_in_sentences(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "a.png")
    (line,) = lines(asked(photo, "What?", "--why", "--json"))
    assert line["why"][0] == "The method that was asked is centre_box."
    spoken = asked(photo, "What?", "--why").stdout.splitlines()
    assert spoken[-len(line["why"]) :] == [f"Why     {each}" for each in line["why"]]
