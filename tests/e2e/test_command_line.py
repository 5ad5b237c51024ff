"""The command as a person calls it: what it prints, where, and how it leaves."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import PIL.Image
import pytest

from tests.helpers import PLUGIN, SHARED, needs_shared, save_photo, write


def foveate(*words: object, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "foveate", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "200", "TERM": "dumb", "FOVEATE_OFFLINE": "1", "PYTHONPATH": str(PLUGIN), **env},
    )


def refused(done: subprocess.CompletedProcess[str], code: int) -> str:
    """Checks that an error is one line on the error output, and nothing else; returns it."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line]
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_ask_prints_json_with_the_promised_keys(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "a.png")
    done = foveate("ask", photo, "What is this?", "--grounder", "whole_image", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert {"status", "answer", "groundings", "seconds", "grounder"} <= answer.keys()
    assert answer["groundings"][0]["xyxy"] == [0, 0, 64, 48]
    assert answer["groundings"][0]["rle"] is None
    assert answer["grounder"] == "whole_image"


def test_ask_writes_the_overlay_and_makes_its_folder(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "a.png")
    done = foveate("ask", photo, "What is this?", "--grounder", "centre_box", "--save", tmp_path / "out" / "b.png")
    assert done.returncode == 0, done.stderr
    assert "Region  16, 12, 48, 36" in done.stdout
    assert "The picture is in" in done.stderr
    with PIL.Image.open(tmp_path / "out" / "b.png") as picture:
        assert picture.width >= 480


def test_no_region_is_an_answer_not_a_failure(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "a.png")
    done = foveate("ask", photo, "Where can we cook meals?", "--json", "--save", tmp_path / "b.png")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["status"], answer["groundings"]) == ("no_region", [])
    assert answer["reason"]
    assert (tmp_path / "b.png").exists()
    said, reason = foveate("ask", photo, "Where can we cook meals?").stdout.splitlines()
    assert said.startswith("I cannot answer this from the photo")
    assert reason.startswith("No region. ")


def test_bars_on_a_terminal_take_no_result_from_the_standard_output(tmp_path: Path) -> None:
    photos = [save_photo(tmp_path / name) for name in ("a.png", "b.png")]
    mine, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "foveate", "ask", *map(str, photos), "-q", "What?", "--jsonl"]
            + ["--grounder", "whole_image"],
            stdout=subprocess.PIPE,
            stderr=theirs,
            text=True,
            check=True,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(theirs)
        shown = os.read(mine, 100_000)
    finally:
        os.close(mine)
    assert [json.loads(line)["image"] for line in done.stdout.splitlines()] == [str(photo) for photo in photos]
    assert b"2/2" in shown


def test_ground_and_score_as_the_readme_shows_them(tmp_path: Path) -> None:
    save_photo(tmp_path / "a.png")
    write(tmp_path / "q.csv", "image,question,left,top,right,bottom\na.png,Where?,0,0,64,24\n")
    done = foveate("ground", "folder", "--questions", "q.csv", "--grounder", "whole_image", "--out", "r", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "r: 1 prediction (ok 1)\n"
    scored = foveate("score", "r", "--json", cwd=tmp_path)
    values = json.loads(scored.stdout)
    assert values["metrics"]["mean_iou"]["value"] == 0.5
    table = foveate("score", tmp_path / "r")
    assert "mean_iou      0.5000" in table.stdout
    again = foveate("ground", "folder", "--questions", "q.csv", "--grounder", "whole_image", "--out", "r", cwd=tmp_path)
    assert "there is a run here already. Pass --resume" in refused(again, 2)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("ask", "a.png"), 2, "the question: there is none"),
        (("score", "q.csv", "--seed", "1", "--dataset", "folder", "--questions", "none.csv"), 3, "no such file"),
        (("ask", "none.png", "What?"), 3, "none.png: there is no such file"),
        (("ask", "a.png", " "), 2, "the question: it is empty"),
        (("ask", "a.png", "What?", "--grounder", "poket"), 2, "Did you mean pocket?"),
        (("ask", "text.png", "What?"), 3, "not a photo"),
        (("ask", "a.png", "What?", "--grounder", "whole_image", "--save", "x.doc"), 2, "not that of a picture"),
        (("ask", "a.png", "What?", "--grounder", "missing_package"), 4, "pip install"),
        (("ground", "nothing", "--grounder", "whole_image", "--out", "r"), 2, "data set nothing: there is none"),
        (("ground", "toloka_vqa:train", "--grounder", "whole_image", "--out", "r"), 2, "Give it with --root DIR"),
        (("ground", "folder", "--questions", "empty.csv", "--grounder", "whole_image", "--out", "r"), 3, "is empty"),
        (
            ("ground", "folder", "--questions", "q.csv", "--grounder", "whole_image", "--out", "a.png/r"),
            5,
            "cannot be written",
        ),
        (("score", "nowhere"), 3, "there is no such run or file"),
        (("score", "q.csv"), 2, "does not say which data set"),
        (("score", "q.csv", "--dataset", "folder", "--questions", "q.csv"), 3, "the table has no columns left"),
        (("weights", "pull", "yolo"), 2, "Did you mean yolov3_tiny?"),
    ],
)
def test_errors_are_one_sentence(words: tuple[str, ...], code: int, said: str, tmp_path: Path) -> None:
    save_photo(tmp_path / "a.png")
    write(tmp_path / "text.png", "hello")
    write(tmp_path / "empty.csv", "")
    write(tmp_path / "q.csv", "image,question\na.png,What?\n")
    assert said in refused(foveate(*words, cwd=tmp_path), code)


