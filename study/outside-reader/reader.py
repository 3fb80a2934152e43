"""A network that reads words from released vectors, labels, and what is known of the sentence; and how it learns to."""

import contextlib
import copy
import math
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from corpus import CASINGS, batches
from notes import inputs_of

LONGEST = 160
NOTHING_KNOWN, NEARLY_ALL_KNOWN = 0.5, 0.3
HIDDEN_SHARE = 0.15
MISSED_SHARE = 0.25
SWAPPED_SENTENCES, SWAPPED_TOKENS = 0.15, 0.15


class Block(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads, self.rate = heads, dropout
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask):
        size, steps, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(size, steps, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        seen = attention(q, k, v, mask).transpose(1, 2).reshape(size, steps, width)
        x = x + self.dropout(self.out(seen))
        return x + self.dropout(self.down(F.gelu(self.up(self.norm2(x)))))


def attention(q, k, v, mask):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -1e4).softmax(-1) @ v


class Transformer(nn.Module):
    def __init__(self, width, layers, heads, dropout):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width, heads, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, x, inside):
        mask = inside[:, None, None, :]
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x)


class Reader(nn.Module):
    """
    Logits over the attacker's word forms, of each token. A word is known by a trained vector and its public one, on
    the way in and on the way out.
    """

    def __init__(self, vocabulary, labels, dimension, size):
        super().__init__()
        width = size["width"]
        self.dimension = dimension
        self.vocabulary = vocabulary
        if dimension:
            self.vector = nn.Sequential(nn.Linear(dimension, width), nn.GELU(), nn.Linear(width, width))
        self.label = nn.Embedding(labels, width)
        self.casing = nn.Embedding(CASINGS + 1, width)
        self.place = nn.Embedding(LONGEST, width)
        self.table = nn.Embedding(len(vocabulary) + 1, width)
        self.public = nn.Linear(vocabulary.vectors.shape[1], width)
        self.hidden = nn.Parameter(torch.zeros(width))
        self.body = Transformer(width, size["layers"], size["heads"], size["dropout"])
        self.head = nn.Linear(width, width)
        self.bias = nn.Parameter(torch.zeros(len(vocabulary)))
        for table in (self.label, self.casing, self.place, self.table):
            nn.init.normal_(table.weight, std=0.02)
        self.dropout = nn.Dropout(size["dropout"])

    def states(self, batch, released, labels, known, cased=None):
        """[B, T, width]; `known` says which words are given, `cased` whose casing as well, by default theirs."""
        vocabulary = self.vocabulary
        answer = vocabulary.answer_of[batch.words]
        row = torch.where(answer < 0, torch.full_like(answer, len(vocabulary)), answer)
        word = self.table(row) + self.public(vocabulary.vectors[batch.words])
        word = torch.where(known[..., None], word, self.hidden.expand_as(word).to(word.dtype))
        cased = known if cased is None else known & cased
        casing = torch.where(cased, batch.casing, torch.full_like(batch.casing, CASINGS))
        steps = torch.arange(labels.shape[1], device=labels.device)
        x = word + self.label(labels) + self.casing(casing) + self.place(steps)[None]
        if self.dimension:
            x = x + self.vector(released * math.sqrt(self.dimension))
        return self.body(self.dropout(x), batch.inside)

    def answers(self):
        """[V, width]"""
        own = self.vocabulary.vectors[self.vocabulary.word_of]
        return self.table.weight[:-1] + self.public(own)

    def logits(self, states, answers):
        return self.head(states) @ answers.T + self.bias


def mixed(device):
    if device.type != "cuda":
        return contextlib.nullcontext()
    return torch.autocast("cuda", dtype=torch.bfloat16)


def with_missed(batch, share):
    """Labels as they are shared where, in some sentences, nobody labelled one of the entities."""
    most = batch.runs.amax(1)
    chosen = (torch.rand_like(most, dtype=torch.float) * most).long() + 1
    missing = (torch.rand_like(most, dtype=torch.float) < share) & (most > 0)
    lost = (batch.runs == chosen[:, None]) & missing[:, None]
    return torch.where(lost, torch.zeros_like(batch.labels), batch.labels)


def what_is_known(batch):
    """Nothing, nearly all, or any share of the words, by sentence."""
    size = batch.words.shape
    mode = torch.rand(size[0], 1, device=batch.words.device)
    share = torch.rand(size[0], 1, device=batch.words.device)
    share = torch.where(mode < NOTHING_KNOWN + NEARLY_ALL_KNOWN, torch.full_like(share, HIDDEN_SHARE), share)
    share = torch.where(mode < NOTHING_KNOWN, torch.ones_like(share), share)
    draw = torch.rand(size, device=batch.words.device)
    hidden = draw < share
    least = draw.masked_fill(~batch.inside, 2.0).argmin(1, keepdim=True)
    return ~hidden.scatter(1, least, True) & batch.inside


