"""The layout that a challenge publishes, beside the samples: VizWiz' JSON and masks, or the cup's CSV of boxes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from foveate.core.regions import Box
from foveate.datasets._convert import Loss
from foveate.errors import FoveateError, InputError
from foveate.formats._losses import FEATURES, losses
from foveate.formats._sample_forms import Form, Sample
from foveate.formats.toloka_samples import FORM as TOLOKA
from foveate.formats.vizwiz_samples import vizwiz_form

Layout = Literal["auto", "none", "vizwiz", "toloka"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
FOLDER = "official"
# No split has a dot in its name.
_WHOLE = ".whole"


@dataclass(frozen=True)
class Official:
    """What lies beside.

    Attributes:
        layout: `vizwiz`, `toloka`, or empty.
        why: Why there is none, where one was wished; or empty.
        losses: What it does not hold, in sentences, each kind once for all splits.
    """

    layout: str
    why: str = ""
    losses: Sequence[str] = field(default_factory=tuple)


def layout_of(samples: Iterable[Sample], evaluate_as: str) -> Literal["vizwiz", "toloka"]:
    """Returns the layout that suits targets: the cup's for boxes, VizWiz' for all else."""
    shapes = [target.shape for sample in samples for target in sample.truth.targets]
    boxes = bool(shapes) and all(isinstance(shape, Box) for shape in shapes)
    return "toloka" if boxes or evaluate_as == "box" else "vizwiz"


def write_official(
    splits: Mapping[str, Sequence[Sample]],
    folder: Path,
    layout: Layout,
    evaluate_as: str,
    on_loss: Callable[[Loss], None] = lambda _: None,
) -> Official:
    """Writes the official files of all splits into a folder; what they do not hold is told first.

    Where no layout is asked for by name and the one that suits cannot hold the samples (two questions about a photo,
    say), none is written, and the reason is returned.

    Args:
        splits: The samples by split.
        folder: Is made.
        layout: `auto` for the one that suits, or `none`.
        evaluate_as: What targets are compared as.
        on_loss: Called with each kind of loss of all splits together, before anything is written.

    Raises:
        InputError: A layout is asked for by name and cannot hold the samples.
    """
    if layout == "none":
        return Official("")
    if not any(sample.truth.targets for samples in splits.values() for sample in samples):
        return Official("", "no sample has a target, and these layouts hold nothing else")
    chosen = layout_of((sample for samples in splits.values() for sample in samples), evaluate_as)
    name: Literal["vizwiz", "toloka"] = chosen if layout == "auto" else layout
    # What a form holds does not depend on the split by whose name its files are called.
    lost = _losses((sample for samples in splits.values() for sample in samples), _form(name, next(iter(splits))))
    for loss in lost:
        on_loss(loss)
    try:
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".official-") as part:
            for split, samples in splits.items():
                _write(samples, _form(name, split), split, Path(part))
            (Path(part) / _WHOLE).rename(folder)
    except FoveateError as error:
        if layout == "auto":
            return Official("", f"{name}: {error.fault}")
        raise InputError(error.where, error.problem, "Pass --official none, or leave the sample out.") from error
    return Official(name, "", tuple(map(str, lost)))


def _form(name: str, split: str) -> Form:
    return TOLOKA if name == TOLOKA.name else vizwiz_form(split)


def _losses(samples: Iterable[Sample], form: Form) -> list[Loss]:
    found: dict[str, Loss] = {}
    for sample in samples:
        for name in losses(sample, form):
            found.setdefault(name, Loss(name, form.lost[name])).note(sample.query.id)
    return [found[name] for name in FEATURES if name in found]


def _write(samples: Sequence[Sample], form: Form, split: str, part: Path) -> None:
    """Writes one split and puts its files beside those of the others."""
    every = part / _WHOLE
    every.mkdir(exist_ok=True)
    if not form.is_folder:
        form.write(samples, every / f"{split}.csv")
        return
    form.write(samples, part / split)
    for path in sorted((part / split).rglob("*")):
        if path.is_file():
            target = every / path.relative_to(part / split)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)
