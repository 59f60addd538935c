"""Smooth ROC curves: one file per model, each giving a curve and an area with a standard error."""
