"""The question layer: one file per verb, questions in, finished answers out.

Every verb takes data in any shape (arrays, mappings, data frames, files, cases) with one set of keywords
(``data.keywords``) and hands the work to the room that owns it. All faces ask here: the library's own names, the
command line, the report and the figures.

The question layer: ``auc``, ``area_table``, ``group_areas`` (``counted_groups`` from counts), ``roc``, ``points``,
``compare``, ``compare_groups``, ``compare_curves``, ``cutoff``, ``hull``, ``costs``, ``combine``, ``chosen_rules``
(chains and hybrids), ``average``, ``multiclass``, ``confusion``, ``screen`` (with its ``markers``), ``logistic``,
``ties``, ``rank_test``, ``iso``, ``distribution``, ``compare_predictions``, ``recalibrate``, ``power``, ``pilot``,
``study``; ``support`` declares what every verb does with the data keywords, ``curve_areas`` and ``curve_decisions``
are the methods of a curve, ``classifiers`` and ``calls`` take classifiers of any shape; ``reporting/`` holds what a
report says; ``froc`` asks for detectors of lesions, ``lungs`` for phantoms, lungs and regions, ``cad`` for the
stages of a lung CAD, ``cluster`` for classes of pixels; ``dce/`` trains, maps, evaluates by case (``evaluate``,
``evaluation``, ``regions``), learns and shows; ``table_overview`` looks through a table and ``cell_rows`` lists the
rows of a cell, for the workbench; ``bench/`` trains, tests, compares and chooses classifiers (``ask`` is the verb,
``tested`` the models and their scores, ``result`` what is asked of them).
"""
