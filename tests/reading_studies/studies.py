"""Reader studies to test with, and their slow definitions, which share no code with the source."""

from __future__ import annotations

import numpy as np


def study(readers=4, n_pos=7, n_neg=9, modalities=2, levels=5, seed=1, shift=1.0):
    """Ratings from 1 to ``levels``, so that ties are many; columns of one row per rating."""
    rng = np.random.default_rng(seed)
    n = n_pos + n_neg
    truth = (np.arange(n) < n_pos).astype(int)
    case = rng.normal(size=n)
    rows = {name: [] for name in ("reader", "modality", "case", "truth", "rating")}
    for m in range(modalities):
        for r in range(readers):
            latent = case + shift * truth + rng.normal(size=n) + 0.3 * m * truth
            rating = np.clip(np.round(latent + levels / 2), 1, levels).astype(int)
            rows["reader"] += [f"r{r}"] * n
            rows["modality"] += [f"m{m}"] * n
            rows["case"] += [f"c{k}" for k in range(n)]
            rows["truth"] += truth.tolist()
            rows["rating"] += rating.tolist()
    return {name: np.array(values) for name, values in rows.items()}


def nested_readers(**options):
    """Every modality has readers of its own."""
    table = study(**options)
    return table | {"reader": np.char.add(np.char.add(table["modality"], "-"), table["reader"])}


def nested_cases(**options):
    """Every modality has cases of its own."""
    table = study(**options)
    return table | {"case": np.char.add(np.char.add(table["modality"], "-"), table["case"])}


def split_plot(groups=2, **options):
    """Groups of readers with cases of their own."""
    parts = [study(**options | {"seed": 11 + at}) for at in range(groups)]
    for at, part in enumerate(parts):
        for name in ("reader", "case"):
            part[name] = np.char.add(part[name], f"-g{at}")
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def only(table, keep):
    return {name: values[keep] for name, values in table.items()}


def cells(table):
    """Ratings and truths by cell and case."""
    found = {}
    for m, r, c, y, x in zip(*(table[k] for k in ("modality", "reader", "case", "truth", "rating")), strict=True):
        found.setdefault((str(m), str(r)), {})[str(c)] = (int(y), float(x))
    return dict(sorted(found.items()))


def wins(x, y):
    return (x > y) + 0.5 * (x == y)


def brute_auc(cell):
    pos = [x for y, x in cell.values() if y]
    neg = [x for y, x in cell.values() if not y]
    return float(np.mean([wins(p, n) for p in pos for n in neg]))


def delong_covariance(one, two):
    """Sum over the cases that both read of products of centred placements."""
    total = 0.0
    for side in (1, 0):
        parts = []
        for cell in (one, two):
            own = {c: x for c, (y, x) in cell.items() if y == side}
            other = [x for y, x in cell.values() if y != side]
            place = {c: np.mean([wins(x, o) if side else wins(o, x) for o in other]) for c, x in own.items()}
            mean = np.mean(list(place.values()))
            n = len(place)
            parts.append({c: (v - mean) / np.sqrt(n * (n - 1)) for c, v in place.items()})
        total += sum(parts[0][c] * parts[1][c] for c in parts[0] if c in parts[1])
    return total


def jackknife_covariance(one, two):
    """Leave out each case by hand."""
    parts = []
    for cell in (one, two):
        left = {c: brute_auc({k: v for k, v in cell.items() if k != c}) for c in cell}
        mean, n = np.mean(list(left.values())), len(left)
        parts.append({c: np.sqrt((n - 1) / n) * (v - mean) for c, v in left.items()})
    return sum(parts[0][c] * parts[1][c] for c in parts[0] if c in parts[1])


def unbiased_covariance(one, two):
    """The product of both areas, less its mean over comparisons that share no case: four nested sums."""
    apart = []
    for p, (yp, xp) in one.items():
        for n, (yn, xn) in one.items():
            if not yp or yn:
                continue
            for q, (yq, xq) in two.items():
                for m, (ym, xm) in two.items():
                    if yq and not ym and q != p and m != n:
                        apart.append(wins(xp, xn) * wins(xq, xm))
    return brute_auc(one) * brute_auc(two) - float(np.mean(apart))


def matrix_by(covariance, table):
    own = list(cells(table).values())
    return np.array([[covariance(a, b) for b in own] for a in own])
