"""More than two classes: class-reference and pairwise areas, their averages, and the n x n confusion matrix."""
