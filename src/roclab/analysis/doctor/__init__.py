"""A table before its first question: what columns could be, what to beware of, and what to type next.

``column_roles`` tells what a column could be, ``first_try`` puts one guess of all parts together, ``traps`` looks at
the cases of that guess, ``diagnosis`` is the answer, and ``ask`` the verb.
"""
