"""Regions of a detector of a model hub, of the family of DETR: its queries are the features."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW, box_area, clip_boxes, cxcywh_to_xyxy
from foveate.core.queries import Image
from foveate.errors import UnavailableError, reason_of
from foveate.perception.region_features import MOST, RegionFeatures, check_most, loaded
from foveate.sources.home import offline

if TYPE_CHECKING:
    import torch


class HubRegions:
    """Looks at the photo through a detector of transformers; satisfies `RegionSource`.

    A region is one query of the decoder: its box, its last hidden state, and the likeliest class as its label; the
    likeliest `most` are taken. No code of a repository is run. Tested on small untrained models only: what published
    weights give here has not been seen.

    Args:
        model: `OWNER/NAME` on the hub, or a folder that `save_pretrained` wrote.
        most: How many regions of a photo.
        revision: Of the repository; say the full commit, a branch is another model tomorrow.
        device: Where it runs.

    Raises:
        UnavailableError: transformers is not installed, the model is not to be had, or it has no such queries.

    References:
        Carion et al.: End-to-end object detection with transformers, ECCV 2020, section 3.
    """

    name = "hub"
    needs_image = True

    def __init__(self, model: str, most: int = MOST, revision: str | None = None, device: str = "cpu") -> None:
        self.most: int | None = check_most(most)
        self._most, self._device = most, device
        self._net, self._processor = _opened(model, revision)
        self._net.to(device).eval()
        self.width = int(self._net.config.d_model)
        self.config: Mapping[str, Any] = {"name": self.name, "model": model, "most": most, "revision": revision}

    def regions(self, name: str, image: Image | None, size_hw: SizeHW) -> RegionFeatures:
        """Returns the regions of a photo, the likeliest first.

        Raises:
            InputError: The photo is absent or cannot be read.
            UnavailableError: The detector has no queries with boxes.
        """
        import torch

        pixels = loaded(name, image)
        height, width = pixels.shape[:2]
        given = self._processor(images=pixels, return_tensors="pt", input_data_format="channels_last")
        with torch.inference_mode():
            found = self._net(**{key: value.to(self._device) for key, value in given.items()})
        states, logits = found.last_hidden_state[0], found.logits[0]
        if states.shape != (len(logits), self.width):
            raise _no_queries(str(self.config["model"]), f"{tuple(states.shape)} states for {len(logits)} boxes")
        chances = self._chances(logits)
        boxes = cxcywh_to_xyxy(found.pred_boxes[0].double().cpu().numpy()) * [width, height, width, height]
        boxes = clip_boxes(boxes, (height, width))
        best = np.where(box_area(boxes) > 0, chances.max(axis=1), -1.0)
        rows = np.argsort(-best, kind="stable")
        rows = rows[best[rows] >= 0][: self._most]
        if not len(rows):
            # One box is needed; a detector that sees nothing says nothing of any place.
            rows, boxes[0] = np.zeros(1, dtype=np.int64), (0, 0, width, height)
        labels = tuple(str(self._net.config.id2label[int(chances[row].argmax())]) for row in rows)
        return RegionFeatures(boxes[rows], states[rows].float().cpu().numpy(), labels, (height, width))

    def _chances(self, logits: torch.Tensor) -> NDArray[np.float64]:
        """Returns how likely each class is ``(queries, classes)``, without "nothing"."""
        classes = len(self._net.config.id2label)
        if logits.shape[1] == classes + 1:
            return np.asarray(logits.double().softmax(dim=1)[:, :classes].cpu().numpy())
        return np.asarray(logits.double().sigmoid().cpu().numpy())


def _opened(model: str, revision: str | None) -> tuple[Any, Any]:
    try:
        from transformers import AutoImageProcessor, AutoModelForObjectDetection
    except ImportError as error:
        raise UnavailableError(
            model, "a detector of the hub needs transformers, which is not installed", "pip install 'foveate[hf]'"
        ) from error
    # Nothing is fetched when the user forbade it, or where the model is a folder.
    told = {"revision": revision, "local_files_only": offline() or Path(model).is_dir(), "trust_remote_code": False}
    try:
        net = AutoModelForObjectDetection.from_pretrained(model, **told)
        processor = cast(Any, AutoImageProcessor).from_pretrained(model, **told)
    except (OSError, ValueError, ImportError, KeyError, RuntimeError) as error:
        raise UnavailableError(
            model,
            f"it cannot be loaded as a detector ({reason_of(error)})",
            "Look at the name; without a network put it into the hub's cache (HF_HOME) or give its folder.",
        ) from error
    if not hasattr(net.config, "d_model"):
        raise _no_queries(model, f"a {net.config.model_type} has no width of queries")
    return net, processor


def _no_queries(model: str, why: str) -> UnavailableError:
    return UnavailableError(
        model, f"it is no detector whose queries are regions ({why})", "Take one like DETR, RT-DETR or Deformable DETR."
    )
