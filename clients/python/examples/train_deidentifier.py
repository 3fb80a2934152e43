"""Trains a small de-identifier on a snapshot, in PyTorch: a BiLSTM and a linear-chain CRF over IOB2 labels.

Read it from top to bottom, or run it:

    python train_deidentifier.py snapshot.segment
    python train_deidentifier.py $SNAPSHOT --pool http://127.0.0.1:7421 --token-file trainer.token

A snapshot holds noisy vectors and labels, and no text. So what is learned here reads vectors that the same
representation has made; to find PHI in text, give it f(E) of the text without noise. It prints one line
of JSON an epoch and one at its end.
"""

# %% What there is to choose
from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any, Dict, Iterator, List, Sequence, Tuple

import torch
from torch import Tensor, nn

import tacet


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="train a de-identifier on a snapshot")
    parser.add_argument("snapshot", help="a file, or the id of a snapshot where --pool is given")
    parser.add_argument("--pool", help="address of the pool")
    parser.add_argument("--token-file", help="file with a token of the role consumer")
    parser.add_argument("--units", type=int, default=64, help="LSTM units a direction")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=32, help="sentences a batch")
    parser.add_argument("--learning-rate", type=float, default=5e-3)
    parser.add_argument("--held-out", type=float, default=0.2, help="share to measure on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", help="where to keep the weights")
    return parser.parse_args()


# %% The releases
Example = Tuple[Tensor, Tensor]
"""Vectors [T, d] and labels [T] of a sentence."""


def read(options: argparse.Namespace) -> Tuple[tacet.SegmentHeader, List[Example]]:
    if options.pool:
        token = Path(options.token_file).read_text("ascii").strip()
        reader = tacet.Pool(options.pool, token).sentences(options.snapshot, seed=options.seed)
    else:
        reader = tacet.open_snapshot(options.snapshot)
    return reader.header, [
        (torch.tensor(sentence.rows()), torch.tensor(list(sentence.labels))) for sentence in reader
    ]


def batches(
    examples: Sequence[Example], size: int, shuffle: random.Random
) -> Iterator[Tuple[Tensor, Tensor, Tensor]]:
    """Vectors [B, T, d], labels [B, T] and mask [B, T], sentences of like lengths together."""
    order = sorted(range(len(examples)), key=lambda i: (len(examples[i][1]), shuffle.random()))
    starts = list(range(0, len(order), size))
    shuffle.shuffle(starts)
    for start in starts:
        vectors, labels = zip(*(examples[i] for i in order[start : start + size]))
        lengths = torch.tensor([len(each) for each in labels])
        padded = nn.utils.rnn.pad_sequence(vectors, batch_first=True)
        truth = nn.utils.rnn.pad_sequence(labels, batch_first=True)
        yield padded, truth, torch.arange(truth.shape[1]) < lengths[:, None]


