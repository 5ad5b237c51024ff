"""A detector of the hub, tiny and untrained, made here; what its queries give is worked out from the network itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from foveate.errors import InputError, UnavailableError
from foveate.perception.region_features import RegionSource, region_source

transformers: Any = pytest.importorskip("transformers")
SIZE = (48, 64)


@dataclass(frozen=True)
class Noise:
    """A photo that is drawn by lot."""

    name: str = "a.jpg"
    size_hw: tuple[int, int] = SIZE

    def load(self) -> NDArray[np.uint8]:
        return np.random.default_rng(3).integers(0, 256, (*self.size_hw, 3), dtype=np.uint8)


def _save(net: Any, processor: Any, folder: Path) -> Path:
    net.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def detr(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    backbone = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic", out_features=["stage2"]
    )
    config = transformers.DetrConfig(
        backbone_config=backbone,
        use_timm_backbone=False,
        use_pretrained_backbone=False,
        backbone=None,
        num_queries=12,
        d_model=16,
        encoder_layers=1,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        id2label={0: "cup", 1: "cat", 2: "chair"},
    )
    net = transformers.DetrForObjectDetection(config).eval()
    with torch.no_grad():
        # An untrained one gives one box for all queries.
        net.bbox_predictor.layers[-1].weight.normal_(std=2.0)
        net.class_labels_classifier.weight.normal_(std=2.0)
        net.model.query_position_embeddings.weight.normal_(std=3.0)
    processor = transformers.models.detr.image_processing_pil_detr.DetrImageProcessorPil(
        size={"shortest_edge": 64, "longest_edge": 96}
    )
    yield _save(net, processor, tmp_path_factory.mktemp("detr"))
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def source(detr: Path) -> RegionSource:
    return region_source({"name": "hub", "model": str(detr), "most": 5})


def test_regions_are_the_likeliest_queries_of_the_decoder(detr: Path, source: RegionSource) -> None:
    found = source.regions("a.jpg", Noise(), SIZE)
    net = transformers.DetrForObjectDetection.from_pretrained(detr).eval()
    processor = transformers.AutoImageProcessor.from_pretrained(detr)
    given = processor(images=Noise().load(), return_tensors="pt")
    with torch.no_grad():
        out = net(**given)
    chances = torch.softmax(out.logits[0].double(), dim=1).numpy()[:, :3]
    # In words of its own: rank queries by their likeliest thing, which "nothing" is not.
    best = sorted(range(12), key=lambda query: -chances[query].max())[:5]
    for row, query in enumerate(best):
        x, y, width, height = out.pred_boxes[0, query].double().tolist()
        left, top = max(0, (x - width / 2) * 64), max(0, (y - height / 2) * 48)
        right, bottom = min(64, (x + width / 2) * 64), min(48, (y + height / 2) * 48)
        assert found.xyxy[row] == pytest.approx([left, top, right, bottom], abs=1e-3)
        assert found.features[row] == pytest.approx(out.last_hidden_state[0, query].numpy(), abs=1e-4)
    assert found.labels == tuple(("cup", "cat", "chair")[int(chances[query].argmax())] for query in best)
    assert len({tuple(box) for box in found.xyxy.round(3).tolist()}) > 1
    assert (source.width, source.most, source.needs_image) == (16, 5, True)


def test_the_same_photo_has_the_same_regions_also_of_another_instance(source: RegionSource) -> None:
    again = region_source(source.config)
    first, second = (one.regions("a.jpg", Noise(), SIZE) for one in (source, again))
    assert np.array_equal(first.xyxy, second.xyxy)
    assert np.array_equal(first.features, second.features)


def test_a_detector_that_judges_each_class_by_itself(tmp_path: Path) -> None:
    torch.manual_seed(1)
    backbone = transformers.RTDetrResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 8, 8, 8],
        depths=[1, 1, 1, 1],
        layer_type="basic",
        out_features=["stage2", "stage3", "stage4"],
    )
    config = transformers.RTDetrConfig(
        backbone_config=backbone,
        encoder_hidden_dim=16,
        encoder_in_channels=[8, 8, 8],
        encoder_ffn_dim=16,
        encoder_attention_heads=2,
        decoder_in_channels=[16, 16, 16],
        decoder_ffn_dim=16,
        decoder_layers=1,
        decoder_attention_heads=2,
        d_model=16,
        num_queries=10,
        feat_strides=[8, 16, 32],
        id2label={0: "cup", 1: "cat"},
    )
    net = transformers.RTDetrForObjectDetection(config).eval()
    processor = transformers.models.rt_detr.image_processing_pil_rt_detr.RTDetrImageProcessorPil(
        size={"height": 64, "width": 64}
    )
    folder = _save(net, processor, tmp_path)
    source = region_source({"name": "hub", "model": str(folder), "most": 4})
    found = source.regions("a.jpg", Noise(), SIZE)
    assert found.features.shape == (4, 16)
    with torch.no_grad():
        out = net(**processor(images=Noise().load(), return_tensors="pt"))
    chances = torch.sigmoid(out.logits[0].double()).max(dim=1).values.numpy()
    wanted = out.last_hidden_state[0].numpy()[int(chances.argmax())]
    assert found.features[0] == pytest.approx(wanted, abs=1e-4)
    assert found.labels is not None
    assert set(found.labels) <= {"cup", "cat"}


def test_what_is_no_such_detector_or_not_here_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnavailableError, match="cannot be loaded as a detector"):
        region_source({"name": "hub", "model": str(tmp_path)})
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(UnavailableError, match="some/model: it cannot be loaded .* put it into the hub's cache"):
        region_source({"name": "hub", "model": "some/model"})
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(UnavailableError, match=r"needs transformers, .* pip install 'foveate\[hf\]'"):
        region_source({"name": "hub", "model": "some/model"})


def test_an_absent_photo_is_told(source: RegionSource) -> None:
    with pytest.raises(InputError, match="the photo is absent"):
        source.regions("a.jpg", None, SIZE)
