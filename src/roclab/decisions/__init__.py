"""Decisions at a threshold: the confusion matrix, its metrics, cut-offs and costs.

Metrics, confusion matrix, operating points, cut-offs and their bootstrap, iso-performance, joint hull, ``dominance``
and Pareto front, costs, calibration, ties.
"""
