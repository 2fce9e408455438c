# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""committed_test.py PODIUM: the site of the results of this tree, as `podium publish` makes it."""

import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import building
from pages import Page, broken_links

PODIUM = sys.argv.pop(1)


class Committed(unittest.TestCase):
    def test_it_is_made_and_every_link_holds(self):
        with tempfile.TemporaryDirectory(prefix="podium-site-") as parent:
            results, site = Path(parent) / "results", Path(parent) / "site"
            for archive in sorted((building.ROOT / "results").glob("*/runs.tar.xz")):
                folder = results / archive.parent.name
                folder.mkdir(parents=True)
                with tarfile.open(archive) as packed:
                    packed.extractall(folder, filter="data")
                calibration = archive.parent / "calibration.json"
                if calibration.exists():
                    shutil.copy(calibration, folder)
            command = [PODIUM, "publish", results, "--to", site, "--problems", building.ROOT / "kernels"]
            ended = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertEqual(broken_links(site), [])
            shown = " ".join(Page(site / "index.html").text)
            for words in ("attention_prefill", "NVIDIA H200 (sm_90)", "% SOL"):
                self.assertIn(words, shown)


if __name__ == "__main__":
    unittest.main(verbosity=2)
