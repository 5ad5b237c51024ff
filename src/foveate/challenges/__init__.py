"""Challenges: what they are, what counts, who ranks where, and entries run from containers; without HTTP or SQL."""
