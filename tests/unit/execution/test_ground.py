from __future__ import annotations

from pathlib import Path

import PIL.Image
import pytest

from foveate.errors import InputError, UnavailableError, UsageError
from foveate.evaluation.score import score
from foveate.execution.ground import ground
from foveate.grounders import whole_image
from foveate.runs.store import read_run
from tests.helpers import save_photo, write

HEADER = "image,question,width,height,left,top,right,bottom\n"


def data(tmp_path: Path, rows: str) -> Path:
    save_photo(tmp_path / "photos" / "a.png")
    save_photo(tmp_path / "photos" / "b.png")
    return write(tmp_path / "questions.csv", HEADER + rows)


TWO = "a.png,One?,,,0,0,64,24\nb.png,Two?,,,0,0,32,48\na.png,Three?,,,,,,\n"


def test_ground_then_score(tmp_path: Path) -> None:
    questions = data(tmp_path, TWO)
    summary = ground("folder", questions=questions, grounder="whole_image", out=tmp_path / "run")
    assert (summary.n, summary.n_new, summary.counts, summary.first_failure) == (3, 3, {"ok": 3}, None)
    result = score(tmp_path / "run")
    assert (result.n, result.n_grounded, result.n_scored) == (3, 2, 2)
    assert result.metrics["mean_iou"].value == pytest.approx(0.5)
    assert result.notes == []


def test_questions_of_one_photo_are_grounded_together(tmp_path: Path) -> None:
    ground("folder", questions=data(tmp_path, TWO), grounder="whole_image", out=tmp_path / "run")
    assert [p.id for p in read_run(tmp_path / "run").predictions] == ["a.png#0", "a.png#1", "b.png#0"]


def test_a_limit_is_recorded_and_printed_by_the_score(tmp_path: Path) -> None:
    ground("folder", questions=data(tmp_path, TWO), grounder="whole_image", out=tmp_path / "run", limit=1)
    result = score(tmp_path / "run")
    assert result.n == 1
    assert result.notes == ["limited to the first 1 of 3 questions"]
    with pytest.raises(UsageError, match="0 is not at least 1"):
        ground("folder", questions=tmp_path / "questions.csv", grounder="whole_image", out=tmp_path / "b", limit=0)


ABSENT = "a.png,One?,64,48,0,0,64,24\nnone.png,Two?,64,48,0,0,32,48\n"


