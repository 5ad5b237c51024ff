"""What templates of screenings may say."""
