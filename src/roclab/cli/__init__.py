"""The command line: it reads options, asks the library, and prints what comes back. Nothing is computed here."""