def swapped(batch, vocabulary, weights):
    """Some words of some sentences become others of the attacker's, so that vectors count and not sentences learnt by heart."""
    shape = batch.words.shape
    device = batch.words.device
    sentences = torch.rand(shape[0], 1, device=device) < SWAPPED_SENTENCES
    chosen = sentences & (torch.rand(shape, device=device) < SWAPPED_TOKENS)
    drawn = vocabulary.word_of[torch.multinomial(weights, batch.words.numel(), replacement=True)]
    batch.words = torch.where(chosen, drawn.view(shape), batch.words)
    return batch


class Learning:
    """Trains for so many seconds, and keeps the state that reads the notes to choose by best."""

    def __init__(self, network, seconds, rate, warmup=0.03, weight_decay=0.05):
        self.network, self.seconds, self.rate, self.warmup = network, seconds, rate, warmup
        plain = [p for p in network.parameters() if p.ndim < 2]
        heavy = [p for p in network.parameters() if p.ndim >= 2]
        groups = [{"params": heavy, "weight_decay": weight_decay}, {"params": plain, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98))
        self.began = time.time()
        self.steps = 0
        self.best = (math.inf, None)

    def progress(self):
        return (time.time() - self.began) / self.seconds

    def step(self, loss):
        if not torch.isfinite(loss):
            self.optimiser.zero_grad(set_to_none=True)
            return
        share = min(1.0, self.progress())
        scale = min(1.0, share / self.warmup, (self.steps + 1) / 100)
        scale *= 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * share))
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate * scale
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimiser.step()
        self.steps += 1

    def keep(self, loss):
        if loss < self.best[0]:
            self.best = (loss, copy.deepcopy(self.network.state_dict()))

    def finish(self):
        if self.best[1] is not None:
            self.network.load_state_dict(self.best[1])
        self.network.eval()
        self.best = (self.best[0], None)
        del self.optimiser


def train_reader(reader, representation, notes, choose, seconds, settings, log):
    """`representation` is None of a reader that sees no vectors."""
    vocabulary, device = reader.vocabulary, notes.device
    learning = Learning(reader, seconds, settings["rate"])
    counts = torch.from_numpy(vocabulary.counts[vocabulary.answers].astype(np.float32)).to(device)
    weights = counts.clamp_min(1).sqrt()
    random = np.random.default_rng(settings["seed"])
    checks = np.linspace(0.3, 0.97, settings["checks"]).tolist()
    history = []
    while learning.progress() < 1:
        for sentences in batches(notes.corpus.lengths, settings["tokens"], random):
            reader.train()
            batch = notes.batch(sentences)
            if representation is not None:
                batch = swapped(batch, vocabulary, weights)
            loss = reading_loss(reader, representation, batch, settings["answers"])
            learning.step(loss)
            if checks and learning.progress() > checks[0]:
                checks.pop(0)
                held = held_loss(reader, representation, choose, settings)
                learning.keep(held)
                history.append((round(learning.progress(), 2), learning.steps, round(held, 4)))
                log(f"    {learning.progress():4.0%} step {learning.steps} loss {float(loss):.3f} held out {held:.3f}")
            if learning.progress() >= 1:
                break
    held = held_loss(reader, representation, choose, settings)
    learning.keep(held)
    history.append((1.0, learning.steps, round(held, 4)))
    learning.finish()
    log(f"    {learning.steps} steps, held out {held:.3f}, kept {learning.best[0]:.3f}")
    return {"steps": learning.steps, "history": history, "kept": learning.best[0]}


def reading_loss(reader, representation, batch, most, known=None, labels=None):
    device = batch.words.device
    labels = with_missed(batch, MISSED_SHARE) if labels is None else labels
    known = what_is_known(batch) if known is None else known
    released = None
    if representation is not None:
        with torch.no_grad():
            released = representation.release(inputs_of(representation, batch), batch.lengths)
    answer = reader.vocabulary.answer_of[batch.words]
    asked = (batch.inside & ~known & (labels == 0) & (answer >= 0)).flatten().nonzero().squeeze(1)
    if len(asked) > most:
        asked = asked[torch.randperm(len(asked), device=device)[:most]]
    with mixed(device):
        cased = torch.rand(len(batch.words), 1, device=device) < 0.5 if reader.training else None
        states = reader.states(batch, released, labels, known, cased).flatten(0, 1)[asked]
        logits = reader.logits(states, reader.answers())
    return F.cross_entropy(logits.float(), answer.flatten()[asked])


