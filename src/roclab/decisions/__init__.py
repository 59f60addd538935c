"""Decisions at a threshold: the confusion matrix, its metrics, cut-offs and costs."""
