"""A hidden word by Bayes' rule: what a reader expects there, times how likely the release is under f with each word."""

import numpy as np
import torch

from corpus import batches
from notes import inputs_of
from reader import mixed

SHARES = (0.0, 0.3, 0.5, 0.7, 1.0)
PRIORS = ("language", "reader")


@torch.no_grad()
def likelihood_ranks(representation, noise, language, reader, notes, sentences, positions, settings, seed, together=False):
    """
    Ranks of the true word, {(prior, share of the likelihood): [n]}; the words tried are those that either network has
    for likeliest. The casing of the hidden word is taken for known.
    """
    torch.manual_seed(seed)
    vocabulary, device = language.vocabulary, notes.device
    ranks = {(prior, share): np.full(len(sentences), 10**9, np.int64) for prior in PRIORS for share in SHARES}
    for which in batches(notes.corpus.lengths[sentences], settings["likelihood_tokens"]):
        batch = notes.batch(sentences[which])
        place = torch.from_numpy(positions[which].astype(np.int64)).to(device)[:, None]
        released = representation.release(inputs_of(representation, batch), batch.lengths)
        asked = torch.zeros_like(batch.inside).scatter(1, place, True)
        hidden = asked | (batch.missed > 0) if together else asked
        known = batch.inside & ~hidden
        logs = {}
        for name, network in (("language", language), ("reader", reader)):
            shown = released if name == "reader" else None
            with mixed(device):
                states = network.states(batch, shown, batch.labels, known)[asked]
            logs[name] = network.logits(states.float(), network.answers()).log_softmax(1)
        tried = torch.cat(
            [logs["language"].topk(settings["tried"], 1).indices, logs["reader"].topk(settings["tried_too"], 1).indices], 1
        )
        truth = vocabulary.answer_of[batch.words.gather(1, place)]
        scores = log_likelihoods(representation, noise, batch, place, released, vocabulary.word_of[tried])
        is_truth = tried == truth
        found = is_truth.any(1)
        for prior in PRIORS:
            expected = logs[prior].gather(1, tried)
            for share in SHARES:
                total = expected + share * scores
                own = total.masked_fill(~is_truth, -torch.inf).amax(1, keepdim=True)
                better = distinct_above(tried, total, own)
                rank = torch.where(found, better, torch.full_like(better, 10**9))
                ranks[(prior, share)][which] = rank.cpu().numpy()
    return ranks


def distinct_above(tried, total, own):
    """How many different words score higher: one that both networks name stands there twice, with one score."""
    ordered, order = tried.sort(1)
    first = torch.ones_like(ordered, dtype=torch.bool)
    first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    return ((total.gather(1, order) > own) & first).sum(1)


def log_likelihoods(representation, noise, batch, place, released, words, most=300_000):
    """[B, C] of sentences with each of the words, up to a constant of each sentence."""
    size, steps = batch.words.shape
    count = words.shape[1]
    together = max(1, most // (steps * count))
    parts = []
    for start in range(0, size, together):
        rows = slice(start, start + together)
        here = words[rows]
        spread = batch.words[rows][:, None].repeat(1, count, 1)
        spread.scatter_(2, place[rows][:, None].expand(-1, count, 1), here[..., None])
        casing = batch.casing[rows][:, None].expand(-1, count, -1).reshape(-1, steps)
        inside = batch.inside[rows][:, None].expand(-1, count, -1).reshape(-1, steps)
        x = representation.embed(spread.view(-1, steps), casing) * inside[..., None]
        mean = representation.mean(x, inside.sum(1)).view(len(here), count, steps, -1)
        off = (released[rows][:, None] - mean) @ noise.whitening
        parts.append(-(off.square().sum(-1) * batch.inside[rows][:, None]).sum(-1) / 2)
    return torch.cat(parts)
