"""Names and sizes of official checkpoints, listed here by hand from the official codes, apart from what reads them.

LXMERT: airsplay/lxmert, src/lxrt/modeling.py and src/tasks/vqa_model.py. Oscar: microsoft/Oscar at commit 0ce0fe2,
oscar/modeling/modeling_bert.py. The texts were read; a published checkpoint was not at hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from foveate.errors import InputError
from foveate.networks._lxmert_keys import lxmert_arrays, lxmert_config
from foveate.networks._official_keys import unwrapped
from foveate.networks._oscar_keys import oscar_arrays, oscar_config
from foveate.networks._states import arrays_of, set_arrays
from foveate.networks.build import build
from tests.unit.networks.region_batches import network

Shapes = dict[str, tuple[int, ...]]


def linear(name: str, outputs: int, inputs: int) -> Shapes:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def norm(name: str, width: int) -> Shapes:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}


def embeddings(name: str, vocabulary: int, width: int) -> Shapes:
    counts = {"word": vocabulary, "position": 512, "token_type": 2}
    tables: Shapes = {f"{name}.{kind}_embeddings.weight": (count, width) for kind, count in counts.items()}
    return {**tables, **norm(f"{name}.LayerNorm", width)}


def attention(inside: str, output: str, width: int) -> Shapes:
    found: Shapes = {}
    for part in ("query", "key", "value"):
        found |= linear(f"{inside}.{part}", width, width)
    return {**found, **linear(f"{output}.dense", width, width), **norm(f"{output}.LayerNorm", width)}


def forward(inside: str, output: str, width: int, inner: int) -> Shapes:
    wide = linear(f"{inside}.dense", inner, width)
    return {**wide, **linear(f"{output}.dense", width, inner), **norm(f"{output}.LayerNorm", width)}


def layer(name: str, width: int, inner: int) -> Shapes:
    own = attention(f"{name}.attention.self", f"{name}.attention.output", width)
    return {**own, **forward(f"{name}.intermediate", f"{name}.output", width, inner)}


def oscar_names(width: int, inner: int, layers: int, answers: int, vocabulary: int = 30522) -> Shapes:
    """Returns names and shapes of a fine-tuned Oscar: `ImageBertForSequenceClassification` with a linear classifier."""
    found = embeddings("bert.embeddings", vocabulary, width)
    for number in range(layers):
        found |= layer(f"bert.encoder.layer.{number}", width, inner)
    found |= linear("bert.pooler.dense", width, width) | linear("bert.img_embedding", width, 2054)
    return {**found, **norm("bert.LayerNorm", width), **linear("classifier", answers, width)}


def lxmert_names(width: int, inner: int, layers: tuple[int, int, int], answers: int, body: str, head: str) -> Shapes:
    """Returns names and shapes of LXMERT: language, region and cross layers below `body`, and the answers' head."""
    found = embeddings(f"{body}.embeddings", 30522, width)
    eyes = f"{body}.encoder.visn_fc"
    found |= linear(f"{eyes}.visn_fc", width, 2048) | norm(f"{eyes}.visn_layer_norm", width)
    found |= linear(f"{eyes}.box_fc", width, 4) | norm(f"{eyes}.box_layer_norm", width)
    for kind, count in zip(("layer", "r_layers"), layers, strict=False):
        for number in range(count):
            found |= layer(f"{body}.encoder.{kind}.{number}", width, inner)
    for number in range(layers[2]):
        name = f"{body}.encoder.x_layers.{number}"
        found |= attention(f"{name}.visual_attention.att", f"{name}.visual_attention.output", width)
        for side in ("lang", "visn"):
            found |= attention(f"{name}.{side}_self_att.self", f"{name}.{side}_self_att.output", width)
            found |= forward(f"{name}.{side}_inter", f"{name}.{side}_output", width, inner)
    found |= linear(f"{body}.pooler.dense", width, width)
    found |= linear(f"{head}.0", 2 * width, width) | norm(f"{head}.2", 2 * width)
    return {**found, **linear(f"{head}.3", answers, 2 * width)}


def zeros(shapes: Shapes) -> dict[str, Any]:
    """Returns arrays of such shapes that take no room."""
    return {name: np.broadcast_to(np.float32(0), shape) for name, shape in shapes.items()}


def built(config: dict[str, Any]) -> Shapes:
    with torch.device("meta"):
        net = build(config)
    return {name: tuple(value.shape) for name, value in net.state_dict().items()}


