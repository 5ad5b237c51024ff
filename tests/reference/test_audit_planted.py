"""An audit of VizWiz's validation split with one label in twenty damaged, and of the real ones."""

from __future__ import annotations

import pytest

from foveate.datasets._open import open_dataset
from foveate.evaluation.audit import audit, labels_of
from foveate.evaluation.load import DataPlace
from foveate.evaluation.results import all_results
from tests.helpers import SHARED, needs_shared
from tests.reference.planted import KINDS, found, methods, plant, run_of

pytestmark = [pytest.mark.reference, needs_shared]


def test_planted_faults_are_found() -> None:
    data = open_dataset("vizwiz_grounding:val", SHARED / "vizwiz")
    planted = plant(data.name, list(data.truths()), list(data.queries(with_images=False)), 0)
    assert len(planted.faults) == 57
    runs = methods(planted, 0)
    told = found(audit(planted.labels, runs), planted.faults, (20, 57, 114))
    # By chance all of these would be 0.05, and the recall of the first 114 0.10.
    assert told.precision[20] >= 0.5
    assert told.precision[57] >= 0.45
    assert told.recall[114] >= 0.75
    assert all(told.by_kind[kind] >= 0.5 for kind in KINDS)
    # A prior beside them changes nothing, nor does one of them twice.
    again = [*runs, run_of("again", planted.labels, [one for one in runs[0].predictions if one])]
    assert [one.id for one in audit(planted.labels, again).suspects] == [
        one.id for one in audit(planted.labels, runs).suspects
    ]


def test_the_real_labels_of_vizwiz() -> None:
    labels = labels_of(open_dataset("vizwiz_grounding:val", SHARED / "vizwiz"))
    told = audit(labels)
    # 103 polygons have points beside the photo, at most 5.5 pixels (`../shared/data/README.md`).
    assert told.counts == {"whole_image": 21, "off_image": 103}
    beyond = [sign for one in told.suspects for sign in one.signs if sign.name == "off_image"]
    assert max(sign.strength for sign in beyond) == pytest.approx(5.5 / 10 / 2, abs=0.003)


@pytest.mark.parametrize(("split", "missed"), [("test_public", 59), ("test_private", 206)])
def test_the_crowd_beside_the_cups_labels(split: str, missed: int) -> None:
    root = SHARED / "toloka"
    data = open_dataset(f"toloka_vqa:{split}", root)
    crowd = all_results([root / f"{split}_crowd_baseline.csv"], DataPlace(data.name, root))
    told = audit(labels_of(data), crowd)
    assert told.methods == [f"{split}_crowd_baseline.csv"]
    # Those that the crowd does not hit: 1,705 less 1,646 (docs/why-it-fails.md).
    assert told.counts["sure_miss"] == int((crowd[0].regions["iou"] < 0.5).sum()) == missed
