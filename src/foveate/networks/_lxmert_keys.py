"""LXMERT's official checkpoints as numbers of ours, and the sizes that they have.

Known are the names of transformers' class, and those of the original code (airsplay/lxmert): of its pre-training
(`bert.…`, `answer_head.…`, heads of other tasks) and of its fine-tuning (`lxrt_encoder.model.bert.…`, `logit_fc.…`).
"""

from __future__ import annotations

from typing import Any

from foveate.networks._official_keys import HEAD, Arrays, count_of, shape_of, unwrapped

_RENAMED = (
    ("lxrt_encoder.model.bert.", "net.lxmert."),
    ("bert.", "net.lxmert."),
    ("lxmert.", "net.lxmert."),
    ("logit_fc.", "net.answer_head.logit_fc."),
    ("answer_head.", "net.answer_head."),
)
# Heads of other tasks than answering.
_LEFT = ("cls.", "obj_predict_head.")
_BODY = "net.lxmert."
_ENCODER = f"{_BODY}encoder."


def lxmert_arrays(arrays: Arrays) -> dict[str, Any]:
    """Returns arrays by the names of `networks/lxmert.py`; an unknown name stays, and is told when they are set."""
    named = {unwrapped(name): values for name, values in arrays.items()}
    return {_renamed(name): values for name, values in named.items() if not name.startswith(_LEFT)}


def lxmert_config(arrays: Arrays, where: str, heads: int | None = None) -> dict[str, Any]:
    """Returns what a network is built with that these arrays fit.

    Args:
        arrays: By the names of `networks/lxmert.py`.
        where: Their file, for messages.
        heads: Of attention, which no shape tells; None for one every 64 numbers, as BERT has them.

    Raises:
        InputError: One is lacking that tells a size.
    """
    why = "so it is no LXMERT that answers"
    vocabulary, width = shape_of(arrays, f"{_BODY}embeddings.word_embeddings.weight", where, why)
    first = f"{_ENCODER}x_layers.0."
    return {
        "network": "lxmert",
        "marks": "given",
        "vocabulary": vocabulary,
        "width": width,
        "heads": heads or max(1, width // HEAD),
        "inner": shape_of(arrays, f"{first}lang_inter.dense.weight", where, why)[0],
        "features": shape_of(arrays, f"{_ENCODER}visn_fc.visn_fc.weight", where, why)[1],
        "answers": shape_of(arrays, "net.answer_head.logit_fc.3.weight", where, why)[0],
        "longest_text": shape_of(arrays, f"{_BODY}embeddings.position_embeddings.weight", where, why)[0],
        "language_layers": count_of(arrays, f"{_ENCODER}layer."),
        "region_layers": count_of(arrays, f"{_ENCODER}r_layers."),
        "cross_layers": count_of(arrays, f"{_ENCODER}x_layers."),
    }


def _renamed(name: str) -> str:
    for old, new in _RENAMED:
        if name.startswith(old):
            return new + name[len(old) :]
    return name
