"""The attacker's own tagger, which gives labels to notes that have none: `python3 tagger.py DATA`."""

import json
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from corpus import CASINGS, Corpus, Words, array, batches, padded

EPOCHS, TOKENS, SEED = 6, 3000, 1


class Tagger(nn.Module):
    def __init__(self, dimension, labels):
        super().__init__()
        self.lstm = nn.LSTM(dimension + CASINGS, 96, 1, batch_first=True, bidirectional=True)
        self.lstm2 = nn.LSTM(192, 96, 1, batch_first=True, bidirectional=True)
        self.out = nn.Linear(192, labels)
        self.drop = nn.Dropout(0.3)

    def forward(self, x):
        hidden, _ = self.lstm(self.drop(x))
        hidden, _ = self.lstm2(self.drop(hidden))
        return self.out(self.drop(hidden))


def inputs(corpus, words, sentences):
    tokens, inside = padded(corpus, sentences)
    vectors = torch.from_numpy(words.vectors[corpus.words[tokens]])
    casing = F.one_hot(torch.from_numpy(corpus.casing[tokens].astype(np.int64)), CASINGS)
    return torch.cat([vectors, casing.float()], 2) * torch.from_numpy(inside)[..., None], tokens, inside


def predict(tagger, corpus, words):
    found = np.zeros(len(corpus.words), np.uint8)
    tagger.eval()
    with torch.no_grad():
        for batch in batches(corpus.lengths, 4 * TOKENS):
            x, tokens, inside = inputs(corpus, words, batch)
            found[tokens[inside]] = tagger(x).argmax(2).numpy().astype(np.uint8)[inside]
    return found


def spans_of(labels, places, documents, token_documents, names):
    spans = [[] for _ in range(documents)]
    before = 0
    for label, (start, end), document in zip(labels, places, token_documents):
        own = spans[document]
        if label > 0:
            kind = names[label][2:]
            inside = label % 2 == 0 and before > 0 and (before + 1) // 2 == (label + 1) // 2
            if inside and own:
                own[-1]["end"] = int(end)
            else:
                own.append({"type": kind, "start": int(start), "end": int(end)})
        before = label
    return spans


def main(folder):
    torch.manual_seed(SEED)
    random = np.random.default_rng(SEED)
    words = Words(folder)
    names = json.loads((Path(folder) / "index.json").read_text())["labels"]
    train = Corpus.read(folder, "train-kept")
    tagger = Tagger(words.vectors.shape[1], len(names))
    optimiser = torch.optim.Adam(tagger.parameters(), 2e-3)
    steps = EPOCHS * len(batches(train.lengths, TOKENS))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps + EPOCHS * 50)
    began = time.time()
    for epoch in range(EPOCHS):
        tagger.train()
        for batch in batches(train.lengths, TOKENS, random):
            x, tokens, inside = inputs(train, words, batch)
            target = torch.from_numpy(train.labels[tokens].astype(np.int64))
            mask = torch.from_numpy(inside)
            loss = F.cross_entropy(tagger(x)[mask], target[mask])
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(tagger.parameters(), 1.0)
            optimiser.step()
            schedule.step()
        print(f"epoch {epoch + 1}: {time.time() - began:.0f} s, loss of the last batch {loss.item():.3f}", flush=True)
    dev = Corpus.read(folder, "dev-kept")
    found = predict(tagger, dev, words)
    right = (found == dev.labels) & (dev.labels > 0)
    recall, precision = right.sum() / (dev.labels > 0).sum(), right.sum() / max(1, (found > 0).sum())
    print(f"labels of dev: precision {precision:.3f}, recall {recall:.3f}")
    unlabelled = Corpus.read(folder, "unlabelled")
    places = array(folder, "unlabelled.places.i32").reshape(-1, 2)
    documents = np.repeat(unlabelled.documents, unlabelled.lengths)
    labels = predict(tagger, unlabelled, words)
    spans = spans_of(labels, places, int(unlabelled.documents.max()) + 1, documents, names)
    (Path(folder) / "unlabelled.spans.json").write_text(json.dumps(spans))
    print(f"{sum(map(len, spans))} spans in {len(spans)} notes, {time.time() - began:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1])
