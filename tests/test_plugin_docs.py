"""The examples of docs/plugins.md are a package that works."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import foveate
from foveate import plugins
from foveate.core.cards import MetricCard
from foveate.quality.aggregation import aggregator
from foveate.quality.aggregators._cases import SIZE
from tests.helpers import REPOSITORY, save_photo, write

BLOCKS = re.compile(r"```python\n# my_plugins/(\w+)\.py\n(.*?)```", re.DOTALL)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Writes the modules and registers them as their entry points would."""
    found = dict(BLOCKS.findall((REPOSITORY / "docs" / "plugins.md").read_text(encoding="utf-8")))
    assert set(found) == {"upper_half", "centre_distance", "two_agree"}
    for name, text in found.items():
        (tmp_path / "my_plugins").mkdir(exist_ok=True)
        write(tmp_path / "my_plugins" / f"{name}.py", text)
    monkeypatch.syspath_prepend(tmp_path)
    real = plugins._places.__wrapped__
    mine = {"grounders": "upper_half", "metrics": "centre_distance", "aggregators": "two_agree"}

    def places(kind: plugins.Kind) -> dict[str, list[str]]:
        added = {mine[kind]: [f"my_plugins.{mine[kind]}"]} if kind in mine else {}
        return {**real(kind), **added}

    monkeypatch.setattr(plugins, "_places", places)
    plugins.modules.cache_clear()
    yield tmp_path
    plugins.modules.cache_clear()
    for name in [name for name in sys.modules if name.startswith("my_plugins")]:
        del sys.modules[name]


def test_the_method_and_the_metric_of_the_docs_work(package: Path) -> None:
    save_photo(package / "a.png", (300, 400))
    save_photo(package / "b.png", (300, 400), (0, 0, 0))
    rows = "a.png,Where?,0,50,400,200\nb.png,Where?,0,0,9,9\n"
    write(package / "q.csv", "image,question,left,top,right,bottom\n" + rows)
    summary = foveate.ground("folder", questions=package / "q.csv", grounder="upper_half", out=package / "r")
    assert summary.counts == {"ok": 1, "no_region": 1}
    value = foveate.score(package / "r", metrics=["centre_distance"]).metrics["centre_distance"]
    # The middles are at (200, 75) and (200, 125) on a diagonal of 500.
    assert value.value == pytest.approx(0.1)
    assert value.n == 1


def test_the_metric_of_the_docs_keeps_its_own_case(package: Path) -> None:
    module = plugins.load("metrics", "centre_distance")
    card: MetricCard = module.CARD
    assert card.name == "centre_distance"
    for case in module.CASES:
        columns = module.measure([p for p, _ in case.samples], [t for _, t in case.samples])
        assert module.reduce(columns, np.ones((1, len(case.samples))))["value"] == pytest.approx(case.value)


def test_the_aggregator_of_the_docs_keeps_its_own_case(package: Path) -> None:
    rule = aggregator("two_agree", {"least": "16"})
    assert (rule.told, rule.card.name) == ("two_agree(least=16)", "two_agree")
    for case in plugins.load("aggregators", "two_agree").CASES:
        found = rule.region(case.drawings, SIZE)
        assert found is not None
        assert found.rle(SIZE) == case.region.rle(SIZE)
    assert aggregator("two_agree", {"least": "17"}).region(case.drawings, SIZE) is None


def test_the_entry_points_of_the_docs_are_valid(tmp_path: Path) -> None:
    import tomllib

    text = (REPOSITORY / "docs" / "plugins.md").read_text(encoding="utf-8")
    table = tomllib.loads(text.split("```toml\n")[1].split("```")[0])
    assert set(table["project"]["entry-points"]) == {"foveate.grounders", "foveate.metrics", "foveate.aggregators"}
    assert all(group.removeprefix("foveate.") in plugins.KINDS for group in table["project"]["entry-points"])
    assert subprocess.run([sys.executable, "-c", "import foveate"], check=False).returncode == 0
