"""LXMERT and OSCAR: shapes, padding, and every number against plain NumPy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from foveate.errors import UnavailableError, UsageError
from foveate.networks._region_texts import question_and_tags, question_text
from foveate.networks._states import arrays_of, set_arrays
from foveate.networks.build import build
from foveate.training.losses import loss_of
from tests.unit.networks.batches import back
from tests.unit.networks.plain_bert import Plain, lxmert, oscar
from tests.unit.networks.region_batches import ANSWERS, FEATURES, LAYERS, NAMES, SIZES, WORDS, batch, network, single

BEGIN, END = WORDS, WORDS + 1
# Three questions about two photos, one of which has a region less.
ASKED = {"lengths": [4, 2, 3], "photo": [0, 1, 1], "regions": [4, 3]}


def asked(name: str) -> Any:
    return batch(**ASKED, tags=[2, 1, 3] if name == "oscar" else None)


def attention(name: str, output: Any) -> torch.Tensor:
    found: torch.Tensor = output.attention["cross" if name == "lxmert" else "self"]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_shapes(name: str) -> None:
    output: Any = network(name)(asked(name))
    assert output.logits.shape == (3, ANSWERS)
    # Text: 4 words and two marks; the longest with names of what was seen has 4 words, 2 names and three marks.
    assert attention(name, output).shape == ((3, 2, 6, 4) if name == "lxmert" else (3, 2, 13, 13))
    assert len(output.attention) == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("layer", [0, 1, -1])
def test_attention_sums_to_one_over_what_is_there_and_is_nought_elsewhere(name: str, layer: int) -> None:
    given = asked(name)
    shares = attention(name, network(name)(given, layer)).double()
    torch.testing.assert_close(shares.sum(dim=-1), torch.ones(shares.shape[:3]).double(), atol=1e-5, rtol=0)
    valid = given.valid[given.photo]
    if name == "oscar":
        valid = torch.cat([question_and_tags(given, "own", WORDS).there, valid], dim=1)
    missing = ~valid[:, None, None, :].expand(shares.shape)
    assert missing.any()
    assert (shares[missing] == 0).all()
    assert (shares[~missing] > 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_question_in_a_batch_is_as_alone_and_without_padding(name: str) -> None:
    net, given = network(name), asked(name)
    together = net(given)
    for row in range(3):
        alone = net(single(given, row))
        torch.testing.assert_close(together.logits[row], alone.logits[0], atol=1e-5, rtol=1e-5)
        words, regions = int(given.there[row].sum()) + 2, int(given.valid[given.photo[row]].sum())
        shares, own = attention(name, together)[row], attention(name, alone)[0]
        if name == "lxmert":
            torch.testing.assert_close(shares[:, :words, :regions], own, atol=1e-5, rtol=1e-4)
            continue
        text = words + int(given.tags_there[row].sum()) + 1
        kept = [*range(text), *range(9, 9 + regions)]
        torch.testing.assert_close(shares[:, kept][:, :, kept], own, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_what_lies_in_padding_changes_nothing(name: str) -> None:
    net, given = network(name), asked(name)
    other = replace(
        given,
        words=torch.where(given.there, given.words, 5),
        features=torch.where(given.valid[..., None], given.features, 7.0),
        boxes=torch.where(given.valid[..., None], given.boxes, 0.5),
        tags=None if given.tags is None else torch.where(given.tags_there, given.tags, 3),
    )
    torch.testing.assert_close(net(given).logits, net(other).logits, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_all_is_learnt_but_what_the_answer_cannot_see(name: str) -> None:
    net = network(name)
    back(net(asked(name)).logits.square().sum())
    still = {key for key, part in net.named_parameters() if part.grad is None or not part.grad.abs().sum()}
    if name == "oscar":
        assert not still
        return
    # The answer is read off words, which no longer look at regions after the last layer; a single segment is no news.
    last = "net.lxmert.encoder.x_layers.1.visn_"
    assert {key for key in still if not key.startswith(last)} == {"net.lxmert.embeddings.token_type_embeddings.weight"}
    assert all(key in still for key, _ in net.named_parameters() if key.startswith(last))


def test_lxmert_against_numpy() -> None:
    net, given = network("lxmert"), single(asked("lxmert"), 0)
    output = net(given)
    plain = Plain(arrays_of(net), 2)
    ids = [BEGIN, *given.words[0].tolist(), END]
    logits, shares = lxmert(plain, ids, given.features[0].double().numpy(), given.boxes[0].double().numpy(), 2)
    np.testing.assert_allclose(output.logits[0].detach().numpy(), logits, rtol=1e-4, atol=1e-5)
    for layer in range(2):
        found = net(given, layer).attention["cross"][0].detach().numpy()
        np.testing.assert_allclose(found, shares[layer], rtol=1e-4, atol=1e-6)
    assert np.ptp(shares[1]) > 0.1, "attention that is the same everywhere would show nothing"


@pytest.mark.parametrize("region_norm", [False, True])
def test_oscar_against_numpy(region_norm: bool) -> None:
    net, given = network("oscar", region_norm=region_norm), single(asked("oscar"), 2)
    output = net(given)
    words, tags = given.words[0].tolist(), given.tags[0].tolist()  # type: ignore[index]
    boxes = given.boxes[0].double().numpy()
    x0, y0, x1, y1 = boxes.T
    regions = np.column_stack([given.features[0].double().numpy(), x0, y0, x1, y1, x1 - x0, y1 - y0])
    segments = [0] * (len(words) + 2) + [1] * (len(tags) + 1)
    logits, shares = oscar(Plain(arrays_of(net), 2), [BEGIN, *words, END, *tags, END], segments, regions, 2)
    np.testing.assert_allclose(output.logits[0].detach().numpy(), logits, rtol=1e-4, atol=1e-5)
    for layer in range(2):
        found = net(given, layer).attention["self"][0].detach().numpy()
        np.testing.assert_allclose(found, shares[layer], rtol=1e-4, atol=1e-6)
    # Stored features that tell the place themselves are taken as they are.
    told = replace(given, features=torch.from_numpy(regions[None]).float(), boxes=torch.zeros_like(given.boxes))
    torch.testing.assert_close(net(told).logits, output.logits)


def test_oscar_refuses_features_of_another_width() -> None:
    given = asked("oscar")
    with pytest.raises(UsageError, match=f"features: a region has 8 numbers, not {FEATURES}"):
        network("oscar")(replace(given, features=torch.zeros(2, 4, 8)))


def test_oscars_classifier_of_two_layers() -> None:
    net, given = network("oscar", classifier="mlp", classifier_scale=3), asked("oscar")
    numbers = arrays_of(net)
    assert numbers["classifier.0.weight"].shape == (24, 8)
    states: list[torch.Tensor] = []
    net.get_submodule("bert.pooler").register_forward_hook(lambda *told: states.append(told[2]))
    logits = net(given).logits.detach().numpy()
    hidden = np.maximum(states[0].detach().numpy() @ numbers["classifier.0.weight"].T + numbers["classifier.0.bias"], 0)
    np.testing.assert_allclose(
        hidden @ numbers["classifier.2.weight"].T + numbers["classifier.2.bias"], logits, atol=1e-4
    )


def test_texts_have_no_gaps_and_marks_of_the_networks_own() -> None:
    given = batch([3, 1], [0, 0], [2], tags=[1, 2])
    given = replace(given, words=torch.tensor([[3, 4, 5], [6, 0, 0]]), tags=torch.tensor([[7, 0], [2, 8]]))
    text = question_and_tags(given, "own", WORDS)
    assert text.ids.tolist() == [[BEGIN, 3, 4, 5, END, 7, END], [BEGIN, 6, END, 2, 8, END, 0]]
    assert text.segments.tolist() == [[0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1, 0]]
    assert text.there.sum(dim=1).tolist() == [7, 6]
    assert question_text(given, "own", WORDS).ids.tolist() == [[BEGIN, 3, 4, 5, END], [BEGIN, 6, END, 0, 0]]
    assert question_text(given, "given", WORDS).ids.tolist() == [[3, 4, 5], [6, 0, 0]]
    assert question_and_tags(given, "given", WORDS).ids.tolist() == [[3, 4, 5, 7], [6, 2, 8, 0]]
    assert question_and_tags(replace(given, tags=None), "given", WORDS).ids.tolist() == [[3, 4, 5], [6, 0, 0]]


@pytest.mark.parametrize("name", NAMES)
def test_marks_that_are_given_are_as_the_networks_own(name: str) -> None:
    own, given = network(name), single(asked(name), 0)
    words = torch.tensor([[BEGIN, *given.words[0].tolist(), END]])
    tags = None if given.tags is None else torch.tensor([[*given.tags[0].tolist(), END]])
    marked = replace(
        given,
        words=words,
        there=torch.ones_like(words).bool(),
        tags=tags,
        tags_there=None if tags is None else torch.ones_like(tags).bool(),
    )
    other = network(name, marks="given", vocabulary=WORDS + 2)
    torch.testing.assert_close(other(marked).logits, own(given).logits)


@pytest.mark.parametrize("name", NAMES)
def test_numbers_put_into_another_network_make_it_the_same(name: str) -> None:
    net, given = network(name), asked(name)
    other = build(net.config).eval()  # type: ignore[arg-type]
    assert other.config == net.config
    assert not torch.equal(other(given).logits, net(given).logits)
    set_arrays(other, arrays_of(net), "a.safetensors")
    assert torch.equal(other(given).logits, net(given).logits)
    assert torch.equal(other.to("cpu")(given.to("cpu")).logits, net(given).logits)


@pytest.mark.parametrize("name", NAMES)
def test_soft_targets_are_learnt(name: str) -> None:
    torch.manual_seed(1)
    still = {"dropout": 0.0, "dropout_attention": 0.0, **({"dropout_answer": 0.0} if name == "oscar" else {})}
    few = {"cross_layers": 1, "region_layers": 0} if name == "lxmert" else {"layers": 1}
    net, given = build({"network": name, **SIZES, **LAYERS[name], **few, **still}), asked(name)
    targets = torch.tensor([[1.0, 0.3, 0, 0, 0], [0, 0, 0.6, 0, 1.0], [0, 0, 0, 0.9, 0]])
    steps = torch.optim.Adam(net.parameters(), lr=0.02)
    losses = []
    for _ in range(30):
        loss = loss_of(net(given).logits, targets, "bce")
        steps.zero_grad()
        back(loss)
        steps.step()
        losses.append(float(loss.detach()))
    logits = net(given).logits.detach().double().numpy()
    shares = 1 / (1 + np.exp(-logits))
    want = -(targets.numpy() * np.log(shares) + (1 - targets.numpy()) * np.log(1 - shares)).sum() / 3
    assert float(loss_of(torch.from_numpy(logits), targets.double(), "bce")) == pytest.approx(want)
    assert losses[-1] < 0.75 * losses[0]


@pytest.mark.parametrize("name", NAMES)
def test_dropout_is_of_training_alone(name: str) -> None:
    net, given = network(name), asked(name)
    assert torch.equal(net(given).logits, net(given).logits)
    assert not torch.equal(net.train()(given).logits, net(given).logits)


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (
            {"network": "lxmert", **SIZES, "heads": 3},
            "network lxmert, config: value error, width 8 is no multiple of 3",
        ),
        ({"network": "oscar", **SIZES, "marks": "none"}, "network oscar, marks: input should be 'own' or 'given'"),
        (
            {"network": "oscar", **SIZES, "classifier": "x"},
            "network oscar, classifier: input should be 'linear' or 'mlp'",
        ),
        ({"network": "lxmert", **SIZES, "cross_layer": 2}, "it has no option cross_layer. Did you mean cross_layers"),
    ],
)
def test_what_cannot_be_built_is_refused(config: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        build(config)


@pytest.mark.parametrize("name", NAMES)
def test_without_transformers_it_says_what_to_install(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    with pytest.raises(UnavailableError, match=rf"network {name}: .*pip install 'foveate\[hf\]'"):
        build({"network": name, **SIZES})
