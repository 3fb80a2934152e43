"""f and its noises, read from a frozen folder: an implementation of its own, which shares no line with Tacet's."""

import json
import struct
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from corpus import CASINGS

STDDEV_FLOOR = 0.01
LEAST_SQUARED_NORM = 1e-12
KINDS = {"F32": np.float32, "F16": np.float16, "F64": np.float64}


def safetensors(path):
    """Tensors by name: eight bytes for the length of a JSON header, the header, and the values."""
    data = Path(path).read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        start, end = (8 + size + offset for offset in entry["data_offsets"])
        values = np.frombuffer(data[start:end], KINDS[entry["dtype"]])
        tensors[name] = torch.from_numpy(values.reshape(entry["shape"]).astype(np.float32))
    return tensors


class Representation(nn.Module):
    """
    R = N_out + f(E + N_in). Inputs are padded, [B, T, I], with how long each sentence is: of each token the vector of its
    word, its casing, and what a convolution reads of its characters.
    """

    def __init__(self, weights, manifest, words, noise_times):
        super().__init__()
        config = manifest["architecture"]["representation"]
        require_supported(config)
        own = {name.removeprefix("representation/"): value for name, value in weights.items()}
        self.sees_casing = bool(config.get("casing"))
        self.residual = bool(config.get("residual"))
        self.dimension = config["dimension"]
        units = config["units"]
        self.embedding_dimension = config["embeddingDimension"]
        self.register_buffer("words", word_table(own, words, config.get("characters") == "cnn"))
        inputs = self.words.shape[1] + (CASINGS if self.sees_casing else 0)
        self.forward_lstm = direction(own, "forward", inputs, units)
        self.backward_lstm = direction(own, "backward", inputs, units)
        for name, key in (("kernel", "projection/kernel"), ("bias", "projection/bias")):
            self.register_buffer(name, own[key])
        for side in ("input", "output"):
            stddev = F.softplus(own[f"noise/{side}"]) + STDDEV_FLOOR
            self.register_buffer(f"{side}_stddev", noise_times * stddev)
        for parameter in self.parameters():
            parameter.requires_grad_(False)

    @staticmethod
    def read(folder, name, words, noise_times=1.0):
        manifest = json.loads((Path(folder) / f"{name}.manifest.json").read_text())
        weights = safetensors(Path(folder) / f"{name}.weights.safetensors")
        return Representation(weights, manifest, words, noise_times)

    def embed(self, words, casing):
        """E(x) [B, T, I] of words and casings [B, T]."""
        read = self.words[words]
        if not self.sees_casing:
            return read
        vectors, characters = read[..., : self.embedding_dimension], read[..., self.embedding_dimension :]
        return torch.cat([vectors, F.one_hot(casing.long(), CASINGS).to(read.dtype), characters], -1)

    def mean(self, x, lengths):
        """f(x), [B, T, d]; what stands beyond a sentence's length means nothing."""
        hidden_forward, _ = self.forward_lstm(x)
        turned = reversed_order(lengths, x.shape[1])
        hidden_backward, _ = self.backward_lstm(along(x, turned))
        parts = [hidden_forward, along(hidden_backward, turned)]
        read = torch.cat(parts + ([x] if self.residual else []), 2)
        projected = read @ self.kernel + self.bias
        squares = projected.square().sum(-1, keepdim=True).clamp_min(LEAST_SQUARED_NORM)
        return projected * squares.rsqrt()

    def input_noise(self, x):
        return torch.randn_like(x) * self.input_stddev

    def output_noise(self, mean):
        return torch.randn_like(mean) * self.output_stddev

    def release(self, x, lengths):
        """One release: both noises drawn, then rounded as it leaves."""
        mean = self.mean(x + self.input_noise(x), lengths)
        return (mean + self.output_noise(mean)).half().float()


def require_supported(config):
    unsupported = [
        config.get("unitInputs"),
        config.get("characters", "none") not in ("none", "cnn"),
        config.get("form", "unit-length") != "unit-length",
        config.get("noise", "constant") != "constant",
    ]
    if any(unsupported):
        raise ValueError(f"no implementation of {config}")


def word_table(own, words, reads_characters):
    """Of each word [V, E + C]: its vector, or the trained one that stands in for it, and what is read of its characters."""
    vectors = torch.from_numpy(words.vectors).clone()
    trained = torch.from_numpy(words.trained.astype(np.int64))
    vectors[trained > 0] = own["trained"][trained[trained > 0] - 1]
    if not reads_characters:
        return vectors
    codes = torch.from_numpy(words.codes.astype(np.int64))
    return torch.cat([vectors, torch.cat([of_characters(own, part) for part in codes.split(4096)])], 1)


def of_characters(own, codes):
    """[V, C]: a convolution over the characters of each word, and its maximum over all of them."""
    bias = own["characters/bias"]
    kernel = own["characters/kernel"].view(own["characters/embedding"].shape[1], -1, len(bias))
    read = own["characters/embedding"][F.pad(codes, (kernel.shape[1] // 2,) * 2)]
    sums = F.conv1d(read.transpose(1, 2), kernel.permute(2, 0, 1))
    greatest = sums.masked_fill(codes[:, None] == 0, -torch.inf).amax(2)
    return torch.tanh(torch.where(greatest == -torch.inf, torch.zeros_like(greatest), greatest) + bias)


def direction(own, name, inputs, units):
    """Gates stand in the same order in both; the weights are transposed, and there is one bias."""
    lstm = nn.LSTM(inputs, units, batch_first=True)
    with torch.no_grad():
        lstm.weight_ih_l0.copy_(own[f"bilstm/{name}/kernel"].T)
        lstm.weight_hh_l0.copy_(own[f"bilstm/{name}/recurrent"].T)
        lstm.bias_ih_l0.copy_(own[f"bilstm/{name}/bias"])
        lstm.bias_hh_l0.zero_()
    return lstm


def reversed_order(lengths, steps):
    """[B, T]: each sentence from its last token to its first, padding where it was."""
    place = torch.arange(steps, device=lengths.device)[None, :]
    turned = lengths[:, None] - 1 - place
    return torch.where(turned >= 0, turned, place)


def along(x, order):
    return torch.gather(x, 1, order[..., None].expand(-1, -1, x.shape[2]))
