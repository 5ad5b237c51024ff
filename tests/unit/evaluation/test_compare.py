from __future__ import annotations

from pathlib import Path

import pytest

import foveate
from foveate.errors import InputError, UsageError
from foveate.evaluation.compare import compare
from foveate.evaluation.load_same import short_names
from tests.helpers import write


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Twenty questions about ten photos; the targets are the middle boxes."""
    lines = [f"{n // 2}.jpg,q{n},Where?,640,480,160,120,480,360\n" for n in range(20)]
    write(tmp_path / "q.csv", "image,id,question,width,height,left,top,right,bottom\n" + "".join(lines))
    for name in ("whole_image", "centre_box"):
        foveate.ground("folder", questions=tmp_path / "q.csv", grounder=name, out=tmp_path / name)
    return tmp_path


def test_the_better_method_is_found_better(runs: Path) -> None:
    found = compare([runs / "whole_image", runs / "centre_box"], metrics=["mean_iou", "accuracy@0.5"])
    assert (found.dataset, found.n) == ("folder:all", 20)
    iou, accuracy = found.differences
    assert (iou.first, iou.second, iou.metric) == ("whole_image", "centre_box", "mean_iou")
    assert (iou.value_first, iou.value_second, iou.difference) == (0.25, 1.0, 0.75)
    assert (iou.low, iou.high) == (0.75, 0.75)  # Every photo has the same difference.
    assert iou.p == 2 / 2**10  # Ten photos: of all exchanges only the two extremes are as large.
    assert iou.p_holm == 4 / 2**10
    assert (accuracy.value_first, accuracy.value_second) == (0.0, 1.0)


def test_the_order_turns_the_sign_and_keeps_p(runs: Path) -> None:
    one = compare([runs / "whole_image", runs / "centre_box"]).differences[0]
    other = compare([runs / "centre_box", runs / "whole_image"]).differences[0]
    assert one.difference is not None
    assert other.difference == -one.difference
    assert other.p == one.p


def test_each_with_each(runs: Path) -> None:
    foveate.ground("folder", questions=runs / "q.csv", grounder="centre_box", out=runs / "again")
    sources = [runs / "whole_image", runs / "centre_box", runs / "again"]
    assert [(d.first, d.second) for d in compare(sources, metrics=["mean_iou"]).differences] == [
        ("whole_image", "centre_box"),
        ("whole_image", "again"),
    ]
    pairs = compare(sources, metrics=["mean_iou"], all_pairs=True).differences
    assert [(d.first, d.second) for d in pairs][2] == ("centre_box", "again")
    assert (pairs[2].difference, pairs[2].p, pairs[2].p_holm) == (0.0, 1.0, 1.0)
    assert pairs[0].p_holm == 3 * 2 / 2**10


def test_without_draws_there_is_no_interval_but_the_difference(runs: Path) -> None:
    found = compare([runs / "whole_image", runs / "centre_box"], resamples=0, permutations=0).differences[0]
    assert (found.difference, found.low, found.high) == (0.75, None, None)
    assert (found.p, found.p_holm) == (None, None)


def test_files_and_runs_compare(runs: Path) -> None:
    rows = "".join(f"{n // 2}.jpg,q{n},0,0,640,480\n" for n in range(20))
    write(runs / "whole.csv", "image,id,left,top,right,bottom\n" + rows)
    found = compare([runs / "whole_image", runs / "whole.csv"], "folder", questions=runs / "q.csv")
    assert found.differences[0].difference == 0.0
    assert found.as_dict()["sources"] == {
        "whole_image": str(runs / "whole_image"),
        "whole.csv": str(runs / "whole.csv"),
    }
    assert set(found.as_dict()["differences"][0]) == {
        *("metric", "first", "second", "value_first", "value_second"),
        *("difference", "low", "high", "p", "p_holm"),
    }


def test_notes_say_which_run_they_are_about(runs: Path) -> None:
    for name in ("a", "b"):
        foveate.ground("folder", questions=runs / "q.csv", grounder="centre_box", out=runs / name, limit=4)
    assert compare([runs / "a", runs / "b"]).notes == [
        "a: limited to the first 4 of 20 questions",
        "b: limited to the first 4 of 20 questions",
    ]


def test_other_questions_are_refused(runs: Path) -> None:
    foveate.ground("folder", questions=runs / "q.csv", grounder="centre_box", out=runs / "short", limit=17)
    with pytest.raises(InputError, match=r"0 only here, 3 only there \(such as q17 and 2 more\)\. Make both"):
        compare([runs / "whole_image", runs / "short"])


def test_another_data_set_is_refused(runs: Path, tmp_path: Path) -> None:
    from foveate import plugins

    plugins.load("datasets", "toloka_vqa").write_tiny(tmp_path / "tiny")
    foveate.ground("toloka_vqa:train", tmp_path / "tiny", grounder="centre_box", out=tmp_path / "cup")
    with pytest.raises(InputError, match="it is about toloka_vqa:train, .*whole_image about folder:all"):
        compare([runs / "whole_image", runs / "cup"])


def test_one_run_is_no_comparison(runs: Path) -> None:
    with pytest.raises(UsageError, match="1 given. Name two runs or more"):
        compare([runs / "whole_image"])
    with pytest.raises(UsageError, match="it is named twice"):
        compare([runs / "whole_image", runs / "whole_image"])
    with pytest.raises(UsageError, match="none is below 0"):
        compare([], permutations=-1)


def test_runs_of_one_name_keep_their_folders() -> None:
    assert short_names(["x/a", "y/b"]) == ["a", "b"]
    assert short_names(["x/a", "y/a", "b"]) == ["x/a", "y/a", "b"]


def test_two_copies_of_a_data_set_are_paired_by_id_and_compared(runs: Path) -> None:
    """The second run was made on a copy whose rows are in another order; then on one whose targets were edited."""
    header, *lines = (runs / "q.csv").read_text().splitlines()
    write(runs / "turned.csv", "\n".join([header, *lines[::-1]]) + "\n")
    foveate.ground("folder", questions=runs / "turned.csv", grounder="centre_box", out=runs / "turned")
    found = compare([runs / "centre_box", runs / "turned"]).differences[0]
    assert (found.difference, found.low, found.high, found.p) == (0.0, 0.0, 0.0, 1.0)
    edited = [lines[0].replace(",160,", ",170,"), *lines[1:]]
    write(runs / "edited.csv", "\n".join([header, *edited]) + "\n")
    foveate.ground("folder", questions=runs / "edited.csv", grounder="centre_box", out=runs / "edited")
    with pytest.raises(InputError, match="other answers or targets than that of .*centre_box for q0. Say with --root"):
        compare([runs / "centre_box", runs / "edited"])


def test_what_two_runs_have_in_common_is_compared_where_that_is_asked_for(runs: Path) -> None:
    whole = {"questions": runs / "q.csv", "grounder": "whole_image"}
    foveate.ground("folder", **whole, limit=6, out=runs / "part")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"14 only there .* or take what they have in common: --common"):
        compare([runs / "centre_box", runs / "part"])
    found = compare([runs / "centre_box", runs / "part"], metrics=["mean_iou"], common=True)
    assert (found.n, found.differences[0].value_second, found.differences[0].difference) == (6, 0.25, -0.75)
    assert found.counts == {"centre_box": {"ok": 6}, "part": {"ok": 6}}
    assert "centre_box: 14 samples left out, as --common says" in found.notes
    assert not any(note.startswith("part:") and "left out" in note for note in found.notes)
    same = compare([runs / "centre_box", runs / "whole_image"], common=True)
    assert (same.n, same.notes) == (20, [])


def test_runs_without_a_question_in_common_are_refused(runs: Path) -> None:
    header, *lines = (runs / "q.csv").read_text().splitlines()
    for name, rows in (("few", lines[:4]), ("others", lines[4:])):
        write(runs / f"{name}.csv", "\n".join([header, *rows]) + "\n")
        foveate.ground("folder", questions=runs / f"{name}.csv", grounder="whole_image", out=runs / name)
    with pytest.raises(InputError, match=r"others: it was asked nothing that .*few was asked. Compare runs"):
        compare([runs / "few", runs / "others"], common=True)


def test_other_questions_under_the_same_ids_are_refused(runs: Path) -> None:
    write(runs / "asked.csv", (runs / "q.csv").read_text().replace("Where?", "What?", 1))
    foveate.ground("folder", questions=runs / "asked.csv", grounder="centre_box", out=runs / "asked")
    with pytest.raises(InputError, match="it was asked other questions than .*centre_box for q0. Compare what"):
        compare([runs / "centre_box", runs / "asked"])


def test_states_and_missing_predictions_are_told(runs: Path) -> None:
    write(runs / "few.jsonl", '{"id": "q0", "xyxy": [160, 120, 480, 360]}\n{"id": "q1", "status": "no_region"}\n')
    found = compare([runs / "centre_box", runs / "few.jsonl"], "folder", questions=runs / "q.csv")
    assert found.counts == {"centre_box": {"ok": 20}, "few.jsonl": {"ok": 1, "no_region": 1, "missing": 18}}
    assert found.as_dict()["counts"]["few.jsonl"]["missing"] == 18


def test_what_one_of_them_has_not_has_no_difference(runs: Path) -> None:
    lines = [f'{{"id": "q{n}", "xyxy": [160, 120, 480, 360], "answer": "red"}}' for n in range(20)]
    write(runs / "said.jsonl", "\n".join(lines) + "\n")
    header, *rows = (runs / "q.csv").read_text().splitlines()
    write(runs / "a.csv", "\n".join([f"{header},answer", *(f"{row},red" for row in rows)]) + "\n")
    write(runs / "mute.jsonl", "\n".join(line.replace(', "answer": "red"', "") for line in lines) + "\n")
    sources = [runs / "said.jsonl", runs / "mute.jsonl"]
    found = compare(sources, "folder", questions=runs / "a.csv", metrics=["exact_match", "mean_iou"]).differences
    assert [(d.value_first, d.value_second, d.difference, d.p, d.p_holm) for d in found] == [
        (1.0, None, None, None, None),
        (1.0, 1.0, 0.0, 1.0, 1.0),
    ]


def test_one_run_under_two_names_is_one_run(runs: Path) -> None:
    with pytest.raises(UsageError, match="it is named twice"):
        compare([runs / "centre_box", runs / "whole_image" / ".." / "centre_box"])
