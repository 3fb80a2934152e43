"""Means with 95 % intervals by bootstrap over documents."""

import numpy as np

RESAMPLES = 1000


def estimate(values, documents, weights=None):
    """[mean, low, high, observations]"""
    values = np.asarray(values, np.float64)
    if len(values) == 0:
        return [None, None, None, 0]
    weights = np.ones_like(values) if weights is None else np.asarray(weights, np.float64)
    _, place = np.unique(documents, return_inverse=True)
    sums = np.bincount(place, values * weights)
    counts = np.bincount(place, weights)
    random = np.random.default_rng(7)
    drawn = random.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), RESAMPLES)
    means = (drawn @ sums) / np.maximum(drawn @ counts, 1e-9)
    low, high = np.percentile(means, [2.5, 97.5])
    return [float(sums.sum() / counts.sum()), float(low), float(high), int(len(values))]


def text(found, digits=1):
    value, low, high, count = found
    if value is None:
        return "-"
    return f"{100 * value:.{digits}f} [{100 * low:.{digits}f}, {100 * high:.{digits}f}] n={count}"
