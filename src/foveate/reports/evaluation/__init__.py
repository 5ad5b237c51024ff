"""Evaluation in depth as chapters of a report, one file each."""
