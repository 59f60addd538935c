"""Censoring: how long cases would have been followed, weights that stand for those who were not, and their error.

``follow_up`` has times and events, ``weights`` the weights by which known cases stand for all, ``term`` what the
estimation of these weights adds to the influence of a case on any statistic.
"""
