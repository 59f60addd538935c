"""Fuzzy clustering: every case belongs to every cluster by a degree, and the degrees of a case sum to one.

Fuzzy c-means (``cmeans``) and the two steps it repeats (``steps``), on blocks of cases; ``robust`` clusters images
whose neighbours agree (checked by ``image_input``), by ``synchronous`` or ``coloured`` steps, from an
``image_start``; ``choose_beta`` finds the weight of the penalty, ``matching`` pairs the classes of two runs,
``grey`` makes eight-bit levels.
"""
