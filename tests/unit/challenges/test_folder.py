"""What a check tells of a folder; no participant can take hidden targets from a practice."""

from __future__ import annotations

from pathlib import Path

import pytest

from foveate.challenges import toml
from foveate.challenges._fields import FaultsError
from foveate.challenges._guessed import shared_samples
from foveate.challenges.definition import DataReference
from foveate.challenges.folder import Finding, check, checked
from foveate.challenges.pack import write_pack
from foveate.datasets import toloka_vqa
from tests.helpers import SHARED, needs_shared
from tests.unit.challenges.folders import TOML, folder, practice_elsewhere, rows_of, write_rows


def said(findings: list[Finding], level: str) -> list[str]:
    return [str(finding) for finding in findings if finding.level == level]


def test_a_sound_folder_has_no_error_and_tells_what_is_empty(tmp_path: Path) -> None:
    found = check(folder(tmp_path))
    assert said(found, "error") == said(found, "warning") == []
    assert "data public: 3 questions about 3 photos, 3 with a target" in said(found, "told")[0]
    empty = [finding.where for finding in found if finding.level == "not_said"]
    # Dates are said, the description is there; the limit of valid entries is what keeps targets from being guessed.
    assert empty == [
        "summary",
        "organisers",
        "contact",
        "website",
        "citation",
        "licence",
        "rules.md",
        "phase evaluation",
    ]


def test_all_faults_of_the_file_are_errors(tmp_path: Path) -> None:
    found = check(folder(tmp_path, title="title = 3", kind='kind = "x"'))
    assert len(said(found, "error")) == 2
    assert "no such file" in said(check(tmp_path / "nowhere"), "error")[0]
    with pytest.raises(FaultsError, match="kind: 'x'"):
        checked(tmp_path, tmp_path / "packs").refuse_errors()


def test_data_that_cannot_be_opened_are_an_error_without_words_of_the_command_line(tmp_path: Path) -> None:
    [error] = said(check(folder(tmp_path, dataset='dataset = "toloka_vqa:test_pubic"')), "error")
    assert "data public" in error
    assert "test_pubic" in error
    [error] = said(check(folder(tmp_path, root='root = "nothing"')), "error")
    assert "Look at root in [data.public], or take out [data.public] and the phases that use it." in error
    assert "--" not in error
    hidden = tmp_path / "hidden"
    (hidden / "train.csv").rename(hidden / "train_sample.csv")
    [error] = said(check(folder(tmp_path, dataset='dataset = "toloka_vqa:train"')), "error")
    assert 'Look at root in [data.public], write dataset = "toloka_vqa:train_sample", which is there, or' in error


def test_hidden_targets_must_be_there(tmp_path: Path) -> None:
    folder(tmp_path)
    path = tmp_path / "hidden" / "test_public.csv"
    write_rows(path, [row[:3] + row[7:] for row in rows_of(path)])
    assert "no columns left, top, right, bottom" in said(check(tmp_path), "error")[0]


def test_a_metric_that_does_not_fit_the_targets_is_told(tmp_path: Path) -> None:
    found = check(folder(tmp_path, forms='forms = ["toloka"]\nmetrics = ["mean_iou", "vqa_accuracy"]'))
    assert said(found, "error") == []
    assert "phase evaluation: vqa_accuracy cannot be measured" in said(found, "warning")[0]
    found = check(folder(tmp_path, forms='forms = ["toloka"]\nmetrics = ["vqa_accuracy"]\nmain = "vqa_accuracy"'))
    assert "vqa_accuracy cannot be measured" in said(found, "error")[0]


def test_photos_that_are_not_there_are_told(tmp_path: Path) -> None:
    folder(tmp_path, root='root = "hidden"\nimages = "hidden/images"')
    assert said(check(tmp_path), "warning") == []
    next((tmp_path / "hidden" / "images").iterdir()).unlink()
    assert "1 photo not there" in said(check(tmp_path), "warning")[0]
    folder(tmp_path, root='root = "hidden"\nimages = "photos"')
    assert "is no folder of photos" in said(check(tmp_path), "error")[0]


ROW = '[[references]]\nname = "row"\nphase = "evaluation"\n'


def test_reference_rows_are_read_and_scored(tmp_path: Path) -> None:
    good = tmp_path / "good.csv"
    folder(tmp_path, TOML + ROW + 'file = "good.csv"\n')
    names = [row[0].rpartition("/")[2] for row in rows_of(tmp_path / "hidden/test_public.csv")][1:]
    good.write_text("image,left,top,right,bottom\n" + "".join(f"{name},0,0,9,9\n" for name in names))
    assert said(check(tmp_path), "error") + said(check(tmp_path), "warning") == []
    good.write_text(f"image,left,top,right,bottom\n{names[0]},0,0,9,9\n")
    assert "2 samples without a row" in said(check(tmp_path), "warning")[0]
    good.write_text("image,left,top,right,bottom\nother.jpg,0,0,9,9\n")
    assert "reference row" in said(check(tmp_path), "error")[0]
    folder(tmp_path, TOML + ROW + 'file = "good.csv"\n', root='root = "nothing"')
    assert len(said(check(tmp_path), "error")) == 1
    folder(tmp_path, TOML + ROW + 'grounder = "pocket"\n')
    assert "pocket looks at photos" in said(check(tmp_path), "warning")[0]
    folder(tmp_path, TOML + ROW + "published = { pointing_game = 0.5 }\n")
    assert "no metric of its phase" in said(check(tmp_path), "warning")[0]


