"""Engines beside scikit-learn and NumPy on the same rows: time, ratio, and peak memory of the whole process tree.

    .venv/bin/python benchmarks/bench_engines.py [--rows 50000000] [--folder /tmp] [--rounds 2]

Every task runs in a process of its own, in turns, and the best of its rounds counts; times include reading Parquet but
not starting Python. ``--spark`` times Spark, two threads of one process, beside its own sorts of the same columns: one
score, and two scores compared. ``--large`` adds rows that are made in the engine: 2e8 exact and 1e9 with a bound.
``--groups 1000000`` times the AUC of every one of so many groups beside DuckDB's own sort of the rows.
``--text`` times CSV instead, in turns: a million rows beside polars, the shortest of five readings in a process, and a
gigabyte beside DuckDB's own scan of it, exact and with an accuracy: in a process that has started, and as whole
processes on both sides (their modules are compiled once, as those of an installed package are).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

SOURCE = """
SELECT y, s1, 0.6 * s1 + 0.8 * z AS s2, round(s1, 4) AS r1, 1 + hash(s1) % 4 AS w, 0.5 + hash(z) % 1000 / 700 AS v
FROM (
    SELECT y, sqrt(-2 * ln(1 - u1)) * cos(2 * pi() * u2) + y AS s1, sqrt(-2 * ln(1 - u1)) * sin(2 * pi() * u2) AS z
    FROM (SELECT (random() < 0.2)::TINYINT AS y, random() AS u1, random() AS u2 FROM range({rows})))
"""

TASKS = {
    "scikit-learn roc_auc_score": """
import pyarrow.parquet as pq
from sklearn.metrics import roc_auc_score
begin()
table = pq.read_table(PATH, columns=["y", "s1"])
end(roc_auc_score(table["y"].to_numpy(), table["s1"].to_numpy()))
""",
    "exact, memory_limit=1GB": """
import roclab as rl
rl.auc([0, 1], [0, 1])
begin()
curve = rl.roc(PATH, label="y", score="s1", memory_limit="1GB", engine="duckdb")
found = curve.auc()
curve.simplified(2000)
end(found.area)
""",
    "bounded, accuracy=5e-5": """
import roclab as rl
rl.auc([0, 1], [0, 1])
begin()
end(rl.auc(PATH, label="y", score="s1", accuracy=5e-5, engine="duckdb", memory_limit="200MB").area)
""",
    "rounded scores, exact": """
import roclab as rl
rl.auc([0, 1], [0, 1])
begin()
end(rl.auc(PATH, label="y", score="r1", engine="duckdb").area)
""",
    "NumPy, paired DeLong": """
import numpy as np
import pyarrow.parquet as pq
begin()
table = pq.read_table(PATH, columns=["y", "s1", "s2"])
y = table["y"].to_numpy() == 1
P = np.count_nonzero(y)
N = y.size - P
v10, v01 = [], []
for name in ("s1", "s2"):
    s = table[name].to_numpy()
    order = np.argsort(s)
    s, label = s[order], y[order]
    group = np.cumsum(np.concatenate([[True], s[1:] != s[:-1]])) - 1
    pos = np.bincount(group, weights=label)
    neg = np.bincount(group) - pos
    places = np.where(label, ((np.cumsum(neg) - neg / 2) / N)[group], (1 - (np.cumsum(pos) - pos / 2) / P)[group])
    back = np.empty(s.size)
    back[order] = places
    v10.append(back[y])
    v01.append(back[~y])
covariance = np.cov(v10) / P + np.cov(v01) / N
end(float(np.mean(v10[0]) - np.mean(v10[1])))
""",
    "paired exact, memory_limit=1GB": """