def test_absent_photos_stop_a_method_that_needs_them_before_it_starts(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"folder:all: of 2 photos 1 cannot be found: none\.png\. .*--only-with-images"
    ):
        ground("folder", questions=data(tmp_path, ABSENT), grounder="pocket", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_absent_photos_do_not_matter_to_a_prior(tmp_path: Path) -> None:
    ground("folder", questions=data(tmp_path, ABSENT), grounder="centre_box", out=tmp_path / "run")
    assert score(tmp_path / "run").n == 2


def test_only_with_images_is_recorded_and_printed(tmp_path: Path) -> None:
    questions = data(tmp_path, ABSENT)
    summary = ground("folder", questions=questions, grounder="whole_image", out=tmp_path / "run", only_with_images=True)
    assert summary.left_out == 1
    result = score(tmp_path / "run")
    assert (result.n, result.missing) == (1, [])
    assert result.notes == ["only the questions whose photo was there: 1 of 2"]


def test_no_photo_and_no_size_stops_before_the_start(tmp_path: Path) -> None:
    questions = data(tmp_path, "none.png,One?,,,0,0,4,4\nnone.png,Two?,,,0,0,4,4\na.png,Three?,,,0,0,4,4\n")
    with pytest.raises(InputError, match="of 2 photos 1 cannot be found, and neither is their size stated: none.png"):
        ground("folder", questions=questions, grounder="whole_image", out=tmp_path / "run")


@pytest.mark.parametrize("grounder", ["pocket", "whole_image"])
def test_a_photo_of_another_size_stops_before_the_start(grounder: str, tmp_path: Path) -> None:
    questions = data(tmp_path, "a.png,One?,640,480,0,0,64,24\n")
    with pytest.raises(
        InputError, match="the photo is 64 wide and 48 high, not 640 wide and 480 high, as the data set"
    ):
        ground("folder", questions=questions, grounder=grounder, out=tmp_path / "run")
    questions = data(tmp_path, "a.png,One?,48,64,0,0,4,4\n")
    with pytest.raises(InputError, match="not 48 wide and 64 high; it looks transposed, see the photo's EXIF rotation"):
        ground("folder", questions=questions, grounder=grounder, out=tmp_path / "run")


def test_a_file_that_is_no_photo_stops_before_the_start(tmp_path: Path) -> None:
    questions = data(tmp_path, "bad.png,One?,,,0,0,4,4\n")
    write(tmp_path / "photos" / "bad.png", "no photo")
    with pytest.raises(InputError, match=r"1 photo cannot be used: bad\.png\. The first: .*not a photo"):
        ground("folder", questions=questions, grounder="pocket", out=tmp_path / "run")


def test_a_photo_that_is_cut_off_is_an_error_of_its_own_and_the_rest_goes_on(tmp_path: Path) -> None:
    questions = data(tmp_path, "cut.jpg,Where can we cook meals?,,,0,0,4,4\na.png,Where can we cook meals?,,,0,0,4,4\n")
    whole = tmp_path / "whole.jpg"
    PIL.Image.effect_noise((400, 300), 90).convert("RGB").save(whole)
    (tmp_path / "photos" / "cut.jpg").write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    whole.unlink()
    summary = ground("folder", questions=questions, grounder="pocket", out=tmp_path / "run")
    assert summary.n == 2
    assert summary.counts["error"] == 1
    assert summary.first_failure is not None
    assert "cut.jpg: the photo is cut off or damaged" in summary.first_failure


def test_skipped_rows_are_recorded_and_printed(tmp_path: Path) -> None:
    questions = data(tmp_path, "a.png,One?,,,0,0,64,24\nb.png,,,,0,0,32,48\n")
    summary = ground("folder", questions=questions, grounder="whole_image", out=tmp_path / "run", skip_invalid=True)
    assert len(summary.skipped) == 1
    result = score(tmp_path / "run")
    assert result.n == 1
    assert "1 invalid row of the data set was skipped, first: " in result.notes[0]


def test_changed_questions_are_found_by_their_fingerprint(tmp_path: Path) -> None:
    questions = data(tmp_path, TWO)
    ground("folder", questions=questions, grounder="whole_image", out=tmp_path / "run")
    write(questions, HEADER + TWO.replace("One?", "Another?"))
    with pytest.raises(InputError, match="made for other questions than folder:all has now"):
        score(tmp_path / "run")


def test_an_unfinished_run_says_so_and_what_is_missing_counts_zero(tmp_path: Path) -> None:
    ground("folder", questions=data(tmp_path, TWO), grounder="whole_image", out=tmp_path / "run")
    file = tmp_path / "run" / "predictions.jsonl"
    file.write_bytes(file.read_bytes()[:-9])
    result = score(tmp_path / "run")
    assert result.counts == {"ok": 2, "missing": 1}
    assert result.missing == ["b.png#0"]
    assert result.metrics["mean_iou"].value == pytest.approx(0.25)
    assert result.notes == ["the run is not finished: 2 of 3; continue it with --resume"]


def test_unknown_names_and_options(tmp_path: Path) -> None:
    questions = data(tmp_path, TWO)
    with pytest.raises(UsageError, match="Did you mean whole_image"):
        ground("folder", questions=questions, grounder="wholeimage", out=tmp_path / "run")
    with pytest.raises(UsageError, match="it has no option x"):
        ground("folder", questions=questions, grounder="whole_image", out=tmp_path / "run", config={"x": 1})


def test_no_question_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no question to ask"):
        ground("folder", questions=data(tmp_path, ""), grounder="whole_image", out=tmp_path / "run")


def test_a_file_of_answers_needs_its_data_set(tmp_path: Path) -> None:
    path = write(tmp_path / "answer.csv", "image,left,top,right,bottom\na.png,0,0,4,4\n")
    with pytest.raises(UsageError, match="does not say which data set it is for. Pass --dataset"):
        score(path)


def test_a_file_of_predictions_is_scored_by_id_where_a_photo_has_several_questions(tmp_path: Path) -> None:
    questions = data(tmp_path, TWO)
    rows = "a.png,a.png#0,0,0,64,24\nb.png,b.png#0,,,,\n"
    path = write(tmp_path / "boxes.csv", "image,id,left,top,right,bottom\n" + rows)
    result = score(path, "folder", questions=questions)
    assert result.counts == {"ok": 1, "no_region": 1, "missing": 1}
    assert result.metrics["mean_iou"].value == pytest.approx(0.5)


def test_an_unusable_row_of_a_file_counts_zero_under_its_state(tmp_path: Path) -> None:
    questions = data(tmp_path, "a.png,One?,,,0,0,64,24\nb.png,Two?,,,0,0,32,48\n")
    path = write(tmp_path / "boxes.csv", "image,left,top,right,bottom\na.png,0,0,64,24\nb.png,x,0,32,48\n")
    with pytest.raises(InputError, match="line 3: left is 'x'"):
        score(path, "folder", questions=questions)
    result = score(path, "folder", questions=questions, skip_invalid=True)
    assert result.counts == {"ok": 1, "invalid_output": 1}
    assert result.metrics["mean_iou"].value == pytest.approx(0.5)
    assert len(result.notes) == 1
    assert "1 invalid entry of the file, the first: " in result.notes[0]


def test_skip_invalid_is_not_for_runs(tmp_path: Path) -> None:
    ground("folder", questions=data(tmp_path, TWO), grounder="whole_image", out=tmp_path / "run")
    with pytest.raises(UsageError, match="it is for a file of predictions"):
        score(tmp_path / "run", skip_invalid=True)


def test_scoring_needs_no_photo(tmp_path: Path) -> None:
    questions = data(tmp_path, "a.png,One?,64,48,0,0,64,24\n")
    ground("folder", tmp_path, questions=questions, grounder="whole_image", out=tmp_path / "run")
    (tmp_path / "photos" / "a.png").unlink()
    assert score(tmp_path / "run").metrics["mean_iou"].value == pytest.approx(0.5)


def test_data_that_have_moved_are_asked_for(tmp_path: Path) -> None:
    questions = data(tmp_path, TWO)
    ground("folder", questions=questions, grounder="whole_image", out=tmp_path / "run")
    moved = questions.rename(tmp_path / "moved.csv")
    with pytest.raises(InputError, match=r"its data were at .*questions\.csv, where nothing is now. Say where"):
        score(tmp_path / "run")
    assert score(tmp_path / "run", questions=moved).n == 3


def test_weights_are_fetched_before_a_run_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    with pytest.raises(UnavailableError, match="not in the cache"):
        ground("folder", questions=data(tmp_path, TWO), grounder="pocket", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_run_knows_its_method_and_options(tmp_path: Path) -> None:
    questions = data(tmp_path, TWO)
    out = tmp_path / "run"
    ground("folder", questions=questions, grounder="slow_corner", out=out)
    header = read_run(str(out)).header
    assert header.config == {"pause": 0.002}
    assert header.card["name"] == "slow_corner"
    assert header.provenance["packages"]["foveate-test-plugin"] == "0.0.0"
    with pytest.raises(UsageError, match="the method has other options"):
        ground("folder", questions=questions, grounder="slow_corner", out=out, config={"pause": 0.1}, resume=True)


def test_a_run_with_predictions_for_other_questions_is_not_continued(tmp_path: Path) -> None:
    questions = data(tmp_path, TWO)
    ground("folder", questions=questions, grounder="whole_image", out=tmp_path / "run")
    file = tmp_path / "run" / "predictions.jsonl"
    file.write_text(file.read_text().replace("b.png#0", "c.png#0"))
    with pytest.raises(InputError, match="predictions for what was not asked: c.png#0"):
        ground("folder", questions=questions, grounder="whole_image", out=tmp_path / "run", resume=True)


def test_options_of_any_kind_can_be_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd(whole_image.Grounder):
        def __init__(
            self, *, sizes: tuple[int, int] = (1, 2), limit: float = float("nan"), x: object = frozenset()
        ) -> None:
            self.options = (sizes, limit, x)

    monkeypatch.setattr(whole_image, "Grounder", Odd)
    questions = data(tmp_path, TWO)
    for resume in (False, True):
        ground("folder", questions=questions, grounder="whole_image", out=tmp_path / "run", resume=resume)
    assert read_run(tmp_path / "run").header.config == {"sizes": [1, 2], "limit": "NaN", "x": "frozenset()"}
