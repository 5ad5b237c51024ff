"""The screening rules, one file each: `CARD` and `judge` (`design/plugins.md`); and the funnel that they make."""
