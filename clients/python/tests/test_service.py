"""Lists that come in pages, from a server made for the purpose."""

from __future__ import annotations

import http.server
import json
import threading
import unittest
from typing import Dict, List, Optional, Tuple

from tacet import TacetError
from tacet.service import Service

LIST = "/v1/snapshots"

Pages = Dict[str, Tuple[object, Optional[str]]]


class _Server(http.server.HTTPServer):
    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.asked: List[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(http.server.BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        page, link = self.server.pages[self.path[len("/behind" + LIST) :]]
        body = json.dumps(page).encode("ascii")
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        if link is not None:
            self.send_header("Link", link)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return None


class ServiceTest(unittest.TestCase):
    def listed(self, pages: Pages) -> List[object]:
        with _Server(pages) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            try:
                address = f"http://127.0.0.1:{server.server_port}/behind"
                return Service(address, "token").listed(LIST)
            finally:
                server.shutdown()
                thread.join()
                for path in server.asked:
                    self.assertTrue(path.startswith("/behind" + LIST))

    def test_reads_a_list_from_all_of_its_pages(self) -> None:
        pages: Pages = {
            "": ([1, 2], '<?cursor=a>; rel="next"'),
            "?cursor=a": ([3], "<?cursor=b>; rel=next"),
            "?cursor=b": ([4], None),
        }
        self.assertEqual(self.listed(pages), [1, 2, 3, 4])

    def test_follows_no_page_that_leads_astray(self) -> None:
        for link in (
            '<http://127.0.0.1:9/behind/v1/snapshots?cursor=a>; rel="next"',
            '<contributions?cursor=a>; rel="next"',
            '<?cursor=a>; rel="next"',
        ):
            with self.assertRaises(TacetError) as raised:
                self.listed({"": ([1], link), "?cursor=a": ([2], link)})
            self.assertEqual(raised.exception.code, "server-failed")

    def test_refuses_a_page_that_is_no_list(self) -> None:
        with self.assertRaises(TacetError):
            self.listed({"": ({}, None)})


if __name__ == "__main__":
    unittest.main()
