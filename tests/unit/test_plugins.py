from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from foveate import plugins
from foveate.errors import UnavailableError, UsageError


def test_built_in_plugins_are_the_files_without_an_underscore() -> None:
    assert {"folder", "photos", "toloka_vqa"} <= plugins.modules("datasets").keys()
    assert {"accuracy", "mean_iou"} <= plugins.modules("metrics").keys()
    assert plugins.modules("aggregators")["larger"] == "foveate.quality.aggregators.larger"
    assert not any(name.startswith("_") for kind in plugins.KINDS for name in plugins.modules(kind))


def test_listing_imports_nothing() -> None:
    code = (
        "import sys; from foveate import plugins; [plugins.modules(k) for k in plugins.KINDS];"
        "heavy = ('foveate.datasets', 'foveate.grounders', 'foveate.quality.aggregators.', 'numpy', 'cv2');"
        "bad = [m for m in sys.modules if m.startswith(heavy)];"
        "sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_outside_package_comes_through_the_same_door() -> None:
    assert plugins.modules("grounders")["slow_corner"] == "foveate_test_plugin.slow_corner"
    assert plugins.load("grounders", "slow_corner").CARD.name == "slow_corner"
    assert plugins.modules("aggregators")["smaller"] == "foveate_test_plugin.smaller"
    assert plugins.load("aggregators", "smaller").CARD.takes == ("box",)


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UsageError, match="grounder whole_imge: there is none of this name. Did you mean whole_image?"):
        plugins.load("grounders", "whole_imge")


def test_a_name_far_from_all_lists_them() -> None:
    with pytest.raises(UsageError, match="There are: abstention, accuracy, .*mean_iou, "):
        plugins.load("metrics", "zzzzzz")


def test_a_plugin_whose_package_is_missing_says_what_to_install() -> None:
    with pytest.raises(UnavailableError, match="needs the module a_package_that_nobody_has.*pip install"):
        plugins.load("grounders", "missing_package")


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """The entry points that are there; tests add to them."""
    found: list[EntryPoint] = []
    monkeypatch.setattr(plugins, "entry_points", lambda group: [p for p in found if p.group == group])
    plugins.modules.cache_clear()
    plugins._places.cache_clear()
    yield found
    plugins.modules.cache_clear()
    plugins._places.cache_clear()


def test_two_plugins_of_one_name_are_refused_and_the_others_work(points: list[EntryPoint]) -> None:
    points.append(EntryPoint("whole_image", "elsewhere.whole_image", "foveate.grounders"))
    with pytest.raises(UsageError, match="both foveate.grounders.whole_image and elsewhere.whole_image"):
        plugins.load("grounders", "whole_image")
    assert plugins.load("grounders", "centre_box").CARD.name == "centre_box"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import torch_of_nobody", "needs the module torch_of_nobody"),
        ("this is no Python", "cannot be imported .SyntaxError"),
        ("1 / 0", "cannot be imported .ZeroDivisionError"),
        ("CARD = None", "lacks Grounder"),
    ],
)
def test_a_plugin_that_is_not_whole_does_not_hide_the_others(
    text: str, said: str, points: list[EntryPoint], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"broken_{abs(hash(text))}"
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    points.append(EntryPoint("broken", name, "foveate.grounders"))
    found, errors = plugins.load_all("grounders")
    assert {"whole_image", "pocket"} <= found.keys()
    (error,) = errors
    assert isinstance(error, UnavailableError)
    assert re.search(said, str(error))


@pytest.mark.parametrize(
    ("module", "command"),
    [("torch", "'foveate[torch]'"), ("django", "'foveate[app]'"), ("SimpleITK", "'foveate[aggregation]'")],
)
def test_a_missing_extra_is_answered_with_its_command(module: str, command: str) -> None:
    assert plugins._install(module) == f"pip install {command}"
