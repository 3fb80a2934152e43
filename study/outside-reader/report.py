"""What was found, by which tokens it was found of, and as a table of text."""

import numpy as np

from corpus import CONTENT
from estimate import estimate, text

BANDS = ((0, 0), (1, 9), (10, 99), (100, 999), (1000, 10**9))
TOPS = (("top1", 1), ("top5", 5))
LEAST_WORDS = 8


class Tokens:
    """Tokens of a corpus, and what they are sliced by."""

    def __init__(self, corpus, vocabulary, tokens):
        owner = np.repeat(np.arange(len(corpus)), corpus.lengths)[tokens]
        words = corpus.words[tokens]
        self.tokens = tokens
        self.documents = corpus.documents[owner]
        self.free = corpus.free[owner] > 0
        self.content = vocabulary.words.kinds[words] == CONTENT
        self.counts = vocabulary.counts[words]
        self.types = corpus.missed[tokens].astype(np.int64) - 1
        self.lower = corpus.casing[tokens] == 2

    def slices(self, labels=None):
        everything = np.ones(len(self.tokens), bool)
        if labels is None:
            chosen = {
                "all": everything,
                "narrative": self.free,
                "form": ~self.free,
                "content": self.content,
                "content, narrative": self.content & self.free,
                "content, form": self.content & ~self.free,
            }
            for low, high in BANDS:
                inside = (self.counts >= low) & (self.counts <= high)
                chosen[f"content, {low} to {high} times" if high < 10**9 else f"content, {low} times or more"] = (
                    self.content & inside
                )
            return chosen
        return missed_slices(self.types, self.free, self.content, labels)


def missed_slices(types, free, words, labels):
    chosen = {
        "all": np.ones(len(types), bool),
        "narrative": free,
        "form": ~free,
        "words": words,
        "words, narrative": words & free,
    }
    for kind in np.unique(types[types >= 0]):
        chosen[labels[1 + 2 * kind][2:]] = types == kind
    return chosen


def rates(tokens, ranks, labels=None):
    """Of ranks [n], or of several releases [s, n]: by slice, top 1 and top 5 with intervals."""
    ranks = np.atleast_2d(ranks)
    found = {}
    for name, chosen in tokens.slices(labels).items():
        if chosen.sum() < 10:
            continue
        found[name] = {
            top: estimate((ranks[:, chosen] < least).mean(0), tokens.documents[chosen]) for top, least in TOPS
        }
    return found


def whole_sentences(corpus, ranks):
    """Of sentences of eight tokens and more that are no PHI: read whole, and read to nine tenths."""
    ranks = np.atleast_2d(ranks)
    owner = np.repeat(np.arange(len(corpus)), corpus.lengths)
    counted = corpus.labels == 0
    size = np.bincount(owner, counted, len(corpus))
    shares = np.stack([np.bincount(owner, counted & (each == 0), len(corpus)) for each in ranks])
    shares = shares / np.maximum(size, 1)
    chosen = size >= LEAST_WORDS
    found = {}
    for name, also in (("all", True), ("narrative", corpus.free > 0), ("form", corpus.free == 0)):
        own = chosen & also
        for what, least in (("whole", 1.0), ("nine tenths", 0.9)):
            read = (shares[:, own] >= least - 1e-9).mean(0)
            found[f"{name}, {what}"] = estimate(read, corpus.documents[own])
    return found


def pair_rates(pairs, found, labels, kinds):
    """By slice, each test and the limit; and each test less the limit, pair by pair."""
    words = kinds[pairs.notes.corpus.words[pairs.notes.corpus.starts[pairs.sentences] + pairs.positions]] == CONTENT
    result = {}
    for name, chosen in missed_slices(pairs.types(), pairs.free(), words, labels).items():
        if chosen.sum() < 10:
            continue
        documents = pairs.documents()[chosen]
        result[name] = {key: estimate(values[chosen], documents) for key, values in found.items()}
        for key in found:
            if key != "limit":
                result[name][f"{key} less limit"] = estimate((found[key] - found["limit"])[chosen], documents)
    quantiles = np.quantile(found["limit"], [0.5, 0.95, 0.99, 1.0])
    return {"slices": result, "limit quantiles 50 95 99 100": [float(each) for each in quantiles]}


def alarms(results):
    """
    What would refute a limit: a test that is right more often than it, in slices of a hundred pairs and more by
    3.5 standard errors, since many are looked at.
    """
    found = []
    for part, measured in results.items():
        if not part.startswith("pairs, "):
            continue
        for which, pairs in measured.items():
            for name, own in pairs["slices"].items():
                for key, (value, low, high, count) in own.items():
                    if key.endswith("less limit") and count >= 100 and value > 3.5 * (high - low) / 3.92:
                        found.append(f"ABOVE THE LIMIT: {part}, {which}, {name}: {key} {value:.4f} [{low:.4f}, {high:.4f}]")
    return found


def table(results):
    lines = []
    for part, found in results.items():
        if part in ("settings", "checks"):
            continue
        lines.append(f"== {part}")
        for row, value in found.items():
            lines.extend(describe(row, value))
    return lines


def describe(row, value, indent="  "):
    if isinstance(value, dict) and "top1" in value:
        return [f"{indent}{row}: top1 {text(value['top1'])}; top5 {text(value['top5'])}"]
    if isinstance(value, dict) and "limit" in value:
        keys = " | ".join(f"{key} {text(each)}" for key, each in value.items())
        return [f"{indent}{row}: {keys}"]
    if isinstance(value, list) and len(value) == 4 and isinstance(value[3], int):
        return [f"{indent}{row}: {text(value)}"]
    if isinstance(value, dict):
        inner = [line for key, each in value.items() for line in describe(key, each, indent + "  ")]
        return [f"{indent}{row}", *inner]
    return [f"{indent}{row}: {value}"]
