# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""screenshots.py PODIUM FOLDER: PNGs of the main pages of the site of this tree's results, for people to look at.

Each page on a desktop, in the dark and on a phone; no more of a long page than its beginning.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import building
from browsing import DESKTOP, PHONE, chromium

PAGES = {
    "front": "index.html",
    "problem": "problem/softmax.html",
    "device": "device/nvidia-h200-*.html",
    "run": "run/nvidia-h200-*.html",  # the newest
    "emulated": "run/nvidia-sm_*.html",
    "compare": "compare.html",
}
LONGEST = 3200  # pixels
WAYS = (("desktop", DESKTOP, "light"), ("dark", DESKTOP, "dark"), ("phone", PHONE, "light"))


def main(podium, folder):
    folder.mkdir(parents=True, exist_ok=True)
    scratch = tempfile.mkdtemp(prefix="podium-site-")
    try:
        site, _ = building.committed(scratch, podium)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            for way, viewport, colours in WAYS:
                page = browser.new_context(viewport=viewport, color_scheme=colours, reduced_motion="reduce").new_page()
                for name, pattern in PAGES.items():
                    page.goto(sorted(site.glob(pattern))[-1].as_uri())
                    height = page.evaluate("document.documentElement.scrollHeight")
                    page.set_viewport_size({**viewport, "height": min(height, LONGEST)})
                    page.screenshot(path=folder / f"{name}-{way}.png")
                    page.set_viewport_size(viewport)
                    print(folder / f"{name}-{way}.png")
            browser.close()
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
