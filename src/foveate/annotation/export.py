"""Submissions as a data set, in every form that samples can be written in; what a form loses is told first."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from foveate.annotation.submissions import Submission
from foveate.annotation.target_rules import TargetRule
from foveate.annotation.targets import Flags, Samples, samples_of
from foveate.datasets._convert import Converted, Loss, Photos, convert
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError, did_you_mean
from foveate.formats import samples_jsonl
from foveate.formats._sample_forms import Form
from foveate.formats.sample_forms import FORMS
from foveate.formats.toloka_samples import FORM as TOLOKA
from foveate.formats.vizwiz_samples import SPLITS, vizwiz_form

# Forms of samples; the original tool's results and runs are made of submissions.
SAMPLE_FORMS = (*FORMS, "vizwiz", TOLOKA.name)


@dataclass(frozen=True)
class Exported:
    """What was written.

    Attributes:
        samples: What the submissions gave.
        converted: What became of that.
    """

    samples: Samples
    converted: Converted

    def remarks(self) -> list[str]:
        """Returns what must be known beside the losses: samples without a target, tasks that are left out."""
        said = [f"no target because of {why}: {n:,}" for why, n in self.samples.why.most_common()]
        counts = {
            "tasks without a question, left out": len(self.samples.without_question),
            "gold tasks without a decision in the file, left out": len(self.samples.gold_undecided),
            "samples as somebody decided": self.samples.adjudicated,
            "samples of fewer drawings than the rule is for": self.samples.too_few,
        }
        return said + [f"{what}: {n:,}" for what, n in counts.items() if n]


def export_samples(
    submissions: Sequence[Submission],
    out: Path,
    *,
    to: str,
    rule: str | TargetRule | None = None,
    flags: Flags = "any",
    split: str = "val",
    lossy: bool = False,
    photos: Photos = "none",
    photos_root: Path | None = None,
    on_loss: Callable[[Loss], None] = lambda _: None,
) -> Exported:
    """Writes the samples that submissions give as a new file or folder, and returns what was written.

    Args:
        submissions: Of one project.
        out: Where nothing is yet.
        to: One of `SAMPLE_FORMS`.
        rule: As for `samples_of`.
        flags: Likewise.
        split: By whose name the official files of VizWiz are called.
        lossy: Write although the form cannot hold everything.
        photos: Whether photos are put beside.
        photos_root: The folder of the photos, for that.
        on_loss: Called with each kind of loss before anything is written.

    Raises:
        UsageError: The form, rule or split is none.
        UnavailableError: What the rule needs is not installed.
        InputError: Submissions contradict each other, no sample is left, or the form loses something and `lossy` is
            not said.
        OutputError: There is something at `out` already, or it cannot be written.
    """
    form = sample_form(to, split)
    made = samples_of(submissions, rule, flags)
    if not made.samples:
        problem = "no task has a question, so that there is no sample"
        if made.gold_undecided:
            problem = "every task with a question is gold without a decision, so that there is no sample"
        raise InputError(str(out), problem, "Wait until more is done.")
    with tempfile.TemporaryDirectory(prefix="foveate-") as folder:
        # The way that every other data set goes, so that losses are found and told by one rule.
        path = Path(folder) / "submissions.jsonl"
        samples_jsonl.write(made.samples, path)
        settings: Mapping[str, str] = {} if photos_root is None else {"photos": str(photos_root)}
        data = open_dataset(str(path), settings=settings)
        done = convert(data, out, to=form, lossy=lossy, photos=photos, on_loss=on_loss)
    return Exported(made, done)


def sample_form(to: str, split: str) -> Form:
    """Returns a form by its name.

    Raises:
        UsageError: The form or the split is none.
    """
    if to == "vizwiz":
        if split not in SPLITS:
            raise UsageError(f"split {split}", "VizWiz has no such split", did_you_mean(split, SPLITS))
        return vizwiz_form(split)
    if to == TOLOKA.name:
        return TOLOKA
    if to not in FORMS:
        raise UsageError(f"form {to}", "there is none of this name", did_you_mean(to, SAMPLE_FORMS))
    return FORMS[to]
