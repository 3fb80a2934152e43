from __future__ import annotations

import unittest
from unittest import mock

from tacet import ed25519
from tacet.bundle import verify_bundle
from tacet.errors import TacetError
from tacet.keys import key_id, parse_public_key, read_public_key
from tacet.label_scheme import scheme_of
from tacet.manifest import MANIFEST
from tacet.safetensors import read_safetensors
from tacet.schema import Fields

from .fixtures import fixture, fixture_json, needs_fixtures


def keys_of(fields):
    """The keys of an object of a schema, and of those in it."""
    known = {**fields.required, **fields.optional}
    objects = {key: check for key, check in known.items() if isinstance(check, Fields)}
    return {
        "required": sorted(fields.required),
        "optional": sorted(fields.optional),
        "objects": {key: keys_of(check) for key, check in objects.items()},
    }


@needs_fixtures
class BundleTest(unittest.TestCase):
    """`bundles.json` lists bundles, the keys to trust, and the code that TypeScript refuses each with."""

    def outcome(self, case):
        keys = [read_public_key(fixture(name)) for name in case["keys"]]
        try:
            found = verify_bundle(fixture(case["bundle"]), keys, signed_by=case["signedBy"])
        except TacetError as error:
            return {"code": error.code}
        return {"digest": found.digest, "keyIds": list(found.key_ids), "files": sorted(found.files)}

    def test_refuses_and_accepts_what_typescript_does_under_the_same_codes(self):
        cases = fixture_json("bundles.json")
        self.assertGreater(len(cases), 100)
        for case in cases:
            with self.subTest(case["bundle"]):
                self.assertEqual(self.outcome(case), case["outcome"])

    def test_does_so_without_the_package_cryptography(self):
        with mock.patch("tacet.dsse.verify", ed25519.verify_in_python):
            for case in fixture_json("bundles.json")[:12]:
                with self.subTest(case["bundle"]):
                    self.assertEqual(self.outcome(case), case["outcome"])

    def test_reads_the_weights_that_typescript_wrote(self):
        files = verify_bundle(
            fixture("original"), [read_public_key(fixture("publisher.pem"))]
        ).files
        found = read_safetensors(files["weights.safetensors"])
        expected = fixture_json("weights.json")
        self.assertEqual(set(found), set(expected))
        for name, tensor in found.items():
            self.assertEqual(list(tensor.shape), expected[name]["shape"])
            self.assertEqual(list(tensor.data), expected[name]["data"])

    def test_knows_the_keys_of_a_manifest_that_typescript_knows(self):
        self.assertEqual(keys_of(MANIFEST), fixture_json("manifest-keys.json"))

    def test_reads_label_schemes_as_typescript_does(self):
        for case in fixture_json("schemes.json"):
            with self.subTest(case["stated"]):
                try:
                    found = list(scheme_of("a bundle", case["stated"]).types)
                except TacetError as error:
                    found = error.code
                self.assertEqual(found, case["outcome"])

    def test_names_keys_as_typescript_does(self):
        for name, expected in fixture_json("keys.json").items():
            self.assertEqual(key_id(read_public_key(fixture(name))), expected)


class KeyTest(unittest.TestCase):
    def test_refuses_what_is_no_public_key_in_pem(self):
        wrong = [
            b"",
            b"-----BEGIN PUBLIC KEY-----",
            b"-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----",
            b"-----BEGIN PUBLIC KEY-----\n!!!!\n-----END PUBLIC KEY-----",
            b"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VuAyEA\n-----END PUBLIC KEY-----",
            b"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----",
        ]
        for pem in wrong:
            with self.assertRaises(TacetError) as caught:
                parse_public_key(pem)
            self.assertEqual(caught.exception.code, "key-invalid")

    def test_says_which_file_is_missing(self):
        with self.assertRaises(TacetError) as caught:
            read_public_key("no-such.pem")
        self.assertEqual(caught.exception.code, "file-not-found")


class SafetensorsTest(unittest.TestCase):
    def refused(self, header: bytes, content: bytes = b""):
        with self.assertRaises(TacetError) as caught:
            read_safetensors(len(header).to_bytes(8, "little") + header + content)
        self.assertEqual(caught.exception.code, "bundle-invalid")

    def test_refuses_what_the_format_forbids_or_leaves_open(self):
        entry = b'{"dtype":"F32","shape":[1],"data_offsets":[%d,%d]}'
        self.refused(b"")
        self.refused(b" {}")
        self.refused(b'{"a":1}')
        self.refused(b'{"a":' + entry % (0, 4) + b',"a":' + entry % (4, 8) + b"}", b"\0" * 8)
        self.refused(b'{"a":' + entry % (0, 4) + b',"b":' + entry % (2, 6) + b"}", b"\0" * 6)
        self.refused(b'{"a":' + entry % (4, 8) + b"}", b"\0" * 8)
        self.refused(b'{"a":' + entry % (0, 4) + b"}", b"\0" * 5)
        self.refused(b'{"a":' + entry.replace(b"F32", b"F64") % (0, 4) + b"}", b"\0" * 4)
        with self.assertRaises(TacetError):
            read_safetensors((1 << 40).to_bytes(8, "little") + b"{}")

    def test_passes_over_metadata(self):
        header = b'{"__metadata__":{"of":"x"},"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}'
        found = read_safetensors(
            len(header).to_bytes(8, "little") + header + b"\0\0\x80\x3f"
        )
        self.assertEqual(list(found["a"].data), [1.0])


if __name__ == "__main__":
    unittest.main()
