"""Time to event: areas at horizons and their comparison, for cases that were followed and sometimes lost.

``read`` has the data, ``areas`` the areas and what is said of them, ``compare`` their comparison.
"""
