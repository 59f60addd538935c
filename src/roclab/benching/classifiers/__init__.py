"""Classifiers of the bench that scikit-learn lacks, one idea per file; ``bench.catalogue`` names them all."""
