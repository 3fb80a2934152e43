"""A corpus on the device: batches of padded sentences, and releases of them."""

import numpy as np
import torch

from corpus import Corpus, padded


class Vocabulary:
    """
    The word forms that a reader may answer, those of the attacker's notes, and how often they stand there; of all words
    the numbers by which a reader knows them.
    """

    def __init__(self, words, vectors, counted, device):
        counts = np.bincount(counted, minlength=len(words))
        self.words = words
        self.counts = counts
        self.answers = np.flatnonzero(counts)
        answer_of = np.full(len(words), -1, np.int64)
        answer_of[self.answers] = np.arange(len(self.answers))
        self.answer_of = torch.from_numpy(answer_of).to(device)
        self.word_of = torch.from_numpy(self.answers).to(device)
        self.vectors = vectors
        self.device = device

    def __len__(self):
        return len(self.answers)


class Batch:
    """[B, T] words, casings, labels and runs of entities; `inside` says which are tokens, `tokens` where they stand."""

    def __init__(self, words, casing, labels, missed, runs, inside, lengths, tokens):
        self.words, self.casing, self.labels, self.missed = words, casing, labels, missed
        self.runs, self.inside, self.lengths, self.tokens = runs, inside, lengths, tokens


class Notes:
    def __init__(self, corpus, device):
        self.corpus = corpus
        self.device = device
        fields = (corpus.words, corpus.casing, corpus.labels, corpus.missed, runs_of(corpus))
        self.fields = [torch.from_numpy(field.astype(np.int64)).to(device) for field in fields]

    def __len__(self):
        return len(self.corpus)

    def batch(self, sentences):
        tokens, inside = padded(self.corpus, sentences)
        tokens = torch.from_numpy(tokens).to(self.device)
        inside = torch.from_numpy(inside).to(self.device)
        fields = [field[tokens] for field in self.fields]
        return Batch(*fields, inside, inside.sum(1), tokens)


def runs_of(corpus):
    """Of each token the number of its entity in its sentence, 0 where it is of none."""
    labels = corpus.labels.astype(np.int64)
    before = np.concatenate([[0], labels[:-1]])
    first = np.zeros(len(labels), bool)
    first[corpus.starts] = True
    kind = (labels + 1) // 2
    goes_on = (labels > 0) & (labels % 2 == 0) & ~first & ((before + 1) // 2 == kind)
    begins = np.cumsum((labels > 0) & ~goes_on)
    at_start = np.repeat(begins[corpus.starts] - ((labels > 0) & ~goes_on)[corpus.starts], corpus.lengths)
    return np.where(labels > 0, begins - at_start, 0)


def inputs_of(representation, batch, words=None):
    """E(x) of a batch, or of other words in the place of its own."""
    x = representation.embed(batch.words if words is None else words, batch.casing)
    return x * batch.inside[..., None]


def attackers_notes(folder, index, held_train=50, held_background=100, seed=1):
    """The attacker's notes to learn from, and those that it chooses by: whole documents, in all their copies."""
    copies = [Corpus.read(folder, f"train-{copy}") for copy in range(index["trainCopies"])]
    background = Corpus.read(folder, "background")
    random = np.random.default_rng(seed)
    documents = int(max(each.documents.max() for each in copies)) + 1
    others = int(background.documents.max()) + 1
    held = set(random.permutation(documents)[: min(held_train, documents // 4)].tolist())
    held_other = set(random.permutation(others)[: min(held_background, others // 4)].tolist())
    is_held = [np.isin(each.documents, list(held)) for each in copies]
    is_held_other = np.isin(background.documents, list(held_other))
    learn = [each.only(np.flatnonzero(~own)) for each, own in zip(copies, is_held)]
    learn.append(background.only(np.flatnonzero(~is_held_other)))
    choose = [copies[0].only(np.flatnonzero(is_held[0]))]
    choose.append(background.only(np.flatnonzero(is_held_other)))
    counted = np.concatenate([copies[0].words, background.words])
    known = np.concatenate([each.words for each in copies[1:]] or [counted[:0]])
    return Corpus.joined(learn), Corpus.joined(choose), counted, known
