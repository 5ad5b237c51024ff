"""Every broken mask, folder and zip has its exact sentence; and what `--skip-invalid` makes of it."""

from __future__ import annotations

import unicodedata
import zipfile
from pathlib import Path

import numpy as np
import pytest

from foveate.errors import InputError
from foveate.runs.forms import read_form
from tests.helpers import write
from tests.unit.runs.form_files import SIZES, Build, encrypted, folder_of, giant, patched, png, states, zipped

HALF = np.zeros((48, 64), dtype=np.uint8)
HALF[:24] = 255
SOFT = HALF.copy()
SOFT[24] = 90
SOFT[25] = 30
GOOD = png(HALF)
OTHERS = "of the data set's photos:"
# What a Mac makes of the name of the photo é.jpg.
APART = unicodedata.normalize("NFD", "é")

# What it is; how it is made; the sentence with {path} for the file's; the states of what is left of it when errors are
# passed over, None where they cannot be.
CASES: list[tuple[str, Build, str, list[str] | None]] = [
    # The pictures.
    (
        "transposed mask",
        zipped({"a.png": png(HALF.T.copy()), "b.png": GOOD}),
        "{path}, a.png: the mask is 48 wide and 64 high, not 64 wide and 48 high; it looks transposed, see the photo's "
        "EXIF rotation. Give the mask in the photo's own size.",
        ["invalid_output", "ok"],
    ),
    (
        "another size",
        zipped({"a.png": png(HALF[:40])}),
        "{path}, a.png: the mask is 64 wide and 40 high, not 64 wide and 48 high. Give the mask in the photo's own "
        "size.",
        ["invalid_output"],
    ),
    (
        "RGB",
        zipped({"a.png": png(HALF, "RGB")}),
        "{path}, a.png: the mask is of the kind RGB, not of one 8-bit channel. Save it as 8-bit grey.",
        ["invalid_output"],
    ),
    (
        "palette",
        zipped({"a.png": png(HALF, "P")}),
        "{path}, a.png: the mask is of the kind P, not of one 8-bit channel. Save it as 8-bit grey.",
        ["invalid_output"],
    ),
    (
        "16 bits",
        zipped({"a.png": png(HALF.astype(np.uint16) * 257)}),
        "{path}, a.png: the mask is of the kind I;16, not of one 8-bit channel. Save it as 8-bit grey.",
        ["invalid_output"],
    ),
    (
        "1 for 255",
        folder_of({"a.png": png(HALF // 255)}),
        "{path}, a.png: a mask has the values 0 and 255, this one also 1 (is 1 meant for 255?). Write it again with "
        "255 where the region is.",
        ["invalid_output"],
    ),
    (
        "anti-aliased",
        zipped({"a.png": png(SOFT)}),
        "{path}, a.png: a mask has the values 0 and 255, this one also 30 (was it smoothed or resized?). Write it "
        "again with 255 where the region is.",
        ["invalid_output"],
    ),
    (
        "a giant by its header",
        zipped({"a.png": giant()}),
        "{path}, a.png: the mask is 100000 wide and 100000 high, not 64 wide and 48 high. Give the mask in the photo's "
        "own size.",
        ["invalid_output"],
    ),
    (
        "no picture",
        zipped({"a.png": b"PK\x03\x04"}),
        "{path}, a.png: this is not a mask that can be read (it is a zip). Give a PNG.",
        ["invalid_output"],
    ),
    (
        "a JPEG called PNG",
        folder_of({"a.png": b"\xff\xd8\xff\xe0 and so on"}),
        "{path}, a.png: this is not a mask that can be read (it is a JPEG picture). Give a PNG.",
        ["invalid_output"],
    ),
    (
        "text called PNG",
        folder_of({"a.png": b"a mask"}),
        "{path}, a.png: this is not a mask that can be read (not a PNG file). Give a PNG.",
        ["invalid_output"],
    ),
    # The folder or zip.
    (
        "two suffixes",
        zipped({"a.png": GOOD, "b.jpg.png": GOOD}),
        f"{{path}}: it holds 1 file that is no mask {OTHERS} b.jpg.png. Call it b.png: the photo's name without a "
        "suffix of its own.",
        None,
    ),
    (
        "the same letters in another way",
        zipped({"a.png": GOOD, f"{APART}.png": GOOD}),
        f"{{path}}: it holds 1 file that is no mask {OTHERS} {APART}.png. Write the name as the data set does: it is "
        "the same letters, written in another way (Unicode).",
        None,
    ),
    (
        "a mask of no photo",
        zipped({"a.png": GOOD, "c.png": GOOD}),
        f"{{path}}: it holds 1 file that is no mask {OTHERS} c.png. Keep just the masks, each under its photo's name "
        "with .png.",
        None,
    ),
    (
        "two kinds of others, each with its remedy",
        folder_of({"a.png": GOOD, ".DS_Store": b"", "notes.txt": b"", "b.PNG": GOOD}),
        f"{{path}}: it holds 3 files that are no masks {OTHERS} .DS_Store, b.PNG, notes.txt. Zip without what macOS "
        "adds: zip -X masks.zip *.png. Write the suffix in small letters, .png. Keep just the masks, each under its "
        "photo's name with .png.",
        None,
    ),
    (
        "what macOS adds",
        zipped({"a.png": GOOD, "__MACOSX/": b"", "__MACOSX/._a.png": b"x"}),
        f"{{path}}: it holds 2 files that are no masks {OTHERS} __MACOSX/, __MACOSX/._a.png. Zip without what macOS "
        "adds: zip -X masks.zip *.png.",
        None,
    ),
    (
        "a zip in the zip",
        zipped({"more.zip": GOOD}),
        f"{{path}}: it holds 1 file that is no mask {OTHERS} more.zip. Unpack the inner zip, and zip its masks.",
        None,
    ),
    (
        "a folder in the zip",
        zipped({"masks/": b"", "masks/a.png": GOOD}),
        f"{{path}}: it holds 2 files that are no masks {OTHERS} masks/, masks/a.png. Zip the masks without their "
        "folder.",
        None,
    ),
    (
        "a folder in the folder",
        folder_of({"val/a.png": GOOD}),
        f"{{path}}: it holds 1 file that is no mask {OTHERS} val/. Name the folder that holds the masks themselves.",
        None,
    ),
    (
        "a folder called like a mask",
        folder_of({"a.png/b.png": GOOD}),
        f"{{path}}: it holds 1 file that is no mask {OTHERS} a.png/. Name the folder that holds the masks themselves.",
        None,
    ),
    *(
        (
            f"a path outside, {name}",
            zipped({name: GOOD}),
            f"{{path}}: it holds 1 file that is no mask {OTHERS} {name}. Take out what leads to other folders; it is "
            "never followed.",
            None,
        )
        for name in ("../a.png", "/a.png", "..\\a.png", "C:\\a.png", "C:/a.png")
    ),
    (
        "capitals",
        zipped({"a.PNG": GOOD}),
        f"{{path}}: it holds 1 file that is no mask {OTHERS} a.PNG. Write the suffix in small letters, .png.",
        None,
    ),
    (
        "encrypted",
        patched(zipped({"a.png": GOOD}), encrypted),
        "{path}: it is encrypted: a.png. Zip the masks without a password.",
        None,
    ),
    (
        "unpacks without end",
        zipped({"a.png": b"\0" * (65 * 2**20), "b.png": GOOD}, zipfile.ZIP_DEFLATED),
        "{path}, a.png: it unpacks to more than 64 MiB. Give a mask.",
        ["invalid_output", "ok"],
    ),
    (
        "a damaged entry",
        patched(zipped({"a.png": GOOD, "b.png": GOOD}), lambda data: data.replace(b"IEND", b"iend", 1)),
        "{path}, a.png: it cannot be unpacked (Bad CRC-32 for file 'a.png'). Zip the masks again.",
        ["invalid_output", "ok"],
    ),
    (
        "no zip",
        lambda folder: write(folder / "masks.zip", "no zip"),
        "{path}: this is not a zip that can be read (File is not a zip file). Give a zip or a folder of masks.",
        None,
    ),
    (
        "no such zip",
        lambda folder: folder / "masks.zip",
        "{path}: there is no such file. Look at the name and the folder.",
        None,
    ),
]


@pytest.mark.parametrize(("build", "sentence", "left"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_broken_mask(build: Build, sentence: str, left: list[str] | None, tmp_path: Path) -> None:
    path = build(tmp_path)
    sizes = {**SIZES, "é.jpg": (48, 64)}
    with pytest.raises(InputError) as caught:
        list(read_form(path, sizes))
    assert str(caught.value) == sentence.replace("{path}", str(path))
    if left is None:
        with pytest.raises(InputError):
            list(read_form(path, SIZES, lambda _: None))
    else:
        assert states(path) == left
