from __future__ import annotations

import unittest

from tacet import Encoder, ServiceError, TacetError

from .fixtures import fixture_json, needs_fixtures

NOTE = {"id": "n", "text": "alpha 😀 beta gamma delta.", "spans": []}


@needs_fixtures
class EncoderTest(unittest.TestCase):
    """Against an encoder that the service's own tests have started; `encoder.json` says where it is."""

    def setUp(self):
        self.site = fixture_json("encoder.json")
        self.encoder = Encoder(self.site["url"], self.site["token"])

    def test_encodes_documents_once(self):
        notes = [{**NOTE, "text": f"{'alpha ' * length}beta."} for length in range(1, 9)]
        self.assertEqual(self.encoder.encode(notes, dry_run=True)["released"], 0)
        self.assertEqual(self.encoder.encode(notes)["released"], len(notes))
        self.assertEqual(self.encoder.encode(notes)["released"], 0)

    def test_follows_a_job_to_its_end(self):
        job = self.encoder.submit([{**NOTE, "text": "gamma " * 30 + "."}])
        views = list(self.encoder.follow(job["id"]))
        self.assertEqual(views[-1]["state"], "done")
        self.assertEqual(self.encoder.job(job["id"])["report"]["released"], 1)
        self.assertIn(job["id"], [each["id"] for each in self.encoder.jobs()])

    def test_says_of_files_that_their_notes_hold_no_phi(self):
        for without_phi, state in ((False, "failed"), (True, "done")):
            job = self.encoder.submit(input="notes.jsonl", without_phi=without_phi, dry_run=True)
            self.assertEqual(list(self.encoder.follow(job["id"]))[-1]["state"], state)

    def test_ends_a_job_that_is_no_longer_wanted(self):
        job = self.encoder.submit([{**NOTE, "text": "zeta " * 31 + "."}])
        self.encoder.cancel(job["id"])
        end = list(self.encoder.follow(job["id"]))[-1]["state"]
        self.assertIn(end, ("cancelled", "done"))

    def test_replaces_phi_with_offsets_that_python_can_slice_by(self):
        text = "Write to 😀 someone@example.org today."
        (found,) = self.encoder.deidentify([{"text": text}], policy="annotate")
        self.assertEqual(found["text"], text)
        pieces = [text[span["start"] : span["end"]] for span in found["spans"]]
        self.assertTrue(any("someone@example.org" in piece for piece in pieces))
        (tagged,) = self.encoder.deidentify([{"text": text}])
        self.assertNotIn("someone@example.org", tagged["text"])

    def test_analyzes_as_presidio_does(self):
        text = "Write to 😀 someone@example.org today."
        found = self.encoder.analyze(text, entities=["EMAIL_ADDRESS"])
        for each in found:
            self.assertEqual(text[each["start"] : each["end"]], "someone@example.org")
        with self.assertRaises(ServiceError):
            self.encoder.analyze("")

    def test_raises_problems_that_hold_no_text_of_a_note(self):
        with self.assertRaises(ServiceError) as caught:
            self.encoder.encode([{"text": "a-name", "spans": [{"label": "X"}]}])
        self.assertEqual(caught.exception.code, "request-invalid")
        self.assertNotIn("a-name", str(caught.exception))
        with self.assertRaises(TacetError) as refused:
            self.encoder.submit()
        self.assertEqual(refused.exception.code, "usage")
        with self.assertRaises(ServiceError) as unauthorized:
            Encoder(self.site["url"], "not-the-token-at-all").jobs()
        self.assertEqual(unauthorized.exception.code, "unauthorized")


if __name__ == "__main__":
    unittest.main()
