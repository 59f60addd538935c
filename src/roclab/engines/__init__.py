"""Past memory and past one machine: the same statistics from rows that stay where they are.

An engine only has to hand over rows in batches, or to group them; the statistics are written once, on counts. ``sums``
is the algebra (seven integers that merge), ``scan`` reads sorted scores once, ``sorting`` sorts more than fits into
memory, ``cells`` are scores counted in groups with bounds on what that costs, ``duckdb_road`` and ``narwhals_road``
are the two ways to data, and ``remote`` is what the verbs see: cases whose rows never come.
"""
