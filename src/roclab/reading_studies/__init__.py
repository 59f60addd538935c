"""Reader studies: several readers read the same cases in one modality or several, and both are samples.

Several readers of the same cases: ``readings`` (cells x cases), ``design``, ``covariance`` (four methods),
``components``, ``mean_squares``, ``obuchowski_rockette``, ``score`` (variance of the hypothesis, for few readers and
areas near 1), ``calibrated`` (the same among simulated studies) and ``null_studies`` (their model, fitted, drawn
from and tested), ``pseudovalues`` (DBM), ``study`` (all of it), ``decision`` (rates), ``curves``, ``layouts``
(tables of other programs), ``marks`` (free-response studies), ``roe_metz`` (model and simulator), ``sizing``.
"""
