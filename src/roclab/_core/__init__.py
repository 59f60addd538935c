"""Helpers with no ROC in them: checks, sorting, blocks, text tables, normal deviates."""
