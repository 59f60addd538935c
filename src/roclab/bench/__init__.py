"""The bench: classifiers trained, resampled and compared by their ROC and tROC curves."""
