"""The folder of an audit: page, table, what is refused, and the rows that could not be taken."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from foveate.core.regions import Box
from foveate.datasets._open import Dataset, fingerprint, open_dataset
from foveate.errors import OutputError
from foveate.evaluation.audit import SIGNS, audit, labels_of
from foveate.evaluation.verdicts import read_verdicts
from foveate.reports.audit.audit import Text, audit_data, check_out, write_audit
from foveate.reports.sections.write import check_place, write_report
from tests.helpers import save_photo, write
from tests.unit.reports.made import QUESTIONS, SIZE, Page, answering, write_run, write_table

QUESTION = "<b>Where</b> is the cup?"


@pytest.fixture
def data(tmp_path: Path) -> Dataset:
    table = write_table(tmp_path / "photos", [("a", QUESTION, (0, 0, 1, 1), "cup"), *QUESTIONS[1:]])
    return open_dataset("folder", table.parent, questions=table)


@pytest.fixture
def runs(data: Dataset, tmp_path: Path) -> list[Path]:
    made = []
    for name, shift in (("one", 0), ("two", 1)):
        predictions = [
            answering("a", Box((40 + shift, 20, 60, 40)), "cup"),
            answering("b", Box((16 + shift, 12, 48, 36)), "a box"),
            answering("c", None, None),
            answering("d", Box((40 + shift, 20, 64, 48)), "dog"),
        ]
        made.append(write_run(tmp_path / name, data.questions or Path(), predictions))
    return made


def test_the_page_shows_label_and_methods_and_is_a_list_without_its_script(data: Dataset, runs: list[Path]) -> None:
    found, files = audit_data(data, runs)
    assert [one.id for one in found.suspects] == ["a"]
    text = files["index.html"].decode()
    page = Page(text)
    assert len(page.of_class("suspect")) == 1
    # One label and two methods, each as a dark and a light line; the photo itself below.
    assert len(page.of_class("case")) == 3
    assert [len(page.of_class(kind)) for kind in ("label", "method-0", "method-1")] == [2, 3, 3]
    assert 'href="data:image/jpeg;base64,' in text
    assert "&lt;b&gt;Where&lt;/b&gt; is the cup?" in text
    assert QUESTION not in text
    assert "methods_agree" in page.text
    assert "tiny" in page.text
    # What needs the script is hidden until it runs.
    assert all("hidden" in element for element in page.of_class("verdict"))
    assert re.search(r'<div id="tools"[^>]* hidden>', text)
    assert "default-src 'none'" in text
    about = {"name": data.name, "questions": fingerprint(list(labels_of(data).queries)), "ids": ["a"]}
    # The table of verdicts that the page saves says why, as that of the audit does.
    about |= {"suspicion": [f"{found.suspects[0].suspicion:.4f}"], "why": [found.suspects[0].why]}
    assert json.loads(re.findall(r'id="audit-data">(.*?)</script>', text)[0]) == about


def test_the_table_has_every_sign_and_a_column_for_verdicts(data: Dataset, runs: list[Path], tmp_path: Path) -> None:
    found, files = audit_data(data, runs)
    write_audit(tmp_path / "out", files)
    with (tmp_path / "out" / "audit.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert list(row) == ["rank", "id", "suspicion", "verdict", *SIGNS, "why"]
    assert (row["rank"], row["id"], row["verdict"], row["off_image"]) == ("1", "a", "", "")
    assert float(row["tiny"]) == pytest.approx(
        next(s.strength for s in found.suspects[0].signs if s.name == "tiny"), abs=1e-4
    )
    assert row["why"].count("; ") >= 1
    assert read_verdicts(tmp_path / "out" / "audit.csv") == {}


def test_no_run_one_run_and_photos_that_are_not_here(data: Dataset, runs: list[Path]) -> None:
    for photo in (data.root or Path()).glob("*.png"):
        photo.unlink()
    alone = audit_data(data)[1]["index.html"].decode()
    assert "no method" in alone
    assert "the photo is not here" in alone
    assert "data:image/jpeg" not in alone
    one = audit_data(data, runs[:1])[1]["index.html"].decode()
    assert "with one method nothing can agree against a label" in one


def test_a_label_for_a_photo_of_another_size(data: Dataset) -> None:
    save_photo((data.root or Path()) / "1.png", SIZE[::-1])
    (suspect,) = (one for one in audit(labels_of(data)).suspects if one.id == "b")
    assert suspect.signs[0].name == "photo_size"
    assert "the photo is 48 x 64, its label is for 64 x 48" in audit_data(data)[1]["index.html"].decode()


def test_only_the_first_are_on_the_page(tmp_path: Path) -> None:
    rows: list[Any] = [(f"s{n}", "Where?", (n, 0, n + 1, 1), "") for n in range(5)]
    table = write_table(tmp_path / "photos", rows, photos=False)
    found, files = audit_data(open_dataset("folder", table.parent, questions=table), top=2)
    page = Page(files["index.html"].decode())
    assert (len(found.suspects), len(page.of_class("suspect"))) == (5, 2)
    assert "the first 2 of 5 are shown; the table has all" in page.text


def test_rows_that_cannot_be_taken_are_told(tmp_path: Path) -> None:
    path = tmp_path / "val_grounding.json"
    plain = {"width": 64, "height": 48, "question": "What?", "answers": ["a"], "most_common_answer": "a"}
    corners = [{"x": 1, "y": 1}, {"x": 40, "y": 1}, {"x": 40, "y": 30}]
    write(
        path,
        json.dumps(
            {"a.jpg": {**plain, "answer_grounding": corners}, "b.jpg": {**plain, "answer_grounding": corners[:2]}}
        ),
    )
    found, files = audit_data(open_dataset("vizwiz_grounding:val", tmp_path, skip_invalid=True))
    assert (found.n, len(found.refused)) == (1, 1)
    assert "b.jpg: the polygon has 2 points" in found.refused[0]
    assert "1 row could not be taken at all, the first" in Page(files["index.html"].decode()).text


def test_verdicts_are_never_written_over(data: Dataset, tmp_path: Path) -> None:
    out = tmp_path / "out"
    _, files = audit_data(data)
    write_audit(out, files)
    write_audit(out, files)
    table = out / "audit.csv"
    header, row = table.read_text(encoding="utf-8").splitlines()
    write(table, f"{header}\n{row.replace(',,', ',wrong,', 1)}\n")
    with pytest.raises(OutputError, match="it holds 1 verdict, which would be lost"):
        check_out(out)
    with pytest.raises(OutputError, match="it holds 1 verdict, which would be lost"):
        write_audit(out, files)
    write(table, "rank\n")
    with pytest.raises(OutputError, match="audit.csv"):
        check_out(out)


def test_an_audit_and_a_report_never_replace_each_other(data: Dataset, tmp_path: Path) -> None:
    audited, reported = tmp_path / "audit", tmp_path / "report"
    write_audit(audited, audit_data(data)[1])
    with pytest.raises(OutputError, match="no report of this kind"):
        check_place(audited)
    with pytest.raises(OutputError, match="no report of this kind"):
        write_report(audited, "a", "b", [])
    assert (audited / "audit.csv").exists()
    write_report(reported, "a", "b", [])
    with pytest.raises(OutputError, match="no report of this kind"):
        write_audit(reported, audit_data(data)[1])
    assert "Foveate label audit" not in (reported / "index.html").read_text(encoding="utf-8")


def test_text_that_stands_elsewhere(data: Dataset, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The reader is another's; here the photo of `b` has its answer written in a corner, that of `d` in the target."""
    from foveate.analysis import text_in_evidence

    corner, inside = [[50, 2], [60, 2], [60, 8], [50, 8]], [[42, 22], [60, 22], [60, 30], [42, 30]]

    def lines(job: Any) -> list[Any]:
        return {"1.png": [["A BOX", 0.9, corner]], "3.png": [["dog", 0.9, inside]]}.get(job.image.name, [])

    monkeypatch.setattr(text_in_evidence, "_lines_of", lines)
    found, _ = audit_data(data, text=Text(cache=tmp_path / "cache"))
    said = {one.id: [sign.why for sign in one.signs if sign.name == "answer_elsewhere"] for one in found.suspects}
    assert said["b"] == ['the answer "a box" is written in the photo, and not in the target']
    assert not said.get("d")
