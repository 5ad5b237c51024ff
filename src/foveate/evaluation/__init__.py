"""Scoring: predictions against truths, with counts by state and intervals."""
