from __future__ import annotations

import importlib.util
import tempfile
import unittest

from tacet import TacetError, open_embeddings, open_pipeline, open_snapshot, read_public_key
from tacet.dataset_examples import examples_of_file, features_of
from tacet.label_scheme import Span
from tacet.token_ranges import apart

from .fixtures import fixture, fixture_json, needs_fixtures

PIPELINE_PACKAGES = ("numpy", "onnxruntime")


def lacking(*packages):
    missing = [each for each in packages if importlib.util.find_spec(each) is None]
    return f"{', '.join(missing)} not installed" if missing else ""


def needs(*packages):
    return unittest.skipIf(lacking(*packages), lacking(*packages))


@needs_fixtures
class DatasetTest(unittest.TestCase):
    def test_gives_examples_without_the_package_datasets(self):
        sentences = list(open_snapshot(fixture("snapshot.segment")))
        examples = list(examples_of_file(fixture("snapshot.segment")))
        self.assertEqual(len(examples), len(sentences))
        for example, sentence in zip(examples, sentences):
            self.assertEqual(example["labels"], list(sentence.labels))
            self.assertEqual([tuple(row) for row in example["vectors"]], sentence.rows())

    @unittest.skipIf(not lacking("datasets"), "datasets is installed")
    def test_says_what_to_install_for_features(self):
        with self.assertRaises(TacetError) as caught:
            features_of(open_snapshot(fixture("snapshot.segment")).header)
        self.assertIn("pip install datasets", str(caught.exception))

    @needs("datasets")
    def test_is_a_generator_of_the_package_datasets(self):
        import datasets

        file = str(fixture("snapshot.segment"))
        header = open_snapshot(file).header
        with tempfile.TemporaryDirectory() as cache:
            dataset = datasets.Dataset.from_generator(
                examples_of_file,
                gen_kwargs={"file": file},
                features=features_of(header),
                cache_dir=cache,
            )
            self.assertEqual(len(dataset), header.sentence_count)
            first = next(iter(open_snapshot(file)))
            self.assertEqual(dataset[0]["labels"], list(first.labels))
            self.assertEqual([tuple(row) for row in dataset[0]["vectors"]], first.rows())


@needs_fixtures
class RecogniserTest(unittest.TestCase):
    def pipeline(self):
        case = fixture_json("pipelines.json")[0]
        key = read_public_key(fixture("publisher.pem"))
        return open_pipeline(
            fixture(case["bundle"]), [key], open_embeddings(fixture(case["embeddings"]))
        )

    @needs("presidio_analyzer", *PIPELINE_PACKAGES)
    def test_recognises_in_presidio_what_the_pipeline_finds(self):
        from tacet.presidio_recogniser import recogniser_of

        pipeline = self.pipeline()
        recogniser = recogniser_of(pipeline)
        text = fixture_json("notes.json")[0]
        expected = [(span.type, span.start, span.end) for span in pipeline.find(text)]
        found = recogniser.analyze(text, list(pipeline.types))
        self.assertEqual([(each.entity_type, each.start, each.end) for each in found], expected)
        self.assertEqual(recogniser.analyze(text, ["NO_SUCH_TYPE"]), [])

    @needs("presidio_analyzer", "spacy", *PIPELINE_PACKAGES)
    def test_is_asked_by_the_engine_of_presidio(self):
        import spacy
        from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
        from presidio_analyzer.nlp_engine import SpacyNlpEngine

        from tacet.presidio_recogniser import recogniser_of

        pipeline = self.pipeline()
        text = fixture_json("notes.json")[0]
        expected = {(span.type, span.start, span.end) for span in pipeline.find(text)}
        with tempfile.TemporaryDirectory() as blank:
            spacy.blank("en").to_disk(blank)
            model = {"lang_code": "en", "model_name": blank}
            registry = RecognizerRegistry(recognizers=[recogniser_of(pipeline)])
            engine = AnalyzerEngine(registry=registry, nlp_engine=SpacyNlpEngine(models=[model]))
            found = engine.analyze(text, language="en")
        self.assertEqual({(each.entity_type, each.start, each.end) for each in found}, expected)

    @unittest.skipIf(not lacking("presidio_analyzer"), "presidio_analyzer is installed")
    def test_says_what_to_install_for_presidio(self):
        from tacet.presidio_recogniser import recogniser_of

        with self.assertRaises(TacetError) as caught:
            recogniser_of(object(), entities=["NAME"])  # type: ignore[arg-type]
        self.assertIn("pip install presidio-analyzer", str(caught.exception))

    @needs("spacy", *PIPELINE_PACKAGES)
    def test_is_a_component_of_spacy_that_leaves_nothing_found_outside(self):
        import spacy

        import tacet.spacy_component  # noqa: F401

        case = fixture_json("pipelines.json")[0]
        nlp = spacy.blank("en")
        nlp.add_pipe(
            "tacet",
            config={
                "bundle": str(fixture(case["bundle"])),
                "public_keys": [str(fixture("publisher.pem"))],
                "embeddings": str(fixture(case["embeddings"])),
            },
        )
        pipeline = self.pipeline()
        for text in fixture_json("notes.json")[:5]:
            doc = nlp(text)
            found = pipeline.find(text)
            self.assertEqual([each.label_ for each in doc.spans["phi"]], [s.type for s in found])
            for wide, span in zip(doc.spans["phi"], found):
                self.assertLessEqual(wide.start_char, span.start)
                self.assertGreaterEqual(wide.end_char, span.end)
            covered = {at for each in doc.ents for at in range(each.start_char, each.end_char)}
            inside = {
                at for span in found for at in range(span.start, span.end) if not text[at].isspace()
            }
            self.assertFalse(inside - covered)

    @unittest.skipIf(not lacking("spacy"), "spacy is installed")
    def test_says_what_to_install_for_spacy(self):
        with self.assertRaises(TacetError) as caught:
            importlib.import_module("tacet.spacy_component")
        self.assertIn("pip install spacy", str(caught.exception))


class TokenRangesTest(unittest.TestCase):
    @needs("spacy")
    def test_has_both_of_two_spans_that_share_a_token_of_spacy_as_entities(self):
        import spacy

        from tacet.spacy_component import PhiComponent

        class Found:
            def find(self, text, threshold=None):
                return [Span("NAME", 0, 7), Span("DATE", 8, 19)]

        doc = PhiComponent(Found())(spacy.blank("en")("Ann Lee,12 May 2020"))  # type: ignore
        found = [(each.text, each.label_) for each in doc.ents]
        self.assertEqual(found, [("Ann Lee,12", "NAME"), ("May 2020", "DATE")])

    def test_cover_what_they_covered_and_share_no_token(self):
        self.assertEqual(apart([(0, 2), (1, 4), (4, 6)]), [(0, 2), (2, 4), (4, 6)])

    def test_have_none_where_nothing_is_left(self):
        self.assertEqual(apart([(0, 3), (1, 3), (2, 3), (2, 5)]), [(0, 3), None, None, (3, 5)])


if __name__ == "__main__":
    unittest.main()
