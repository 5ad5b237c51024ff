"""The everyday names of the colours of a region, each with its share.

A pixel's name is that of the nearest of some eighty anchors in OKLab, where equal steps look about equally large; there
lightness counts half, for light falls unevenly on most things. Twelve of the thirteen names are the ones that nearly
everybody uses (Berlin and Kay's eleven, and turquoise); beige stands between white and brown, where people want a word.

Three things are done about the light (each can only help where the photo shows what it needs):

- a cast: what is bright and nearly grey *outside* the region is taken for white, and its cast is taken back by four
  fifths; where less than 2 % of the photo is so, nothing is done;
- glints: pixels that are blown out count only where they are more than 15 % of the region;
- shade: what is named brown or black, and has the hue of a brighter colour that covers as much, belongs to that one.

`python benchmarks/name_colour.py` measures it. The nearest anchor is the name that people gave to 94 % of the 350
colours of the XKCD survey whose name says one plain colour (the anchors were chosen with that list at hand), and 83 %
of 82 such names of CSS (they were not; half of the rest are almost white, or odd: "dark slate gray" is a dark
turquoise). Of the eight colour questions of the demo set the first name is an accepted one for seven; the rules of
light were made with these at hand, so that this shows what they do, not how good they are. A white rocket in the yellow
light of lamps stays beige.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.float64]

NAMES = (
    "black", "white", "grey", "red", "orange", "yellow", "green",
    "turquoise", "blue", "purple", "pink", "brown", "beige",
)  # fmt: skip

_ANCHORS = {
    "black": "000000 1c1c1c",
    "white": "ffffff ebebeb fffff0",
    "grey": "3a3a3a 6e6e6e a0a0a0 c4c4c4 8a8d85 59656d",
    "red": "e50000 8c0000 b82818 b00149 ff474c 5f0a0a a03028 d25052",
    "orange": "f97306 d06010 ffad50 ff8855 c14a09 dc6446 e08850",
    "yellow": "ffff14 f5bf03 fffe7a c8b000 dccd50",
    "green": "15b01a 033500 96f97b 677a04 76a973 9ec800 40b868 506040 c0e0b0 05472a 00a060 6b6a3a 808040",
    "turquoise": "06c2ac 008080 13eac9 60b0b0 b0f0e8 0a5f60",
    "blue": "0343df 95d0fc 00035b 5a86ad 3b5b92 4060ff c0d8f0 10a0e0 243050 d0f0ff",
    "purple": "7e1e9c bf77f6 35063e a080b0 6040c0 c8a0d8 5a3560 c020e0 e4cbff 845a7c",
    "pink": "ff81c0 ff028d ffb7ce d5648a e8a0b0 ca4080 ffd0dc",
    "brown": "653700 8b5a2b 3d1c02 ad8150 7a4a3a a05020 584030 80603a",
    "beige": "e6daa6 d1b26f c8b490 f0e0c8 fdecb0",
}
_LIGHTNESS_COUNTS = 0.5
# More pixels than these change no share by a hundredth; a large photo is thinned to as many as the second says before.
_MOST_PIXELS = 10_000
_MOST_OF_A_PHOTO = 1_000_000

_LEAST_WHITE = 0.02
_TAKEN_BACK = 0.8
_GREYISH, _BRIGHT = 0.04, 0.6
_BLOWN_OUT, _MOST_GLINTS = 250, 0.15
# Of OKLab's chroma: from here on a pixel counts fully; a grey one counts a third, since people name the colour first.
_COLOURFUL, _LEAST_WEIGHT = 0.1, 0.35
_SHADE = frozenset({NAMES.index("brown"), NAMES.index("black")})
_NO_HUE = frozenset(map(NAMES.index, ("black", "white", "grey", "brown")))
_SAME_HUE = np.deg2rad(20)
_LEAST_CHROMA = 0.02


def name_colour(
    pixels: NDArray[np.uint8], mask: NDArray[np.bool_] | None = None, *, least: float = 0.05
) -> list[tuple[str, float]]:
    """Returns the names of the region's colours, each with its share of the region, the largest first.

    A share is of what catches the eye: pixels without much colour count a third, so that a white page with a coloured
    sign on a quarter of it is "white" and then the sign's colour. Shares add up to 1 before small ones are left out.

    Args:
        pixels: ``uint8 (N, 3)``, RGB; or, with a mask, the whole upright photo ``(H, W, 3)``, which tells of the light.
        mask: ``bool (H, W)``, the region, at least one pixel.
        least: Names with a smaller share are left out, but for the first.

    Raises:
        ValueError: The shapes do not fit each other, or there is no pixel.

    References:
        Ottosson, "A perceptual color space for image processing", 2020 (OKLab). Berlin, Kay, "Basic color terms",
        1969. Munroe, "Color survey results", 2010 (XKCD).

    >>> name_colour(np.array([[200, 20, 20]] * 3 + [[250, 250, 250]], dtype=np.uint8))[0][0]
    'red'
    """
    inside, gain = _region(pixels, mask)
    glint = (inside.max(axis=1) >= _BLOWN_OUT) & (_chroma(oklab(inside)) < 2 * _GREYISH)
    if 0 < glint.mean() < _MOST_GLINTS:
        inside = inside[~glint]
    colours = _from_linear_to_oklab(_linear(inside) * gain)
    chroma = _chroma(colours)
    weight = np.clip(chroma / _COLOURFUL, _LEAST_WEIGHT, 1.0)
    kind = _out_of_the_shade(nearest(colours), colours, weight)
    shares = np.bincount(kind, weight, minlength=len(NAMES)) / weight.sum()
    order = np.argsort(-shares, kind="stable")
    return [(NAMES[n], float(shares[n])) for rank, n in enumerate(order) if rank == 0 or shares[n] >= least]


def oklab(pixels: NDArray[np.uint8]) -> Pixels:
    """Returns sRGB colours ``uint8 (…, 3)`` in OKLab ``float64 (…, 3)``: lightness 0 to 1, green-red, blue-yellow."""
    return _from_linear_to_oklab(_linear(pixels))


def nearest(colours: Pixels) -> NDArray[np.int64]:
    """Returns for OKLab colours ``(N, 3)`` the places in `NAMES` of their nearest anchors."""
    anchors, names = _anchors()
    scale = np.array([_LIGHTNESS_COUNTS, 1.0, 1.0])
    # |a - b|² without the squares of a, which are the same for every anchor.
    scaled, to = colours * scale, anchors * scale
    found: NDArray[np.int64] = names[((to**2).sum(axis=1) - 2 * scaled @ to.T).argmin(axis=1)]
    return found


@cache
def _anchors() -> tuple[Pixels, NDArray[np.int64]]:
    """Returns the anchors in OKLab, and for each the place of its name."""
    codes = [(NAMES.index(name), bytes.fromhex(code)) for name, codes in _ANCHORS.items() for code in codes.split()]
    rgb = np.frombuffer(b"".join(code for _, code in codes), dtype=np.uint8).reshape(-1, 3)
    return oklab(rgb), np.array([name for name, _ in codes], dtype=np.int64)


def _region(pixels: NDArray[np.uint8], mask: NDArray[np.bool_] | None) -> tuple[NDArray[np.uint8], Pixels]:
    """Returns pixels of the region, not too many, and what makes the light white: a factor a channel, linear."""
    if mask is None:
        inside, gain = pixels, np.ones(3)
    else:
        if pixels.shape != (*mask.shape, 3) or mask.ndim != 2:
            raise ValueError(f"a mask of {mask.shape} needs a photo of {(*mask.shape, 3)}, not {pixels.shape}")
        photo, region = _coarser(pixels, mask)
        inside, gain = photo[region], _gain(_thinned(photo[~region]), float(1 - region.mean()))
    if inside.ndim != 2 or inside.shape[1] != 3 or not len(inside):
        raise ValueError(f"pixels are (N, 3), at least one, not {inside.shape}")
    return _thinned(inside), gain


def _thinned(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return pixels[:: max(1, len(pixels) // _MOST_PIXELS)]


def _coarser(photo: NDArray[np.uint8], mask: NDArray[np.bool_]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Returns every so many-th row and column of both, where the photo is large and the region survives it."""
    step = int((mask.size / _MOST_OF_A_PHOTO) ** 0.5) or 1
    coarse = mask[::step, ::step]
    return (photo[::step, ::step], coarse) if coarse.sum() >= min(_MOST_PIXELS, mask.sum()) else (photo, mask)


