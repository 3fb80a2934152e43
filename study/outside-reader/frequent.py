"""What is said of a missed name without any vector by who knows its type: the words most frequent there, place by place."""

from collections import Counter, defaultdict

import numpy as np

LAST_PLACE = 3
NEVER = 10**9


def places(kinds, begins, owners):
    """Of each token, how many of its entity stand before it, up to `LAST_PLACE`."""
    found = np.zeros(len(kinds), np.int64)
    for at in range(1, len(kinds)):
        goes_on = kinds[at] == kinds[at - 1] and owners[at] == owners[at - 1] and not begins[at]
        found[at] = min(found[at - 1] + 1, LAST_PLACE) if goes_on else 0
    return found


def owners(corpus):
    return np.repeat(np.arange(len(corpus)), corpus.lengths)


def frequent_ranks(learn, target, tokens):
    """The rank of each token's word among those that stand at its place in entities of its type; `NEVER` of others."""
    kinds = (learn.labels.astype(np.int64) + 1) // 2
    at = places(kinds, learn.labels % 2 == 1, owners(learn))
    counts = defaultdict(Counter)
    for token in np.flatnonzero(kinds):
        counts[kinds[token], at[token]][learn.words[token]] += 1
    ranks = {
        key: {word: rank for rank, (word, _) in enumerate(counter.most_common())} for key, counter in counts.items()
    }
    missed = target.missed.astype(np.int64)
    at = places(missed, np.zeros(len(missed), bool), owners(target))
    return np.array([ranks.get((missed[t], at[t]), {}).get(target.words[t], NEVER) for t in tokens])
