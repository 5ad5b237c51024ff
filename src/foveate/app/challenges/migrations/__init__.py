"""How the tables of challenges came to be."""
