"""How the documentation is built: ``make docs`` writes static HTML into docs/_build/html."""

from __future__ import annotations

import sys
from pathlib import Path

import roclab

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "roclab"
author = "roclab developers"
copyright = "roclab developers"
release = version = roclab.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "mathml",
    "errata_table",
    "notebooks",
]
html_math_renderer = "mathml"  # the browser's own formulas: no script, no font, no request
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}  # .rst: the stubs that autosummary writes
exclude_patterns = ["_build", "_ext", "_templates"]
root_doc = "index"

myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc sections say it in words
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "furo"
html_title = f"roclab {release}"
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["roclab.css"]
html_show_sphinx = False
html_copy_source = False
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # docstrings name types in words; links between pages are still checked
