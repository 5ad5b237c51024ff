"""How well `pocket` says no, and what its score is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from benchmarks._asking import Unread, asked
from benchmarks._proxy import Sample, absent, photos, present
from benchmarks._sets import HALVES, RESAMPLES, between, half, of, with_interval
from benchmarks.understanding import area
from numpy.typing import NDArray

from foveate.core.predictions import Prediction
from foveate.evaluation.bootstrap import intervals
from foveate.evaluation.evaluate import summarise
from foveate.reports.curves import reliability_figure


def refusals(out: Path) -> None:
    """Prints how often `pocket` refuses what is absent and keeps what is present, and how well its score tells."""
    print("\nshares with a region refused (absent) or given (present); area: by the score, no region counts 0")
    head = ("absent refused", "of these near", "and far", "present kept", "area under the curve")
    print(f"{'':18} {'absent/present':>15} " + " ".join(f"{each:24}" for each in head))
    for wording in ("real", "ours", "named"):
        for name, out_of in HALVES.items():
            there, gone = (half(make(photos(), wording), out_of) for make in (present, absent))
            row(f"{name}, {wording}", there, gone)
    for name, out_of in HALVES.items():
        calibration(name, [*half(present(photos(), "real"), out_of), *half(absent(photos(), "real"), out_of)], out)


def row(name: str, there: Sequence[Sample], gone: Sequence[Sample]) -> None:
    """Prints one row of the table of refusals."""
    samples = [*there, *gone]
    said = {each.id: each for each in asked([each.query for each in samples], Unread())}
    given = np.array([said[each.query.id].final is not None for each in samples])
    score = np.array([score_of(said[each.query.id]) for each in samples])
    is_there = np.arange(len(samples)) < len(there)
    near = np.array([each.near for each in samples])
    photo = [each.query.image_name for each in samples]
    shares = [
        share(~given, ~is_there, photo),
        share(~given, ~is_there & near, photo),
        share(~given, ~is_there & ~near, photo),
        share(given, is_there, photo),
        f"{area(score, is_there):.3f}",
    ]
    count = f"{len(gone)}/{len(there)}"
    print(f"{name:18} {count:>15} " + " ".join(f"{each:24}" for each in shares), flush=True)


def share(hit: NDArray[np.bool_], of: NDArray[np.bool_], photo: Sequence[str]) -> str:
    """Returns the share of `of` that is hit, with its interval."""

    def value(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return (weights @ (hit & of)) / np.maximum(weights @ of, 1e-9)

    low, high = intervals({"share": value}, photo, resamples=RESAMPLES, seed=0)["share"]
    return between(float(hit[of].mean()), low, high)


def calibration(name: str, samples: Sequence[Sample], out: Path) -> None:
    """Prints how often regions hit by their score, what is absent among them, and draws it."""
    questions = of(name, samples)
    said = asked(questions.queries, Unread())
    print(f"\n{name}, real, present and absent: expected calibration error, ten bins")
    for score, predictions in {"region": said, "answer": [_by_answer(one) for one in said]}.items():
        found = questions.measured(predictions, "ece@10")
        error = summarise(found, resamples=RESAMPLES, seed=0).metrics["ece@10"]
        print(f"score of the {score}: {with_interval(error)}; only what is present: {error.value_scored:.3f}")
        figure = reliability_figure({0: found.columns["ece@10"]}, ["pocket"])
        if figure:
            for cells in (figure.head, *figure.table):
                print("    " + "  ".join(f"{cell:>12}" for cell in cells))
            out.mkdir(parents=True, exist_ok=True)
            (out / f"reliability-{name}-{score}.svg").write_text(str(figure.panels[0].svg), encoding="utf-8")


def score_of(prediction: Prediction) -> float:
    """Returns how sure a prediction is of its region; 0 without one."""
    return (prediction.final.score or 0.0) if prediction.final else 0.0


def _by_answer(prediction: Prediction) -> Prediction:
    if prediction.final is None:
        return prediction
    region = replace(prediction.final, score=prediction.answer_score)
    return replace(prediction, final=region, candidates=(region,))