import roclab as rl
rl.auc([0, 1], [0, 1])
begin()
end(rl.compare(PATH, label="y", score=["s1", "s2"], memory_limit="1GB", engine="duckdb").pairs[0].difference)
""",
}
_PAIRED = 'rl.compare(PATH, label="y", score=["s1", "s2"], memory_limit="1GB", engine="duckdb", **{keywords})'
_ONE = """
import roclab as rl
rl.auc([0, 1], [0, 1])
begin()
end({ask})
"""
_PAIRS = {
    "paired partial areas, exact": '{"fpr": (0, 0.1)}',
    "rates at a specificity": '{"at_specificity": 0.9, "resampling": 200}',
}
for _name, _keywords in _PAIRS.items():
    TASKS[_name] = _ONE.format(ask=f"{_PAIRED.format(keywords=_keywords)}.pairs[0].difference")
for _name, _weight in {"whole weights, exact": "w", "real weights, exact": "v"}.items():
    TASKS[_name] = _ONE.format(
        ask=f'rl.auc(PATH, label="y", score="s1", sample_weight="{_weight}", memory_limit="1GB", engine="duckdb").area'
    )
_OF_PAIRS = ("paired exact, memory_limit=1GB", "paired partial areas, exact", "rates at a specificity")
AGAINST = dict.fromkeys(_OF_PAIRS, "NumPy, paired DeLong")
LARGE = {
    "2e8 rows exact, memory_limit=1GB": ("200000000", {"memory_limit": "1GB"}),
    "1e9 rows, accuracy=5e-5": ("1000000000", {"accuracy": 5e-5}),
}
FRAME = """
import json, time
PATH = {path!r}
def begin():
    global started
    started = time.perf_counter()
def end(value):
    print(json.dumps([time.perf_counter() - started, value]), flush=True)
def shortest(do):
    times = []
    for _ in range(5):
        begin()
        do()
        times.append(time.perf_counter() - started)
    print(json.dumps([min(times), 0.0]), flush=True)
{body}
"""
MADE = """
import duckdb
import roclab as rl
rl.auc([0, 1], [0, 1])
begin()
relation = duckdb.sql({query!r})
end(rl.auc(relation, label="y", score="s1", engine="duckdb", **{keywords!r}).area)
"""


SPARK = """
import time, warnings
warnings.simplefilter("ignore")
from pyspark.sql import SparkSession
import roclab as rl
builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", "3g")
for name in ("spark.driver.bindAddress", "spark.driver.host"):
    builder = builder.config(name, "127.0.0.1")
spark = builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
frame = spark.read.parquet(PATH)
def sort(name):
    frame.select(name).sort(name).write.format("noop").mode("overwrite").save()
def compare(**more):
    return rl.compare(frame, label="y", score=["s1", "s2"], engine="native", **more)
tasks = {
    "Spark, sort of one column": lambda: sort("s1"),
    "Spark, sorts of two columns": lambda: (sort("s1"), sort("s2")),
    "area of one score, exact": lambda: rl.auc(frame, label="y", score="s1", engine="native"),
    "two scores compared, exact": compare,
    "two scores compared, accuracy=1e-4": lambda: compare(accuracy=1e-4),
}
best = {}
for _ in range(ROUNDS + 1):  # the first one warms the virtual machine
    for name, do in tasks.items():
        begin()
        do()
        best.setdefault(name, []).append(time.perf_counter() - started)
print(json.dumps({name: min(times[1:]) for name, times in best.items()}), flush=True)
spark.stop()
"""


def spark(path: Path, rounds: int) -> None:
    """Spark's own sorts and what is asked of the same columns, in turns in one process."""
    body = FRAME.format(path=str(path), body=f"ROUNDS = {rounds}\n{SPARK}")
    done = subprocess.run([sys.executable, "-c", body], stdout=subprocess.PIPE, check=True)
    best = json.loads(done.stdout.splitlines()[-1])
    sorts = {"one": best["Spark, sort of one column"], "two": best["Spark, sorts of two columns"]}
    print(f"{'task':36} {'seconds':>8} {'ratio to the sort':>18}")
    for name, seconds in best.items():
        print(f"{name:36} {seconds:8.2f} {seconds / sorts['one' if 'one' in name else 'two']:18.2f}")


GROUPS = """
SELECT (random() < 0.4)::TINYINT AS y, random() + random() AS s1, (i * 7919 % {groups})::INTEGER AS g
FROM range({rows}) t(i) ORDER BY random()
"""
OF_GROUPS = {
    "DuckDB, sort by group and score": """
import duckdb
duckdb.execute("SET enable_progress_bar = false; SET preserve_insertion_order = false")
begin()
reader = duckdb.sql(f"SELECT g, s1, y FROM '{PATH}' ORDER BY g, s1").to_arrow_reader(500_000)
end(float(sum(batch.num_rows for batch in reader)))
""",
    "AUC of every group, with intervals": """
import roclab as rl
rl.auc([0, 1], [0, 1])
begin()
end(float(len(rl.auc(PATH, label="y", score="s1", by="g", engine="duckdb"))))
""",
}


