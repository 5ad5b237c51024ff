from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from foveate import plugins
from foveate.errors import UnavailableError, UsageError


def test_built_in_plugins_are_the_files_without_an_underscore() -> None:
    assert {"folder", "photos", "toloka_vqa"} <= plugins.modules("datasets").keys()
    assert {"accuracy", "mean_iou"} <= plugins.modules("metrics").keys()
    assert not any(name.startswith("_") for kind in plugins.KINDS for name in plugins.modules(kind))


def test_listing_imports_nothing() -> None:
    code = (
        "import sys; from foveate import plugins; [plugins.modules(k) for k in plugins.KINDS];"
        "bad = [m for m in sys.modules if m.startswith(('foveate.datasets', 'foveate.grounders', 'numpy', 'cv2'))];"
        "sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_outside_package_comes_through_the_same_door() -> None:
    assert plugins.modules("grounders")["slow_corner"] == "foveate_test_plugin.slow_corner"
    assert plugins.load("grounders", "slow_corner").CARD.name == "slow_corner"


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UsageError, match="grounder whole_imge: there is none of this name. Did you mean whole_image?"):
        plugins.load("grounders", "whole_imge")


def test_a_name_far_from_all_lists_them() -> None:
    with pytest.raises(UsageError, match="There are: accuracy, mean_iou"):
        plugins.load("metrics", "zzzzzz")


def test_a_plugin_whose_package_is_missing_says_what_to_install() -> None:
    with pytest.raises(UnavailableError, match="needs the module a_package_that_nobody_has.*pip install"):
        plugins.load("grounders", "missing_package")


def test_two_plugins_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    twin = EntryPoint("whole_image", "elsewhere.whole_image", "foveate.grounders")
    monkeypatch.setattr(plugins, "entry_points", lambda group: [twin])
    plugins.modules.cache_clear()
    try:
        with pytest.raises(UsageError, match="both foveate.grounders.whole_image and elsewhere.whole_image"):
            plugins.modules("grounders")
    finally:
        plugins.modules.cache_clear()
