"""Official checkpoints of networks over regions, as if they were our own: numbers, sizes, answers, pieces of words."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from foveate.errors import InputError, UnavailableError, UsageError, reason_of
from foveate.formats._json_files import read_object
from foveate.formats._optional import needed
from foveate.formats.checkpoints import Checkpoint, CheckpointCard
from foveate.formats.tables import json_value
from foveate.formats.torch_files import read_torch_file
from foveate.grounders._attention.region_texts import Texts, word_pieces
from foveate.networks._lxmert_keys import lxmert_arrays, lxmert_config
from foveate.networks._oscar_keys import oscar_arrays, oscar_config
from foveate.sources._files import sha256_of, stamp
from foveate.sources.home import offline

# LXMERT's and OSCAR's codes have BERT's pieces, in lower case, from here.
_BERT = {28996: "google-bert/bert-base-cased", 30522: "google-bert/bert-base-uncased"}
_WEIGHTS = ("pytorch_model.bin", "model.bin", "best.pth")
Model = tuple[Checkpoint, Texts]


def lxmert_model(model: str, answers: str, vocabulary: str, longest: int) -> Model:
    """Returns LXMERT and its texts.

    Args:
        model: A repository of a model hub, a folder that `save_pretrained` wrote, or a file of the original code.
        answers: A JSON file of its answers; empty where the model tells them.
        vocabulary: Where its pieces of words are; empty for where they usually are.
        longest: How many pieces of a question are read.

    Raises:
        InputError: A file is not there, broken, of another network, or does not fit the others.
        UnavailableError: The model is not to be had, or a package is not installed.
        UsageError: Nothing tells the answers.
    """
    path = Path(model)
    if path.is_file():
        arrays = lxmert_arrays(read_torch_file(path))
        config, labels, where = lxmert_config(arrays, model), None, _BERT.get(_ids(arrays), "")
        checkpoint = _checkpoint(path, arrays, config, _answers(answers, labels, config, model), sha256_of(path))
    else:
        arrays, heads, labels = _of_transformers(model)
        config, where = lxmert_config(arrays, model, heads), model
        checkpoint = _checkpoint(path, arrays, config, _answers(answers, labels, config, model), _sum(arrays))
    return checkpoint, word_pieces(vocabulary or _told(where, model), longest, config["vocabulary"])


def oscar_model(model: str, answers: str, vocabulary: str, longest: int) -> Model:
    """Returns OSCAR and its texts.

    Args:
        model: A folder of the official code with `pytorch_model.bin`, `config.json` and `vocab.txt`, or such a file.
        answers: A JSON file of its answers.
        vocabulary: Where its pieces of words are; empty for the folder, or where they usually are.
        longest: How many pieces of a question are read.

    Raises:
        InputError: A file is not there, broken, of another network, or does not fit the others.
        UnavailableError: The pieces are not to be had, or a package is not installed.
        UsageError: The answers are not given.
    """
    path = _weights(Path(model))
    told = read_object(path.with_name("config.json")) if path.with_name("config.json").is_file() else {}
    arrays = oscar_arrays(read_torch_file(path))
    config = oscar_config(arrays, str(path), told)
    pieces = path.with_name("vocab.txt")
    usual = str(pieces) if pieces.is_file() else _BERT.get(config["vocabulary"], "")
    checkpoint = _checkpoint(path, arrays, config, _answers(answers, None, config, model), sha256_of(path))
    return checkpoint, word_pieces(vocabulary or _told(usual, model), longest, config["vocabulary"])


def official(
    load: Callable[[str, str, str, int], Model], model: str, answers: str, vocabulary: str, longest: int
) -> Model:
    """Returns what `load` does; the same as before while the files stay as they are."""
    stamps = tuple(stamp(Path(one)) if Path(one).is_file() else (0, 0) for one in (model, answers, vocabulary))
    return _kept(load, model, answers, vocabulary, longest, stamps)


@lru_cache(maxsize=2)
def _kept(load: Callable[..., Model], model: str, answers: str, vocabulary: str, longest: int, _: object) -> Model:
    return load(model, answers, vocabulary, longest)


def answers_of(path: Path) -> tuple[str, ...]:
    """Returns the answers of a JSON file, in the order of their classes.

    It is a list of texts, or an object of texts by number, or of numbers by text.

    Raises:
        InputError: It is none of these.
    """
    fault, remedy = "it is no list of answers", "Give a JSON list of the answers in the order of the classes."
    if not path.is_file():
        raise InputError(str(path), "there is no such file", remedy)
    told = json_value(path.read_bytes(), str(path), remedy)
    if isinstance(told, dict):
        try:
            pairs = {int(key): text for key, text in told.items()}
        except ValueError:
            pairs = {number: text for text, number in told.items() if isinstance(number, int)}
        told = [pairs[number] for number in range(len(told))] if sorted(pairs) == list(range(len(told))) else None
    if not isinstance(told, list) or not told or not all(isinstance(text, str) for text in told):
        raise InputError(str(path), fault, remedy)
    return tuple(told)


def _of_transformers(model: str) -> tuple[dict[str, Any], int, Mapping[int, str] | None]:
    """Returns the numbers, the heads and the answers of a model of the hub or of a folder."""
    needed("transformers", model, "hf")
    from transformers import LxmertForQuestionAnswering

    kind: Any = LxmertForQuestionAnswering
    name, _, revision = model.partition("@")
    told = {"revision": revision or None, "local_files_only": offline() or Path(name).is_dir()}
    try:
        net, info = kind.from_pretrained(
            name, **told, attn_implementation="eager", trust_remote_code=False, output_loading_info=True
        )
    except (OSError, ValueError, ImportError, KeyError, RuntimeError) as error:
        raise UnavailableError(
            model,
            f"it cannot be loaded as LXMERT ({reason_of(error)})",
            "Look at the name; without a network put it into the hub's cache (HF_HOME) or give its folder.",
        ) from error
    if lacking := sorted(info["missing_keys"]):
        raise InputError(model, f"it lacks {lacking[0]}", "Take the checkpoint of a model that answers questions.")
    arrays = lxmert_arrays({key: value.float().numpy() for key, value in net.state_dict().items()})
    return arrays, int(net.config.num_attention_heads), net.config.id2label


def _answers(answers: str, labels: Mapping[int, str] | None, config: Mapping[str, Any], model: str) -> tuple[str, ...]:
    count = int(config["answers"])
    if answers:
        found = answers_of(Path(answers))
        if len(found) != count:
            problem = f"it has {len(found):,} answers, and the network {count:,}"
            raise InputError(answers, problem, "Give those that the network was trained with.")
        return found
    # LABEL_0, LABEL_1, … is what transformers says where nobody said anything.
    if labels is not None and sorted(labels) == list(range(count)) and labels[0] != "LABEL_0":
        return tuple(labels[number] for number in range(count))
    raise UsageError(
        model,
        f"it does not say what its {count:,} answers are",
        "Pass --set answers=FILE with a JSON list of them (docs/attention.md).",
    )


def _checkpoint(
    path: Path, arrays: Mapping[str, Any], config: Mapping[str, Any], answers: tuple[str, ...], sha256: str
) -> Checkpoint:
    card = CheckpointCard(
        config=dict(config),
        words=(),
        longest=int(config["longest_text"]),
        answers=answers,
        source={},
        trained_on={"dataset": f"elsewhere ({path.name})"},
        # Both were fine-tuned with a sigmoid for each answer.
        recipe={"loss": "bce"},
    )
    return Checkpoint(path, arrays, card, sha256)


def _weights(path: Path) -> Path:
    if path.is_dir():
        found = next((path / name for name in _WEIGHTS if (path / name).is_file()), None)
        if found is None:
            problem = f"there is no {_WEIGHTS[0]} in this folder"
            raise InputError(str(path), problem, "Unpack the checkpoint, and give its folder or file.")
        return found
    return path


def _ids(arrays: Mapping[str, Any]) -> int:
    words = arrays.get("net.lxmert.embeddings.word_embeddings.weight")
    return 0 if words is None else len(words)


def _told(vocabulary: str, model: str) -> str:
    if not vocabulary:
        raise UsageError(model, "nothing tells its pieces of words", "Pass --set vocabulary=FILE with its vocab.txt.")
    return vocabulary


def _sum(arrays: Mapping[str, Any]) -> str:
    """Returns the sha256 of all numbers by name."""
    total = hashlib.sha256()
    for name in sorted(arrays):
        total.update(f"{name}\n".encode())
        total.update(np.ascontiguousarray(arrays[name]).data)
    return total.hexdigest()
