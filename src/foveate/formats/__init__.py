"""One reader a file format, each used by several data sets and importers."""
