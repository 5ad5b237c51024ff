"""Splits by a fixed hash: a photo's split follows from its own name and the salt, and from nothing else.

The salted SHA-256 of a group's key, as a number from 0 to 1, says which share it falls into; so what is added later
moves nothing, whoever splits gets the same, and there is no seed whose order of photos matters. A group is what must
stay together (photos that show the same); its key is the least name in it. A photo that is added to a group which has a
split already takes that split, though its name be less.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from foveate.errors import UsageError
from foveate.formats.release_json import SPLIT, SplitName

_BYTES = 8
# Digits and powers are few, since Fraction would write out any power of ten.
_SHARE = re.compile(r"(\d{1,40}(\.\d{0,40})?|\.\d{1,40})(e[+-]?\d{1,2})?|\d{1,40}/\d{1,40}", re.ASCII | re.IGNORECASE)
_WHOLE = 2 ** (8 * _BYTES)
Shares = Mapping[SplitName, Fraction]


@dataclass(frozen=True)
class Divided:
    """Which split each photo is in.

    Attributes:
        split: By the photo's name.
        bridged: Groups whose photos had several splits before; they stay apart, and new ones went to the first of them.
    """

    split: Mapping[str, str]
    bridged: Sequence[tuple[str, ...]] = field(default_factory=tuple)


def shares_of(text: str) -> dict[str, Fraction]:
    """Returns the shares that a text like `train=0.65,val=0.11,test=0.24` names, exact, in its order.

    Raises:
        UsageError: It is no such text, or the shares are not 1 together.

    Example:
        >>> shares_of("train=0.75,val=0.25")
        {'train': Fraction(3, 4), 'val': Fraction(1, 4)}
    """
    shares: dict[str, Fraction] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        share = share_of(value) if equals else None
        if share is None or not SPLIT.fullmatch(name) or name in shares:
            problem = f"{part.strip() or 'nothing'} is no name of its own with a share from 0 to 1"
            raise UsageError(f"--split {text}", problem, "Write train=0.65,val=0.11,test=0.24.")
        shares[name] = share
    total = sum(shares.values())
    if total != 1:
        raise UsageError(f"--split {text}", f"the shares are {float(total):g} together, not 1", "Make them 1.")
    return shares


def place_of(key: str, salt: str) -> int:
    """Returns where a key lies, from 0 to 2**64 (not reached): the first eight bytes of salted SHA-256.

    Salt and key cannot be confused, since the salt's length is hashed as well.
    """
    data = salt.encode()
    return int.from_bytes(hashlib.sha256(b"%d:" % len(data) + data + key.encode()).digest()[:_BYTES], "big")


def split_of(key: str, salt: str, shares: Shares) -> str:
    """Returns the split into whose share a key falls.

    Example:
        >>> split_of("a.jpg", "kitchen", shares_of("train=1"))
        'train'
    """
    place, until = place_of(key, salt), Fraction(0)
    for name, share in shares.items():
        until += share
        if place < until * _WHOLE:
            return name
    raise ValueError("the shares are less than 1 together")


def divide(
    groups: Iterable[Sequence[str]],
    shares: Shares,
    salt: str,
    *,
    before: Mapping[str, str] | None = None,
    fixed: Mapping[str, str] | None = None,
) -> Divided:
    """Returns the split of each photo, the same for all of a group.

    Args:
        groups: The names of photos that stay together; each photo is in one group.
        shares: By split, 1 together.
        salt: Another salt gives other splits.
        before: The splits that photos have already; these never move.
        fixed: Photos whose group goes to a named split, whatever the hash says, unless it has a split before.
    """
    split: dict[str, str] = {}
    bridged: list[tuple[str, ...]] = []
    known, told = before or {}, fixed or {}
    for group in groups:
        names = sorted(group)
        had = list(dict.fromkeys(known[name] for name in names if name in known))
        forced = [told[name] for name in names if name in told]
        if len(had) > 1:
            bridged.append(tuple(names))
        home = (had or forced or [split_of(names[0], salt, shares)])[0]
        split |= {name: known.get(name, home) for name in names}
    return Divided(split, tuple(bridged))


def share_of(text: str) -> Fraction | None:
    """Returns a share of a whole, above 0 and at most 1, exact: written 0.25, 25e-2 or 1/4; None for any other text."""
    if not _SHARE.fullmatch(text):
        return None
    try:
        share = Fraction(text)
    except ZeroDivisionError:
        return None
    return share if 0 < share <= 1 else None
