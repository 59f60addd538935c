"""More than two classes: class-reference and pairwise areas, their averages, and the n x n confusion matrix.

Class and pair areas, their averages, the n x n matrix, multi-label, one score for several classes (``one_score``).
"""
