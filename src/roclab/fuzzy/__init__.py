"""Fuzzy clustering: every case belongs to every cluster by a degree, and the degrees of a case sum to one."""
