"""The workbench: a local page on which a file becomes a decision, with the numbers of the library.

The page keeps the state of an analysis and asks; the server reads files, asks the question layer, and forgets. So two
pages cannot mix, and what one page did can be saved in a small file and opened again.

The workbench: ``server`` (a port, a key, a clean end), ``guard`` (who may ask), ``connections`` (how long silence is
borne), ``routes``, ``shelf`` (open tables), ``folder`` (uploads, gone with their server), ``asking`` (one question,
its ``kinds`` of options, and how to ask it elsewhere, by ``spelling``), ``questions/`` (one file per view), ``jobs``
and ``worker`` (long work in processes of its own), ``static/`` (the page: ``session.js`` holds the state, ``views/``
has one file per tab, the report's ``texts.json`` has every sentence in five languages).
"""
