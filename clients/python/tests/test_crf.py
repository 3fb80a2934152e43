from __future__ import annotations

import itertools
import unittest

try:
    import numpy as np
except ImportError:
    np = None

from tacet.crf import Crf, posterior, viterbi

from .fixtures import fixture_json, needs_fixtures


@needs_fixtures
@unittest.skipUnless(np, "numpy is not installed")
class GoldenCrfTest(unittest.TestCase):
    def test_decodes_what_typescript_decodes(self):
        golden = fixture_json("crf.json")
        labels, steps, lengths = golden["L"], golden["T"], np.array(golden["lengths"])
        emissions = np.array(golden["emissions"], np.float32).reshape(-1, steps, labels)
        crf = Crf(
            np.array(golden["transitions"]).reshape(labels, labels),
            np.array(golden["start"]),
            np.array(golden["end"]),
        )
        paths = np.array(golden["paths"]).reshape(-1, steps)
        found = posterior(emissions, lengths, crf)
        for row, path in enumerate(viterbi(emissions, lengths, crf)):
            self.assertEqual(path, paths[row, : lengths[row]].tolist())
            expected = np.array(golden["posteriors"][row]).reshape(-1, labels)
            np.testing.assert_allclose(found[row, : lengths[row]], expected, rtol=1e-6, atol=1e-9)


@unittest.skipUnless(np, "numpy is not installed")
class CrfTest(unittest.TestCase):
    """Against every path of small fields, one by one."""

    def setUp(self):
        self.random = np.random.default_rng(1)

    def fields(self):
        """Fields with a batch of sentences of several lengths."""
        for labels, lengths in ((1, [1, 2]), (2, [4, 1, 3]), (3, [5, 2]), (4, [3])):
            draw = self.random.normal
            crf = Crf(draw(size=(labels, labels)), draw(size=labels), draw(size=labels))
            shape = (len(lengths), max(lengths), labels)
            yield crf, draw(size=shape).astype(np.float32), np.array(lengths, np.int32)

    def scores(self, crf, emissions):
        steps, labels = emissions.shape
        for path in itertools.product(range(labels), repeat=steps):
            score = crf.start[path[0]] + crf.end[path[-1]]
            score += sum(float(emissions[t, label]) for t, label in enumerate(path))
            score += sum(crf.transitions[a, b] for a, b in zip(path, path[1:]))
            yield path, score

    def test_finds_the_best_of_all_paths(self):
        for crf, emissions, lengths in self.fields():
            for row, found in enumerate(viterbi(emissions, lengths, crf)):
                own = self.scores(crf, emissions[row, : lengths[row]])
                self.assertEqual(found, list(max(own, key=lambda each: each[1])[0]))

    def test_gives_ties_to_the_lower_label(self):
        crf = Crf(np.zeros((3, 3)), np.zeros(3), np.zeros(3))
        found = viterbi(np.zeros((1, 4, 3), np.float32), np.array([4]), crf)
        self.assertEqual(found, [[0, 0, 0, 0]])

    def test_sums_the_posterior_of_each_label_over_all_paths(self):
        for crf, emissions, lengths in self.fields():
            found = posterior(emissions, lengths, crf)
            for row, length in enumerate(lengths):
                own = emissions[row, :length]
                expected = np.zeros(own.shape)
                for path, score in self.scores(crf, own):
                    for t, label in enumerate(path):
                        expected[t, label] += np.exp(score)
                expected /= expected.sum(axis=1, keepdims=True)
                np.testing.assert_allclose(found[row, :length], expected, rtol=1e-9)


if __name__ == "__main__":
    unittest.main()
