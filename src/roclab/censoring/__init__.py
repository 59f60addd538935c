"""Censoring: how long cases would have been followed, weights that stand for those who were not, and their error.

``follow_up`` has times and events and what their censoring depends on, ``weights`` the weights by which known cases
stand for all, ``cox`` Cox's model of the censoring, ``term`` what the estimation of the weights adds to the influence
of a case on any statistic.
"""