@pytest.mark.parametrize(
    ("width", "inner", "layers", "answers", "count"),
    # BERT's own published counts, and what is added: the regions' layer with its norm, and the classifier.
    [
        (768, 3072, 12, 3129, 109_482_240 + 2055 * 768 + 2 * 768 + 769 * 3129),
        (1024, 4096, 24, 3129, 335_141_888 + 2055 * 1024 + 2 * 1024 + 1025 * 3129),
    ],
)
def test_oscars_names_and_shapes_are_those_of_ours(
    width: int, inner: int, layers: int, answers: int, count: int
) -> None:
    official = oscar_names(width, inner, layers, answers)
    config = oscar_config(oscar_arrays(zeros(official)), "a.bin", {})
    assert built(config) == official
    assert (config["heads"], config["features"], config["answers"]) == (width // 64, 2048, 3129)
    assert sum(int(np.prod(shape)) for shape in official.values()) == count


def test_oscars_config_beside_it_tells_what_shapes_do_not() -> None:
    arrays = zeros(oscar_names(24, 48, 2, 7, vocabulary=50))
    told = {"num_attention_heads": 4, "img_layer_norm_eps": 1e-5}
    config = oscar_config(arrays, "a.bin", told)
    assert (config["heads"], config["region_norm"], config["region_norm_eps"]) == (4, True, 1e-5)
    without = {name: value for name, value in arrays.items() if not name.startswith("bert.LayerNorm")}
    assert oscar_config(without, "a.bin", {})["region_norm"] is False
    mlp = {name: value for name, value in arrays.items() if not name.startswith("classifier")}
    mlp |= zeros({**linear("classifier.0", 72, 24), **linear("classifier.2", 7, 72)})
    config = oscar_config(mlp, "a.bin", told)
    assert (config["classifier"], config["classifier_scale"], config["answers"]) == ("mlp", 3, 7)
    assert built(config) == {name: value.shape for name, value in mlp.items()}


@pytest.mark.parametrize(
    ("body", "head", "before"),
    [
        ("bert", "answer_head.logit_fc", ""),
        ("bert", "answer_head.logit_fc", "module."),
        ("lxrt_encoder.model.bert", "logit_fc", ""),
        ("lxrt_encoder.model.module.bert", "logit_fc", ""),
        ("lxmert", "answer_head.logit_fc", ""),
    ],
)
def test_lxmerts_names_in_every_form_are_those_of_ours(body: str, head: str, before: str) -> None:
    # Of pre-training there are heads beyond.
    more = {"cls.predictions.bias": (30522,), "obj_predict_head.transform.dense.weight": (768, 768)}
    official = lxmert_names(768, 3072, (9, 5, 5), 3129, body, head)
    arrays = lxmert_arrays(zeros({f"{before}{name}": shape for name, shape in {**official, **more}.items()}))
    config = lxmert_config(arrays, "a.pth")
    assert (config["heads"], config["features"], config["answers"], config["vocabulary"]) == (12, 2048, 3129, 30522)
    assert (config["language_layers"], config["region_layers"], config["cross_layers"]) == (9, 5, 5)
    assert built(config) == {name: value.shape for name, value in arrays.items()}


def test_names_without_their_wrapping() -> None:
    assert unwrapped("module.cls.predictions.transform.LayerNorm.beta") == "cls.predictions.transform.LayerNorm.bias"
    assert unwrapped("bert.encoder.layer.0.output.LayerNorm.gamma") == "bert.encoder.layer.0.output.LayerNorm.weight"
    assert unwrapped("bert.beta.weight") == "bert.beta.weight"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"bert.pooler.dense.weight": None}, r"it lacks bert\.pooler\.dense\.weight"),
        ({"bert.more.weight": np.zeros(3)}, r"it has bert\.more\.weight beyond"),
        ({"bert.pooler.dense.bias": np.zeros(9)}, r"bert\.pooler\.dense\.bias has the shape \(9,\), not \(8,\)"),
    ],
)
def test_what_is_missing_or_unexpected_is_told(change: dict[str, Any], told: str) -> None:
    net = network("oscar")
    given = {name: value for name, value in {**arrays_of(net), **change}.items() if value is not None}
    with pytest.raises(InputError, match=told):
        set_arrays(net, oscar_arrays(given), "pytorch_model.bin")


def test_a_checkpoint_without_its_answers_is_no_answerer() -> None:
    arrays = zeros(lxmert_names(64, 128, (1, 1, 1), 5, "net.lxmert", "net.answer_head.logit_fc"))
    del arrays["net.answer_head.logit_fc.3.weight"]
    with pytest.raises(
        InputError, match=r"a\.pth: it has no net\.answer_head\.logit_fc\.3\.weight, so it is no LXMERT"
    ):
        lxmert_config(arrays, "a.pth")
    other = zeros(oscar_names(64, 128, 1, 5))
    other["classifier.weight"] = np.zeros(5)
    with pytest.raises(InputError, match=r"b\.bin: it has no classifier\.weight, so it is no OSCAR that answers"):
        oscar_config(other, "b.bin", {})
