"""A published pipeline on its own: text in, PHI spans out, with ONNX Runtime and numpy.

The steps are the service's: tokens, sentences, word vectors with casing and characters, f without noise
(nothing leaves, so nothing is to be protected), emissions, Viterbi. Its recognisers of addresses and
numbers by their shape are not here: spans are those of ``tacet deidentify --no-patterns``,
but for a weekday beside a date and a bound beside an age.
"""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from .blocks import blocks_of
from .bundle import (
    DEIDENTIFIER_FILE,
    REPRESENTATION_FILE,
    WEIGHTS_FILE,
    PathLike,
    VerifiedBundle,
    verify_bundle,
)
from .crf import Crf, posterior, viterbi
from .embeddings import Embeddings
from .errors import TacetError
from .label_scheme import LabelScheme, Span, scheme_of
from .optional_package import require
from .safetensors import Tensor, part_of, read_safetensors
from .sentence_splitter import split_sentences
from .tokeniser import TOKENISATION, Token, tokenise
from .vocabulary import TRAINED_VECTORS, Vocabulary

_BATCH_SENTENCES = 64
_OUTSIDE = 0
POLICIES = ("tag", "mask")


class Pipeline:
    """Finds PHI in text. See ``open_pipeline``."""

    def __init__(
        self,
        manifest: Mapping[str, Any],
        scheme: LabelScheme,
        vocabulary: Vocabulary,
        crf: Crf,
        deidentifier: Any,
        representation: Optional[Any],
        words: Optional[Vocabulary] = None,
    ) -> None:
        self.manifest = manifest
        self.scheme = scheme
        self._vocabulary = vocabulary
        self._crf = crf
        self._deidentifier = deidentifier
        self._representation = representation
        self._words = words

    @property
    def types(self) -> Sequence[str]:
        """The PHI types that it may find."""
        return self.scheme.types

    def find(self, text: str, *, threshold: Optional[float] = None) -> List[Span]:
        """The PHI of a text, in order, offsets in code points.

        The most likely labels of each sentence decide; with a ``threshold``, a token is PHI where its
        posterior is at least that: below 0.5 more is found, above it less.
        """
        return [
            span
            for start, piece in blocks_of(text)
            for span in self._block(start, piece, threshold)
        ]

    def deidentify(
        self, text: str, *, policy: str = "tag", threshold: Optional[float] = None
    ) -> str:
        """The text with ``[TYPE]`` (``tag``) or asterisks (``mask``) in the place of the PHI found."""
        if policy not in POLICIES:
            raise TacetError("usage", f"expected a policy of {', '.join(POLICIES)}")
        pieces, at = [], 0
        for span in self.find(text, threshold=threshold):
            instead = f"[{span.type}]" if policy == "tag" else "*" * (span.end - span.start)
            pieces += [text[at : span.start], instead]
            at = span.end
        return "".join(pieces) + text[at:]

    def _block(self, start: int, text: str, threshold: Optional[float]) -> Iterator[Span]:
        sentences = sorted(split_sentences(text, tokenise(text)), key=len)
        found: List[Span] = []
        for first in range(0, len(sentences), _BATCH_SENTENCES):
            batch = sentences[first : first + _BATCH_SENTENCES]
            emissions, lengths = self._emissions(batch)
            labels = viterbi(emissions, lengths, self._crf)
            likely = posterior(emissions, lengths, self._crf)
            for row, tokens in enumerate(batch):
                found += self._spans(tokens, labels[row], likely[row], threshold)
        for span in sorted(found, key=lambda each: each.start):
            yield Span(span.type, start + span.start, start + span.end, span.confidence)

    def _emissions(self, sentences: Sequence[Sequence[Token]]) -> Tuple[Any, Any]:
        """[B, T, L], and the lengths [B]."""
        words = [[token.text for token in sentence] for sentence in sentences]
        vectors, characters, lengths = self._vocabulary.batch(words)
        given = {"embeddings": vectors, "characters": characters, "lengths": lengths}
        if self._representation is not None:
            released = _run(self._representation, _without_noise(self._representation, given))
            given = {"representation": released, "lengths": lengths}
        if self._words is not None:
            beside, codes, _ = self._words.batch(words)
            given = {**given, "embeddings": beside, "characters": codes}
        return _run(self._deidentifier, given), lengths

    def _spans(
        self,
        tokens: Sequence[Token],
        labels: Sequence[int],
        likely: Any,
        threshold: Optional[float],
    ) -> List[Span]:
        if threshold is not None:
            labels = _labels_at(threshold, labels, likely)
        place = {token.start: t for t, token in enumerate(tokens)}
        spans = []
        for span in self.scheme.decode(tokens, labels):
            begin = 1 + 2 * self.scheme.types.index(span.type)
            confidence, t = 1.0, place[span.start]
            while t < len(tokens) and tokens[t].end <= span.end:
                confidence = min(confidence, _type_posterior(likely[t], begin))
                t += 1
            spans.append(Span(span.type, span.start, span.end, confidence))
        return spans


