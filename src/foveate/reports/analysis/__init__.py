"""The analysis of data sets as a folder: one self-contained page, its tables as CSV, its figures as SVG and PNG."""
