from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path

from tacet.elements import are_finite, decode_elements
from tacet.errors import TacetError
from tacet.segment import SegmentReader
from tacet.snapshot_file import open_snapshot

from .fixtures import fixture, fixture_json, needs_fixtures


def in_chunks(content: bytes, size: int):
    for start in range(0, len(content), size):
        yield content[start : start + size]


@needs_fixtures
class SegmentTest(unittest.TestCase):
    """`segments.json` lists segments with what TypeScript finds in each, or None where it refuses it."""

    def test_reads_what_typescript_wrote_whatever_the_size_of_the_chunks(self):
        for name, expected in fixture_json("segments.json").items():
            if expected is None:
                continue
            content = fixture(name).read_bytes()
            for size in (1, 7, 1 << 20):
                with self.subTest(name, size=size):
                    reader = SegmentReader(in_chunks(content, size))
                    self.assertEqual(self.header_of(reader), expected["header"])
                    self.assertEqual(self.sentences_of(reader), expected["sentences"])

    def test_refuses_what_typescript_refuses(self):
        refused = [name for name, found in fixture_json("segments.json").items() if found is None]
        self.assertGreater(len(refused), 100)
        for name in refused:
            with self.subTest(name):
                content = fixture(name).read_bytes()
                with self.assertRaises(TacetError) as caught:
                    list(SegmentReader([content]))
                self.assertEqual(caught.exception.code, "segment-invalid")

    def test_refuses_a_stream_that_breaks_off_at_any_byte(self):
        content = fixture("plain.segment").read_bytes()
        for stop in range(0, len(content), 11):
            with self.assertRaises(TacetError) as caught:
                list(SegmentReader([content[:stop]]))
            self.assertEqual(caught.exception.code, "segment-invalid")

    def test_hands_sentences_on_before_the_stream_has_ended(self):
        content = fixture("large.segment").read_bytes()
        read = 0

        def chunks():
            nonlocal read
            for chunk in in_chunks(content, 4096):
                read += len(chunk)
                yield chunk

        sentences = iter(SegmentReader(chunks()))
        next(sentences)
        self.assertLess(read, len(content) * 3 // 4)

    def test_gives_vectors_as_an_array_of_numpy(self):
        try:
            import numpy  # noqa: F401
        except ImportError:
            self.skipTest("numpy is not installed")
        for kind in ("float16", "float32"):
            for sentence in open_snapshot(fixture(f"{kind}.segment")):
                found = sentence.array()
                self.assertEqual(str(found.dtype), kind)
                self.assertEqual([tuple(row) for row in found.tolist()], sentence.rows())

    def test_opens_files_and_says_which_are_missing(self):
        self.assertGreater(len(list(open_snapshot(fixture("plain.segment")))), 0)
        with self.assertRaises(TacetError) as caught:
            open_snapshot(fixture("no-such-file"))
        self.assertEqual(caught.exception.code, "file-not-found")

    def header_of(self, reader):
        header = reader.header
        return {
            "modelDigest": header.model_digest,
            "labelSchemeDigest": header.label_scheme_digest,
            "dimension": header.dimension,
            "elementType": header.element_type,
            "labelCount": header.label_count,
            "entities": header.entities,
            "sentenceCount": header.sentence_count,
            **({"keptTypes": list(header.kept_types)} if header.kept_types else {}),
        }

    def sentences_of(self, reader):
        return [
            {
                "vectors": [value for row in sentence.rows() for value in row],
                "labels": list(sentence.labels),
            }
            for sentence in reader
        ]


@needs_fixtures
class ArrowTest(unittest.TestCase):
    def setUp(self):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            self.skipTest("pyarrow is not installed")

    def test_reads_the_sentences_of_the_same_segment(self):
        for kind in ("float16", "float32"):
            plain = open_snapshot(fixture(f"{kind}.segment"))
            arrow = open_snapshot(fixture(f"{kind}.arrows"))
            self.assertEqual(arrow.header, plain.header)
            self.assertEqual(list(arrow), list(plain))

    def test_refuses_a_stream_that_is_cut_off_or_none_at_all(self):
        content = fixture("float32.arrows").read_bytes()
        cut = fixture("cut.arrows")
        for stop in (0, 10, len(content) // 2, len(content) - 400):
            cut.write_bytes(content[:stop])
            with self.assertRaises(TacetError) as caught:
                list(open_snapshot(cut))
            self.assertEqual(caught.exception.code, "segment-invalid")


class OtherFilesTest(unittest.TestCase):
    def test_says_of_a_file_of_another_kind_that_it_is_no_snapshot(self):
        for file in (__file__, os.devnull):
            with self.subTest(file), self.assertRaises(TacetError) as caught:
                open_snapshot(file)
            self.assertEqual(caught.exception.code, "segment-invalid")
            self.assertIn("expected a snapshot", str(caught.exception))


class WithoutPyarrowTest(unittest.TestCase):
    def test_says_what_to_install_to_read_arrow(self):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            with tempfile.TemporaryDirectory() as folder, self.assertRaises(TacetError) as caught:
                file = Path(folder, "snapshot.arrow")
                file.write_bytes(b"\xff\xff\xff\xff")
                open_snapshot(file)
            self.assertEqual(caught.exception.code, "package-missing")
            self.assertIn("pip install pyarrow", str(caught.exception))
        else:
            self.skipTest("pyarrow is installed")


class ElementsTest(unittest.TestCase):
    def test_decodes_halves_and_singles(self):
        self.assertEqual(decode_elements(b"\x00\x3c\x00\xc0", "float16"), (1.0, -2.0))
        self.assertEqual(decode_elements(b"\x00\x00\x80\x3f", "float32"), (1.0,))

    def test_tells_numbers_from_infinities_and_what_is_no_number(self):
        cases = {
            "float16": {"ff7b": True, "007c": False, "00fc": False, "017e": False, "": True},
            "float32": {
                "ffff7f7f": True,
                "0000007f": True,
                "0000807f": False,
                "000080ff": False,
                "0100c07f": False,
            },
        }
        for element_type, outcomes in cases.items():
            for content, finite in outcomes.items():
                found = are_finite(bytes.fromhex(content), element_type)
                self.assertEqual(found, finite, (element_type, content))


if __name__ == "__main__":
    unittest.main()
