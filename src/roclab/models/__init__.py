"""Models that turn several columns into one score."""
