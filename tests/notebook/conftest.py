"""A real kernel: cells in, their outputs out."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient


@pytest.fixture(scope="session")
def run_cells():
    """Runs cells in a new kernel; returns the outputs of each."""

    def run(*cells):
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        NotebookClient(book, timeout=300, kernel_name="python3").execute()
        return [cell.outputs for cell in book.cells]

    return run
