from __future__ import annotations

import http.server
import threading
import time
import unittest

from tacet import Pool, ServiceError, TacetError, open_snapshot

from .fixtures import fixture, fixture_json, needs_fixtures


@needs_fixtures
class PoolTest(unittest.TestCase):
    """Against pools that the service's own tests have started; `pool.json` says where they are."""

    def setUp(self):
        self.site = fixture_json("pool.json")
        self.pool = Pool(self.site["url"], self.site["token"])

    def keys(self, reader):
        return [(sentence.vectors, sentence.labels) for sentence in reader]

    def test_reads_a_snapshot_as_the_command_writes_it(self):
        expected = self.keys(open_snapshot(fixture("snapshot.segment")))
        found = self.keys(self.pool.sentences(self.site["snapshot"], seed=7))
        self.assertEqual(found, expected)
        self.assertEqual(self.pool.snapshot(self.site["snapshot"])["sentenceCount"], len(found))
        self.assertIn(self.site["snapshot"], [each["id"] for each in self.pool.snapshots()])

    def test_reads_the_same_as_arrow(self):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            self.skipTest("pyarrow is not installed")
        of_segment = self.keys(self.pool.sentences(self.site["snapshot"], seed=7))
        found = self.keys(self.pool.sentences(self.site["snapshot"], seed=7, form="arrow"))
        self.assertEqual(found, of_segment)

    def test_reads_the_part_whose_notes_left_so_many_times(self):
        expected = self.keys(self.pool.sentences(self.site["snapshot"], seed=7))
        found = self.keys(self.pool.sentences(self.site["snapshot"], seed=7, copies=1))
        self.assertEqual(found, expected)
        with self.assertRaises(ServiceError) as caught:
            self.pool.sentences(self.site["snapshot"], copies=7)
        self.assertEqual(caught.exception.code, "not-found")

    def test_goes_on_where_a_connection_broke_off(self):
        broken = Pool(self.site["breaking"], self.site["token"])
        expected = self.keys(self.pool.sentences(self.site["snapshot"], seed=3))
        self.assertEqual(self.keys(broken.sentences(self.site["snapshot"], seed=3)), expected)

    def test_raises_the_problem_that_the_pool_states(self):
        with self.assertRaises(ServiceError) as caught:
            self.pool.snapshot("0" * 64)
        error = caught.exception
        self.assertEqual((error.code, error.status), ("not-found", 404))
        self.assertEqual(error.title, "There is no such thing")
        self.assertTrue(error.detail)
        for token in (None, "wrong-token-wrong-token"):
            with self.assertRaises(ServiceError) as caught:
                Pool(self.site["url"], token).snapshots()
            self.assertEqual(caught.exception.code, "unauthorized")

    def test_refuses_another_snapshot_than_it_asked_for(self):
        with self.assertRaises(TacetError) as caught:
            Pool(self.site["lying"], self.site["token"]).snapshot(self.site["snapshot"])
        self.assertEqual(caught.exception.code, "digest-mismatch")

    def test_follows_no_redirect_with_a_token(self):
        with self.assertRaises(TacetError) as caught:
            Pool(self.site["redirecting"], self.site["token"]).snapshots()
        self.assertEqual(caught.exception.code, "server-failed")

    def test_says_so_where_no_server_answers_or_the_address_is_none(self):
        with self.assertRaises(TacetError) as caught:
            Pool("http://127.0.0.1:1", "token").snapshots()
        self.assertEqual(caught.exception.code, "server-unreachable")
        with self.assertRaises(TacetError) as caught:
            Pool("file:///etc")
        self.assertEqual(caught.exception.code, "usage")


class SlowRestTest(unittest.TestCase):
    """Against a server made for the purpose, which is slow to begin with the rest of a stream."""

    def test_waits_for_the_rest_of_a_stream_longer_than_for_other_answers(self):
        asked = []

        class Answers(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                asked.append(self.headers.get("Range"))
                rest = len(asked) > 1
                if rest:
                    time.sleep(1)
                self.send_response(206 if rest else 200)
                self.send_header("ETag", '"stream"')
                self.send_header("Content-Length", "500" if rest else "1000")
                self.end_headers()
                self.wfile.write(b"x" * 500)
                self.close_connection = True

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            pool = Pool(f"http://127.0.0.1:{server.server_port}", "token", timeout=0.2)
            chunks = list(pool._chunks("a" * 64, 1, None, "protobuf"))
            server.shutdown()
        self.assertEqual(sum(map(len, chunks)), 1000)
        self.assertEqual(asked, [None, "bytes=500-"])


if __name__ == "__main__":
    unittest.main()
