"""Priors in a file: where targets lie on average, by question, answer, or whatever else parts the samples.

The file is a NumPy archive (`.npz`) without pickles; the same prior gives the same bytes.

| key | type and shape | what it is |
|---|---|---|
| `about` | `uint8 (bytes,)` | JSON, UTF-8: `version`, `dataset`, `fingerprint` (of its queries), `n`, `notes`, `keys` |
| `overall` | `float32 (h, w)` | the mean of all targets, 0 to 1, on a grid of shares of the photo's height and width |
| `overall_centre` | `float64 (2,)` | the mean of their centres of mass, x and y, as shares of width and height |
| `counts` | `int64 (G,)` | how many targets each group has |
| `centres` | `float64 (G, 2)` | the mean of their centres |
| `means` | `float32 (G, h, w)` | their mean |

In `about`, `keys` is a list of `G` pairs `[kind, key]`: `["question", "what is this"]`; `notes` tells by kind how a key
is made. From version 2 on it has `best_box`, the sides of the one box (`xyxy`, shares of width and height) with the
highest mean IoU on the targets, and `best_box_value`, that mean; both are null where nothing was searched.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError, OutputError
from foveate.replaced_files import replaced_file

VERSION = 2
# Version 1 had no best box.
_READ = (1, VERSION)
# More than this no prior has; an archive that says so is a bomb.
_MOST_BYTES = 2**31
_SHAPES = {"overall": 2, "overall_centre": 1, "counts": 1, "centres": 2, "means": 3}
# The archive's own clock begins here; a real time would make each file another one.
_NO_TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, eq=False)
class PriorGroup:
    """Where the targets of one group lie.

    Attributes:
        kind: What the groups go by: `question`, `answer`, `skills`, …
        key: What its samples have in common.
        n: How many targets.
        centre: x and y of the mean centre of mass, as shares of width and height.
        mean: ``float32 (h, w)``, the share of its targets that cover each place, 0 to 1.
    """

    kind: str
    key: str
    n: int
    centre: tuple[float, float]
    mean: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PriorFile:
    """Where the targets of a data set lie.

    Attributes:
        dataset: `NAME:SPLIT`.
        fingerprint: Of its queries, so that it can be told whether it was made of what it is tried on.
        n: How many targets.
        notes: By kind, how a key is made of a sample.
        centre: As of a group.
        mean: As of a group.
        groups: In their order.
        best_box: The box with the highest mean IoU, ``xyxy`` in shares of width and height; None in older files.
        best_box_value: That mean IoU, on the samples that the box was chosen by.
    """

    dataset: str
    fingerprint: str
    n: int
    notes: Mapping[str, str]
    centre: tuple[float, float]
    mean: NDArray[np.float32]
    groups: tuple[PriorGroup, ...]
    best_box: tuple[float, float, float, float] | None = None
    best_box_value: float | None = None


def write_prior(path: Path, prior: PriorFile) -> None:
    """Writes a prior, as a whole or not at all; one that is there is replaced.

    Raises:
        OutputError: The file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replaced_file(path) as file:
            _write(file, prior)
    except OSError as error:
        raise OutputError(
            str(path), f"the prior cannot be written ({error.strerror or error})", "Choose another --prior."
        ) from error


def read_prior(path: Path) -> PriorFile:
    """Returns the prior of a file.

    Raises:
        InputError: There is none, it is of another form or a later version, or its parts do not fit one another.
    """
    try:
        about, arrays = _read(path)
        return _prior(about, arrays)
    except OSError as error:
        raise _refused(path, f"it cannot be read ({error.strerror or error})") from error
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        EOFError,
        zipfile.BadZipFile,
        NotImplementedError,
    ) as error:
        raise _refused(path, f"it is no prior, or it is cut off ({error})") from error


def _refused(path: Path, problem: str) -> InputError:
    return InputError(str(path), problem, "Make it again with `foveate analyze … --prior FILE.npz`.")


