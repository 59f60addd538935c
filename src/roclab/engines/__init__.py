"""Past memory and past one machine: the same statistics from rows that stay where they are.

An engine only has to hand over rows in batches, or to group them; the statistics are written once, on counts.
``sums`` is the algebra (seven integers that merge), ``scan`` reads sorted scores once, ``sorting`` sorts more than
fits into memory, ``cells`` are scores counted in groups with bounds on what that costs, ``duckdb_backend`` and
``narwhals_backend`` are the two ways to data, and ``remote`` is what the verbs see: cases whose rows never come.

Rows that stay where they are: ``sums`` (seven integers that merge), ``scan``, ``merging`` (two classes in one order)
and ``sorting`` (past memory), ``cells``, ``quantising``, ``influence_bounds``, ``limit_bounds`` and ``rate_bounds``
(bins with bounds), ``pairing`` and ``clusters`` (several scores), ``duckdb_backend`` (with its first look,
``duckdb_look``, which is a count too where ``one_pass`` is enough, with ``growing_bins`` where an accuracy was asked
for, and its ``plans``) and ``narwhals_backend`` (whose ``spark_jobs`` can be cancelled), ``resorting`` (batches on
their way to the next order), ``overview`` (labels, gaps, ranges), ``source_groups`` (parts of a source),
``group_counts`` (their one look and one count, by ``group_passes``; ``group_plans`` says so), ``remote`` (cases
without rows), ``portable`` (tallies that travel, their file, their cases), ``watching`` (progress).
"""
