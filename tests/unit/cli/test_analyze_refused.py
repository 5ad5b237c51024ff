from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from foveate.cli.analyze import analyze
from foveate.datasets import toloka_vqa, vizwiz_grounding
from foveate.errors import OutputError, UsageError

APP = typer.Typer(pretty_exceptions_enable=False)
APP.command("analyze")(analyze)


def run(*words: Any) -> Any:
    return CliRunner().invoke(APP, [str(word) for word in words], catch_exceptions=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    vizwiz_grounding.write_tiny(tmp_path / "data")
    return tmp_path / "data"


def against(root: Path, other: str) -> Any:
    return run("vizwiz_grounding:val", "--root", root, "--against", other)


@pytest.mark.parametrize("folder", ["cup", "cup:2022", "cup:"])
def test_another_data_set_is_named_with_its_split_and_folder(root: Path, tmp_path: Path, folder: str) -> None:
    toloka_vqa.write_tiny(tmp_path / folder)
    done = against(root, f"toloka_vqa:test_public:{tmp_path / folder}")
    assert done.exit_code == 0
    assert "toloka_vqa:test_public" in done.output


def test_the_only_split_needs_no_name(root: Path, tmp_path: Path) -> None:
    done = against(root, f"folder:{tmp_path}")
    assert isinstance(done.exception, UsageError)
    assert "split" not in str(done.exception)


def test_an_unknown_split_of_another_data_set_is_told(root: Path, tmp_path: Path) -> None:
    done = against(root, f"toloka_vqa:test:{tmp_path}")
    assert isinstance(done.exception, UsageError)
    assert str(done.exception).startswith("toloka_vqa: there is no split test. Name one: toloka_vqa:train, ")


@pytest.mark.parametrize("other", ["toloka_vqa", "toloka_vqa:", ":", "toloka_vqa:train", "toloka_vqa:train:"])
def test_another_data_set_without_a_folder_is_told(root: Path, other: str) -> None:
    done = against(root, other)
    assert isinstance(done.exception, UsageError)
    assert str(done.exception).startswith(f"--against {other}: the folder of its files is not given. Write NAME:SPLIT")


@pytest.mark.parametrize("prior", ["report/prior.npz", "report/deep/prior.npz", "report"])
def test_priors_do_not_lie_in_the_report(root: Path, tmp_path: Path, prior: str) -> None:
    out = tmp_path / "report"
    done = run("vizwiz_grounding:val", "--root", root, "--out", out, "--prior", tmp_path / prior)
    assert isinstance(done.exception, OutputError)
    assert str(done.exception) == (
        f"{tmp_path / prior}: it would lie in the report {out}, which is replaced as a whole. "
        "Write it beside the report."
    )
    assert not out.exists()


def test_a_folder_of_other_things_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    done = run("vizwiz_grounding:val", "--root", tmp_path / "none", "--out", tmp_path)
    assert isinstance(done.exception, OutputError)
    assert "holds no report" in str(done.exception)
