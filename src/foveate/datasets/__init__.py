"""The data sets, one file each: `CARD`, `queries`, `truths` and `write_tiny` (`design/plugins.md`)."""
