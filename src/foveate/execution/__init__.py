"""Running a grounder over queries, and asking one question about one photo."""
