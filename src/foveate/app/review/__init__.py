"""Checks of the work: flags, inspections, and a page for each annotator."""
