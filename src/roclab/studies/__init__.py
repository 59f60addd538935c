"""Simulation studies of area estimators, and the printed results they are held against."""
