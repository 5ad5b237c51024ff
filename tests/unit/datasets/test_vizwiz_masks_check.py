from __future__ import annotations

from pathlib import Path

import pytest

from foveate.datasets import vizwiz_grounding
from foveate.datasets._vizwiz_masks_check import mask_findings
from foveate.errors import InputError
from tests.helpers import write

MASKS = Path("binary_masks_png", "val")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    vizwiz_grounding.write_tiny(tmp_path)
    return tmp_path


def save_masks(folder: Path, *numbers: int) -> None:
    folder.mkdir(parents=True)
    for number in numbers:
        write(folder / f"{number:012d}.png", "a mask")


def found(root: Path) -> list[tuple[str, int, str]]:
    return [(finding.kind, finding.n, finding.what) for finding in mask_findings(root, "val")]


def test_without_masks_there_is_a_note(root: Path) -> None:
    assert found(root) == [("note", 0, f"there are no masks in {root / MASKS}: the polygons are the targets")]


def test_a_whole_set_of_masks(root: Path) -> None:
    save_masks(root / MASKS, 0, 1, 2)
    assert found(root) == [("fine", 3, "of 3 official masks are there")]


def test_missing_and_extra_masks_are_counted_by_name(root: Path) -> None:
    save_masks(root / MASKS, 0, 7, 8)
    fine, missing, extra = mask_findings(root, "val")
    assert (fine.kind, fine.n) == ("fine", 1)
    assert (missing.kind, missing.n, missing.examples) == ("missing", 2, ("000000000001", "000000000002"))
    assert (extra.kind, extra.n, extra.examples) == ("extra", 2, ("000000000007.png", "000000000008.png"))


def test_masks_in_another_place_are_told_with_where_to_move_them(root: Path) -> None:
    save_masks(root / "unpacked" / MASKS, 0, 1)
    moved, note = mask_findings(root, "val")
    assert (moved.kind, moved.n, moved.remedy) == ("extra", 2, f"Move them to {root / MASKS} to use them.")
    assert note.kind == "note"


def test_masks_of_another_split_are_none_of_this_one(root: Path) -> None:
    save_masks(root / "binary_masks_png" / "train", 0, 1)
    assert [kind for kind, _, _ in found(root)] == ["note"]


def test_without_the_official_file_there_is_its_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        found(tmp_path)
