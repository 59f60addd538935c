"""The question layer: one file per verb, questions in, finished answers out.

Every verb takes data in any shape (arrays, mappings, data frames, files, cases) with one set of keywords
(``data.keywords``) and hands the work to the room that owns it. All faces ask here: the library's own names, the
command line, the report and the figures.
"""
