"""Several areas: one covariance matrix, and every comparison that follows from it."""
