"""The parts of the grounder `pocket`: what is seen in a photo, and one module for each sort of question."""
