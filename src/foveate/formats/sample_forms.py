"""Every form of samples in files, by name."""

from __future__ import annotations

from collections.abc import Mapping

from foveate.formats import samples_csv, samples_jsonl, samples_parquet
from foveate.formats._sample_forms import Form

FORMS: Mapping[str, Form] = {module.FORM.name: module.FORM for module in (samples_jsonl, samples_parquet, samples_csv)}
