"""The aggregators, one file each: `CARD`, `aggregate`, `CASES` (`design/plugins.md`)."""
