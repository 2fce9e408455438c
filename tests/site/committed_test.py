# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""committed_test.py PODIUM: the site of the results of this tree, as `podium publish` makes it."""

import json
import re
import shutil
import sys
import tempfile
import unittest

import building
from pages import Page, broken_links, unreachable

PODIUM = sys.argv.pop(1)


class Committed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        parent = tempfile.mkdtemp(prefix="podium-site-")
        cls.addClassCleanup(shutil.rmtree, parent)
        cls.site, document = building.committed(parent, PODIUM)
        cls.runs = json.loads(document.read_text())["runs"]

    def test_every_link_holds_and_links_lead_to_every_page(self):
        self.assertEqual(broken_links(self.site), [])
        self.assertEqual(unreachable(self.site), [])
        shown = " ".join(Page(self.site / "index.html").text)
        for words in ("attention_prefill", "NVIDIA H200 (sm_90)", "% SOL"):
            self.assertIn(words, shown)

    def test_what_an_emulated_device_verified_is_stamped_and_never_ranked(self):
        emulated = {run["device"] for run in self.runs if run["emulated"]}
        self.assertEqual({run["run"]["device"]["backend"] for run in self.runs if run["emulated"]}, {"cuda", "hip"})
        for slug in emulated:
            self.assertIn("verified · not timed", " ".join(Page(self.site / "device" / f"{slug}.html").text))
            for script in (self.site / "data").glob("*.js"):
                self.assertNotIn(slug, script.read_text(), script)
            self.assertNotIn(slug, (self.site / "history.html").read_text())
            boards = []
            for file in (self.site / "problem").glob("*.html"):
                boards += re.findall(rf'<section class="board[^>]*data-device="{slug}".*?</section>', file.read_text(), re.DOTALL)
            self.assertGreater(len(boards), 3)
            for board in boards:
                self.assertRegex(board, '^<section class="board verified"')
                self.assertIn("verified · not timed", board)
                self.assertNotRegex(board, r'class="rank"|class="wide ranking"| µs\b| ms\b|<svg|% SOL')


if __name__ == "__main__":
    unittest.main(verbosity=2)
