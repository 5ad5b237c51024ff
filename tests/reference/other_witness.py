"""What torchmetrics and supervision say of the samples of `coco_samples.py`, for computers without them.

In an environment of its own (torchmetrics needs PyTorch, supervision brings OpenCV of another build):

    pip install torchmetrics torchvision pycocotools supervision
    PYTHONPATH=src:. python -m tests.reference.other_witness

writes `other_outputs.json` beside it, with the versions.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from foveate.core.regions import Box, Mask
from foveate.core.rle import decode, encode
from tests.reference.coco_samples import Sample, samples

STORED = Path(__file__).with_name("other_outputs.json")
LIBRARIES = ("torchmetrics", "torch", "torchvision", "supervision", "pycocotools", "numpy")
CASES = 150
KINDS = {
    "boxes": {"masks": False, "ties": False},
    "boxes of whole pixels": {"masks": False, "ties": False, "whole": True},
    "boxes of few scores": {"masks": False, "ties": True},
    "masks": {"masks": True, "ties": False},
    "masks of few scores": {"masks": True, "ties": True},
}
HERE, THERE = Box((0, 0, 4, 4)), Box((8, 8, 12, 12))
DOT = Mask(encode(np.eye(12, 16, dtype=bool)))
# Each is a list of samples of which some library once said something else than pycocotools.
TRAPS: dict[str, list[Sample]] = {
    "one perfect": [(HERE, HERE, 0.5)],
    "ten perfect": [(HERE, HERE, 0.5)] * 10,
    "no region": [(None, HERE, 0.5)],
    "no target": [(HERE, None, 0.5)],
    "a needless region first": [(HERE, None, 0.9), (HERE, HERE, 0.5)],
    "a needless region last": [(HERE, HERE, 0.9), (HERE, None, 0.5)],
    "a needless mask first": [(DOT, None, 0.9), (DOT, DOT, 0.5)],
    "of one score, hits first": [*[(HERE, HERE, 0.5)] * 2, *[(THERE, HERE, 0.5)] * 2],
    "of one score, hits last": [*[(THERE, HERE, 0.5)] * 2, *[(HERE, HERE, 0.5)] * 2],
    "an IoU of 0.5": [(Box((0, 0, 4, 2)), HERE, 0.5)],
    "an IoU of 0.6": [(Box((0, 0, 10, 6)), Box((0, 0, 10, 10)), 0.5)],
    "an IoU of 0.75": [(Box((0, 0, 4, 3)), HERE, 0.5)],
}


def planes(shapes: Sequence[Mask]) -> Any:
    """Returns masks as ``bool (N, H, W)``."""
    return np.stack([decode(shape.encoded) for shape in shapes])


def torchmetrics_ap(of: Sequence[Sample], **settings: Any) -> list[float]:
    """Returns its mean average precision, and that at 0.5 and at 0.75."""
    import torch
    from torchmetrics.detection import MeanAveragePrecision

    masks = any(isinstance(shape, Mask) for sample in of for shape in sample[:2])
    metric = MeanAveragePrecision(iou_type="segm" if masks else "bbox", **settings)

    def entry(shape: Box | Mask | None) -> dict[str, Any]:
        label = {"labels": torch.zeros(1 if shape else 0, dtype=torch.int64)}
        if masks:
            bits = planes([shape]) if isinstance(shape, Mask) else np.zeros((0, 12, 16), dtype=bool)
            return label | {"masks": torch.from_numpy(bits)}
        sides = [shape.xyxy] if shape else np.zeros((0, 4))
        return label | {"boxes": torch.tensor(sides, dtype=torch.float64)}

    for shape, target, score in of:
        given = torch.tensor([score] if shape else [], dtype=torch.float64)
        metric.update([entry(shape) | {"scores": given}], [entry(target)])
    found = metric.compute()
    return [float(found[name]) for name in ("map", "map_50", "map_75")]


def supervision_ap(of: Sequence[Sample]) -> list[float]:
    """Returns its mean average precision, and that at 0.5 and at 0.75."""
    import supervision
    from supervision.metrics import MeanAveragePrecision, MetricTarget

    masks = any(isinstance(shape, Mask) for sample in of for shape in sample[:2])

    def detections(shape: Box | Mask | None, score: float | None) -> Any:
        if shape is None:
            return supervision.Detections.empty()
        return supervision.Detections(
            xyxy=np.array([shape.xyxy]),
            mask=planes([shape]) if isinstance(shape, Mask) else None,
            class_id=np.array([0]),
            confidence=None if score is None else np.array([score]),
        )

    metric = MeanAveragePrecision(MetricTarget.MASKS if masks else MetricTarget.BOXES)
    metric.update(
        [detections(shape, score) for shape, _, score in of], [detections(target, None) for _, target, _ in of]
    )
    found = metric.compute()
    return [float(found.map50_95), float(found.map50), float(found.map75)]


def thresholds() -> dict[str, list[float]]:
    """Returns the IoUs and the recalls that torchmetrics hands to pycocotools."""
    from torchmetrics.detection import MeanAveragePrecision

    metric = MeanAveragePrecision()
    return {"ious": list(metric.iou_thresholds), "recalls": list(metric.rec_thresholds)}


def overlaps() -> dict[str, dict[str, list[float]]]:
    """Returns the IoU of the pairs that have both, of the first cases, by each library."""
    import supervision
    import torch
    from torchmetrics.functional.detection import intersection_over_union
    from torchmetrics.functional.segmentation import mean_iou

    boxes, masks = pairs(masks=False), pairs(masks=True)
    of, to = ([pair[n].xyxy for pair in boxes] for n in (0, 1))
    one, other = (torch.tensor(sides, dtype=torch.float64) for sides in (of, to))
    found, wanted = (planes([pair[n] for pair in masks]) for n in (0, 1))
    same = torch.from_numpy(found).long(), torch.from_numpy(wanted).long()
    each = mean_iou(*same, num_classes=2, include_background=False, per_class=True, input_format="index")
    return {
        "boxes": {
            "torchmetrics": intersection_over_union(one, other, aggregate=False).diag().tolist(),
            "supervision": np.diag(supervision.box_iou_batch(np.array(of), np.array(to))).tolist(),
        },
        "masks": {
            "torchmetrics": each[:, 0].tolist(),
            "supervision": np.diag(supervision.mask_iou_batch(found, wanted)).tolist(),
        },
    }


def pairs(*, masks: bool) -> list[tuple[Any, Any]]:
    """Returns regions and targets of samples that have both."""
    every = [sample for seed in range(100) for sample in samples(seed, masks=masks, ties=False)]
    return [(shape, target) for shape, target, _ in every if shape and target]


def edges() -> dict[str, dict[str, Any]]:
    """Returns what the libraries say where there is nothing to compare, or nothing that can be compared."""
    import supervision
    import torch
    from torchmetrics.functional.detection import intersection_over_union
    from torchmetrics.functional.segmentation import mean_iou

    empty, dot, wide = np.zeros((1, 4, 4), bool), np.zeros((1, 4, 4), bool), np.zeros((1, 2, 8), bool)
    dot[0, 0, 0], wide[0, :, :4] = True, True
    flat, square, beside = [[0.0, 0, 0, 4]], [[0.0, 0, 4, 4]], [[4.0, 0, 8, 4]]
    cut = [[0.0, 0, np.nan, 4]]

    def boxes(a: Any, b: Any) -> dict[str, Any]:
        return {
            "supervision": said(lambda: supervision.box_iou_batch(np.array(a), np.array(b)).item()),
            "torchmetrics": said(
                lambda: intersection_over_union(torch.tensor(a), torch.tensor(b), aggregate=False).item()
            ),
        }

    def masks(a: Any, b: Any) -> dict[str, Any]:
        one, other = (torch.from_numpy(np.ascontiguousarray(bits)).long() for bits in (a, b))

        def of_classes() -> Any:
            return mean_iou(one, other, num_classes=2, input_format="index", per_class=True)[0].tolist()

        return {"supervision": said(lambda: supervision.mask_iou_batch(a, b).item()), "torchmetrics": said(of_classes)}

    return {
        "boxes that touch": boxes(square, beside),
        "boxes without an area": boxes(flat, flat),
        "a side that is no number": boxes(cut, square),
        "both masks empty": masks(empty, empty),
        "one mask empty": masks(empty, dot),
        "a transposed mask": masks(wide, wide.transpose(0, 2, 1)),
    }


def said(work: Callable[[], Any]) -> Any:
    """Returns what `work` returns (NaN as text), or the name of its error."""
    try:
        found = work()
    except Exception as error:
        return type(error).__name__
    return "nan" if isinstance(found, float) and np.isnan(found) else found


def main() -> None:
    """Writes the outputs."""
    warnings.simplefilter("ignore")
    libraries = {"torchmetrics": torchmetrics_ap, "supervision": supervision_ap}

    def shortened(values: Sequence[float]) -> list[float]:
        return [round(value, 8) for value in values]

    told = {
        "versions": {name: version(name) for name in LIBRARIES},
        "average precision": {
            kind: {
                name: [shortened(work(samples(seed, **settings))) for seed in range(CASES)]
                for name, work in libraries.items()
            }
            for kind, settings in KINDS.items()
        },
        "traps": {trap: {name: shortened(work(of)) for name, work in libraries.items()} for trap, of in TRAPS.items()},
        "at most ten regions": torchmetrics_ap(TRAPS["one perfect"], max_detection_thresholds=[1, 5, 10]),
        "thresholds of torchmetrics": thresholds(),
        "overlaps": {
            kind: {name: shortened(values) for name, values in found.items()} for kind, found in overlaps().items()
        },
        "edges": edges(),
    }
    STORED.write_text(json.dumps(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
