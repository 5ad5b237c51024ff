"""The page and the table of a label audit."""