def groups(folder: Path, rounds: int, count: int) -> None:
    """Fifty rows in each of many groups beside DuckDB's own sort of them."""
    import duckdb

    path = folder / f"roclab-bench-groups-{count}.parquet"
    if not path.exists():
        duckdb.execute(f"COPY ({GROUPS.format(groups=count, rows=50 * count)}) TO '{path}' (FORMAT parquet)")
    best: dict[str, tuple[float, float, float]] = {}
    for _ in range(rounds):
        for name, body in OF_GROUPS.items():
            found = measured(body, str(path))
            best[name] = min(best.get(name, found), found)
    first = next(iter(best.values()))[0]
    print(f"{'task':36} {'seconds':>8} {'ratio':>6} {'peak MB':>8}")
    for name, (seconds, megabytes, _) in best.items():
        print(f"{name:36} {seconds:8.2f} {seconds / first:6.2f} {megabytes:8.0f}")


def measured(body: str, path: str) -> tuple[float, float, float]:
    """Seconds, peak megabytes of the process tree, and the answer of one task."""
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        [sys.executable, "-c", FRAME.format(path=path, body=body)], stdout=subprocess.PIPE,
        env={"PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "roclab-bench-compiled"), **compiled},
    )  # fmt: skip
    tree, peak = psutil.Process(process.pid), 0
    while process.poll() is None:
        with contextlib.suppress(psutil.Error):
            peak = max(peak, sum(one.memory_info().rss for one in [tree, *tree.children(recursive=True)]))
        time.sleep(0.02)
    assert process.stdout is not None
    if process.returncode:
        raise SystemExit(f"a task failed: {body}")
    said = process.stdout.read()  # DuckDB may draw a bar on the same line
    seconds, value = json.loads(said[said.rindex(b"[") :])
    return seconds, peak / 1e6, value


MILLION = """
SELECT y, sqrt(-2 * ln(1 - u1)) * cos(2 * pi() * u2) + y AS a, sqrt(-2 * ln(1 - u1)) * sin(2 * pi() * u2) AS b
FROM (SELECT (random() < 0.3)::TINYINT AS y, random() AS u1, random() AS u2 FROM range(1000000))
"""
GIGABYTE = """
SELECT y, y + 2 * random() AS s1, random() AS s2, random() AS s3, 'case' || lpad(i::VARCHAR, 9, '0') AS id
FROM (SELECT i, (random() < 0.2)::TINYINT AS y FROM range(14000000) t(i))
"""
SCAN = """
import sys
import duckdb
PATH = globals().get("PATH") or sys.argv[1]
duckdb.execute("SET enable_progress_bar = false")
def scan():
    return duckdb.sql(f"SELECT count(*), sum(s1), sum(y) FROM read_csv('{PATH}')").fetchall()[0][0]
"""
WHOLE = """
import subprocess, sys
command = [PATH if part == "PATH" else part for part in {command!r}]
shortest(lambda: subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL))
"""
AUC = ["-m", "roclab", "auc", "PATH", "--label", "y", "--score", "s1"]
AGAINST_TEXT = {
    "rl.read_cases, 1e6 x 3": "polars read_csv, 1e6 x 3",
    "rl.auc, 1 GB": "DuckDB scan, 1 GB",
    "rl.auc, 1 GB, accuracy=1e-5": "DuckDB scan, 1 GB",
    "roclab auc, 1 GB, whole process": "DuckDB scan, 1 GB, whole process",
    "the same, --accuracy 1e-5": "DuckDB scan, 1 GB, whole process",
}
TEXT = {
    "polars read_csv, 1e6 x 3": (MILLION, """
import polars as pl
shortest(lambda: pl.read_csv(PATH))
"""),
    "rl.read_cases, 1e6 x 3": (MILLION, """
import roclab as rl
shortest(lambda: rl.read_cases(PATH, label="y", score=["a", "b"]))
"""),
    "DuckDB scan, 1 GB": (GIGABYTE, SCAN + "shortest(scan)"),
    "rl.auc, 1 GB": (GIGABYTE, """
import roclab as rl
shortest(lambda: rl.auc(PATH, label="y", score="s1"))
"""),
    "rl.auc, 1 GB, accuracy=1e-5": (GIGABYTE, """
import roclab as rl
shortest(lambda: rl.auc(PATH, label="y", score="s1", accuracy=1e-5))
"""),
    "DuckDB scan, 1 GB, whole process": (GIGABYTE, WHOLE.format(command=["-c", SCAN + "scan()", "PATH"])),
    "roclab auc, 1 GB, whole process": (GIGABYTE, WHOLE.format(command=AUC)),
    "the same, --accuracy 1e-5": (GIGABYTE, WHOLE.format(command=[*AUC, "--accuracy", "1e-5"])),
}  # fmt: skip


