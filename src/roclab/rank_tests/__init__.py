"""Rank and Kolmogorov tests: do samples come from the same distribution, or from a given one?"""
