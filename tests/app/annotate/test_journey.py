"""One whole way: demo photos, a project, people who draw, every form of export, and the score against hand targets."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from shapely.geometry import Polygon as Witness

from foveate.app.accounts.models import User
from foveate.app.annotate.exports import FORMS, Wanted, export_project
from foveate.app.annotate.models import Project
from foveate.core.regions import Polygon
from foveate.core.rle import area as rle_area
from foveate.core.soft_maps import SoftMap
from foveate.datasets import photos
from foveate.datasets._open import open_dataset
from foveate.errors import InputError
from tests.app.annotate.made import polygon
from tests.app.annotate.making import Api
from tests.app.conftest import person, signed_in


def hand_targets(count: int = 10) -> dict[str, list[tuple[float, float]]]:
    """Returns outlines of the demo data set, one a photo, of questions with one target of one simple part."""
    found: dict[str, list[tuple[float, float]]] = {}
    seen: set[str] = set()
    for query, truth in open_dataset("photos").pairs(with_images=False):
        shape = truth.targets[0].shape if len(truth.targets) == 1 else None
        if query.image_name in seen or not isinstance(shape, Polygon) or len(shape.parts) != 1:
            continue
        corners = [(float(x), float(y)) for x, y in shape.parts[0]]
        if Witness(corners).is_valid:
            seen.add(query.image_name)
            found[query.id] = corners
    return dict(list(found.items())[:count])


def box_around(corners: list[tuple[float, float]]) -> list[tuple[float, float]]:
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return [(min(xs), min(ys)), (max(xs), min(ys)), (max(xs), max(ys)), (min(xs), max(ys))]


@pytest.fixture
def drawn(tmp_path: Path, organiser: User, annotator: User, as_organiser: Client) -> Project:
    """Ten demo photos, made on the organiser's page and drawn by two people, the second of whom vanishes midway."""
    targets = hand_targets()
    assert len(targets) == 10
    photos.write_tiny(tmp_path / "photos")
    form = {
        "title": "Demo", "kind": "grounding", "dataset": "photos", "root": str(tmp_path / "photos"), "shape": "box",
        "submissions": "2", "lease_minutes": "30", "most_redraws": "2", "everyone": "on", "ids": "\n".join(targets),
    }  # fmt: skip
    assert as_organiser.post(reverse("annotate:new"), form).status_code == 302
    as_organiser.post(reverse("annotate:change", args=["demo", "open"]))
    second, third = person("second", "annotator"), person("third", "annotator")
    assert do(annotator, targets, loose=False) == 10
    assert do(second, targets, loose=True, most=4) == 4
    # The second has taken a fifth one, and is not seen again; the organiser's project goes on with a third.
    Api(signed_in(second)).lend("demo")
    assert do(third, targets, loose=True) == 5
    return Project.objects.get()


def do(who: User, targets: dict[str, list[tuple[float, float]]], *, loose: bool, most: int = 99) -> int:
    """Draws what is lent until nothing is left: the hand's own outline, or loosely the box around it."""
    api, count = Api(signed_in(who)), 0
    for _ in range(most):
        lent = api.lend("demo")
        if lent.status_code == 204:
            break
        task = lent.json()
        corners = targets[task["task"]["key"]]
        outline = box_around(corners) if loose else corners
        assert api.send(task["id"], polygon(*outline, seconds=7)).status_code == 201
        count += 1
    return count


def scored(run: Path) -> dict[str, Any]:
    """Returns what `foveate score` prints of a run."""
    words = [sys.executable, "-m", "foveate", "score", str(run), "--json", "--resamples", "0"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def mean_iou(values: dict[str, Any]) -> float:
    return float(values["metrics"]["mean_iou"]["value"])


def test_people_are_scored_against_hand_targets(tmp_path: Path, drawn: Project) -> None:
    assert sorted(drawn.tasks.values_list("taken", flat=True)) == [2] * 10
    assert drawn.tasks.filter(state="done").count() == 9
    export_project(drawn, tmp_path / "first", Wanted("run", rule="first"))
    exact = scored(tmp_path / "first")
    assert mean_iou(exact) == pytest.approx(1.0, abs=0.005)
    done = export_project(drawn, tmp_path / "larger", Wanted("run", rule="larger"))
    assert "over 9 pairs of 9 samples, 3 annotators" in done.remarks[0]
    loose = scored(tmp_path / "larger")
    # A witness that knows nothing of pixels: areas of polygons; one task has the first person's outline only.
    single = drawn.tasks.get(state="open").key
    areas = [
        1.0 if key == single else Witness(corners).area / Witness(box_around(corners)).area
        for key, corners in hand_targets().items()
    ]
    assert mean_iou(loose) == pytest.approx(float(np.mean(areas)), abs=0.01)
    assert mean_iou(loose) < 0.95


def test_it_is_exported_in_every_form_and_read_again(tmp_path: Path, drawn: Project) -> None:
    suffixes = {"jsonl": ".jsonl", "parquet": ".parquet", "coco": ".json", "via": ".json", "submissions": ".jsonl"}
    outlines = hand_targets()
    for to in sorted(set(FORMS) - {"run", "csv", "toloka"}):
        out, losses = tmp_path / f"{to}{suffixes.get(to, '')}", list[str]()
        export_project(
            drawn,
            out,
            Wanted(to, rule="" if to in ("submissions", "vizwiz_crowd") else "first", lossy=True),
            on_loss=losses.append,
        )
        assert out.exists()
        if to in ("jsonl", "parquet", "hf"):
            assert losses == []
        if to not in ("jsonl", "parquet", "coco", "labelme", "via", "hf"):
            continue
        # The first person's outlines are the hand's own, whatever the form has made of ids.
        areas = sorted(
            rle_area(truth.targets[0].shape.rle(truth.size_hw))
            for truth in open_dataset(str(out)).truths()
            if truth.size_hw and not isinstance(truth.targets[0].shape, SoftMap)
        )
        wanted = sorted(Witness(corners).area for corners in outlines.values())
        assert areas == pytest.approx(wanted, rel=0.02, abs=8), to


def test_forms_of_boxes_refuse_polygons_unless_that_is_said(tmp_path: Path, drawn: Project) -> None:
    for to in ("csv", "toloka"):
        out = tmp_path / f"{to}.csv"
        with pytest.raises(InputError, match="Pass --lossy"):
            export_project(drawn, out, Wanted(to))
        done = export_project(drawn, out, Wanted(to, lossy=True))
        assert done.losses
        assert len(out.read_text().splitlines()) == 11
