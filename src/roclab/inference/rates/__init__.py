"""Rates compared: two tests on the same cases, rates of different cases and of groups, rates that are promised.

``paired`` (Tango, Tang), ``paired_others`` (by name), ``mcnemar``, ``cochran``; ``mover`` puts limits of two parts
together, for ``predictive`` values, ``likelihood`` ratios and net ``benefit``; ``independent`` cases, ``gaps`` of
groups, ``clustered_pairs``; ``tolerance`` has what thresholds may promise.
"""
