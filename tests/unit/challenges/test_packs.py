"""Packs: frozen data score as the data set itself, and what was changed is seen."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from foveate.challenges.definition import Challenge, DataReference, Phase
from foveate.challenges.pack import SAMPLES, open_pack, write_pack
from foveate.challenges.said import of_said, to_said
from foveate.datasets import toloka_vqa
from foveate.errors import InputError
from foveate.evaluation.evaluate import evaluate
from foveate.evaluation.score import score
from foveate.runs.forms import read_form
from tests.helpers import SHARED, needs_shared


@needs_shared
def test_a_pack_scores_as_its_data_set_to_the_digit(tmp_path: Path) -> None:
    root = SHARED / "toloka"
    crowd = root / "test_public_crowd_baseline.csv"
    pack = write_pack(DataReference("toloka_vqa:test_public", root), tmp_path / "packs")
    found = evaluate(read_form(crowd, pack.sizes), pack.truths, metrics=["mean_iou"], groups=pack.groups)
    expected = score(crowd, "toloka_vqa:test_public", root, metrics=["mean_iou"])
    assert found.metrics == expected.metrics
    # The data's own README: computed independently.
    assert round(100 * (found.metrics["mean_iou"].value or 0), 2) == 88.02


def test_a_pack_is_written_once_and_named_by_what_is_in_it(tmp_path: Path) -> None:
    toloka_vqa.write_tiny(tmp_path / "data")
    data = DataReference("toloka_vqa:test_public", tmp_path / "data")
    first, second = write_pack(data, tmp_path / "packs"), write_pack(data, tmp_path / "packs")
    assert first == second
    assert [path.name for path in (tmp_path / "packs").iterdir()] == [first.fingerprint]


def test_a_changed_pack_is_told(tmp_path: Path) -> None:
    toloka_vqa.write_tiny(tmp_path / "data")
    pack = write_pack(DataReference("toloka_vqa:test_public", tmp_path / "data"), tmp_path / "packs")
    samples = pack.folder / SAMPLES
    samples.write_text(samples.read_text().replace("What is red", "What is rad", 1))
    with pytest.raises(InputError, match=pack.fingerprint[:12]):
        open_pack(pack.folder, verify=True)
    with pytest.raises(InputError, match="missing or broken"):
        open_pack(tmp_path)


def test_a_definition_survives_json(tmp_path: Path) -> None:
    phase = Phase("p", "P", "practice", "data", start=datetime(2026, 12, 1, tzinfo=UTC), best_of=("q", 3))
    challenge = Challenge(tmp_path, "cup", "The cup", data={"data": DataReference("a:b", tmp_path)}, phases=(phase,))
    assert of_said(Challenge, to_said(challenge), "here") == challenge
    with pytest.raises(InputError, match=r"phases\.0\.kind"):
        of_said(Challenge, {**to_said(challenge), "phases": [{**to_said(phase), "kind": "final"}]}, "here")
