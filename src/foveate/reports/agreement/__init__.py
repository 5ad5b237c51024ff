"""How far annotators agree, as tables, a page and pictures."""
