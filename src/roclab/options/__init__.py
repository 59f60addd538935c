"""Options as values: every keyword of a verb belongs to one group, and is written down in that group's file only.

A group is a ``TypedDict`` (what type checkers and completion see), a frozen value (made and validated once, when a
verb is called), and its words (the docstring of the verb and the help of the command line). ``spelling`` says what a
keyword is called elsewhere: on the command line, on the page, in other programs. A verb takes the keywords of its
groups as ``**asked`` and hands the values down; the command line and the workbench make their options from the same
groups.

Nothing here imports NumPy, so that help costs nothing.
"""
