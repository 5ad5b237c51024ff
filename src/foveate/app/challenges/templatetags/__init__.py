"""Template tags of challenges."""
