"""Notes as flat arrays of tokens, and the sentences in them."""

import json
from pathlib import Path

import numpy as np

CASINGS = 7
WORD_BITS = 20
MOST_SENTENCES = 2048
CONTENT, STOP_WORD, PUNCTUATION, DIGITS, ZERO_VECTOR = range(5)


def array(folder, name):
    kinds = {"i32": np.int32, "i16": np.int16, "u16": np.uint16, "u8": np.uint8, "f32": np.float32}
    return np.fromfile(Path(folder) / name, dtype=kinds[name.rsplit(".", 1)[1]])


class Corpus:
    """Tokens of all sentences one after the other: word, casing, label, and the type of a missed name."""

    def __init__(self, words, casing, labels, missed, lengths, documents, free):
        self.words, self.casing, self.labels, self.missed = words, casing, labels, missed
        self.lengths, self.documents, self.free = lengths, documents, free
        self.starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)

    @staticmethod
    def read(folder, name):
        packed = array(folder, f"{name}.tokens.i32")
        words, casing, labels = packed & (2**WORD_BITS - 1), packed >> WORD_BITS & 7, packed >> WORD_BITS + 3
        has_missed = (Path(folder) / f"{name}.missed.u8").exists()
        missed = array(folder, f"{name}.missed.u8") if has_missed else np.zeros(len(words), np.uint8)
        lengths, documents, free = array(folder, f"{name}.sentences.i32").reshape(-1, 3).T.copy()
        bytes_of = (each.astype(np.uint8) for each in (casing, labels))
        return Corpus(words, *bytes_of, missed, lengths, documents, free)

    @staticmethod
    def joined(corpora):
        """One corpus of several, whose documents stay apart."""
        documents, first = [], 0
        for corpus in corpora:
            documents.append(corpus.documents + first)
            first += int(corpus.documents.max()) + 1
        fields = ["words", "casing", "labels", "missed", "lengths"]
        parts = [np.concatenate([getattr(each, field) for each in corpora]) for field in fields]
        free = np.concatenate([each.free for each in corpora])
        return Corpus(*parts, np.concatenate(documents), free)

    def __len__(self):
        return len(self.lengths)

    def sentence(self, index):
        return slice(self.starts[index], self.starts[index] + self.lengths[index])

    def only(self, chosen):
        """The sentences with these indices."""
        chosen = np.asarray(chosen, dtype=np.int64)
        tokens = tokens_of(self.starts[chosen], self.lengths[chosen])
        fields = [self.words, self.casing, self.labels, self.missed]
        own = [field[tokens] for field in fields]
        return Corpus(*own, self.lengths[chosen], self.documents[chosen], self.free[chosen])


def tokens_of(starts, lengths):
    """Indices of the tokens of sentences, one sentence after the other."""
    total = int(lengths.sum())
    offsets = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(starts, lengths) + np.arange(total) - offsets


def padded(corpus, sentences):
    """[B, T] indices into the corpus' tokens, and which of them are tokens."""
    lengths = corpus.lengths[sentences]
    steps = np.arange(int(lengths.max()))[None, :]
    inside = steps < lengths[:, None]
    return np.where(inside, corpus.starts[sentences][:, None] + steps, 0), inside


def batches(lengths, tokens, random=None):
    """Index arrays of sentences of about one length, about `tokens` padded tokens each; shuffled where `random` is given."""
    lengths = np.asarray(lengths)
    if random is None:
        order = np.argsort(lengths, kind="stable")
    else:
        order = np.argsort(lengths + random.uniform(0, 3, len(lengths)), kind="stable")
    made, start = [], 0
    while start < len(order):
        count, longest = 0, 0
        while start + count < len(order):
            longest = max(longest, int(lengths[order[start + count]]))
            if count == MOST_SENTENCES or count > 0 and longest * (count + 1) > tokens:
                break
            count += 1
        made.append(order[start : start + count])
        start += count
    if random is not None:
        random.shuffle(made)
    return made


class Words:
    """
    Every word form that occurs or that a name may become: what kind of word it is; its vector, or zeros and the number of
    the trained vector that stands in for it, from 1; and where f reads them the codes of its characters, 0 beyond its end.
    """

    def __init__(self, folder):
        dimension = json.loads((Path(folder) / "index.json").read_text())["dimension"]
        self.kinds, self.trained = array(folder, "kinds.u8"), array(folder, "trained.u8")
        self.in_matrix = array(folder, "in-matrix.u8") > 0
        exact = array(folder, "vectors.f32").reshape(-1, dimension)
        rounded = array(folder, "vectors.i16").reshape(-1, dimension) * array(folder, "scales.f32")[:, None]
        self.vectors = np.zeros((len(self.kinds), dimension), np.float32)
        self.vectors[self.trained == 0] = np.concatenate([exact, rounded])
        self.codes = array(folder, "codes.u16").reshape(len(self.kinds), -1)

    def __len__(self):
        return len(self.kinds)
