"""Slow definitions of the classifiers of the bench: loops over cases, no code shared with the source."""

from __future__ import annotations

import math

import numpy as np


def squared(a, b):
    return sum((one - other) ** 2 for one, other in zip(a, b, strict=True))


def nearest_mean(x, y, new):
    means = [np.mean([row for row, k in zip(x, y, strict=True) if k == one], axis=0) for one in (0, 1)]
    return [squared(row, means[0]) - squared(row, means[1]) for row in new]


def fisher(x, y, new):
    """Normal equations of the targets ±1 on features and a constant."""
    design = np.column_stack([np.ones(len(x)), x])
    target = np.where(np.asarray(y) == 1, 1.0, -1.0)
    beta = np.linalg.solve(design.T @ design, design.T @ target)
    return np.column_stack([np.ones(len(new)), new]) @ beta


def binned_bayes(x, y, new, bins=10):
    """Equal-width bins over the training range, (n + 1) / (n_class + bins), and the shares of the classes."""
    out = []
    for row in new:
        total = math.log(sum(y == 1) / sum(y == 0))
        for j, value in enumerate(row):
            column = x[:, j]
            low, high = column.min(), column.max()

            def bin_of(v, low=low, high=high):
                return min(max(math.floor((v - low) / (high - low) * bins), 0), bins - 1)

            wanted = bin_of(value)
            chance = []
            for one in (0, 1):
                inside = [v for v, k in zip(column, y, strict=True) if k == one and bin_of(v) == wanted]
                chance.append((len(inside) + 1) / (sum(y == one) + bins))
            total += math.log(chance[1] / chance[0])
        out.append(total)
    return out


def log_density(row, cases, h):
    terms = [-squared(row, case) / (2 * h * h) for case in cases]
    top = max(terms)
    normal = len(row) * math.log(h * math.sqrt(2 * math.pi)) + math.log(len(cases))
    return top + math.log(sum(math.exp(term - top) for term in terms)) - normal


def parzen(x, y, new, widths):
    shares = [np.mean(y == one) for one in (0, 1)]
    return [
        math.log(shares[1] / shares[0])
        + log_density(row, x[y == 1], widths[1])
        - log_density(row, x[y == 0], widths[0])
        for row in new
    ]


def left_out_likelihood(cases, h):
    """Mean log density of each case among the others, without its copies."""
    total = 0.0
    for case in cases:
        others = [other for other in cases if squared(case, other) > 0]
        # densities of all sizes of the rest are compared at one case, so their number does not matter
        total += log_density(case, others, h) + math.log(len(others))
    return total / len(cases)


def left_out_posterior(x, y, h):
    """Mean log posterior of the true class of each case among all others."""
    total = 0.0
    for at, (row, own) in enumerate(zip(x, y, strict=True)):
        kept = np.arange(len(x)) != at
        joint = []
        for one in (0, 1):
            cases = x[kept & (y == one)]
            joint.append(log_density(row, cases, h) + math.log(len(cases)))
        total += joint[own] - np.logaddexp(*joint)
    return total / len(x)


def vote_errors(x, y, most):
    """Leave-one-out error of the vote of the k nearest; a tied vote is half an error. Distances must differ."""
    errors = np.zeros(most)
    for at, row in enumerate(x):
        order = sorted((squared(row, other), k) for i, (other, k) in enumerate(zip(x, y, strict=True)) if i != at)
        for k in range(1, most + 1):
            own = sum(label == y[at] for _, label in order[:k])
            errors[k - 1] += 1.0 if 2 * own < k else 0.5 if 2 * own == k else 0.0
    return errors / len(x)


def distance_errors(x, y, most):
    """Leave-one-out error of the class whose k-th nearest case is nearest; the last one where there are fewer."""
    errors = np.zeros(most)
    for at, row in enumerate(x):
        reach = []
        for one in (0, 1):
            others = [other for i, (other, k) in enumerate(zip(x, y, strict=True)) if k == one and i != at]
            reach.append(sorted(squared(row, other) for other in others))
        for k in range(1, most + 1):
            own, other = (reach[c][min(k, len(reach[c])) - 1] for c in (y[at], 1 - y[at]))
            errors[k - 1] += 1.0 if other < own else 0.5 if other == own else 0.0
    return errors / len(x)


def forward_selection(columns, target, most):
    """Greedy choice: at each step a full least-squares fit with every candidate, the one with the least error stays."""
    chosen = []
    for _ in range(most):
        best, best_error = None, np.inf
        for at in range(columns.shape[1]):
            if at in chosen:
                continue
            design = np.column_stack([np.ones(len(columns)), columns[:, [*chosen, at]]])
            fit = design @ np.linalg.lstsq(design, target, rcond=None)[0]
            error = np.sum((target - fit) ** 2)
            if error < best_error - 1e-12:
                best, best_error = at, error
        chosen.append(best)
    return chosen
