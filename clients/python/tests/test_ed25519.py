from __future__ import annotations

import unittest

from tacet.ed25519 import ORDER, PRIME, require_sound_key, verify, verify_in_python
from tacet.errors import TacetError

#: Public key, message and signature of RFC 8032, section 7.1.
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]


def vectors():
    return [tuple(bytes.fromhex(part) for part in vector) for vector in VECTORS]


class Ed25519Test(unittest.TestCase):
    def test_accepts_the_signatures_of_rfc_8032_with_and_without_cryptography(self):
        for key, message, signature in vectors():
            self.assertTrue(verify(key, message, signature))
            self.assertTrue(verify_in_python(key, message, signature))

    def test_refuses_each_signature_with_a_bit_flipped_anywhere(self):
        key, message, signature = vectors()[1]
        for bit in range(0, 512, 7):
            forged = bytearray(signature)
            forged[bit // 8] ^= 1 << bit % 8
            self.assertFalse(verify_in_python(key, message, bytes(forged)))
            self.assertFalse(verify(key, message, bytes(forged)))

    def test_refuses_another_message_another_key_and_other_lengths(self):
        (other, _, _), (key, message, signature) = vectors()[:2]
        for check in (verify, verify_in_python):
            self.assertFalse(check(key, message + b"\0", signature))
            self.assertFalse(check(other, message, signature))
            self.assertFalse(check(key, message, signature[:-1]))
            self.assertFalse(check(key, message, signature + b"\0"))
            self.assertFalse(check(key[:-1], message, signature))

    def test_refuses_a_second_form_of_a_signature(self):
        key, message, signature = vectors()[1]
        s = int.from_bytes(signature[32:], "little") + ORDER
        second = signature[:32] + s.to_bytes(32, "little")
        self.assertFalse(verify_in_python(key, message, second))
        self.assertFalse(verify(key, message, second))

    def test_refuses_keys_under_which_anyone_can_sign_and_keys_written_otherwise(self):
        small = [0, 1, PRIME - 1]
        for y in small + [PRIME, PRIME + 1, 2**255 - 1]:
            with self.assertRaises(TacetError) as caught:
                require_sound_key(y.to_bytes(32, "little"))
            self.assertEqual(caught.exception.code, "key-invalid")
        with self.assertRaises(TacetError):
            require_sound_key(b"\7" * 31)
        self.assertEqual(require_sound_key(vectors()[0][0]), vectors()[0][0])


if __name__ == "__main__":
    unittest.main()
