"""The classifier bench: named classifiers, resampling, and the out-of-fold scores that the other rooms analyse.

The loop of a classifier bench, on scikit-learn: ``sampling`` (splits), ``table`` (features, words and gaps, learnt
inside the training part), ``catalogue`` and ``classifiers/`` (named ones, modern and published), ``detectors``,
``balance``, ``combiners``, ``run`` (every detector on every split), ``measures`` of a split.
"""
