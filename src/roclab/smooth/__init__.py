"""Smooth ROC curves: one file per model, each giving a curve and an area with a standard error.

One file per model: kernel, normal, Box-Cox, binormal, log-concave, exponential, Pareto, fitted families; ``given``
takes distributions instead of data, ``region`` has partial areas, rates and overlap of any of them.
"""
