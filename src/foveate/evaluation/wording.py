"""Numbers as people read them, in one way everywhere."""

from __future__ import annotations

from collections.abc import Sequence


def digits(value: float | None, *, sign: bool = False) -> str:
    """Returns a value to four digits, or that it is not there; no minus before 0.

    Example:
        >>> digits(0.5), digits(0.25, sign=True), digits(-1e-17, sign=True), digits(None)
        ('0.5000', '+0.2500', '+0.0000', 'n/a')
    """
    return "n/a" if value is None else f"{round(value, 4) + 0.0:{'+' if sign else ''}.4f}"


def three(value: float | None, *bounds: float) -> str:
    """Returns an IoU to three digits, or with more where these would put it on another side of a bound.

    Nothing that is not above a bound looks as if it was, and nothing that is above it looks as if it was not.

    Args:
        value: The IoU, or another number that people judge by; None is told as not there.
        bounds: With what it is compared where it is shown.

    Example:
        >>> three(0.7264), three(0.69996, 0.7), three(0.7, 0.7), three(0.7004, 0.7), three(None)
        ('0.726', '0.69996', '0.700', '0.7004', 'n/a')
    """
    if value is None:
        return "n/a"
    wanted = [_side(value, bound) for bound in bounds]
    # Seventeen digits tell every double of 0.1 and more from the next.
    told = next(n for n in range(3, 18) if n == 17 or [_side(round(value, n), bound) for bound in bounds] == wanted)
    return f"{round(value, told) + 0.0:.{told}f}"


def _side(value: float, bound: float) -> int:
    return (value > bound) - (value < bound)


def interval(low: float | None, high: float | None, *, sign: bool = False) -> str:
    """Returns an interval to four digits, or that it is not there."""
    return "n/a" if low is None or high is None else f"{digits(low, sign=sign)} to {digits(high, sign=sign)}"


def counted(count: int, noun: str) -> str:
    """Returns a count with its noun: `1 photo`, `1,000 photos`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def percent(share: float | None, digits: int = 1) -> str:
    """Returns a share as percent, with more digits for what would be none; or that it is not there.

    Example:
        >>> percent(0.5), percent(0.256, 0), percent(0.00022), percent(0.0), percent(None)
        ('50.0 %', '26 %', '0.022 %', '0 %', 'n/a')
    """
    if share is None:
        return "n/a"
    least = 0.5 * 10 ** -(digits + 2)
    return f"{100 * share:.2g} %" if share < least else f"{100 * share:.{digits}f} %"


def listed(parts: Sequence[str]) -> str:
    """Returns parts as a sentence lists them.

    Example:
        >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
        ('a', 'a and b', 'a, b and c')
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
