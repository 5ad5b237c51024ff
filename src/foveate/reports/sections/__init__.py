"""Sections of figures, tables and photos: what every page of chapters is made of, and the writers of each form."""