def _write(file: Any, prior: PriorFile) -> None:
    grid = prior.mean.shape
    about = {
        "version": VERSION,
        "dataset": prior.dataset,
        "fingerprint": prior.fingerprint,
        "n": prior.n,
        "notes": dict(prior.notes),
        "keys": [[group.kind, group.key] for group in prior.groups],
        "best_box": None if prior.best_box is None else list(prior.best_box),
        "best_box_value": prior.best_box_value,
    }
    means = [group.mean for group in prior.groups]
    arrays: dict[str, NDArray[Any]] = {
        "about": np.frombuffer(json.dumps(about, ensure_ascii=False).encode(), dtype=np.uint8),
        "overall": prior.mean.astype("<f4"),
        "overall_centre": np.array(prior.centre, dtype="<f8"),
        "counts": np.array([group.n for group in prior.groups], dtype="<i8"),
        "centres": np.array([group.centre for group in prior.groups], dtype="<f8").reshape(-1, 2),
        "means": np.stack(means).astype("<f4") if means else np.zeros((0, *grid), dtype="<f4"),
    }
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, array, allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", _NO_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data.getvalue(), compresslevel=6)


def _read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    with zipfile.ZipFile(path) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        if size > _MOST_BYTES:
            raise ValueError(f"it unfolds to {size:,} bytes, at most {_MOST_BYTES:,} are read")
        about = json.loads(bytes(_array(archive, "about")))
        if about["version"] not in _READ:
            raise ValueError(f"it is of version {about['version']}, this program reads up to version {VERSION}")
        return about, {name: _array(archive, name) for name in _SHAPES}


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    data = io.BytesIO(archive.read(f"{name}.npy"))
    array: NDArray[Any] = np.lib.format.read_array(data, allow_pickle=False)
    return array


def _prior(about: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> PriorFile:
    for name, dimensions in _SHAPES.items():
        if arrays[name].ndim != dimensions:
            raise ValueError(f"{name} has the shape {arrays[name].shape}, of {dimensions} dimensions")
    keys = [(str(kind), str(key)) for kind, key in about["keys"]]
    overall = _shares(arrays["overall"], "overall")
    means = _shares(arrays["means"], "means")
    counts, centres = arrays["counts"], arrays["centres"].astype(np.float64)
    if not len(keys) == len(means) == len(counts) == len(centres) or means.shape[1:] != overall.shape:
        raise ValueError(f"{len(keys)} keys, {means.shape} means, {len(counts)} counts and {len(centres)} centres")
    groups = tuple(
        PriorGroup(kind, key, int(n), (float(centre[0]), float(centre[1])), mean)
        for (kind, key), n, centre, mean in zip(keys, counts, centres, means, strict=True)
    )
    x, y = arrays["overall_centre"].tolist()
    notes = {str(kind): str(note) for kind, note in about["notes"].items()}
    box, value = _best_box(about)
    made_of = (str(about["dataset"]), str(about["fingerprint"]), int(about["n"]))
    return PriorFile(*made_of, notes, (x, y), overall, groups, box, value)


def _best_box(about: Mapping[str, Any]) -> tuple[tuple[float, float, float, float] | None, float | None]:
    if about.get("best_box") is None:
        return None, None
    x0, y0, x1, y1 = (float(side) for side in about["best_box"])
    if not (0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1):
        raise ValueError(f"best_box is {x0:g}, {y0:g}, {x1:g}, {y1:g}, no box of shares from 0 to 1")
    return (x0, y0, x1, y1), float(about["best_box_value"])


def _shares(values: NDArray[Any], name: str) -> NDArray[np.float32]:
    shares = values.astype(np.float32)
    if not (np.isfinite(shares).all() and (shares >= 0).all() and (shares <= 1).all()):
        raise ValueError(f"{name} has values that are not from 0 to 1")
    return shares
