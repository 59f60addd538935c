"""Which classifier is best, by how much, and where to cut? The classifier bench."""
