"""The classifier bench: named classifiers, resampling, and the out-of-fold scores that the other rooms analyse."""
