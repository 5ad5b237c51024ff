"""The metrics, one file each: `CARD`, `measure`, `reduce` and `CASES` (`design/plugins.md`)."""
