"""Studies: one seed, one result; stopped and resumed runs; bad input."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest

from roclab._core.work import resume
from roclab.errors import FileError, InputError
from roclab.studies import runner
from roclab.studies.designs import table_design
from roclab.studies.results import CellResult, Sums
from roclab.studies.runner import run_study

SMALL = table_design("I").changed(sizes=[(10, 12)], areas=[0.7, 0.9], estimators=["MW", "NT"])


def test_bias_and_errors_definition():
    rng = np.random.default_rng(0)
    areas = rng.normal(0.81, 0.05, 400)
    errors = areas - 0.8
    sums = Sums(400, 3, 2, *(float(np.sum(errors**power)) for power in (1, 2, 3, 4)))
    cell = CellResult.of(sums, table="I", n_pos=1, n_neg=1, condition="", area=0.8, estimator="MW")
    assert cell.bias == pytest.approx(errors.mean())
    assert cell.bias_se == pytest.approx(errors.std(ddof=1) / 20)
    assert cell.rmse == pytest.approx(np.sqrt(np.mean(errors**2)))
    assert cell.rmse_se == pytest.approx(np.std(errors**2, ddof=1) / 20 / (2 * cell.rmse))
    assert (cell.replicates, cell.failures, cell.not_converged) == (400, 3, 2)


def test_result_depends_on_the_seed_alone_property():
    once = run_study(SMALL, replicates=120, rng=3)
    assert run_study(SMALL, replicates=120, rng=3, workers=2) == once
    assert run_study(SMALL, replicates=120, rng=4) != once
    assert run_study(SMALL, replicates=120, rng=np.random.default_rng(3)).cells == once.cells
    alone = run_study(SMALL.changed(areas=[0.9], estimators=["NT"]), replicates=120, rng=3)
    assert alone.cells == tuple(c for c in once.cells if c.area == 0.9 and c.estimator == "NT")


def test_progress_counts_replicates():
    seen = []
    run_study(SMALL, replicates=120, rng=3, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, 240) for done in (0, 50, 100, 120, 170, 220, 240)]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stopped_run_goes_on_where_it_stopped(tmp_path, workers, monkeypatch):
    path = tmp_path / "study.json"
    whole = run_study(SMALL, replicates=300, rng=3)
    threads = threading.active_count()

    def stop(done, total):
        if done >= 200:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_study(SMALL, replicates=300, rng=3, progress=stop, resume=path, workers=workers)
    assert threading.active_count() == threads
    kept = len(json.loads(path.read_text())["chunks"])
    assert kept >= 4
    seen = []
    again = run_study(SMALL, replicates=300, rng=3, resume=path, progress=lambda *now: seen.append(now))
    assert seen[0] == (50 * kept, 600)
    assert again == whole
    # All is done: nothing is drawn any more.
    monkeypatch.setattr(runner, "estimate_all", None)
    assert run_study(SMALL, replicates=300, rng=3, resume=path) == whole


def test_a_killed_run_has_saved_its_work(tmp_path, monkeypatch):
    monkeypatch.setattr(resume, "PAUSE", 0.0)
    path = tmp_path / "study.json"
    sizes = []

    def look(done, total):
        sizes.append(len(json.loads(path.read_text())["chunks"]))

    run_study(SMALL, replicates=100, rng=3, progress=look, resume=path)
    assert sizes == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("change", [{"rng": 4}, {"replicates": 101}, {"designs": table_design("II")}])
def test_a_journal_of_another_study_is_refused(tmp_path, change):
    path = tmp_path / "study.json"
    first = {"designs": SMALL, "replicates": 100, "rng": 3}
    run_study(**first, resume=path)
    with pytest.raises(FileError, match="resume must be a file of the same study, got .* of another design, seed"):
        run_study(**(first | change), resume=path)


def test_a_journal_must_be_one(tmp_path):
    path = tmp_path / "study.json"
    for text in ("area,bias\n0.7,0.1\n", "{}", '{"kind": "other"}', "[1, 2]"):
        path.write_text(text)
        with pytest.raises(FileError, match="resume must be a file of an earlier study, got "):
            run_study(SMALL, replicates=10, rng=3, resume=path)
        assert path.read_text() == text
    with pytest.raises(FileError, match="resume must be in a directory that exists"):
        run_study(SMALL, replicates=10, rng=3, resume=tmp_path / "none" / "study.json")
    path.unlink()
    run_study(SMALL, replicates=10, rng=3, resume=path)
    path.write_text(path.read_text().replace('"version": "', '"version": "0.0.'))
    with pytest.raises(FileError, match="resume must be a file of roclab .* of version 0.0."):
        run_study(SMALL, replicates=10, rng=3, resume=path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"replicates": 0}, "replicates must be a whole number of at least 2, got 0; 1000 is usual"),
        ({"workers": 0}, "workers must be a whole number of at least 1, got 0"),
        ({"rng": -1}, "rng must be a whole number >= 0"),
        ({"designs": []}, "designs must hold at least one design, got none"),
        ({"designs": [SMALL, SMALL]}, "designs must have different names, got I, I"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(InputError, match=message):
        run_study(**({"designs": SMALL} | options))


def test_samples_without_an_estimate_are_counted():
    """Two cases of a heavy-tailed score: lambda often ends at a bound, the binormal fit has no maximum."""
    tiny = table_design("III").changed(sizes=[(2, 2)], areas=[0.9], estimators=["NT", "RC"])
    result = run_study(tiny, replicates=100, rng=1)
    cells = {cell.estimator: cell for cell in result.cells}
    assert cells["RC"].not_converged == 85
    assert cells["NT"].replicates + cells["NT"].failures == 100
    assert "RC: 85 of 100 fits ended at a bound or without a maximum; their areas are counted." in result.notes
    assert result.notes[-1] in str(result)


def test_cells_without_any_estimate_are_undefined():
    cell = CellResult.of(Sums(0, 5), table="I", n_pos=2, n_neg=2, condition="a", area=0.5, estimator="N")
    assert np.isnan(cell.bias)
    assert cell.bias.reason == "only 0 replicates had an estimate"


def test_layout_published_table_i():
    """Rows are estimators, columns areas, entries bias (RMSE), one block per sample size."""
    lines = str(run_study(table_design("I"), replicates=50, rng=2, workers=2)).splitlines()
    assert lines[0] == "Table I"
    assert lines[3].split() == ["n", "=", "20", "AUC=0.7", "AUC=0.8", "AUC=0.9"]
    assert [line.split()[0] for line in lines[4:11]] == ["MW", "N", "NT", "K1", "K1T", "K2", "K2T"]
    assert lines[12].startswith("n = 100")
    assert all(len(line) == len(lines[3]) for line in lines[4:11])


def test_rows_of_a_study():
    row = run_study(SMALL, replicates=50, rng=2).rows()[0]
    names = "table n_pos n_neg condition area estimator bias bias_se rmse rmse_se replicates failures not_converged"
    assert " ".join(row) == names