def test_a_picture_that_cannot_be_written_does_not_lose_the_answer(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "a.png")
    done = foveate("ask", photo, "What?", "--grounder", "whole_image", "--save", tmp_path / "a.png" / "x.png")
    assert done.returncode == 5
    assert "Region  0, 0, 64, 48" in done.stdout
    assert "the picture cannot be written" in done.stderr


def test_the_photo_itself_is_never_overwritten(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "a.png")
    before = photo.read_bytes()
    assert "this is the photo itself" in refused(foveate("ask", photo, "What?", "--save", photo), 2)
    assert photo.read_bytes() == before


def test_a_question_needs_no_quotes(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "a.png")
    done = foveate("ask", photo, "What", "is", "this", "--grounder", "whole_image", "--json")
    assert json.loads(done.stdout)["question"] == "What is this"


@pytest.mark.parametrize("words", [("version",), ("grounders", "--json"), ("dataset", "list")])
def test_output_that_cannot_be_written_is_not_a_success(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "foveate", *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 5
    assert done.stderr.startswith("the standard output: it cannot be written")


def test_a_full_disk_while_a_run_is_written(tmp_path: Path) -> None:
    lines = "".join(f"{n}.jpg,Q{n}?,640,480\n" for n in range(200))
    write(tmp_path / "q.csv", "image,question,width,height\n" + lines)
    words = "ground folder --questions q.csv --grounder whole_image --out r"
    command = f"ulimit -f 8; exec {sys.executable} -m foveate {words}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "Make room, then pass --resume." in refused(done, 5)
    again = foveate(*words.split(), "--resume", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert "r: 200 predictions" in again.stdout
    assert "were there before" in again.stdout


@pytest.mark.parametrize(
    "words", [("ask", "none.png", "What?"), ("score", "x" * 300), ("ask", "a.png", "Q", "--save", "x" * 300 + ".png")]
)
def test_the_exit_code_stays_when_the_error_output_is_full(words: tuple[str, ...], tmp_path: Path) -> None:
    save_photo(tmp_path / "a.png")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "foveate", *words, *(("--grounder", "whole_image") if words[0] == "ask" else ())],
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
            cwd=tmp_path,
        )
    assert done.returncode == (5 if "--save" in words else 3)


@pytest.mark.parametrize(
    ("form", "name"), [("toloka", "boxes.csv"), ("vizwiz", "masks.zip"), ("coco", "r.json"), ("jsonl", "l.jsonl")]
)
def test_an_exported_run_scores_to_the_same_digits(form: str, name: str, tmp_path: Path) -> None:
    save_photo(tmp_path / "a.png", (48, 65))
    write(tmp_path / "q.csv", "image,question,left,top,right,bottom\na.png,Where?,3,5,61,44\n")
    foveate("ground", "folder", "--questions", "q.csv", "--grounder", "whole_image", "--out", "r", cwd=tmp_path)
    done = foveate("export", "r", "--form", form, "--out", name, cwd=tmp_path)
    assert done.stdout == f"{name}: 1 prediction\n", done.stderr
    assert "there is a file already" in refused(foveate("export", "r", "--form", form, "--out", name, cwd=tmp_path), 5)
    own = json.loads(foveate("score", "r", "--json", cwd=tmp_path).stdout)
    other = json.loads(
        foveate("score", name, "--dataset", "folder", "--questions", "q.csv", "--json", cwd=tmp_path).stdout
    )
    assert own["metrics"] == other["metrics"]


