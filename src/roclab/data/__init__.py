"""The way in: arrays, data frames and files become validated ``Cases``; nothing is guessed.

The one way in: ``table`` (mappings, frames, files), ``read`` (cases, classes, columns), ``keywords`` (one set for
all verbs), columns, labels, roles, cases, tally, ranking; ``outcome_rule`` makes classes from numbers,
``missing_codes`` blanks -99 and its like, ``groups`` is behind ``by=``, ``subjects`` says whose every case is (a
tally of such cases carries it), ``rates`` turns printed rates into counts; ``files/`` reads formats: ``sniffing``
tells delimiter and decimal sign, ``cells`` types, ``signatures`` what a file really is, ``delimited``, ``workbook``,
``arrow``, ``orange`` (.tab) and ``spss`` (.sav) one kind each, ``quick_text`` and ``plain_text`` large text by
pyarrow in ``text_pieces``; ``locking`` says what DuckDB may touch.
"""
