"""ONNX Runtime as Node has it, for an interpreter without a package of its own.

Just what ``tacet.pipeline`` asks of ``onnxruntime``, in the process of a Node whose ``onnxruntime-node`` does
the work. ``TACET_ONNXRUNTIME_NODE`` names that module's folder, ``TACET_NODE`` the program. One message is a
line of JSON with the sizes of the arrays, then their bytes.
"""

import json
import os
import subprocess
from pathlib import Path

import numpy as np

_SERVER = Path(__file__).with_name("server.cjs")
_TYPES = {"float32": np.float32, "int32": np.int32, "int64": np.int64}


class SessionOptions:
    """Threads are set by the process that runs Node."""

    intra_op_num_threads = 0
    inter_op_num_threads = 0


class _Input:
    def __init__(self, name, shape):
        self.name = name
        self.shape = shape


class InferenceSession:
    """A model in a Node of its own, which ends with its standard input."""

    def __init__(self, model, sess_options=None, providers=None):
        runtime = os.environ["TACET_ONNXRUNTIME_NODE"]
        self._node = subprocess.Popen(
            [os.environ["TACET_NODE"], str(_SERVER), runtime],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._send({"model": len(model)}, [bytes(model)])
        self._inputs = [_Input(each["name"], each["shape"]) for each in self._receive()["inputs"]]

    def __del__(self):
        for stream in (self._node.stdin, self._node.stdout):
            stream.close()
        self._node.wait()

    def get_inputs(self):
        return self._inputs

    def run(self, names, given):
        arrays = {name: np.ascontiguousarray(each) for name, each in given.items()}
        feeds = [
            {"name": name, "type": str(each.dtype), "dims": list(each.shape), "bytes": each.nbytes}
            for name, each in arrays.items()
        ]
        self._send({"feeds": feeds}, [each.tobytes() for each in arrays.values()])
        return [
            np.frombuffer(self._node.stdout.read(each["bytes"]), _TYPES[each["type"]]).reshape(each["dims"])
            for each in self._receive()["outputs"]
        ]

    def _send(self, head, blobs):
        self._node.stdin.write(json.dumps(head).encode() + b"\n" + b"".join(blobs))
        self._node.stdin.flush()

    def _receive(self):
        line = self._node.stdout.readline()
        if not line:
            raise RuntimeError("the Node of onnxruntime-node has ended")
        return json.loads(line)