def text(folder: Path, rounds: int) -> None:
    """Tables of text beside polars and DuckDB; the files are gone afterwards."""
    import duckdb

    paths = {query: folder / f"roclab-bench-{at}.csv" for at, query in enumerate((MILLION, GIGABYTE))}
    best: dict[str, tuple[float, float, float]] = {}
    try:
        for query, path in paths.items():
            duckdb.execute(f"COPY ({query}) TO '{path}' (HEADER)")
        for _ in range(rounds):
            for name, (query, body) in TEXT.items():
                found = measured(body, str(paths[query]))
                best[name] = min(best.get(name, found), found)
    finally:
        for path in paths.values():
            path.unlink(missing_ok=True)
    print(f"{'task':34} {'seconds':>8} {'ratio':>6} {'peak MB':>8}")
    for name, (seconds, megabytes, _) in best.items():
        print(f"{name:34} {seconds:8.3f} {seconds / best[AGAINST_TEXT.get(name, name)][0]:6.2f} {megabytes:8.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--folder", default="/tmp")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--text", action="store_true")
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--groups", type=int, help="so many groups of fifty rows")
    asked = parser.parse_args()
    if asked.groups:
        groups(Path(asked.folder), asked.rounds, asked.groups)
        return
    if asked.text:
        text(Path(asked.folder), asked.rounds)
        return
    path = Path(asked.folder) / f"roclab-bench-{asked.rows}.parquet"
    if not path.exists():
        import duckdb

        duckdb.execute(f"COPY ({SOURCE.format(rows=asked.rows)}) TO '{path}' (FORMAT parquet)")
    if asked.spark:
        spark(path, asked.rounds)
        return
    best: dict[str, tuple[float, float, float]] = {}
    for _ in range(asked.rounds):
        for name, body in TASKS.items():
            found = measured(body, str(path))
            best[name] = min(best.get(name, found), found)
            print(f"{name}: {found[0]:.1f} s, {found[1]:.0f} MB", file=sys.stderr, flush=True)
    print(f"{asked.rows:.0e} rows of Parquet, best of {asked.rounds}")
    print(f"{'task':34} {'seconds':>8} {'ratio':>6} {'peak MB':>8}  answer")
    for name, (seconds, megabytes, value) in best.items():
        ratio = seconds / best[AGAINST.get(name, "scikit-learn roc_auc_score")][0]
        print(f"{name:34} {seconds:8.2f} {ratio:6.2f} {megabytes:8.0f}  {value:.12f}")
    for name, (rows, keywords) in LARGE.items() if asked.large else ():
        # Rows of a formula, the same in every pass, as rows of a table are.
        query = f"SELECT (hash(i) % 5 = 0)::TINYINT AS y, hash(i + 7) / 1.8446744073709552e19 + 0.3 * (hash(i) % 5 = 0)::INT AS s1 FROM range({rows}) t(i)"  # noqa: E501
        seconds, megabytes, value = measured(MADE.format(query=query, keywords=keywords), "")
        print(f"{name:34} {seconds:8.2f} {'':6} {megabytes:8.0f}  {value:.12f}")


if __name__ == "__main__":
    main()
