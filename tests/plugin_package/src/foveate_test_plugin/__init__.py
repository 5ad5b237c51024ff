"""An outside package with a grounder, to test the plugin door."""
