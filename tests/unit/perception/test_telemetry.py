"""No library of ours tells its maker that it is used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_OPEN = "import foveate, onnxruntime; onnxruntime.SessionOptions(); foveate.Box"


def test_onnx_runtime_leaves_no_trace_of_a_sender(tmp_path: Path) -> None:
    """Its sender lays a session beside the temporary files and a number of the machine into the cache as it begins."""
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    places = {name: str(tmp_path) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    subprocess.run([sys.executable, "-c", _OPEN], env=environment | places, check=True, timeout=60)
    assert not [*tmp_path.iterdir()]
