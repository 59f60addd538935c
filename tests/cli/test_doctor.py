"""roclab doctor: the page of a file in the words of the command line."""

from __future__ import annotations

import json
import shlex


def test_lines_to_type_run_as_they_are(shell, tmp_path):
    path = tmp_path / "cases of may.csv"
    rows = [f"{'ill' if at % 3 else 'well'},{at % 7 + at % 3},{at // 2}" for at in range(60)]
    path.write_text("\n".join(["state,crp,patient id", *rows]))
    shown = shell("doctor", path).stdout
    assert "(--id 'patient id')" in shown
    assert "pos_label" not in shown
    lines = [line.strip() for line in shown.splitlines() if line.startswith("  roclab")]
    assert 2 <= len(lines) <= 3
    for line in lines:
        arguments = shlex.split(line)[1:]
        shell(*[tmp_path / "report.html" if one == "report.html" else one for one in arguments])


def test_options_and_refusals(shell):
    told = json.loads(shell("doctor", "wines", "--label", "grape", "--json").stdout)
    assert told["tried"]["classes"] == ["barbera", "gamay", "barolo"]
    assert "--label must be given" not in shell("doctor", "example").stdout
    assert "--positive needs --label" in shell.error("doctor", "example", "--positive", "x")
    outcome = ["doctor", "example", "--label", "outcome", "--positive"]
    assert "--positive must be a value of outcome" in shell.error(*outcome, "x")
    assert "doctor leaves no case out" in shell.error("doctor", "example", "--missing", "drop")
    assert "must name one class" in shell.error(*outcome, "a", "--positive", "b")
