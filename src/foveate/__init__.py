"""Ask a photo a question; see where the answer is; measure whether any model looks at the right place.

Example:
    >>> import foveate
    >>> prediction = foveate.ask("photo.jpg", "What is this?")  # doctest: +SKIP
    >>> foveate.ground("toloka_vqa:train_sample", "DIR", grounder="whole_image", out="runs/a")  # doctest: +SKIP
    >>> foveate.score("runs/a").metrics["mean_iou"].value  # doctest: +SKIP
    0.0458...
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

# ONNX Runtime tells its maker of every start and every network, and keeps a number of this machine, unless it is told
# not to before it is loaded. Processes that this one begins inherit it.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

if TYPE_CHECKING:
    from foveate.analysis.analyze import analyze
    from foveate.assist.overlay import overlay
    from foveate.core.predictions import Prediction
    from foveate.core.queries import Query
    from foveate.core.regions import Box, Mask, Region
    from foveate.core.truths import Target, Truth
    from foveate.datasets._open import open_dataset
    from foveate.errors import FoveateError
    from foveate.evaluation.compare import compare
    from foveate.evaluation.evaluate import Evaluation, evaluate
    from foveate.evaluation.score import score
    from foveate.execution.ask import ask
    from foveate.execution.ground import ground
    from foveate.reports.report import report
    from foveate.runs.store import read_run

__all__ = [
    "Box",
    "Evaluation",
    "FoveateError",
    "Mask",
    "Prediction",
    "Query",
    "Region",
    "Target",
    "Truth",
    "analyze",
    "ask",
    "compare",
    "evaluate",
    "ground",
    "open_dataset",
    "overlay",
    "read_run",
    "report",
    "score",
]

# Names are loaded when they are first used, so that `import foveate` and `foveate --help` are instant.
_HOMES = {
    "Box": "core.regions",
    "Evaluation": "evaluation.evaluate",
    "FoveateError": "errors",
    "Mask": "core.regions",
    "Prediction": "core.predictions",
    "Query": "core.queries",
    "Region": "core.regions",
    "Target": "core.truths",
    "Truth": "core.truths",
    "analyze": "analysis.analyze",
    "ask": "execution.ask",
    "compare": "evaluation.compare",
    "evaluate": "evaluation.evaluate",
    "ground": "execution.ground",
    "open_dataset": "datasets._open",
    "overlay": "assist.overlay",
    "read_run": "runs.store",
    "report": "reports.report",
    "score": "evaluation.score",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'foveate' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"foveate.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
