"""Uncertainty: standard errors, intervals, tests, comparisons, bands and sample sizes."""
