"""Long work: in small pieces, with seeds of its own, on any number of threads, shown, stopped at once, and resumed.

Everything in the house that takes long goes through here, and this is the only place that starts threads. What it
promises: results come in the order of the pieces and depend on the seed alone, never on the number of workers; Ctrl-C
(or an error, or a progress function that raises) ends the work within a moment, because threads are daemons that look
up between two steps; and finished pieces can be kept in a file, from which a later run goes on.

Pieces that are done one by one, such as the columns of a table, use :func:`in_order`:

>>> list(in_order(lambda n: n * n, [1, 2, 3], workers=2))
[1, 4, 9]

Random replicates of one statistic use :func:`repeat`, which cuts them into chunks with generators of their own and
writes one row of an array each; ``progress(done, total)`` counts replicates:

>>> import numpy as np
>>> rows = np.empty(120)
>>> repeat(lambda rng: rng.normal(), rows, rng=1, workers=2)
'1'
>>> again = np.empty(120)
>>> repeat(lambda rng: rng.normal(), again, rng=1, workers=1)
'1'
>>> bool((rows == again).all())
True

Pieces worth keeping add a :class:`Journal`: ask it which keys are finished, give :func:`in_order` the others, add
each result under its key, and save in a ``finally``; ``studies/runner.py`` shows all of it. A piece that takes longer
than a tenth of a second calls :func:`leave_if_stopped` between its steps, and one long call into a database that does
not hear Ctrl-C is made through :func:`attended`, or :func:`ahead` where one such call follows another.
"""

from roclab._core.work.replicates import CHUNK, repeat, repeat_rows
from roclab._core.work.resume import Journal
from roclab._core.work.seeds import spawn_generators, spawn_seeds
from roclab._core.work.threads import Progress, ahead, attended, in_order, leave_if_stopped, leave_with, unfinished

__all__ = [
    "CHUNK",
    "Journal",
    "Progress",
    "ahead",
    "attended",
    "in_order",
    "leave_if_stopped",
    "leave_with",
    "repeat",
    "repeat_rows",
    "spawn_generators",
    "spawn_seeds",
    "unfinished",
]
