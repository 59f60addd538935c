"""The command line: it reads options, asks the library, and prints what comes back. Nothing is computed here.

``start`` (before anything is imported), ``main``, one file per command; ``shared/`` has the command and its options,
data, output, progress and wording.
"""
