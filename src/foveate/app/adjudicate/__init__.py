"""How alike submissions are, and the page on which one region is chosen."""
