"""A picture that is made for a person: its pixels, what it shows in words, and what was done to make it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate.assist.fresh import encode, format_of
from foveate.core.boxes import SizeHW
from foveate.errors import OutputError, UsageError, reason_of
from foveate.replaced_files import replace_file


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture; its file is made of these pixels and holds nothing else.

    Attributes:
        pixels: ``uint8 (H, W, 3)``, RGB.
        alt: What it shows, for who does not see it.
        notes: What was done, and what to know before it is shared, in sentences for people.
        to_share: Whether it may be saved; what is only blurred or faded is for the screen.
    """

    pixels: NDArray[np.uint8]
    alt: str
    notes: tuple[str, ...] = ()
    to_share: bool = True

    @property
    def size_hw(self) -> SizeHW:
        """Height and width."""
        return self.pixels.shape[0], self.pixels.shape[1]

    def encode(self, format: str = "png", quality: int | None = None) -> bytes:
        """Returns the bytes of a file.

        Raises:
            UsageError: There is no such format, the quality is none, or the format holds no picture of this size.
        """
        return encode(self.pixels, format, quality)

    def save(self, path: Path | str, quality: int | None = None) -> Path:
        """Writes a file, its format by the name's ending, as a whole or not at all; returns its path.

        Raises:
            UsageError: As for `encode`; or the picture is for the screen only.
            OutputError: The file cannot be written.
        """
        path = Path(path)
        if not self.to_share:
            raise UsageError(
                str(path),
                "blur, pixels and faded edges can be undone, so this picture is for the screen only",
                "Use hide_rest, which overwrites what is hidden.",
            )
        content = encode(self.pixels, format_of(path), quality)
        try:
            replace_file(path, content)
        except OSError as error:
            raise OutputError(
                str(path),
                f"the picture cannot be written ({reason_of(error)})",
                "Look at the folder and its permissions.",
            ) from error
        return path
