"""The network of bench/network.ts in PyTorch, driven line by line over standard input.

Argument: a directory with arrays.json ({name: {shape, offset}}) and arrays.bin (float32, little-endian).
Its first line of output says which BLAS it computes with: {"config": text, "libraries": [path]}.
Each line of input is one JSON request; each gets one line of JSON.
  {"do": "losses", "steps": n, "batches": [name], "crf": bool}     losses of n steps, dropout off
  {"do": "train", "threads": n, "batches": [name], "crf": bool}    milliseconds of a step on each batch
"""

import json
import sys
import time

import torch

from pytorch_arrays import build, read

INPUT_DROPOUT, OUTPUT_DROPOUT = 0.1, 0.5


class Tagger(torch.nn.Module):
    def __init__(self, arrays):
        super().__init__()
        inputs, units = arrays["bilstm-0/forward/kernel"].shape[0], arrays["bilstm-0/forward/recurrent"].shape[0]
        layers = sum(name.endswith("/forward/kernel") for name in arrays)
        self.lstm = torch.nn.LSTM(inputs, units, layers, bidirectional=True, batch_first=True)
        with torch.no_grad():
            for layer in range(layers):
                for direction, suffix in (("forward", ""), ("backward", "_reverse")):
                    take = lambda weight: arrays[f"bilstm-{layer}/{direction}/{weight}"]
                    put = lambda name, value: getattr(self.lstm, f"{name}_l{layer}{suffix}").copy_(value)
                    put("weight_ih", take("kernel").T)
                    put("weight_hh", take("recurrent").T)
                    put("bias_ih", take("bias"))
                    # PyTorch adds two biases; the second stays zero.
                    put("bias_hh", torch.zeros(4 * units))
                    getattr(self.lstm, f"bias_hh_l{layer}{suffix}").requires_grad_(False)
        weight = lambda name: torch.nn.Parameter(arrays[name].clone())
        self.kernel, self.bias = weight("emissions/kernel"), weight("emissions/bias")
        self.transitions, self.start, self.end = weight("crf/transitions"), weight("crf/start"), weight("crf/end")

    def forward(self, x, lengths):
        steps = x.shape[1]
        x = torch.nn.functional.dropout(x, INPUT_DROPOUT, self.training)
        if bool((lengths == steps).all()):
            hidden, _ = self.lstm(x)
        else:
            packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, True, enforce_sorted=False)
            hidden, _ = self.lstm(packed)
            hidden, _ = torch.nn.utils.rnn.pad_packed_sequence(hidden, True, total_length=steps)
        hidden = torch.nn.functional.dropout(hidden, OUTPUT_DROPOUT, self.training)
        return hidden @ self.kernel + self.bias

    def crf_loss(self, emissions, labels, lengths):
        batch, steps, _ = emissions.shape
        mask = torch.arange(steps) < lengths[:, None]
        alpha = self.start + emissions[:, 0]
        for t in range(1, steps):
            after = torch.logsumexp(alpha[:, :, None] + self.transitions, 1) + emissions[:, t]
            alpha = torch.where(mask[:, t, None], after, alpha)
        total = torch.logsumexp(alpha + self.end, 1)
        own = (emissions.gather(2, labels[:, :, None])[:, :, 0] * mask).sum(1)
        own = own + (self.transitions[labels[:, :-1], labels[:, 1:]] * mask[:, 1:]).sum(1)
        last = labels[torch.arange(batch), lengths - 1]
        return (total - own - self.start[labels[:, 0]] - self.end[last]).sum() / lengths.sum()

    def loss(self, batch, crf):
        x, labels, lengths = batch
        emissions = self(x, lengths)
        if crf:
            return self.crf_loss(emissions, labels, lengths)
        mask = torch.arange(x.shape[1]) < lengths[:, None]
        return torch.nn.functional.cross_entropy(emissions[mask], labels[mask])


class Learner:
    def __init__(self, arrays, crf):
        self.tagger, self.crf = Tagger(arrays), crf
        self.parameters = [p for p in self.tagger.parameters() if p.requires_grad]
        self.optimiser = torch.optim.NAdam(self.parameters, lr=1e-3, eps=1e-7, momentum_decay=4e-3)

    def step(self, batch):
        self.optimiser.zero_grad(set_to_none=True)
        loss = self.tagger.loss(batch, self.crf)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimiser.step()
        return loss.item()


def main():
    arrays = read(sys.argv[1])
    batch_of = lambda name: (
        arrays[f"{name}/x"],
        arrays[f"{name}/labels"].long(),
        arrays[f"{name}/lengths"].long(),
    )
    learners = {crf: Learner(arrays, crf) for crf in (False, True)}
    print(json.dumps(build()), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        batches = [batch_of(name) for name in request["batches"]]
        if request["do"] == "losses":
            learner = Learner(arrays, request["crf"])
            learner.tagger.eval()
            answer = [learner.step(batches[i % len(batches)]) for i in range(request["steps"])]
        else:
            if torch.get_num_threads() != request["threads"]:
                torch.set_num_threads(request["threads"])
            start = time.perf_counter()
            for batch in batches:
                learners[request["crf"]].step(batch)
            answer = 1e3 * (time.perf_counter() - start)
        print(json.dumps(answer), flush=True)


main()
