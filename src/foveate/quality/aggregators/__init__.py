"""The aggregators, one file each: `CARD` and `aggregate` (`design/plugins.md`)."""
