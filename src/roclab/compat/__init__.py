"""Faster stand-ins for other libraries' functions, with those libraries' own names and results."""
