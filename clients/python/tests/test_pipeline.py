from __future__ import annotations

import shutil
import tempfile
import unittest
from pathlib import Path

from tacet import TacetError, open_embeddings, open_pipeline, read_public_key

from .fixtures import fixture, fixture_json, needs_fixtures

try:
    import numpy as np
except ImportError:
    np = None
try:
    import onnxruntime
except ImportError:
    onnxruntime = None


@needs_fixtures
@unittest.skipUnless(np, "numpy is not installed")
class EmbeddingsTest(unittest.TestCase):
    """`vectors.json` holds what TypeScript gives for words, by file."""

    def test_gives_each_word_the_vector_of_typescript_from_every_kind_of_file(self):
        for case in fixture_json("vectors.json"):
            with self.subTest(case["file"]):
                embeddings = open_embeddings(fixture(case["file"]))
                self.assertEqual(embeddings.identity, case["identity"])
                for word, (known, expected) in case["words"].items():
                    self.assertEqual(embeddings.word_of(word), known)
                    found = embeddings.vector(word.lower() if known is None else known)
                    if expected is None:
                        self.assertIsNone(found)
                    else:
                        np.testing.assert_array_equal(found, np.array(expected, np.float32))

    def test_refuses_files_that_are_malformed_and_names_the_line(self):
        cases = {
            "": "found no line",
            "2 2\na 1 2\n": "promises 2 words, found 1",
            "1 2\na 1\n": ":2: expected a word and 2 numbers",
            "a 1 2\nb 1 nan\n": ":2: expected a word and 2 numbers",
            "1 2\na 1 2 3\n": ":2: expected a word and 2 numbers",
            "word\n": "expected `words dimensions`",
        }
        with tempfile.TemporaryDirectory() as folder:
            for content, message in cases.items():
                file = Path(folder, "words.vec")
                file.write_text(content, "utf-8")
                with self.assertRaises(TacetError) as caught:
                    open_embeddings(file)
                self.assertEqual(caught.exception.code, "embeddings-invalid")
                self.assertIn(message, str(caught.exception))
            content = fixture("tiny.bin").read_bytes()
            for stop in (60, 200, 700):
                file = Path(folder, "cut.bin")
                file.write_bytes(content[:stop])
                with self.assertRaises(TacetError):
                    open_embeddings(file)


@needs_fixtures
@unittest.skipUnless(np and onnxruntime, "numpy and onnxruntime are not both installed")
class PipelineTest(unittest.TestCase):
    """`pipelines.json` lists pipelines; `found.json` what TypeScript finds in notes with each of them."""

    @classmethod
    def setUpClass(cls):
        cls.pipelines = fixture_json("pipelines.json")
        cls.notes = fixture_json("notes.json")

    def open(self, case, folder=None):
        embeddings = open_embeddings(fixture(case["embeddings"]))
        key = read_public_key(fixture(case.get("key", "publisher.pem")))
        return open_pipeline(fixture(folder or case["bundle"]), [key], embeddings)

    def spans(self, pipeline, text, threshold=None):
        return [
            [span.type, span.start, span.end] for span in pipeline.find(text, threshold=threshold)
        ]

    def test_finds_the_spans_of_typescript_in_invented_notes(self):
        self.assertGreaterEqual(len(self.pipelines[-1]["spans"]), 150)
        found_any = 0
        for case in self.pipelines:
            pipeline = self.open(case)
            wrong = []
            for index, expected in enumerate(case["spans"]):
                found = self.spans(pipeline, self.notes[index])
                found_any += len(found)
                if found != [span[:3] for span in expected]:
                    wrong.append(index)
            self.assertEqual(wrong, [], case["bundle"])
        self.assertGreater(found_any, 1000)

    def test_is_as_sure_of_them_and_keeps_to_a_threshold_as_typescript_does(self):
        for case in self.pipelines:
            pipeline = self.open(case)
            for index, expected in enumerate(case["spans"][:10]):
                found = [span.confidence for span in pipeline.find(self.notes[index])]
                np.testing.assert_allclose(found, [span[3] for span in expected], atol=1e-4)
            for threshold, by_note in case["at"].items():
                for index, expected in enumerate(by_note):
                    found = self.spans(pipeline, self.notes[index], float(threshold))
                    self.assertEqual(found, expected)

    def test_finds_as_much_in_a_text_of_many_blocks(self):
        case = self.pipelines[0]
        text = "\n\n".join(self.notes[:80])
        self.assertGreater(len(text), 70_000)
        self.assertEqual(self.spans(self.open(case), text), case["long"])

    def test_writes_types_or_asterisks_in_the_place_of_phi(self):
        case = self.pipelines[0]
        pipeline = self.open(case)
        text = self.notes[0]
        masked = pipeline.deidentify(text, policy="mask")
        self.assertEqual(len(masked), len(text))
        tagged = pipeline.deidentify(text)
        for kind, start, end in self.spans(pipeline, text):
            self.assertEqual(masked[start:end], "*" * (end - start))
            self.assertIn(f"[{kind}]", tagged)
        self.assertEqual(pipeline.deidentify(""), "")
        with self.assertRaises(TacetError):
            pipeline.deidentify(text, policy="surrogate")

    def test_refuses_other_embeddings_other_kinds_and_bundles_of_earlier_versions(self):
        case = self.pipelines[0]
        other = next(each for each in self.pipelines if each["embeddings"] != case["embeddings"])
        refused = [
            ({**case, "embeddings": other["embeddings"]}, None, "model-unsuitable"),
            (case, "representation-alone", "model-unsuitable"),
            (case, "of-an-earlier-version", "model-unsuitable"),
            (case, "of-another-tokenisation", "tokenisation-unsupported"),
        ]
        for of, folder, code in refused:
            with self.subTest(folder), self.assertRaises(TacetError) as caught:
                self.open(of, folder)
            self.assertEqual(caught.exception.code, code)

    def test_uses_no_byte_of_a_bundle_that_was_changed(self):
        case = self.pipelines[0]
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "bundle")
            shutil.copytree(fixture(case["bundle"]), copy)
            graph = copy / "deidentifier.onnx"
            content = bytearray(graph.read_bytes())
            content[-1] ^= 1
            graph.write_bytes(content)
            embeddings = open_embeddings(fixture(case["embeddings"]))
            with self.assertRaises(TacetError) as caught:
                open_pipeline(copy, [read_public_key(fixture("publisher.pem"))], embeddings)
            self.assertEqual(caught.exception.code, "bundle-digest")


if __name__ == "__main__":
    unittest.main()
