"""Pages of the checks."""
