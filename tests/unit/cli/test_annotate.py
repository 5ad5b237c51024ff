from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from foveate.annotation.export import SAMPLE_FORMS
from foveate.annotation.submissions import read_submissions, write_submissions
from foveate.annotation.work import GroundingWork
from foveate.cli.annotate import Split, To, app
from foveate.datasets import toloka_vqa
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError
from foveate.formats.vizwiz_samples import SPLITS
from tests.helpers import write
from tests.submissions import boxed, drawn, sent

TAB = {"MULTI_QUESTION_DETECT": "N", "MULTI_FOCUS_DETECT": "N"}
POINTS = [{"x": 40, "y": 50}, {"x": 200, "y": 50}, {"x": 200, "y": 250}]


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def given(tmp_path: Path) -> Path:
    sent_ = [sent(drawn(), "a"), sent(GroundingWork(several_questions=True), "a", "b.jpg")]
    write_submissions(sent_, tmp_path / "s.jsonl")
    return tmp_path / "s.jsonl"


def test_the_choices_are_those_that_there_are() -> None:
    assert {to.value for to in To} == {*SAMPLE_FORMS, "vizwiz_crowd", "run", "submissions"}
    assert tuple(split.value for split in Split) == SPLITS


def test_results_of_the_original_tool_become_submissions(tmp_path: Path) -> None:
    tabs = {"useranswersTAB1": TAB, "xyTAB1": POINTS, "useranswersTAB2": TAB | {"NoDraw": "Never"}}
    results = write(tmp_path / "r.json", json.dumps({"a_0": tabs}))
    tasks = [{"image": f"{n}.jpg", "question": "What?"} for n in "ab"]
    grouped = write(tmp_path / "t.json", json.dumps([tasks]))
    sizes = write(tmp_path / "sizes.csv", "image,width,height\na.jpg,800,1000\nb.jpg,800,1000\n")
    words = ("import", results, "--from", "vizwiz_crowd", "--tasks", grouped, "--sizes", sizes, "--out")
    refused = run(*words, tmp_path / "out.jsonl")
    assert isinstance(refused.exception, InputError)
    done = run(*words, tmp_path / "out.jsonl", "--skip-invalid")
    assert done.stdout == f"{tmp_path / 'out.jsonl'}: 1 submission\n"
    assert done.stderr.startswith("1 invalid skipped, first: ")
    (found,) = read_submissions(tmp_path / "out.jsonl")
    assert isinstance(found.work, GroundingWork)
    assert found.work.polygon == [(80, 100), (400, 100), (400, 500)]


def test_losses_are_told_refused_and_accepted(given: Path, tmp_path: Path) -> None:
    words = ("export", given, "--to", "vizwiz", "--split", "train", "--out", tmp_path / "out")
    refused = run(*words)
    assert isinstance(refused.exception, InputError)
    assert refused.stderr.startswith("1 sample has no region: the question is left out (b.jpg)\n")
    done = run(*words, "--lossy")
    assert done.stdout == f"{tmp_path / 'out'}: 1 of 2 samples as vizwiz\n"
    assert "no target because of several_questions: 1\n" in done.stderr
    assert (tmp_path / "out" / "train_grounding.json").is_file()


def test_the_original_tools_form(given: Path, tmp_path: Path) -> None:
    done = run("export", given, "--to", "vizwiz_crowd", "--out", tmp_path / "out")
    assert done.stdout == f"{tmp_path / 'out'}: 2 submissions as vizwiz_crowd\n"


def test_broken_lines_are_told_where_the_user_says_so(given: Path, tmp_path: Path) -> None:
    with given.open("a") as file:
        file.write("{}\n")
    words = ("export", given, "--to", "jsonl", "--out", tmp_path / "out.jsonl")
    assert isinstance(run(*words).exception, InputError)
    done = run(*words, "--skip-invalid")
    assert done.stderr.startswith("1 invalid skipped, first: ")
    assert done.stdout.endswith("2 of 2 samples as jsonl\n")


def test_rules_are_chosen_by_name_with_their_options(tmp_path: Path) -> None:
    two = [sent(drawn([(x, 2), (x + 8, 2), (x + 8, 12), (x, 12)]), str(x)) for x in (2, 4)]
    write_submissions(two, tmp_path / "two.jsonl")
    words = ("export", tmp_path / "two.jsonl", "--to", "jsonl", "--out")
    done = run(*words, tmp_path / "out.jsonl", "--rule", "majority", "--set", "ties=in")
    assert "samples of fewer drawings than the rule is for: 1\n" in done.stderr
    (truth,) = open_dataset(str(tmp_path / "out.jsonl")).truths()
    assert (truth.targets[0].shape.xyxy, truth.facts["rule"]) == ((2, 2, 12, 12), "majority(ties=in)")
    for wrong, problem in (
        (("--rule", "majorty"), "rule majorty: there is none of this name. Did you mean majority?"),
        (("--rule", "majority", "--set", "ties=no"), "majority.ties: no is none of out, in"),
        (("--rule", "majority", "--set", "ties"), "--set ties: it is not of the form NAME=VALUE"),
        (("--set", "ties=in"), "--set: options are of a rule, and none is named"),
        (("--rule", "verified"), "rule verified: the project is of the kind grounding. Its rules: best_agreement"),
    ):
        told = run(*words, tmp_path / "no.jsonl", *wrong).exception
        assert isinstance(told, UsageError)
        assert problem in str(told)


def test_aggregators_are_listed() -> None:
    from foveate.cli._app import app as all_commands

    table = CliRunner().invoke(all_commands, ["aggregators"]).stdout
    assert all(name in table for name in ("majority", "staple", "smaller", "A slip of the pen wins."))
    listed = json.loads(CliRunner().invoke(all_commands, ["aggregators", "--json"]).stdout)
    assert next(card for card in listed if card["name"] == "staple")["extra"] == "aggregation"


def test_people_become_a_run_with_their_agreement(tmp_path: Path) -> None:
    toloka_vqa.write_tiny(tmp_path / "data")
    sent_ = [
        sent(boxed(8, 8, 24, bottom), name, "000000000000.jpg", size_hw=(48, 64), question="What is red?")
        for name, bottom in (("a", 40), ("b", 36))
    ]
    write_submissions(sent_, tmp_path / "s.jsonl")
    words = ("export", tmp_path / "s.jsonl", "--to", "run", "--out", tmp_path / "run")
    refused = run(*words)
    assert isinstance(refused.exception, UsageError)
    done = run(*words, "--dataset", "toloka_vqa:test_public", "--root", tmp_path / "data")
    assert done.stdout.splitlines() == [
        f"{tmp_path / 'run'}: a run of people, final region by best_agreement; score it with foveate score "
        f"{tmp_path / 'run'}",
        "agreement: mean IoU 0.8750 over 1 pair of 1 sample, 2 annotators",
    ]
    write_submissions(sent_[:1], tmp_path / "one.jsonl")
    more = ("--out", tmp_path / "alone", "--dataset", "toloka_vqa:test_public", "--root", tmp_path / "data")
    alone = run("export", tmp_path / "one.jsonl", "--to", "run", *more)
    assert alone.stdout.endswith("agreement: mean IoU n/a over 0 pairs of 0 samples, 1 annotator\n")