def open_pipeline(
    directory: PathLike,
    trusted_keys: Sequence[bytes],
    embeddings: Embeddings,
    *,
    signed_by: str = "any",
    threads: int = 1,
) -> Pipeline:
    """The pipeline in a bundle, verified as ``verify_bundle`` does, on the word vectors that it was trained
    on. Needs numpy and onnxruntime. Raises ``model-unsuitable``, ``tokenisation-unsupported``,
    ``bundle-invalid`` and what ``verify_bundle`` raises."""
    bundle = verify_bundle(directory, trusted_keys, signed_by=signed_by)
    where, manifest = str(directory), bundle.manifest
    _require_fitting(where, manifest, embeddings)
    scheme = scheme_of(where, manifest["labelScheme"])
    architecture = manifest["architecture"]
    reader = architecture.get("representation")
    deidentifier = architecture["deidentifier"]
    _require_input(where, deidentifier, reader, embeddings.dimension)
    if deidentifier["labels"] != scheme.label_count:
        raise TacetError("bundle-invalid", f"{where}: the de-identifier has labels of another scheme")
    weights = read_safetensors(bundle.files[WEIGHTS_FILE])
    first = part_of(weights, "representation" if reader else "deidentifier")
    shape = (TRAINED_VECTORS, embeddings.dimension)
    casing = reader.get("casing", False) if reader else deidentifier.get("casing", True)
    vocabulary = Vocabulary(embeddings, _array(where, first, "trained", shape), casing=casing)
    words = None
    if "wordDimension" in deidentifier:
        own = _array(where, part_of(weights, "deidentifier"), "trained", shape)
        words = Vocabulary(embeddings, own, casing=deidentifier.get("casing", True))
    return Pipeline(
        manifest,
        scheme,
        vocabulary,
        _no_transitions(scheme.label_count)
        if deidentifier.get("network") == "sequence-to-sequence"
        else _crf_of(where, part_of(weights, "deidentifier"), scheme.label_count),
        _session(where, bundle, DEIDENTIFIER_FILE, threads),
        _session(where, bundle, REPRESENTATION_FILE, threads) if reader else None,
        words,
    )


def _require_fitting(where: str, manifest: Mapping[str, Any], embeddings: Embeddings) -> None:
    if manifest["kind"] != "pipeline":
        raise TacetError(
            "model-unsuitable", f"{where}: expected a pipeline bundle, found a {manifest['kind']}"
        )
    if manifest["tokenisation"] != TOKENISATION:
        raise TacetError(
            "tokenisation-unsupported",
            f"{where}: the model was trained with another tokenisation than {TOKENISATION}; use the "
            "version of tacet that made it, or a newer model",
        )
    wanted = manifest["embeddings"]["identity"]
    if wanted != embeddings.identity:
        raise TacetError(
            "model-unsuitable",
            f"{where}: the embeddings of the model are {wanted}, the ones given are "
            f"{embeddings.identity}",
        )


