"""Frozen, versioned, checksummed data sets with a datasheet (`design/releases.md`)."""
