"""Helpers with no ROC in them: checks, sorting, blocks, text tables, normal deviates.

Helpers with no ROC in them: checks, label sort, order, polylines, sums that no order changes, text, the door, frozen
results made fast (``quick_init``); ``work/``: seeds, chunks, threads, progress, stop, resume.
"""
