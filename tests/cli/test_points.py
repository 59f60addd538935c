"""Operating points instead of cases on the command line."""

from __future__ import annotations

from tests.analysis.test_points import RADAR


def test_points_on_the_command_line(shell, tmp_path):
    path = tmp_path / "radar.csv"
    path.write_text("\n".join(["who,fpr,tpr", *(",".join(map(str, row)) for row in zip(*RADAR.values(), strict=True))]))
    columns = ["--fpr-column", "fpr", "--tpr-column", "tpr", "--name-column", "who"]
    assert "0.5675" in shell("auc", path, *columns).stdout
    assert "B lies nowhere below A" in shell("hull", path, *columns, "--crossings").stdout
    assert "A: 2 on the front, 3 beaten" in shell("hull", path, *columns, "--pareto").stdout
    assert "best for prevalence 0.3" in shell("hull", path, *columns, "--prevalence", "0.3").stdout
    drawn = shell("plot", path, *columns, "--out", tmp_path / "radar.svg").stdout
    assert "wrote" in drawn
    assert "belong together" in shell.error("auc", path, "--fpr-column", "fpr")
    assert "read points instead of cases, got --label as well" in shell.error("auc", path, *columns, "--label", "who")


def test_sensitivities_and_specificities_in_percent(shell, tmp_path):
    path = tmp_path / "paper.csv"
    path.write_text("sens,spec\n98,43\n71,90\n")
    columns = ["--sensitivity-column", "sens", "--specificity-column", "spec"]
    totals = ["--positives", 120, "--negatives", 300]
    shown = shell("auc", path, *columns, "--in-percent", *totals).stdout
    assert "0.71 of 120 is taken for 85 cases" in shown
    assert "write --in-percent where 98 means 98%" in shell.error("auc", path, *columns)
    assert "belong together" in shell.error("auc", path, *columns, "--tpr-column", "sens")
    assert "--in-percent says how rates are written" in shell.error("auc", path, "--in-percent")
