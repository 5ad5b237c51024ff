"""A starter kit holds no hidden target, its example is a whole entry, and its command gives the server's digits."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from foveate.challenges import questions, toml
from foveate.challenges._whole_image import whole_images
from foveate.challenges.definition import Challenge, DataReference, Phase
from foveate.challenges.pack import Pack, write_pack
from foveate.challenges.starter_kit import phase_named, write_kit
from foveate.core.queries import Query
from foveate.core.regions import Box
from foveate.datasets import vizwiz_grounding
from foveate.errors import OutputError, UsageError
from foveate.evaluation.evaluate import evaluate
from foveate.evaluation.score import score
from foveate.runs.forms import read_form
from foveate.sources.sums import differences, read_sums
from tests.unit.challenges.folders import TOML, folder, practice_elsewhere

NOW = datetime(2026, 3, 15, tzinfo=UTC)


def kit(tmp_path: Path, text: str, name: str) -> tuple[Path, dict[str, Pack]]:
    said = toml.read(folder(tmp_path / "cup", text))
    packs = {phase.name: write_pack(said.data[phase.data], tmp_path / "packs") for phase in said.phases}
    out = tmp_path / f"kit-{name}"
    write_kit(said, name, packs, out)
    return out, packs


def targets_in(text: str, pack: Pack) -> list[str]:
    """Returns the ids whose four sides stand in a text, in any form that a row may have."""
    found = []
    for truth in pack.truths:
        box = truth.targets[0].shape
        assert isinstance(box, Box)
        sides = [rf"{side:g}(?:\.0)?" for side in box.xyxy]
        if re.search(r"[^0-9]+".join(sides), text):
            found.append(truth.id)
    return found


def test_a_kit_of_hidden_targets_holds_none(tmp_path: Path) -> None:
    out, packs = kit(tmp_path, TOML, "evaluation")
    names = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert names == {"README.md", "questions.csv", "example-entry.csv", "check.sh", "SHA256SUMS"}
    for path in out.rglob("*"):
        assert targets_in(path.read_text(), packs["evaluation"]) == []
    # The witness finds what it looks for.
    assert len(targets_in((tmp_path / "cup/hidden/test_public.csv").read_text(), packs["evaluation"])) == 3
    assert (out / "questions.csv").read_text().splitlines()[0] == "image,width,height,question"
    assert list(differences(out, read_sums(out))) == []


def test_its_example_is_a_whole_entry(tmp_path: Path) -> None:
    out, packs = kit(tmp_path, TOML, "evaluation")
    pack = packs["evaluation"]
    given = list(read_form(out / "example-entry.csv", pack.sizes))
    assert {prediction.id for prediction in given} == set(pack.sizes)
    found = evaluate(given, pack.truths, metrics=["mean_iou"], groups=pack.groups)
    expected = evaluate(whole_images(pack.queries), pack.truths, metrics=["mean_iou"], groups=pack.groups)
    assert found.metrics == expected.metrics
    assert found.missing == []


def test_its_check_says_what_the_phase_says_of_a_file_from_anywhere(tmp_path: Path) -> None:
    text = TOML + 'missing = "zero"\n'
    out, packs = kit(tmp_path, text, "evaluation")
    rows = (out / "example-entry.csv").read_text().splitlines(keepends=True)
    (tmp_path / "mine.csv").write_text("".join(rows[:2]))
    (tmp_path / "mine.jsonl").write_text(
        "".join(f'{{"id": "{one}", "status": "no_region"}}\n' for one in packs["evaluation"].sizes)
    )
    # The command of this very Python, by its name.
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "foveate"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m foveate "$@"\n')
    command.chmod(0o755)
    path = {**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}

    def said(*words: str) -> tuple[int, str]:
        done = subprocess.run([out / "check.sh", *words], cwd=tmp_path, env=path, capture_output=True, text=True)
        return done.returncode, done.stdout

    assert said("mine.csv") == (0, "It can be sent. Form toloka; 3 samples asked about; predictions: ok 1, missing 2\n")
    code, told = said("mine.jsonl")
    assert (code, "the phase does not take that" in told) == (3, True)
    assert said()[0] == 0


def test_its_command_scores_the_practice_as_the_server_does(tmp_path: Path) -> None:
    out, packs = kit(tmp_path, practice_elsewhere(tmp_path / "cup"), "evaluation")
    words = shlex.split(next(line for line in (out / "README.md").read_text().splitlines() if "foveate score" in line))
    assert words[:2] == ["foveate", "score"]
    done = subprocess.run(
        [sys.executable, "-m", "foveate", *words[1:], "--json"], cwd=out, capture_output=True, text=True, check=True
    )
    pack = packs["practice"]
    given = read_form(out / "practice/example-entry.csv", pack.sizes)
    here = evaluate(given, pack.truths, metrics=["mean_iou", "accuracy@0.5"], groups=pack.groups)
    assert json.loads(done.stdout)["metrics"] == {name: vars(value) for name, value in here.metrics.items()}
    own = score(
        out / "practice/example-entry.csv", "toloka_vqa:train", tmp_path / "cup/practice",
        metrics=["mean_iou", "accuracy@0.5"],
    )  # fmt: skip
    assert own.metrics == here.metrics


def test_a_practice_has_its_targets_beside_and_a_container_has_no_questions(tmp_path: Path) -> None:
    text = practice_elsewhere(tmp_path / "cup") + (
        '[[phases]]\nname = "run"\ntitle = "Run"\nkind = "reproduction"\ndata = "public"\nforms = ["toloka"]\n'
    )
    practice, packs = kit(tmp_path, text, "practice")
    assert len(targets_in((practice / "targets.jsonl").read_text(), packs["practice"])) == 3
    assert "--dataset targets.jsonl" in (practice / "score.sh").read_text()
    run, _ = kit(tmp_path, text, "run")
    names = {path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file()}
    assert names == {
        "README.md", "score.sh", "SHA256SUMS", "practice/questions.csv", "practice/example-entry.csv",
        "practice/targets.jsonl",
    }  # fmt: skip
    told = (run / "README.md").read_text()
    assert "/mnt/data/test.csv" in told
    assert "/mnt/output/answer.csv" in told
    assert "10,800 seconds" in told


def test_what_is_said_of_the_challenge_comes_along(tmp_path: Path) -> None:
    more = 'slug = "cup"\nlicence = "CC0"\ncitation = "Us 2026"\ncontact = "us@example.org"'
    text = TOML.replace('slug = "cup"', more) + "limits = { valid_a_day = 2 }\n"
    out, _ = kit(tmp_path, text, "evaluation")
    told = (out / "README.md").read_text()
    for words in ("CC0", "Us 2026", "us@example.org", "2 valid entries a team and day (UTC)", "2026-03-01 00:00 UTC"):
        assert words in told
    assert (out / "LICENCE.txt").read_text() == "CC0\n"
    with pytest.raises(OutputError, match="already"):
        kit(tmp_path, text, "evaluation")


def test_masks_are_asked_for_in_the_form_of_vizwiz(tmp_path: Path) -> None:
    vizwiz_grounding.write_tiny(tmp_path / "data")
    split = next(iter(vizwiz_grounding.CARD.splits))
    pack = write_pack(DataReference(f"vizwiz_grounding:{split}", tmp_path / "data"), tmp_path / "packs")
    phase = Phase("test", "Test", "evaluation", "x", forms=("vizwiz",), metrics=("mean_iou",))
    write_kit(Challenge(tmp_path, "viz", "Viz", phases=(phase,)), "test", {"test": pack}, tmp_path / "kit")
    records = json.loads((tmp_path / "kit/questions.json").read_text())
    assert {key for record in records.values() for key in record} == {"question", "height", "width"}
    given = list(read_form(tmp_path / "kit/example-entry.zip", pack.sizes))
    assert {(one.id, one.status) for one in given} == {(sample, "ok") for sample in pack.sizes}


def test_what_the_official_forms_cannot_hold_becomes_json_lines(tmp_path: Path) -> None:
    phase = Phase("a", "A", "evaluation", "x")
    plain = Query("p.jpg", "p.jpg", None, 'What, "here"?', (3, 4))
    own_id, sizeless = Query("7", "p.jpg", None, "What?", (3, 4)), Query("q.jpg", "q.jpg", None, "Who?", None)
    assert questions.form_for(phase, [plain]) == "toloka"
    assert questions.form_for(Phase("a", "A", "evaluation", "x", forms=("vizwiz",)), [plain]) == "vizwiz"
    assert questions.form_for(phase, [plain, own_id]) == questions.form_for(phase, [sizeless]) == "jsonl"
    assert questions.text_of([plain], "toloka") == 'image,width,height,question\np.jpg,4,3,"What, ""here""?"\n'
    lines = [json.loads(line) for line in questions.text_of([own_id, sizeless], "jsonl").splitlines()]
    assert lines == [
        {"id": "7", "image": "p.jpg", "width": 4, "height": 3, "question": "What?"},
        {"id": "q.jpg", "image": "q.jpg", "question": "Who?"},
    ]
    assert [one.status for one in whole_images([own_id, sizeless])] == ["ok", "no_region"]


@pytest.mark.parametrize(
    ("kind", "targets", "start", "may", "may_targets"),
    [
        ("practice", "open", -1, True, True),
        ("practice", "open", 1, False, False),
        ("practice", "hidden", -1, True, False),
        ("evaluation", "hidden", -1, True, False),
        ("evaluation", "hidden", 1, False, False),
        ("reproduction", "hidden", -1, False, False),
    ],
)
def test_who_may_have_what_and_when(kind: str, targets: str, start: int, may: bool, may_targets: bool) -> None:
    phase = Phase("a", "A", kind, "x", start=NOW + timedelta(hours=start), targets=targets)  # type: ignore[arg-type]
    assert questions.may_be_had(phase, NOW) is may
    assert questions.targets_may_be_had(phase, NOW) is may_targets


def test_the_phase_must_be_named_where_there_are_several(tmp_path: Path) -> None:
    one, two = Phase("a", "A", "evaluation", "x"), Phase("b", "B", "evaluation", "x")
    assert phase_named(Challenge(tmp_path, "c", "C", phases=(one,)), None) == one
    assert phase_named(Challenge(tmp_path, "c", "C", phases=(one, two)), "b") == two
    with pytest.raises(UsageError, match="--phase: a, b"):
        phase_named(Challenge(tmp_path, "c", "C", phases=(one, two)), None)
    with pytest.raises(UsageError, match="no phase bb. Did you mean b"):
        phase_named(Challenge(tmp_path, "c", "C", phases=(one, two)), "bb")
