"""Any measure against any other: the drawn points are those of the table."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.plots import draw_trade_off, figure, new_axes

Y = [1, 1, 0, 1, 0, 0, 1, 0]
S = [0.9, 0.8, 0.7, 0.6, 0.4, 0.2, 0.3, 0.1]


@pytest.mark.parametrize(("x", "y"), [("recall", "precision"), ("for", "ppv"), ("threshold", "cost")])
def test_points_are_the_columns_of_the_table(x, y):
    table = rl.roc(Y, S).coordinates()
    ax = draw_trade_off(table, new_axes(), x=x, y=y, cutoff=0.6)
    (line,) = ax.collections[:1]
    drawn = np.vstack([line.get_segments()[0][:1], *(part[1:] for part in line.get_segments())])
    columns = table.columns([x, y])
    real = np.isfinite(columns[x]) & np.isfinite(columns[y])
    assert drawn == pytest.approx(np.stack([columns[x][real], columns[y][real]], axis=1))
    mark = ax.lines[-1]
    row = table.row_of(0.6)
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (columns[x][row], columns[y][row])


def test_by_name_with_conditions():
    shown = figure("metrics", Y, S, x="tpr", y="f_alpha", alpha=0.3, cutoff="youden")
    assert {"cut-off", "tpr", "f_alpha"} <= set(shown.numbers[1].rows()[0])
    costs = figure("metrics", Y, S, metric=["cost"], cost_fn=5)
    assert len(costs.ax.lines) == 1
    with pytest.raises(InputError, match="x and y are drawn against each other, got one of them; give both"):
        figure("metrics", Y, S, x="tpr")
    with pytest.raises(InputError, match="log needs scores above 0"):
        draw_trade_off(rl.roc(Y, [0, *S[1:]]).coordinates(), new_axes(), x="tpr", y="ppv", log=True)
