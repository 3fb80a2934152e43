"""What the peers in PyTorch share: the arrays that they are given, and what they compute with."""

import json

import numpy
import torch


def read(directory):
    with open(f"{directory}/arrays.json") as file:
        index = json.load(file)
    values = torch.from_numpy(numpy.fromfile(f"{directory}/arrays.bin", dtype="<f4"))
    arrays = {}
    for name, entry in index.items():
        size = int(numpy.prod(entry["shape"]))
        arrays[name] = values[entry["offset"] : entry["offset"] + size].reshape(entry["shape"])
    return arrays


def build():
    """How PyTorch was built, and the libraries that it has loaded, where /proc tells."""
    # A product, so that libraries that are loaded at first use are there.
    torch.mm(torch.ones(2, 2), torch.ones(2, 2))
    try:
        with open("/proc/self/maps") as file:
            paths = {line.split()[-1] for line in file if ".so" in line}
    except OSError:
        paths = set()
    return {"config": torch.__config__.show(), "libraries": sorted(paths)}
