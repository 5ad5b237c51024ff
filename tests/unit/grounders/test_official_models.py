"""Official checkpoints of `lxmert` and `oscar`: every form of them, written here in small."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from foveate.errors import InputError, UnavailableError, UsageError
from foveate.execution.ground import load_grounder
from foveate.grounders._attention.official import answers_of
from foveate.grounders._attention.region_texts import word_pieces
from foveate.networks._states import arrays_of
from foveate.networks.build import build
from foveate.sources.images import FileImage
from tests.helpers import save_photo

PIECES = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "what",
    "is",
    "the",
    "cup",
    "##s",
    "?",
    "white",
    "black",
    "grey",
)
ANSWERS = ("yes", "no", "red")
SIZES = {"vocabulary": len(PIECES), "answers": len(ANSWERS), "features": 3, "width": 8, "heads": 2, "inner": 12}
LAYERS: dict[str, dict[str, Any]] = {
    "lxmert": {"language_layers": 1, "region_layers": 1, "cross_layers": 2},
    "oscar": {"layers": 2, "region_norm": True},
}
QUESTION = "What is the cups?"


def net(name: str) -> torch.nn.Module:
    torch.manual_seed(3)
    made = build({"network": name, "marks": "given", "longest_text": 32, **SIZES, **LAYERS[name]}).eval()
    with torch.no_grad():
        for part in made.parameters():
            part.mul_(20 if part.ndim > 1 else 1)
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_photo(tmp_path / "photo.png", (48, 64))
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    (tmp_path / "answers.json").write_text(json.dumps(ANSWERS))
    return tmp_path


def ready(name: str, folder: Path, **options: Any) -> Any:
    given = {"answers": str(folder / "answers.json"), "vocabulary": str(folder / "vocab.txt"), "regions": "colour"}
    _, method = load_grounder(name, {**given, **options})
    image = FileImage(folder / "photo.png")
    method.prepare(image, image.size_hw)
    return method


def as_saved(name: str, arrays: dict[str, Any], path: Path) -> Path:
    """Writes numbers as PyTorch does."""
    torch.save({key: torch.from_numpy(np.array(value)) for key, value in arrays.items()}, path)
    return path


def original(form: str) -> dict[str, Any]:
    """Returns LXMERT's numbers by the names of the original code's pre-training or fine-tuning."""
    arrays = arrays_of(net("lxmert"))
    if form == "pretrained":
        renamed = {
            key.replace("net.lxmert.", "module.bert.").replace("net.", "module."): v for key, v in arrays.items()
        }
        return {**renamed, "module.cls.predictions.bias": np.zeros(4, np.float32)}
    old = (("net.lxmert.", "lxrt_encoder.model.bert."), ("net.answer_head.logit_fc", "logit_fc"))
    return {next(n + key[len(o) :] for o, n in old if key.startswith(o)): value for key, value in arrays.items()}


def same(first: Any, second: Any) -> bool:
    return (first.answer, first.final) == (second.answer, second.final) and np.array_equal(
        first.map.values, second.map.values
    )


def hub_folder(folder: Path) -> Path:
    """Writes LXMERT as transformers does; returns its folder."""
    made: Any = net("lxmert")
    made.net.config.id2label = dict(enumerate(ANSWERS))
    made.net.save_pretrained(folder / "hub")
    (folder / "vocab.txt").rename(folder / "hub" / "vocab.txt")
    return folder / "hub"


def test_lxmert_in_all_its_forms_says_the_same(folder: Path) -> None:
    # Small heads are 4 wide, and no shape tells it: BERT's 64 would make it one head, so the original has one here.
    files = [as_saved("lxmert", original(form), folder / f"{form}.pth") for form in ("pretrained", "finetuned")]
    first, second = (ready("lxmert", folder, model=str(file)) for file in files)
    assert same(first.ground(QUESTION), second.ground(QUESTION))
    assert first.trained_on["dataset"] == "elsewhere (pretrained.pth)"
    hub = ready("lxmert", folder, model=str(hub_folder(folder)), answers="", vocabulary="")
    assert hub._checkpoint.card.config["heads"] == 2
    said = hub.ground(QUESTION)
    assert said.answer in ANSWERS
    assert said.status == "ok"
    assert all((first._checkpoint.arrays[key] == value).all() for key, value in hub._checkpoint.arrays.items())


def test_lxmert_of_the_hub_is_transformers_own_output(folder: Path) -> None:
    said = ready("lxmert", folder, model=str(hub_folder(folder)), answers="", vocabulary="", tokens="all").ground(
        QUESTION
    )
    made: Any = net("lxmert")
    # [CLS] what is the cup ##s ? [SEP], padded to 20.
    ids = torch.tensor([[2, 5, 6, 7, 8, 9, 10, 3] + [0] * 12])
    from foveate.perception._region_colour import ColourRegions

    found = ColourRegions(36).regions("a", FileImage(folder / "photo.png"), (48, 64))
    with torch.no_grad():
        output = made.net(
            input_ids=ids,
            visual_feats=torch.from_numpy(found.features)[None],
            visual_pos=torch.from_numpy(found.xyxy / [64, 48, 64, 48]).float()[None],
            attention_mask=(ids > 0).float(),
            output_attentions=True,
        )
    share = torch.sigmoid(output.question_answering_score[0])
    assert said.answer == ANSWERS[int(share.argmax())]
    assert said.answer_score == pytest.approx(float(share.max()), rel=1e-4)
    weights = output.cross_encoder_attentions[-1][0].mean(dim=(0, 1))
    best = [round(float(one.score), 5) for one in said.candidates[1:]]
    assert best == pytest.approx(sorted((weights / weights.sum()).tolist())[::-1][:5], abs=1e-4)


def oscar_folder(folder: Path, *, config: bool = True) -> Path:
    made = net("oscar")
    as_saved("oscar", {f"module.{key}": value for key, value in arrays_of(made).items()}, folder / "pytorch_model.bin")
    if config:
        told = {"num_attention_heads": 2, "img_layer_norm_eps": 1e-12, "img_feature_dim": 9}
        (folder / "config.json").write_text(json.dumps(told))
    return folder


def test_oscar_is_its_networks_output(folder: Path) -> None:
    method = ready("oscar", folder, model=str(oscar_folder(folder)), vocabulary="")
    said = method.ground(QUESTION)
    made: Any = net("oscar")
    from foveate.grounders._attention.region_inputs import region_batch
    from foveate.perception._region_colour import ColourRegions

    found = ColourRegions(50).regions("a", FileImage(folder / "photo.png"), (48, 64))
    names = list(dict.fromkeys(found.labels or ()))
    tags = [*(PIECES.index(name) if name in PIECES else 1 for name in names), 3]
    with torch.no_grad():
        output = made(region_batch([found], [[2, 5, 6, 7, 8, 9, 10, 3]], [0], tags=[tags]))
    share = torch.sigmoid(output.logits[0])
    assert said.answer == ANSWERS[int(share.argmax())]
    assert said.answer_score == pytest.approx(float(share.max()), rel=1e-4)
    shares = output.attention["self"][0].mean(dim=0)[-50:, -50:].mean(dim=0)
    assert [one.score for one in said.candidates[1:]] == pytest.approx(
        sorted((shares / shares.sum()).tolist())[::-1][:5], abs=1e-4
    )
    assert method._checkpoint.sha256 == method.trained_on["sha256"]


def test_oscar_is_kept_until_its_file_changes(folder: Path) -> None:
    path = oscar_folder(folder)
    first, second = (ready("oscar", folder, model=str(path / "pytorch_model.bin")) for _ in range(2))
    assert first._checkpoint is second._checkpoint
    made = net("oscar")
    with torch.no_grad():
        for part in made.parameters():
            part.add_(0.1)
    as_saved("oscar", {**arrays_of(made), "bert.embeddings.position_ids": np.arange(3)}, path / "pytorch_model.bin")
    assert ready("oscar", folder, model=str(path / "pytorch_model.bin"))._checkpoint.sha256 != first._checkpoint.sha256


@pytest.mark.parametrize(
    ("held", "found"),
    [
        (["a", "b"], ("a", "b")),
        ({"a": 1, "b": 0}, ("b", "a")),
        ({"1": "a", "0": "b"}, ("b", "a")),
    ],
)
def test_answers_in_each_form(held: Any, found: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(held))
    assert answers_of(tmp_path / "a.json") == found


@pytest.mark.parametrize("held", [[], [1], "a", {"a": 1, "b": 2}, {"0": "a", "2": "b"}, {"a": "b"}, {}, {"0": 1}])
def test_answers_that_are_none(held: Any, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(held))
    with pytest.raises(InputError, match="it is no list of answers"):
        answers_of(tmp_path / "a.json")
    with pytest.raises(InputError, match="there is no such file"):
        answers_of(tmp_path / "b.json")


def test_pieces_of_words_and_the_names_that_fit(folder: Path) -> None:
    texts = word_pieces(str(folder / "vocab.txt"), 6, len(PIECES))
    asked = texts.asked(" What is THE cups? ", ["grey cup", "dog"], 64)
    assert (asked.ids, asked.words) == ([2, 5, 6, 7, 8, 9, 10, 3], ("what", "is", "the", "cup", "##s", "?"))
    assert (asked.tags, asked.width) == ([13, 8, 1, 3], 8)
    assert texts.asked("What?", ["grey cup", "dog"], 7).tags == [13, 8, 3]
    assert texts.asked("What?", ["grey"], 5).tags == []
    assert texts.asked("What?", [], 64).tags == []
    assert texts.asked("what " * 9, [], 64).ids == [2, *[5] * 6, 3]
    with pytest.raises(InputError, match="it has 14 pieces of words, and the network 30,522 ids"):
        word_pieces(str(folder / "vocab.txt"), 6, 30522)
    (folder / "other.txt").write_text("a\nb\n")
    with pytest.raises(InputError, match=r"it is no vocabulary of BERT: it has no \[PAD\]"):
        word_pieces(str(folder / "other.txt"), 6, 2)
    (folder / "twice.txt").write_text("\n".join((*PIECES, "cup")))
    with pytest.raises(InputError, match="a piece is there twice"):
        word_pieces(str(folder / "twice.txt"), 6, 14)


def test_what_does_not_fit_is_told(folder: Path) -> None:
    model = str(as_saved("lxmert", original("finetuned"), folder / "a.pth"))
    (folder / "more.json").write_text(json.dumps([*ANSWERS, "blue"]))
    with pytest.raises(InputError, match=r"more\.json: it has 4 answers, and the network 3"):
        ready("lxmert", folder, model=model, answers=str(folder / "more.json"))
    with pytest.raises(UsageError, match=r"it does not say what its 3 answers are\. Pass --set answers=FILE"):
        ready("lxmert", folder, model=model, answers="")
    with pytest.raises(UsageError, match=r"nothing tells its pieces of words\. Pass --set vocabulary=FILE"):
        ready("lxmert", folder, model=model, vocabulary="")
    with pytest.raises(
        UsageError, match=r"a\.pth: it does not say which regions .* each has 3 numbers\. Pass --set regions"
    ):
        ready("lxmert", folder, model=model, regions="")
    with pytest.raises(UsageError, match=r"and a\.pth reads 3\. It was trained on those of its own detector"):
        ready("lxmert", folder, model=model, regions="offline")
    arrays = {key: value for key, value in original("finetuned").items() if "pooler.dense.bias" not in key}
    broken = as_saved("lxmert", arrays, folder / "b.pth")
    with pytest.raises(
        InputError, match=r"b\.pth: it is of another network: it lacks net\.lxmert\.pooler\.dense\.bias"
    ):
        ready("lxmert", folder, model=str(broken)).ground(QUESTION)
    with pytest.raises(InputError, match=r"there is no pytorch_model\.bin in this folder"):
        ready("oscar", folder, model=str(folder))


def test_a_model_that_is_not_here_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    with pytest.raises(UnavailableError, match="nobody/nothing: it cannot be loaded as LXMERT"):
        ready("lxmert", folder, model="nobody/nothing")
    with pytest.raises(UnavailableError, match="nobody/nothing@abc: its pieces of words cannot be had"):
        word_pieces("nobody/nothing@abc", 6, 3)


def test_a_model_without_the_head_of_answers_is_refused(folder: Path) -> None:
    made: Any = net("lxmert")
    made.net.lxmert.save_pretrained(folder / "body")
    with pytest.raises(InputError, match=r"it lacks answer_head\.logit_fc\.0\.bias"):
        ready("lxmert", folder, model=str(folder / "body"))


def test_answers_that_nobody_named_are_asked_for(folder: Path) -> None:
    made: Any = net("lxmert")
    made.net.save_pretrained(folder / "plain")
    with pytest.raises(UsageError, match="it does not say what its 3 answers are"):
        ready("lxmert", folder, model=str(folder / "plain"), answers="")
