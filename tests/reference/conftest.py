"""Networks that look once at what several tests show them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.perception import sessions


class Looked:
    """What a network gave for an input, in files that the processes of a run of tests share.

    The tests of figures show the same few hundred photos to the same networks, and nearly all of their time is those.
    What a network gives depends on nothing but the network and the input: the key is the content of both.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[str, str] = {}
        self._made: list[Path] = []
        self._run = sessions._run
        folder.mkdir(exist_ok=True)

    def run(self, session: Any, values: NDArray[Any]) -> NDArray[np.float32]:
        """Returns what the network gives, from a file where it was asked before."""
        key = hashlib.sha256(f"{self._name(session)} {values.dtype} {values.shape}".encode())
        key.update(values.tobytes())
        file = self._folder / f"{key.hexdigest()}.npy"
        found: NDArray[np.float32]
        try:
            found = np.load(file)
        except FileNotFoundError:
            found = self._run(session, values)
            self._keep(found, file)
        return found

    def forget(self) -> None:
        """Removes what this process has put there, some 600 MB of all."""
        for file in self._made:
            file.unlink(missing_ok=True)

    def _keep(self, found: NDArray[np.float32], file: Path) -> None:
        # Another process may write the same; a file is there whole or not at all.
        beside = file.with_suffix(f".{os.getpid()}")
        with beside.open("wb") as target:
            np.save(target, found)
        beside.replace(file)
        self._made.append(file)

    def _name(self, session: Any) -> str:
        path = str(session._model_path)
        if path not in self._names:
            self._names[path] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        return self._names[path]


@pytest.fixture(scope="session")
def looked(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Looked]:
    """What was looked at, in a folder that the processes of this run share."""
    own = tmp_path_factory.getbasetemp()
    looked = Looked((own if worker_id == "master" else own.parent) / "looked")
    yield looked
    looked.forget()


@pytest.fixture(scope="module", autouse=True)
def _looks_once(looked: Looked) -> Iterator[None]:
    # For these modules only: other tests of the same process ask what a network gives, and mean it.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "_run", looked.run)
        yield