def _require_input(
    where: str, config: Mapping[str, Any], reader: Optional[Mapping[str, Any]], dimension: int
) -> None:
    """What is released has neither words nor casing nor characters beside its vectors."""
    expected = reader["dimension"] if reader else dimension
    if config["inputDimension"] != expected:
        raise TacetError(
            "bundle-invalid",
            f"{where}: the de-identifier reads vectors of {config['inputDimension']} numbers, it would "
            f"get {expected}",
        )
    if "wordDimension" in config:
        if not reader or config["wordDimension"] != dimension:
            raise TacetError(
                "bundle-invalid",
                f"{where}: the de-identifier reads word vectors of {config['wordDimension']} numbers beside "
                "representations, which the bundle does not have",
            )
    elif reader and (config.get("casing", True) or config.get("characters", "none") != "none"):
        raise TacetError(
            "bundle-invalid",
            f"{where}: the de-identifier reads casing or characters beside released vectors, which are "
            "not shared; train it anew on a snapshot",
        )


def _session(where: str, bundle: VerifiedBundle, name: str, threads: int) -> Any:
    if name not in bundle.files:
        raise TacetError(
            "model-unsuitable",
            f"{where}: the bundle has no {name}: it was made by an earlier version of tacet; ask its "
            "publisher for one that tacet bundle create has made anew",
        )
    runtime = require("onnxruntime", "a pipeline", "pipeline")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return runtime.InferenceSession(
        bundle.files[name], sess_options=options, providers=["CPUExecutionProvider"]
    )


def _run(session: Any, given: Mapping[str, Any]) -> Any:
    wanted = {each.name: given[each.name] for each in session.get_inputs()}
    return session.run(None, wanted)[0]


def _without_noise(session: Any, given: Mapping[str, Any]) -> Dict[str, Any]:
    """Zeros in the place of the normal draws of a release."""
    np = require("numpy", "a pipeline", "pipeline")
    batch, steps = given["embeddings"].shape[:2]
    zeros = {
        each.name: np.zeros((batch, steps, each.shape[2]), np.float32)
        for each in session.get_inputs()
        if each.name.endswith("_normals")
    }
    return {**given, **zeros}


def _crf_of(where: str, weights: Mapping[str, Tensor], labels: int) -> Crf:
    np = require("numpy", "a pipeline", "pipeline")
    shapes = {"transitions": (labels, labels), "start": (labels,), "end": (labels,)}
    arrays = {
        name: _array(where, weights, f"crf/{name}", shape).astype(np.float64)
        for name, shape in shapes.items()
    }
    return Crf(**arrays)


def _no_transitions(labels: int) -> Crf:
    """Leaves every token's label to its emissions."""
    np = require("numpy", "a pipeline", "pipeline")
    return Crf(np.zeros((labels, labels)), np.zeros(labels), np.zeros(labels))


def _array(where: str, weights: Mapping[str, Tensor], name: str, shape: Sequence[int]) -> Any:
    np = require("numpy", "a pipeline", "pipeline")
    tensor = weights.get(name)
    found = None if tensor is None else np.array(tensor.data, np.float32)
    if tensor is None or tensor.shape != tuple(shape) or not np.isfinite(found).all():
        raise TacetError(
            "bundle-invalid", f"{where}: expected weights {name} of shape {list(shape)}, all finite"
        )
    return found.reshape(shape)  # type: ignore[union-attr]


def _labels_at(threshold: float, labels: Sequence[int], likely: Any) -> List[int]:
    """The most likely labels where they agree with the threshold; elsewhere O, or the likeliest type."""
    decided: List[int] = []
    for t, label in enumerate(labels):
        if 1 - likely[t, _OUTSIDE] < threshold:
            decided.append(_OUTSIDE)
        elif label != _OUTSIDE:
            decided.append(label)
        else:
            of_types = likely[t, 1::2] + likely[t, 2::2]
            best = 1 + 2 * int(of_types.argmax())
            before = decided[-1] if decided else _OUTSIDE
            decided.append(best + 1 if before in (best, best + 1) else best)
    return decided


def _type_posterior(likely: Any, begin: int) -> float:
    """B or I of one type."""
    return float(likely[begin] + likely[begin + 1])
