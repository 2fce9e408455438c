# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""committed_browser_test.py PODIUM: the site of the results of this tree in a real browser."""

import sys
import unittest

from axe_playwright_python.sync_playwright import Axe

import building
from browsing import DESKTOP, PHONE, InBrowser, touching_names

PODIUM = sys.argv.pop(1)


class CommittedInBrowser(InBrowser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.site, _ = building.committed(cls.parent, PODIUM)

    def pages(self):
        """Each page at the top and of a problem or a device, and one of each other kind."""
        yield from sorted(self.site.glob("*.html"))
        for kind, most in (("problem", None), ("device", None), ("contestant", 1), ("run", 1), ("source", 1)):
            yield from sorted((self.site / kind).glob("*.html"))[:most]

    def test_pages_fit_a_phone_and_names_in_rooflines_touch_nothing(self):
        page = self.page(viewport=PHONE)
        for file in self.pages():
            page.goto(file.as_uri())
            self.assertLessEqual(self.overflow(page), 0, file)
            page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
            self.assertLessEqual(self.overflow(page), 0, file)
            self.assertEqual(touching_names(page), [], file)

    def test_long_names_leave_values_room(self):
        page = self.page(viewport=DESKTOP)
        for file in sorted((self.site / "run").glob("*.html")):
            page.goto(file.as_uri())
            narrowest = page.evaluate("Math.min(...[...document.querySelectorAll('.facts dd')].map((one) => one.clientWidth))")
            self.assertGreater(narrowest, 200, file)

    def test_dates_stay_in_one_line_on_a_phone(self):
        page = self.page(viewport=PHONE)
        for file in sorted((self.site / "device").glob("*.html")):
            page.goto(file.as_uri())
            dates = "[...document.querySelectorAll('td.num a')].filter((one) => /^[0-9-]{10}$/.test(one.textContent))"
            lines = page.evaluate(dates + ".map((one) => one.getClientRects().length)")
            self.assertEqual({1}, set(lines), file)

    def test_axe_finds_nothing_serious(self):
        axe = Axe()
        page = self.page(viewport=DESKTOP)
        for file in sorted(self.site.glob("*.html")):
            page.goto(f"http://127.0.0.1:{self.server.server_port}/site/{file.name}")
            with self.subTest(path=file.name):
                self.assertEqual(self.serious(axe.run(page)), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
