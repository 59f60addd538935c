"""One curve: bands, rates and thresholds with their uncertainty."""
