"""The workbench: a local page on which a file becomes a decision, with the numbers of the library.

The page keeps the state of an analysis and asks; the server reads files, asks the question layer, and forgets. So two
pages cannot mix, and what one page did can be saved in a small file and opened again.
"""
