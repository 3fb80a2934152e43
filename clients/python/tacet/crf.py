"""A linear-chain conditional random field over L labels: its best sequence, and its posteriors."""

from __future__ import annotations

from typing import Any, List, NamedTuple

from .optional_package import require


class Crf(NamedTuple):
    """float64, as every sum here."""

    #: [L, L]: the score of a step from one label (row) to the next (column).
    transitions: Any
    #: [L]
    start: Any
    #: [L]
    end: Any


def viterbi(emissions: Any, lengths: Any, crf: Crf) -> List[List[int]]:
    """The best labels of each sentence of emissions [B, T, L], as many as its length in lengths [B]; ties
    go to the lower label."""
    np = require("numpy", "decoding labels", "pipeline")
    scores = emissions.astype(np.float64)
    rows, same = np.arange(len(scores))[:, None], np.arange(scores.shape[2])
    best = crf.start + scores[:, 0]
    origins = []
    for t in range(1, scores.shape[1]):
        reached = best[:, :, None] + crf.transitions  # [B, from, to]
        goes_on = (lengths > t)[:, None]
        origin = np.where(goes_on, reached.argmax(axis=1), same)
        best = np.where(goes_on, reached[rows, origin, same] + scores[:, t], best)
        origins.append(origin)
    label = (best + crf.end).argmax(axis=1)
    path = [label]
    for origin in reversed(origins):
        label = origin[rows[:, 0], label]
        path.append(label)
    paths = np.stack(path[::-1], axis=1)
    return [paths[row, :length].tolist() for row, length in enumerate(lengths)]


def posterior(emissions: Any, lengths: Any, crf: Crf) -> Any:
    """[B, T, L], the posterior of each label at each token: forward-backward with scaling (Rabiner 1989,
    section V.A). Rows beyond a length mean nothing."""
    np = require("numpy", "decoding labels", "pipeline")
    scores = emissions.astype(np.float64)
    scores[:, 0] += crf.start
    scores[np.arange(len(scores)), lengths - 1] += crf.end
    potentials = np.exp(scores - scores.max(axis=2, keepdims=True))
    steps = np.exp(crf.transitions)
    forward, backward = np.empty_like(potentials), np.ones_like(potentials)
    for t in range(potentials.shape[1]):
        reached = forward[:, t - 1] @ steps if t > 0 else 1
        forward[:, t] = _normal(reached * potentials[:, t])
    for t in range(potentials.shape[1] - 2, -1, -1):
        reached = _normal((potentials[:, t + 1] * backward[:, t + 1]) @ steps.T)
        backward[:, t] = np.where((lengths > t + 1)[:, None], reached, 1)
    return _normal(forward * backward)


def _normal(values: Any) -> Any:
    """Adding up to one over labels."""
    return values / values.sum(axis=-1, keepdims=True)
