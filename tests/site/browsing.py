# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A browser for tests of pages: headless Chromium, from files and over http."""

import functools
import http.server
import os
import shutil
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from playwright.sync_api import sync_playwright

DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}


def chromium():
    named = os.environ.get("PODIUM_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not found:
        print("no chromium is installed: scripts/setup --site-tests installs one", file=sys.stderr)
        sys.exit(4 if os.environ.get("PODIUM_TEST_SITE") else 77)
    return found


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def touching_names(page):
    """Names of levels in a page's rooflines that touch another one, a point, or the edge."""
    return page.evaluate(
        """() => {
          document.querySelectorAll('details').forEach((d) => (d.open = true));
          const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
          const found = [];
          for (const roof of document.querySelectorAll('svg.roof')) {
            const names = [...roof.querySelectorAll('.roofname')], edge = roof.getBoundingClientRect();
            const box = (node) => node.getBoundingClientRect();
            const letters = (node) => ({ left: box(node).left, right: box(node).right, top: box(node).top + 2, bottom: box(node).bottom - 2 });
            for (const [i, name] of names.entries()) {
              const other = names.slice(0, i).find((one) => !apart(letters(name), letters(one)));
              const point = [...roof.querySelectorAll('circle')].find((one) => !apart(letters(name), box(one)));
              if (other) found.push(`${name.textContent} touches ${other.textContent}`);
              if (point) found.push(`${name.textContent} touches the point ${point.parentNode.textContent.trim()}`);
              if (box(name).left < edge.left || box(name).right > edge.right) found.push(`${name.textContent} leaves the figure`);
            }
          }
          return found;
        }"""
    )


class InBrowser(unittest.TestCase):
    """A test in headless Chromium, which fails of any error, warning or failed request of a page."""

    @classmethod
    def setUpClass(cls):
        os.nice(10)
        cls.parent = Path(tempfile.mkdtemp(prefix="podium-site-"))
        cls.addClassCleanup(shutil.rmtree, cls.parent)
        handler = functools.partial(Quiet, directory=cls.parent)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.shutdown)
        playwright = sync_playwright().start()
        cls.addClassCleanup(playwright.stop)
        cls.browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.faults = []

    def tearDown(self):
        self.assertEqual(self.faults, [])

    def page(self, viewport=DESKTOP, colours="light", **options):
        context = self.browser.new_context(viewport=viewport, color_scheme=colours, reduced_motion="reduce", **options)
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.on("console", lambda message: message.type in ("error", "warning") and self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("requestfailed", self.request_failed)
        page.on("response", lambda answer: answer.status >= 400 and self.faults.append(f"{answer.url}: {answer.status}"))
        page.on("dialog", lambda dialog: self.faults.append(dialog.message))
        return page

    def request_failed(self, request):
        # The next page may come before the icon of this one.
        if not (request.url.endswith("podium.svg") and "ERR_ABORTED" in request.failure):
            self.faults.append(f"{request.url}: {request.failure}")

    def overflow(self, page):
        return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def serious(self, found):
        """Also regions of one name, among which nobody can choose, and heads that head nothing."""
        return [
            f"{v['id']}: {v['nodes'][0]['html'][:200]}: {v['nodes'][0]['failureSummary']}"
            for v in found.response["violations"]
            if v["impact"] in ("serious", "critical") or v["id"] in ("landmark-unique", "scope-attr-valid")
        ]
