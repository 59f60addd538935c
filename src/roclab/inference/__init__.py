"""Uncertainty: standard errors, intervals, tests, comparisons, bands and sample sizes.

``one_area/`` (variances, score interval, tests, bootstrap; ``grouped``, ``score_many`` and ``heterogeneity`` for
many groups at once; ``smooth_region`` for parts of smooth curves), ``one_curve/`` (bands, rates, thresholds;
``pointwise_limits`` has their limits without resampling), ``comparison/`` (covariance and all that follows:
``permutation`` and ``score`` judge equal areas, ``contrasts`` any), ``planning/``; ``areas_of_cases`` is the one road
to areas, ``clustered_area`` to those of subjects, ``fold_areas`` averages them over folds and
``comparison/fold_differences`` their differences, ``subject_sums`` has sandwiches, ``one_area/design_effect`` and
``one_curve/design_effects`` what clustered counts are worth, ``one_area/subject_draws`` resamples subjects,
``welch`` has t and F.
"""
