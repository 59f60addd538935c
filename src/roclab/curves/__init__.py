"""Curves, one file each: every curve answers ``at(x)``, ``points()`` and ``simplified(n)``."""
