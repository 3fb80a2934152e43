"""The network of bench/attention.ts in PyTorch, driven line by line over standard input.

Argument: a directory with arrays.json ({name: {shape, offset}}) and arrays.bin (float32, little-endian).
Its first line of output says which BLAS it computes with: {"config": text, "libraries": [path]}.
Each line of input is one JSON request, and gets one line of JSON.
  {"do": "losses", "steps": n, "batches": [name]}     losses of n steps, dropout off
  {"do": "train", "threads": n, "batches": [name]}    milliseconds of a step on each batch
"""

import json
import math
import sys
import time

import numpy
import torch

from pytorch_arrays import build, read

DROPOUT = 0.1


class Tagger(torch.nn.Module):
    def __init__(self, arrays):
        super().__init__()
        names = [name for name in arrays if not name.startswith("batch-") and name != "trained"]
        self.weights = torch.nn.ParameterDict(
            {name.replace("/", "|"): torch.nn.Parameter(arrays[name].clone()) for name in names}
        )
        self.layers = sum(name.startswith("encoder/layer-") and name.endswith("/self/distances") for name in names)

    def weight(self, name):
        return self.weights[name.replace("/", "|")]

    def dense(self, name, x):
        return torch.addmm(
            self.weight(f"{name}/bias"), x.reshape(-1, x.shape[-1]), self.weight(f"{name}/kernel")
        ).reshape(*x.shape[:-1], -1)

    def norm(self, name, x):
        gain, bias = self.weight(f"{name}/gain"), self.weight(f"{name}/bias")
        return torch.nn.functional.layer_norm(x, gain.shape, gain, bias)

    def dropped(self, x):
        return torch.nn.functional.dropout(x, DROPOUT, self.training)

    def attention(self, name, x, absent, memory=None):
        batch, steps, width = x.shape
        distances = self.weight(f"{name}/distances")
        heads, reach = distances.shape[0], distances.shape[1] // 2
        normal = self.norm(f"{name}/norm", x)
        seen = normal if memory is None else memory
        part = lambda which, of: self.dense(f"{name}/{which}", of).view(batch, steps, heads, -1).transpose(1, 2)
        queries, keys, values = part("queries", normal), part("keys", seen), part("values", seen)
        places = torch.arange(steps)
        added = distances[:, (places[None, :] - places[:, None]).clamp(-reach, reach) + reach]
        scores = queries @ keys.transpose(2, 3) / math.sqrt(width // heads) + added + absent
        found = (torch.softmax(scores, 3) @ values).transpose(1, 2).reshape(batch, steps, width)
        return x + self.dropped(self.dense(f"{name}/output", found))

    def feed_forward(self, name, x):
        inner = torch.relu(self.dense(f"{name}/inner", self.norm(f"{name}/norm", x)))
        return x + self.dropped(self.dense(f"{name}/outer", inner))

    def forward(self, x, lengths):
        absent = torch.where(torch.arange(x.shape[1]) < lengths[:, None], 0.0, -1e9)[:, None, None, :]
        x = self.dropped(x)
        encoded = self.dense("encoder/input", x)
        for layer in range(self.layers):
            encoded = self.attention(f"encoder/layer-{layer}/self", encoded, absent)
            encoded = self.feed_forward(f"encoder/layer-{layer}/feed-forward", encoded)
        encoded = self.norm("encoder/norm", encoded)
        decoded = self.dense("decoder/input", x)
        for layer in range(self.layers):
            decoded = self.attention(f"decoder/layer-{layer}/self", decoded, absent)
            decoded = self.attention(f"decoder/layer-{layer}/encoder", decoded, absent, encoded)
            decoded = self.feed_forward(f"decoder/layer-{layer}/feed-forward", decoded)
        return self.dense("emissions", self.dropped(self.norm("decoder/norm", decoded)))

    def loss(self, batch):
        x, labels, lengths = batch
        mask = torch.arange(x.shape[1]) < lengths[:, None]
        return torch.nn.functional.cross_entropy(self(x, lengths)[mask], labels[mask])


class Learner:
    def __init__(self, arrays):
        self.tagger = Tagger(arrays)
        self.optimiser = torch.optim.Adam(self.tagger.parameters(), lr=1e-3, eps=1e-7)

    def step(self, batch):
        self.optimiser.zero_grad(set_to_none=True)
        loss = self.tagger.loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.tagger.parameters(), 1.0)
        self.optimiser.step()
        return loss.item()


def main():
    arrays = read(sys.argv[1])
    batch_of = lambda name: (
        arrays[f"{name}/x"],
        arrays[f"{name}/labels"].long(),
        arrays[f"{name}/lengths"].long(),
    )
    timed = Learner(arrays)
    print(json.dumps(build()), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        batches = [batch_of(name) for name in request["batches"]]
        if request["do"] == "losses":
            learner = Learner(arrays)
            learner.tagger.eval()
            answer = [learner.step(batches[i % len(batches)]) for i in range(request["steps"])]
        else:
            if torch.get_num_threads() != request["threads"]:
                torch.set_num_threads(request["threads"])
            start = time.perf_counter()
            for batch in batches:
                timed.step(batch)
            answer = 1e3 * (time.perf_counter() - start)
        print(json.dumps(answer), flush=True)


main()
