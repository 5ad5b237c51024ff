"""The detector against OpenCV 4's Darknet reader on ten photos, and tokens and saliency against the published file."""

from __future__ import annotations

import cv2
import numpy as np
import onnxruntime
import PIL.Image
import pytest

from foveate.perception.sessions import run
from foveate.sources.weights import file_path, paths
from tests.helpers import SHARED, needs_shared

pytestmark = pytest.mark.reference
PHOTOS = sorted((SHARED / "coco" / "images").glob("*.jpg"))[:10]


@needs_shared
@pytest.mark.skipif(not hasattr(cv2.dnn, "readNetFromDarknet"), reason="OpenCV 5 has no Darknet reader")
@pytest.mark.parametrize("side", [608, 416])
def test_rows_are_those_of_opencv(side: int) -> None:
    files = paths("yolov3_tiny")
    # Without this line OpenCV drops every box below 0.2.
    plan = files["yolov3-tiny.cfg"].read_text(encoding="utf-8").replace("[yolo]", "[yolo]\nthresh=0")
    network = cv2.dnn.readNetFromDarknet(
        np.frombuffer(plan.encode(), dtype=np.uint8), np.fromfile(files["yolov3-tiny.weights"], dtype=np.uint8)
    )
    assert len(PHOTOS) == 10
    surest = 0.0
    for path in PHOTOS:
        with PIL.Image.open(path) as photo:
            pixels = np.asarray(photo.convert("RGB"))
        blob = cv2.dnn.blobFromImage(pixels, 1 / 255, (side, side))
        network.setInput(blob)
        wanted = np.concatenate(network.forward(network.getUnconnectedOutLayersNames()))
        rows = run("yolov3_tiny", np.asarray(blob))[0]
        assert rows.shape == wanted.shape
        assert np.abs(rows - wanted).max() < 1e-3
        surest = max(surest, float(wanted[:, 5:].max()))
    assert surest > 0.5


def test_tokens_and_saliency_are_those_of_the_published_network() -> None:
    session = onnxruntime.InferenceSession(str(file_path("vit_s_focus", "vit_s_focus.onnx")))
    photo = np.random.default_rng(7).normal(size=(1, 3, 224, 224)).astype(np.float32)
    (published,) = session.run(None, {"input_image": photo})
    tokens = run("vit_s_focus_tokens", photo)
    assert tokens.shape == (1, 384, 16, 16)
    logits = run("vit_s_focus_saliency", tokens)[0, 0]
    stretched = cv2.resize(logits, (224, 224), interpolation=cv2.INTER_LINEAR)
    assert np.abs(1 / (1 + np.exp(-stretched)) - published[0, 0]).max() < 1e-4
