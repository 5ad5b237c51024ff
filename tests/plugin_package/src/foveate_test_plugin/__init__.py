"""An outside package with a grounder and an aggregator, to test the plugin door."""
