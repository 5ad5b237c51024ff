"""What templates of Annotate may say."""
