"""What is shown and said of a prediction to a person."""