@torch.no_grad()
def held_loss(reader, representation, choose, settings):
    """Of a fixed sample, half with nothing known, half with nearly all."""
    reader.eval()
    state = torch.get_rng_state()
    on_device = torch.cuda.get_rng_state() if choose.device.type == "cuda" else None
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    sample = random.permutation(len(choose))[: settings["held"]]
    losses = []
    for which in batches(choose.corpus.lengths[sample], settings["tokens"]):
        batch = choose.batch(sample[which])
        nothing = torch.zeros_like(batch.inside)
        nearly = (torch.rand(batch.inside.shape, device=choose.device) >= HIDDEN_SHARE) & batch.inside
        for known in (nothing, nearly):
            loss = reading_loss(reader, representation, batch, 4 * settings["answers"], known, batch.labels)
            if torch.isfinite(loss):
                losses.append((float(loss), float(batch.inside.sum())))
    torch.set_rng_state(state)
    if on_device is not None:
        torch.cuda.set_rng_state(on_device)
    values, weights = np.array(losses).T
    return float((values * weights).sum() / weights.sum())


class Reading:
    """What a reader says of tokens: the rank of the true word (0 is first), its answer and how sure it is of it."""

    def __init__(self, size):
        self.rank = np.full(size, 10**9, np.int64)
        self.answer = np.full(size, -1, np.int64)
        self.sure = np.zeros(size, np.float32)


@torch.no_grad()
def read_batch(reader, batch, released, labels, known, asked):
    """Rank of the truth, answer and its probability of the asked tokens, [n] each."""
    truth = reader.vocabulary.answer_of[batch.words][asked]
    with mixed(batch.words.device):
        states = reader.states(batch, released, labels, known)[asked]
    return read_states(reader, states, truth)


@torch.no_grad()
def read_notes(reader, representation, notes, settings, seed, sentences=None, refine=None):
    """
    Every token of the sentences with no word known. With `refine`, answers that are surer than it are then taken for
    known, and the others are read once more beside them.
    """
    torch.manual_seed(seed)
    vocabulary = reader.vocabulary
    result = Reading(len(notes.corpus.words))
    sentences = np.arange(len(notes)) if sentences is None else sentences
    for which in batches(notes.corpus.lengths[sentences], settings["tokens"]):
        batch = notes.batch(sentences[which])
        released = None
        if representation is not None:
            released = representation.release(inputs_of(representation, batch), batch.lengths)
        known = torch.zeros_like(batch.inside)
        asked = batch.inside
        rank, answer, sure = read_batch(reader, batch, released, batch.labels, known, asked)
        if refine is not None:
            guessed = torch.zeros_like(batch.words)
            guessed[asked] = vocabulary.word_of[answer]
            is_sure = torch.zeros_like(asked)
            is_sure[asked] = (sure > refine) & (batch.labels[asked] == 0)
            true_words = batch.words
            batch.words = torch.where(is_sure, guessed, true_words)
            with mixed(batch.words.device):
                states = reader.states(batch, released, batch.labels, is_sure, torch.zeros_like(is_sure))
            batch.words = true_words
            again = asked & ~is_sure
            if bool(again.any()):
                truth = vocabulary.answer_of[batch.words][again]
                place = again[asked]
                rank[place], answer[place], sure[place] = read_states(reader, states[again], truth)
        tokens = batch.tokens[asked].cpu().numpy()
        result.rank[tokens] = rank.cpu().numpy()
        result.answer[tokens] = answer.cpu().numpy()
        result.sure[tokens] = sure.cpu().numpy()
    return result


@torch.no_grad()
def read_states(reader, states, truth, together=8192):
    """As `read_batch`, of states [n, width]. Logits are of full precision, so that none are equal by rounding."""
    answers, states = reader.answers(), states.float()
    parts = []
    for start in range(0, len(states), together):
        logits = reader.logits(states[start : start + together], answers)
        own = truth[start : start + together]
        rank = (logits > logits.gather(1, own.clamp_min(0)[:, None])).sum(1)
        no_answer = (own < 0) | ~torch.isfinite(logits).all(1)
        rank = torch.where(no_answer, torch.full_like(rank, 10**9), rank)
        greatest, answer = logits.max(1)
        parts.append((rank, answer, (greatest - logits.logsumexp(1)).exp()))
    return tuple(torch.cat(each) for each in zip(*parts))


@torch.no_grad()
def read_hidden(reader, representation, notes, sentences, positions, settings, seed, together=False):
    """
    Ranks of single tokens of sentences that are known otherwise, [n]. With `together` all words of a missed name are
    hidden at once, not the one alone.
    """
    torch.manual_seed(seed)
    ranks = np.full(len(sentences), 10**9, np.int64)
    for which in batches(notes.corpus.lengths[sentences], settings["tokens"]):
        batch = notes.batch(sentences[which])
        released = None
        if representation is not None:
            released = representation.release(inputs_of(representation, batch), batch.lengths)
        place = torch.from_numpy(positions[which].astype(np.int64)).to(notes.device)[:, None]
        asked = torch.zeros_like(batch.inside).scatter(1, place, True)
        hidden = asked | (batch.missed > 0) if together else asked
        rank, _, _ = read_batch(reader, batch, released, batch.labels, batch.inside & ~hidden, asked)
        ranks[which] = rank.cpu().numpy()
    return ranks
