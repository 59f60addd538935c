"""Averages of ROC curves over folds or repeats: pooled, vertical, by threshold."""