# %% The network
class Deidentifier(nn.Module):
    """A BiLSTM, a dense layer, a CRF (Friedrich et al. 2019, section 3)."""

    def __init__(self, dimension: int, labels: int, units: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(dimension, units, batch_first=True, bidirectional=True)
        self.dense = nn.Linear(2 * units, labels)
        self.dropout = nn.Dropout(0.3)
        self.transitions = nn.Parameter(torch.zeros(labels, labels))  # from, to
        self.start = nn.Parameter(torch.zeros(labels))
        self.end = nn.Parameter(torch.zeros(labels))

    def emissions(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """[B, T, d] to [B, T, L]"""
        lengths = mask.sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(
            vectors, lengths, batch_first=True, enforce_sorted=False
        )
        hidden, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.dense(self.dropout(hidden))

    def loss(self, vectors: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """log Z - score(labels), by the number of tokens (Lafferty, McCallum and Pereira 2001)."""
        emissions = self.emissions(vectors, mask)
        difference = self.log_partition(emissions, mask) - self.score(emissions, labels, mask)
        return difference.sum() / mask.sum()

    def log_partition(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """[B]"""
        alpha = self.start + emissions[:, 0]  # [B, L]
        for t in range(1, emissions.shape[1]):
            reached = alpha[:, :, None] + self.transitions  # [B, from, to]
            following = torch.logsumexp(reached, dim=1) + emissions[:, t]
            alpha = torch.where(mask[:, t, None], following, alpha)
        return torch.logsumexp(alpha + self.end, dim=1)

    def score(self, emissions: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """[B]"""
        of_labels = emissions.gather(2, labels[:, :, None])[:, :, 0]
        steps = self.transitions[labels[:, :-1], labels[:, 1:]]
        last = labels.gather(1, mask.sum(1, keepdim=True) - 1)[:, 0]
        inside = (of_labels * mask).sum(1) + (steps * mask[:, 1:]).sum(1)
        return inside + self.start[labels[:, 0]] + self.end[last]

    @torch.no_grad()
    def decode(self, vectors: Tensor, mask: Tensor) -> List[List[int]]:
        """The best labels of each sentence (Viterbi)."""
        emissions = self.emissions(vectors, mask)
        best, origins = self.start + emissions[:, 0], []
        same = torch.arange(best.shape[1])
        for t in range(1, emissions.shape[1]):
            reached, origin = (best[:, :, None] + self.transitions).max(dim=1)
            inside = mask[:, t, None]
            origins.append(torch.where(inside, origin, same))
            best = torch.where(inside, reached + emissions[:, t], best)
        label = (best + self.end).argmax(dim=1)
        path = [label]
        for origin in reversed(origins):
            label = origin.gather(1, label[:, None])[:, 0]
            path.append(label)
        paths = torch.stack(path[::-1], dim=1)
        return [row[inside].tolist() for row, inside in zip(paths, mask)]


# %% The measure
def entities(labels: Sequence[int]) -> "set[Tuple[int, int, int]]":
    """Type, first and last token of each entity; 1 + 2t and 2 + 2t are B and I of type t."""
    found, running = [], -1
    for at, label in enumerate(labels):
        kind = -1 if label == 0 else (label - 1) // 2
        if kind >= 0 and (label % 2 == 1 or kind != running):
            found.append([kind, at, at])
        elif kind >= 0:
            found[-1][2] = at
        running = kind
    return {(kind, first, last) for kind, first, last in found}


def measure(network: Deidentifier, examples: Sequence[Example], size: int) -> Dict[str, float]:
    """Precision, recall and F1 of whole entities."""
    network.eval()
    right = found = true = 0
    for vectors, labels, mask in batches(examples, size, random.Random(0)):
        for row, decoded in enumerate(network.decode(vectors, mask)):
            ours = entities(decoded)
            gold = entities(labels[row][mask[row]].tolist())
            right, found, true = right + len(ours & gold), found + len(ours), true + len(gold)
    precision, recall = right / max(found, 1), right / max(true, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)}


# %% The training
def train(options: argparse.Namespace) -> Dict[str, Any]:
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    shuffle = random.Random(options.seed)
    header, examples = read(options)
    shuffle.shuffle(examples)
    held_out = examples[: int(len(examples) * options.held_out)]
    training = examples[len(held_out) :]
    network = Deidentifier(header.dimension, header.label_count, options.units)
    optimiser = torch.optim.Adam(network.parameters(), lr=options.learning_rate)
    for epoch in range(1, options.epochs + 1):
        network.train()
        total = 0.0
        for vectors, labels, mask in batches(training, options.batch, shuffle):
            optimiser.zero_grad()
            loss = network.loss(vectors, labels, mask)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimiser.step()
            total += loss.item() * int(mask.sum())
        tokens = sum(len(labels) for _, labels in training)
        print(json.dumps({"epoch": epoch, "lossPerToken": round(total / tokens, 4)}), flush=True)
    if options.out:
        torch.save(network.state_dict(), options.out)
    return {
        "model": header.model_digest,
        "training": len(training),
        "heldOut": len(held_out),
        **measure(network, held_out, options.batch),
    }


if __name__ == "__main__":
    print(json.dumps(train(arguments())))