def test_a_practice_with_the_hidden_questions_is_refused(tmp_path: Path) -> None:
    again = TOML + '[[phases]]\nname = "practice"\ntitle = "P"\nkind = "practice"\ndata = "public"\ntargets = "open"\n'
    [error] = said(check(folder(tmp_path, again)), "error")
    assert "phases practice and evaluation: practice gives away hidden targets of evaluation" in error
    # The same rows under other names of photos are told, since that is all that can be known.
    text = practice_elsewhere(tmp_path)
    found = check(folder(tmp_path, text))
    assert said(found, "error") == []
    assert "though not the photo's name" in said(found, "warning")[0]


def test_photos_of_both_with_other_questions_are_told(tmp_path: Path) -> None:
    for name in ("a", "b"):
        toloka_vqa.write_tiny(tmp_path / name)
    path = tmp_path / "b" / "test_public.csv"
    rows = rows_of(path)
    rows[1][-1], rows[2][0] = "Another question?", "https://example.invalid/new.jpg"
    rows[2][3] = "0"
    write_rows(path, rows)
    packs = [
        write_pack(DataReference("toloka_vqa:test_public", tmp_path / name), tmp_path / "packs") for name in ("a", "b")
    ]
    shared = shared_samples(*packs)
    # By the id too: in the cup's layout it is the photo's name, so that any question about it is the same sample.
    assert shared.questions == [packs[0].truths[0].id, packs[0].truths[2].id]
    assert (shared.renamed, shared.photos) == ([], [])


def test_the_same_photo_under_another_id_with_another_question(tmp_path: Path) -> None:
    table = "id,image,question,width,height,left,top,right,bottom\n"
    (tmp_path / "a.csv").write_text(table + "1,p.jpg,What is it?,9,9,0,0,3,3\n")
    (tmp_path / "b.csv").write_text(
        table + "2,p.jpg,Where is it?,9,9,0,0,3,3\n1,q.jpg,Who?,9,9,0,0,3,3\n3,p.jpg,what  IS it?,9,9,1,1,3,3\n"
    )
    packs = [
        write_pack(DataReference("folder:all", questions=tmp_path / f"{name}.csv"), tmp_path / "packs")
        for name in ("a", "b")
    ]
    shared = shared_samples(*packs)
    assert (shared.questions, shared.renamed, shared.photos) == (["3"], [], ["p.jpg"])


def test_sizes_that_nobody_knows_are_told_and_no_masks_are_taken(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("image,question,left,top,right,bottom\np.jpg,What is it?,0,0,3,3\n")
    text = TOML.replace(
        'dataset = "toloka_vqa:test_public"\nroot = "hidden"', 'dataset = "folder"\nquestions = "q.csv"'
    )
    found = check(folder(tmp_path, text))
    assert "the size of the photo is not known of p.jpg" in said(found, "warning")[0]
    found = check(folder(tmp_path, text, forms='forms = ["vizwiz"]'))
    assert "masks are taken, and the size of some photos is not known" in said(found, "error")[-1]


@needs_shared
def test_the_cups_own_files_are_sound(tmp_path: Path) -> None:
    from foveate.challenges.begin import begin

    begin("cup", "toloka", tmp_path / "cup", SHARED / "toloka")
    path = tmp_path / "cup" / "challenge.toml"
    # The whole train split is not at hand.
    path.write_text(path.read_text().replace('"toloka_vqa:train"', '"toloka_vqa:train_sample"'))
    found = check(tmp_path / "cup")
    assert said(found, "error") == said(found, "warning") == []
    assert [finding.said.partition(" questions")[0] for finding in found if finding.level == "told"] == [
        "1,000", "1,705", "4,504",
    ]  # fmt: skip
    assert toml.read(tmp_path / "cup").phase("evaluation").main == "mean_iou"


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"root": 'root = "nowhere"'}, None),
        ({"dataset": 'dataset = "own:all"\nsettings = { form = "hf" }'}, None),
        ({}, "a = " + "[" * 5_000),
        ({}, "\0"),
    ],
)
def test_who_brings_a_zip_is_not_told_where_it_lies(tmp_path: Path, changed: dict[str, str], text: str | None) -> None:
    at = folder(tmp_path / "secret-place", **changed)
    if text is not None:
        (at / "challenge.toml").write_text(text)
    told, short = (checked(at, tmp_path / "packs", anywhere=anywhere) for anywhere in (True, False))
    assert any(str(at) in str(one) for one in told.errors)
    assert short.errors
    assert not any("secret-place" in str(one) for one in short.findings)
