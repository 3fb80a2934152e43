from __future__ import annotations

import unittest

from tacet import abbreviations
from tacet.blocks import blocks_of
from tacet.casing import casing_of
from tacet.character_codes import character_codes
from tacet.sentence_splitter import split_sentences
from tacet.tokeniser import tokenise

from .fixtures import fixture_json, needs_fixtures


def utf16_offsets(text):
    offsets, at = [], 0
    for character in text:
        offsets.append(at)
        at += 2 if character > "\uffff" else 1
    return [*offsets, at]


@needs_fixtures
class TextTest(unittest.TestCase):
    """`texts.json` holds texts with the tokens, sentences and blocks that TypeScript finds in them."""

    @classmethod
    def setUpClass(cls):
        cls.found = fixture_json("texts.json")

    def test_splits_texts_into_the_tokens_and_sentences_of_typescript(self):
        self.assertGreater(len(self.found["texts"]), 1000)
        for index, case in enumerate(self.found["texts"]):
            text = case["text"]
            offsets = utf16_offsets(text)
            tokens = tokenise(text)
            found = [[offsets[token.start], offsets[token.end]] for token in tokens]
            # Messages of failures name the case, not the text.
            self.assertEqual(found, case["tokens"], index)
            lengths = [len(sentence) for sentence in split_sentences(text, tokens)]
            self.assertEqual(lengths, case["sentences"], index)

    def test_sees_casing_and_characters_of_words_as_typescript_does(self):
        self.assertGreater(len(self.found["words"]), 1000)
        for case in self.found["words"]:
            self.assertEqual(casing_of(case["word"]), case["casing"], case["word"])
            self.assertEqual(character_codes(case["word"].lower()), case["codes"], case["word"])

    def test_cuts_long_texts_where_typescript_does(self):
        for case in self.found["long"]:
            offsets = utf16_offsets(case["text"])
            starts = [offsets[start] for start, _ in blocks_of(case["text"])]
            self.assertEqual(starts, case["starts"])
            self.assertEqual("".join(piece for _, piece in blocks_of(case["text"])), case["text"])

    def test_knows_the_abbreviations_of_typescript(self):
        for name, words in self.found["abbreviations"].items():
            self.assertEqual(sorted(getattr(abbreviations, name)), sorted(words))


if __name__ == "__main__":
    unittest.main()
