"""The tables as Markdown, word for word."""

from __future__ import annotations

import re
from pathlib import Path

from foveate.core.regions import Box
from foveate.reports.heads import versions
from foveate.reports.report import report
from foveate.runs.provenance import provenance
from tests.unit.reports.made import answering, write_run


def test_markdown_word_for_word(made: Path) -> None:
    out = made / "r.md"
    found = report(
        [made / "one", made / "two"], out, metrics=["mean_iou", "ece"], resamples=0, permutations=0, depth=None
    )
    assert (found.samples, found.photos) == (0, 0)
    assert out.read_text(encoding="utf-8") == MARKDOWN.format(folder=made, versions=versions(provenance()))


def test_markdown_of_one_run_and_of_what_has_no_value(made: Path) -> None:
    out = made / "r.md"
    report([made / "two"], out, metrics=["mean_iou", "vqa_accuracy", "aurc"], resamples=20, depth=None)
    text = out.read_text(encoding="utf-8")
    assert "| metric | better | value | over |" in text
    assert re.search(r"\n\| mean_iou \| higher \| 0\.3333 \[0\.\d{4}, \d\.\d{4}\] \| 3 \|\n", text)
    assert "\nNo value here: vqa_accuracy (the data set has no answers of 4 people or more).\n" in text
    assert "| vqa_accuracy" not in text
    assert f"Made by foveate report {made}/two --out FILE.md --metric mean_iou --metric vqa_accuracy" in text
    assert "Seed 0, 20 bootstrap resamples (photos resampled). foveate " in text


def test_over_how_many_samples_is_told_for_each_run_where_it_differs(made: Path) -> None:
    table = made / "data" / "questions.csv"
    write_run(made / "three", table, [answering("a", Box((16.0, 12.0, 48.0, 36.0)), None)])
    out = made / "r.md"
    report([made / "one", made / "three"], out, metrics=["mean_iou", "ece"], resamples=0, permutations=0, depth=None)
    text = out.read_text(encoding="utf-8")
    assert re.search(r"\| mean_iou \|.*\| 3 \|\n", text)
    assert re.search(r"\| ece@15 \|.*\| 2 / 1 \|\n", text)


MARKDOWN = """# Foveate report

Your own photos (`folder:all`), 4 samples

- one: {folder}/one; grounder made; options threshold 0.5; made 2024-01-01; versions foveate 0, numpy 2
- two: {folder}/two; grounder made; options threshold 0.5; made 2024-01-01; versions foveate 0, numpy 2

To keep in mind:

- two: the run is not finished: 3 of 4; continue it with --resume
- two: 1 prediction missing: d

## Totals

Value with its 95 % interval; “over” is how many samples it is made from.

| metric | better | one | two | over |
| --- | --- | ---: | ---: | ---: |
| mean_iou | higher | 0.5000 | 0.3333 | 3 |
| ece@15 | lower | 0.2500 | 0.2500 | 2 |

Only where ok:

| metric | better | one | two |
| --- | --- | ---: | ---: |
| mean_iou | higher | 0.7500 | 1.0000 |
| ece@15 | lower | 0.2500 | 0.2500 |

## Differences from one

- two minus one is −0.1667 in mean IoU; nothing was tested.

| run | metric | better | difference | p | p (Holm) | the run is |
| --- | --- | --- | ---: | ---: | ---: | ---: |
| two | mean_iou | higher | −0.1667 | n/a | n/a | not tested |
| two | ece@15 | lower | +0.0000 | n/a | n/a | not tested |

## Predictions by state

| run | ok | no_region | error | missing | all | no region: right | missed | needless |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| one | 2 | 1 | 1 | 0 | 4 | 1 | 0 | 0 |
| two | 2 | 1 | 0 | 1 | 4 | 0 | 1 | 1 |

Made by foveate report {folder}/one {folder}/two --out FILE.md --metric mean_iou --metric ece --resamples 0 \
--permutations 0 --seed 0 --brief

Seed 0, 0 bootstrap resamples (photos resampled), up to 0 permutations. {versions}.
"""
