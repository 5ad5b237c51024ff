"""How well two colours are told apart, by the Web Content Accessibility Guidelines 2.2."""

from __future__ import annotations


def luminance(colour: tuple[int, ...]) -> float:
    """Relative luminance of WCAG 2.2."""
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
