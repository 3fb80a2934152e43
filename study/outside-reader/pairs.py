"""
Two sentences that differ in one word, and a release of one of them: the limit on every test, the tests that are best
where the sentence and f are known, and a network that learns to tell.
"""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from corpus import CASINGS, array, batches
from notes import inputs_of
from reader import LONGEST, Learning, Transformer, mixed


class Pairs:
    """Of sentences of `notes`, which word becomes which."""

    def __init__(self, notes, sentences, positions, words):
        self.notes, self.sentences, self.positions, self.words = notes, sentences, positions, words

    @staticmethod
    def read(folder, name, notes, most=None):
        triples = array(folder, f"pairs-{name}.i32").reshape(-1, 3).astype(np.int64)
        if most is not None:
            chosen = np.random.default_rng(1).permutation(len(triples))[:most]
            triples = triples[np.sort(chosen)]
        return Pairs(notes, *triples.T)

    def __len__(self):
        return len(self.sentences)

    def batches(self, tokens):
        return batches(self.notes.corpus.lengths[self.sentences], tokens)

    def batch(self, which):
        """The sentences, the words of their twins, and where they differ [B]."""
        batch = self.notes.batch(self.sentences[which])
        place = torch.from_numpy(self.positions[which]).to(self.notes.device)
        word = torch.from_numpy(self.words[which]).to(self.notes.device)
        return batch, batch.words.scatter(1, place[:, None], word[:, None]), place

    def documents(self):
        return self.notes.corpus.documents[self.sentences]

    def free(self):
        return self.notes.corpus.free[self.sentences] > 0

    def types(self):
        """Of the token that moves, 0 is the first PHI type."""
        corpus = self.notes.corpus
        tokens = corpus.starts[self.sentences] + self.positions
        labels, missed = corpus.labels[tokens].astype(np.int64), corpus.missed[tokens].astype(np.int64)
        return np.where(missed > 0, missed, (labels + 1) // 2) - 1


class InputNoise:
    """What the input noise makes of f(x), as one covariance of a token, learnt on notes of the attacker's."""

    def __init__(self, representation, notes, sentences, draws):
        d = representation.dimension
        total, count = torch.zeros(d, d, device=notes.device), 0
        with torch.no_grad():
            for which in batches(notes.corpus.lengths[sentences], 4000):
                batch = notes.batch(sentences[which])
                x = inputs_of(representation, batch)
                centre = representation.mean(x, batch.lengths)
                for _ in range(draws):
                    noisy = representation.mean(x + representation.input_noise(x), batch.lengths)
                    off = (noisy - centre)[batch.inside]
                    total += off.T @ off
                    count += len(off)
        covariance = total / count + torch.diag(representation.output_stddev.square())
        # Rows times this matrix have covariance one.
        self.whitening = torch.linalg.inv(torch.linalg.cholesky(covariance)).T.contiguous()


def phi(x):
    return 0.5 * (1 + torch.erf(x / math.sqrt(2)))


def squares(x, inside):
    return (x.square().sum(-1) * inside).sum(-1)


@torch.no_grad()
def exact_tests(representation, noise, pairs, draws, releases, tokens, mixture=32):
    """
    Of each pair: the limit; how often the best test is right that is told the input noise, on releases drawn here; and
    tests that are not told, by one Gaussian and by a mixture over draws of the input noise. Each release is drawn once
    of either side.
    """
    found = {name: np.zeros(len(pairs)) for name in ("limit", "told", "gaussian", "mixture")}
    for which in pairs.batches(tokens):
        batch, twin, _ = pairs.batch(which)
        x, y = inputs_of(representation, batch), inputs_of(representation, batch, twin)
        lengths, inside, sigma = batch.lengths, batch.inside, representation.output_stddev
        limit, told = torch.zeros(len(which), device=x.device), torch.zeros(len(which), device=x.device)
        for _ in range(draws):
            n = representation.input_noise(x)
            means = [representation.mean(each + n, lengths) for each in (x, y)]
            limit += phi(squares((means[0] - means[1]) / sigma, inside).sqrt() / 2)
            for own, other in (means, means[::-1]):
                released = own + representation.output_noise(own)
                near = squares((released - own) / sigma, inside)
                told += 0.5 * right(squares((released - other) / sigma, inside) - near)
        found["limit"][which] = (limit / draws).cpu().numpy()
        found["told"][which] = (told / draws).cpu().numpy()
        shown = [[representation.release(each, lengths) for each in (x, y)] for _ in range(releases)]
        centres = [representation.mean(each, lengths) for each in (x, y)]
        scores = {"gaussian": lambda r: [-squares((r - c) @ noise.whitening, inside) / 2 for c in centres]}
        ends = []
        for _ in range(mixture):
            n = representation.input_noise(x)
            ends.append([representation.mean(each + n, lengths) for each in (x, y)])
        scores["mixture"] = lambda r: [
            torch.stack([-squares((r - end[side]) / sigma, inside) / 2 for end in ends]).logsumexp(0)
            for side in (0, 1)
        ]
        for name, score in scores.items():
            total = torch.zeros(len(which), device=x.device)
            for of_x, of_y in shown:
                a, b = score(of_x), score(of_y)
                total += 0.5 * right(a[0] - a[1]) + 0.5 * right(b[1] - b[0])
            found[name][which] = (total / releases).cpu().numpy()
    return found


def right(lead):
    """1 where the lead is positive, and half where there is none."""
    return (lead > 0).float() + 0.5 * (lead == 0).float()


class PairReader(nn.Module):
    """
    The log odds of a release being of the first of two sentences: those of the Gaussian test, times a trained number,
    and what a network adds that sees how far the release lies from f of either, token by token, and both sentences.
    """

    def __init__(self, vocabulary, dimension, size):
        super().__init__()
        width = size["pair_width"]
        self.scale = nn.Parameter(torch.ones(()))
        self.distances = nn.Linear(3 * dimension + 3, width)
        self.words = nn.Linear(vocabulary.vectors.shape[1], width)
        self.moved = nn.Linear(2 * vocabulary.vectors.shape[1], width)
        self.casing = nn.Embedding(CASINGS, width)
        self.place = nn.Embedding(LONGEST, width)
        self.body = Transformer(width, size["pair_layers"], size["heads"], size["dropout"])
        self.out = nn.Sequential(nn.Linear(2 * width, width), nn.GELU(), nn.Linear(width, 1))
        nn.init.zeros_(self.out[-1].weight)
        nn.init.zeros_(self.out[-1].bias)

    def forward(self, seen):
        base = seen.squared[1] - seen.squared[0]
        own = self.one_way(seen, 0, 1)
        return self.scale * base / 2 + own - self.one_way(seen, 1, 0)

    def one_way(self, seen, first, second):
        off = seen.off
        lengths = [each.square().mean(-1, keepdim=True) for each in (off[first], off[second])]
        apart = off[second] - off[first]
        parts = [off[first], off[second], 3 * apart, *lengths, apart.square().sum(-1, keepdim=True)]
        steps = torch.arange(seen.inside.shape[1], device=seen.inside.device)
        x = self.distances(torch.cat(parts, -1)) + self.words(seen.sentence)
        x = x + self.casing(seen.casing) + self.place(steps)[None]
        moved = self.moved(torch.cat([seen.options[first], seen.options[second]], -1))
        x = x + moved[:, None] * seen.at[..., None]
        states = self.body(x, seen.inside)
        mean = (states * seen.inside[..., None]).sum(1) / seen.inside.sum(1, keepdim=True)
        there = (states * seen.at[..., None]).sum(1)
        return self.out(torch.cat([mean, there], -1)).squeeze(-1).float()


class Seen:
    """What the network is given of pairs and of one release each."""

    def __init__(self, representation, noise, vocabulary, batch, twin, place, of_twin):
        x, y = (inputs_of(representation, batch, words) for words in (batch.words, twin))
        chosen = torch.where(of_twin[:, None, None], y, x)
        released = representation.release(chosen, batch.lengths)
        centres = [representation.mean(each, batch.lengths) for each in (x, y)]
        inside = batch.inside
        self.inside, self.casing = inside, batch.casing
        self.off = [((released - centre) @ noise.whitening) * inside[..., None] for centre in centres]
        self.squared = [squares(each, inside) for each in self.off]
        self.at = torch.zeros_like(inside, dtype=torch.float).scatter(1, place[:, None], 1.0)
        known = batch.words.scatter(1, place[:, None], torch.zeros_like(place)[:, None])
        self.sentence = vocabulary.vectors[known] * (1 - self.at)[..., None]
        self.options = [vocabulary.vectors[w.gather(1, place[:, None]).squeeze(1)] for w in (batch.words, twin)]


def movable_notes(notes, neighbours):
    """Sentences that have a PHI token that may move."""
    corpus = notes.corpus
    rows = neighbours.row_of.cpu().numpy()[corpus.words]
    movable = (corpus.labels > 0) & (rows != -1)
    owner = np.repeat(np.arange(len(corpus)), corpus.lengths)
    return np.unique(owner[movable])


def drawn_pairs(notes, neighbours, sentences):
    batch = notes.batch(sentences)
    may = (batch.labels > 0) & batch.inside & (neighbours.row_of[batch.words] != -1)
    place = torch.rand(may.shape, device=notes.device).masked_fill(~may, -1).argmax(1)
    word = neighbours.draw(batch.words.gather(1, place[:, None]).squeeze(1))
    return batch, batch.words.scatter(1, place[:, None], word[:, None]), place


def pair_loss(network, representation, noise, vocabulary, drawn):
    batch, twin, place = drawn
    of_twin = torch.rand(len(place), device=place.device) < 0.5
    with torch.no_grad():
        seen = Seen(representation, noise, vocabulary, batch, twin, place, of_twin)
    with mixed(place.device):
        odds = network(seen)
    return F.binary_cross_entropy_with_logits(odds.float(), (~of_twin).float())


def train_pairs(network, representation, noise, vocabulary, neighbours, notes, choose, seconds, settings, log):
    learning = Learning(network, seconds, settings["pair_rate"])
    usable, held = movable_notes(notes, neighbours), movable_notes(choose, neighbours)
    held = np.random.default_rng(2).permutation(held)[: settings["held"]]
    random = np.random.default_rng(settings["seed"])
    checks = np.linspace(0.2, 0.97, settings["checks"]).tolist()
    history = [(0.0, 0, held_pair_loss(network, representation, noise, vocabulary, neighbours, choose, held, settings))]
    learning.keep(history[0][2])
    while learning.progress() < 1:
        for which in batches(notes.corpus.lengths[usable], settings["pair_tokens"], random):
            network.train()
            drawn = drawn_pairs(notes, neighbours, usable[which])
            learning.step(pair_loss(network, representation, noise, vocabulary, drawn))
            if checks and learning.progress() > checks[0]:
                checks.pop(0)
                loss = held_pair_loss(network, representation, noise, vocabulary, neighbours, choose, held, settings)
                learning.keep(loss)
                history.append((round(learning.progress(), 2), learning.steps, loss))
                log(f"    {learning.progress():4.0%} step {learning.steps} held out {loss:.5f}")
            if learning.progress() >= 1:
                break
    learning.finish()
    log(f"    {learning.steps} steps, kept {learning.best[0]:.5f}, scale {float(network.scale):.3f}")
    return {"steps": learning.steps, "history": history, "kept": learning.best[0]}


@torch.no_grad()
def held_pair_loss(network, representation, noise, vocabulary, neighbours, choose, held, settings):
    network.eval()
    torch.manual_seed(3)
    losses = []
    for which in batches(choose.corpus.lengths[held], settings["pair_tokens"]):
        for _ in range(4):
            drawn = drawn_pairs(choose, neighbours, held[which])
            losses.append((float(pair_loss(network, representation, noise, vocabulary, drawn)), len(which)))
    torch.manual_seed(int(np.random.randint(2**31)))
    values, weights = np.array(losses).T
    return float((values * weights).sum() / weights.sum())


@torch.no_grad()
def learned_tests(network, representation, noise, vocabulary, pairs, releases, settings):
    """How often the network is right of each pair, over releases of both sides."""
    network.eval()
    found = np.zeros(len(pairs))
    for which in pairs.batches(settings["pair_tokens"]):
        batch, twin, place = pairs.batch(which)
        total = torch.zeros(len(which), device=place.device)
        for _ in range(releases):
            for side in (False, True):
                of_twin = torch.full_like(place, side, dtype=torch.bool)
                # Rounded to bfloat16 f would tell more than f does.
                seen = Seen(representation, noise, vocabulary, batch, twin, place, of_twin)
                with mixed(place.device):
                    odds = network(seen)
                total += 0.5 * right(-odds if side else odds)
        found[which] = (total / releases).cpu().numpy()
    return found