def _gain(outside: NDArray[np.uint8], share: float) -> Pixels:
    """Returns the factors that make white of what is bright and nearly grey outside the region.

    Args:
        outside: Pixels from outside the region.
        share: Of the photo that lies there.
    """
    if not len(outside):
        return np.ones(3)
    colours = oklab(outside)
    pale = (_chroma(colours) < _GREYISH) & (colours[:, 0] > _BRIGHT) & (outside.max(axis=1) < _BLOWN_OUT)
    if pale.mean() * share < _LEAST_WHITE:
        return np.ones(3)
    lightness = colours[:, 0]
    white = _linear(outside[pale & (lightness >= np.median(lightness[pale]))]).mean(axis=0)
    factors: Pixels = (white.mean() / white) ** _TAKEN_BACK
    return factors


def _out_of_the_shade(kind: NDArray[np.int64], colours: Pixels, weight: Pixels) -> NDArray[np.int64]:
    """Returns the names with the shaded parts of the main bright colour named as that colour."""
    sums = np.bincount(kind, weight, minlength=len(NAMES))
    sums[list(_NO_HUE)] = 0.0
    main = int(sums.argmax())
    if sums[main] == 0.0:
        return kind
    bright = (colours[:, 1:] * weight[:, None])[kind == main].sum(axis=0)
    turned = np.arctan2(colours[:, 2], colours[:, 1]) - np.arctan2(bright[1], bright[0])
    near = np.abs((turned + np.pi) % (2 * np.pi) - np.pi) < _SAME_HUE
    shade = np.isin(kind, list(_SHADE)) & near & (_chroma(colours) > _LEAST_CHROMA)
    return np.where(shade, main, kind) if weight[shade].sum() <= sums[main] else kind


def _chroma(colours: Pixels) -> Pixels:
    return np.hypot(colours[:, 1], colours[:, 2])


def _linear(pixels: NDArray[np.uint8]) -> Pixels:
    """Returns the light of sRGB values (IEC 61966-2-1)."""
    found: Pixels = _linear_of_byte()[pixels]
    return found


@cache
def _linear_of_byte() -> Pixels:
    value = np.arange(256) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


_TO_CONES = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
])  # fmt: skip
_TO_LAB = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
])  # fmt: skip


def _from_linear_to_oklab(light: Pixels) -> Pixels:
    lab: Pixels = np.cbrt(light @ _TO_CONES.T) @ _TO_LAB.T
    return lab
