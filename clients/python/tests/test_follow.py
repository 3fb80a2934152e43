"""Events of a job, from a server made for the purpose."""

from __future__ import annotations

import socket
import threading
import unittest
from typing import Any, Dict, List

from tacet import Encoder, TacetError

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)
EVENT = b'data: {"ended": null}\n\n'
CHUNK = b"%x\r\n%s\r\n" % (len(EVENT), EVENT)


class FollowTest(unittest.TestCase):
    def follow(self, last: bytes) -> List[Dict[str, Any]]:
        """What comes of one event, after which the server sends `last` and is gone."""
        views: List[Dict[str, Any]] = []
        with socket.create_server(("127.0.0.1", 0)) as server:

            def answer() -> None:
                connection, _ = server.accept()
                with connection:
                    connection.recv(1 << 16)
                    connection.sendall(HEAD + CHUNK + last)

            thread = threading.Thread(target=answer)
            thread.start()
            try:
                address = f"http://127.0.0.1:{server.getsockname()[1]}"
                for view in Encoder(address).follow("a-job"):
                    views.append(view)
            finally:
                thread.join()
                self.assertEqual(views, [{"ended": None}])
        return views

    def test_says_that_events_broke_off_wherever_they_did(self) -> None:
        for last in (b"", b"4", b"not hex\r\n", b"40\r\ndata: {", b"0\r\n\r\n"):
            with self.subTest(last=last), self.assertRaises(TacetError) as raised:
                self.follow(last)
            self.assertEqual(raised.exception.code, "server-failed")


if __name__ == "__main__":
    unittest.main()
