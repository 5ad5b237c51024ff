"""How the table of kept answers came to be."""