def test_json_is_json_in_any_encoding(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "a.png")
    for encoding in ("ascii", "utf-8"):
        done = foveate("ask", photo, "é 😀?", "--grounder", "whole_image", "--json", PYTHONIOENCODING=encoding)
        assert json.loads(done.stdout)["question"] == "é 😀?"


def test_numbers_are_never_cut(tmp_path: Path) -> None:
    rows = ""
    for name in ("a.png", "b.png"):
        save_photo(tmp_path / name)
        rows += f"{name},Where?,0,0,64,24\n"
    write(tmp_path / "q.csv", f"image,question,left,top,right,bottom\n{rows}")
    foveate("ground", "folder", "--questions", "q.csv", "--grounder", "whole_image", "--out", "r", cwd=tmp_path)
    done = foveate("score", "r", cwd=tmp_path, COLUMNS="20")
    assert "0.5000 to 0.5000" in done.stdout


def test_letters_that_the_terminal_lacks_do_not_break_it() -> None:
    done = foveate("dataset", "list", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr


def test_debug_shows_the_traceback_wherever_it_stands(tmp_path: Path) -> None:
    for words in (("--debug", "ask", "none.png", "What?"), ("ask", "none.png", "What?", "--debug")):
        done = foveate(*words, cwd=tmp_path)
        assert done.returncode == 3
        assert "Traceback" in done.stderr


@pytest.mark.parametrize("words", [("ask",), ("nonsense",), ("ground", "folder", "--limit", "0"), ("ask", "--nope")])
def test_wrong_usage_leaves_with_2(words: tuple[str, ...]) -> None:
    assert foveate(*words).returncode == 2


def test_no_network_at_first_use_says_what_to_do(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "a.png")
    done = foveate("ask", photo, "Where can we cook?", FOVEATE_HOME=str(tmp_path / "home"), FOVEATE_OFFLINE="1")
    assert "foveate weights pull" in refused(done, 4)


def test_lists_and_version() -> None:
    assert foveate("version").stdout.startswith("foveate 0.")
    assert "toloka_vqa" in foveate("dataset", "list").stdout
    assert foveate("--version").stdout == foveate("version").stdout
    done = foveate("grounders")
    assert "pocket" in done.stdout
    assert all(told in done.stdout for told in ("two CPU cores", "stays on this machine", "public domain"))
    assert "missing_package" in done.stderr
    assert "accuracy" in foveate("metrics").stdout
    assert {d["name"] for d in json.loads(foveate("dataset", "list", "--json").stdout)} >= {"folder", "toloka_vqa"}
    assert {g["name"] for g in json.loads(foveate("grounders", "--json").stdout)} >= {"pocket", "whole_image"}
    assert "yolov3_tiny" in foveate("weights", "list").stdout


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['foveate', '--help']\n"
        "from foveate.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'cv2', 'onnxruntime', 'rapidocr', 'PIL', 'pydantic', 'unearth'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_python_is_as_good_as_the_command(tmp_path: Path) -> None:
    save_photo(tmp_path / "photo.jpg")
    code = "import foveate; print(foveate.ask('photo.jpg', 'What is this?', grounder='whole_image'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.startswith("Prediction(id='photo.jpg', status='ok'"), done.stderr


@needs_shared
def test_the_crowd_file_scores_as_published(tmp_path: Path) -> None:
    toloka = SHARED / "toloka"
    done = foveate(
        "score",
        toloka / "test_public_crowd_baseline.csv",
        "--dataset",
        "toloka_vqa:test_public",
        "--root",
        toloka,
        "--json",
    )
    value = json.loads(done.stdout)["metrics"]["mean_iou"]["value"]
    assert round(value, 4) == 0.8802
