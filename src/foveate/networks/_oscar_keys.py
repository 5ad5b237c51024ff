"""OSCAR's official checkpoints as numbers of ours, whose names are the same, and the sizes that they have.

The names are those of `ImageBertForSequenceClassification` of microsoft/Oscar at commit 0ce0fe2, whose text was read;
a published checkpoint was not at hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foveate.networks._official_keys import HEAD, Arrays, count_of, shape_of, unwrapped

# Heads of pre-training, and a table of 0, 1, 2, … that later versions of BERT saved.
_LEFT = ("cls.", "bert.embeddings.position_ids")
# More numbers than a feature has: the region's place.
_PLACE = 6


def oscar_arrays(arrays: Arrays) -> dict[str, Any]:
    """Returns arrays by the names of `networks/oscar.py`; an unknown name stays, and is told when they are set."""
    named = {unwrapped(name): values for name, values in arrays.items()}
    return {name: values for name, values in named.items() if not name.startswith(_LEFT)}


def oscar_config(arrays: Arrays, where: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what a network is built with that these arrays fit.

    Args:
        arrays: By the names of `networks/oscar.py`.
        where: Their file, for messages.
        told: The `config.json` beside them; empty where there is none.

    Raises:
        InputError: One is lacking that tells a size.
    """
    why = "so it is no OSCAR that answers"
    vocabulary, width = shape_of(arrays, "bert.embeddings.word_embeddings.weight", where, why)
    mlp = "classifier.0.weight" in arrays
    found = {
        "network": "oscar",
        "marks": "given",
        "vocabulary": vocabulary,
        "width": width,
        "heads": int(told.get("num_attention_heads") or max(1, width // HEAD)),
        "inner": shape_of(arrays, "bert.encoder.layer.0.intermediate.dense.weight", where, why)[0],
        "features": shape_of(arrays, "bert.img_embedding.weight", where, why)[1] - _PLACE,
        "longest_text": shape_of(arrays, "bert.embeddings.position_embeddings.weight", where, why)[0],
        "layers": count_of(arrays, "bert.encoder.layer."),
        "region_norm": "bert.LayerNorm.weight" in arrays,
        "region_norm_eps": float(told.get("img_layer_norm_eps", 1e-12)),
        "classifier": "mlp" if mlp else "linear",
        "answers": shape_of(arrays, f"classifier.{'2.' if mlp else ''}weight", where, why)[0],
    }
    if mlp:
        found["classifier_scale"] = max(1, arrays["classifier.0.weight"].shape[0] // width)
    return found
