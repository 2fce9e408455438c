# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""python3 -m podium_site DOCUMENT --to DIR: writes the site of a document into a folder."""

import argparse
import contextlib
import gc
import multiprocessing
import os
import shutil
import sys
import tempfile
from pathlib import Path

from . import document
from .pages import Pages

MARK = ".podium-site"  # in a folder that this program wrote, and may empty
# jsdiff, as Debian's node-diff has it, and its licence.
DIFF = Path("/usr/share/nodejs/diff/dist/diff.js")
DIFF_LICENSE = Path("/usr/share/doc/node-diff/copyright")

_pages = None


def _write(task):
    _pages.write(task)


def _refuse_what_is_no_site(folder):
    if not folder.exists():
        return
    if not folder.is_dir():
        raise document.Unreadable(f"{folder} is no folder")
    if any(folder.iterdir()) and not (folder / MARK).exists():
        raise document.Unreadable(f"{folder} holds files that are no published site: name an empty or a new folder")


@contextlib.contextmanager
def _replacing(folder):
    """A folder beside `folder`, which takes the place of what `folder` holds if nothing fails."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as scratch:
        fresh = Path(scratch) / "site"
        fresh.mkdir()
        (fresh / MARK).write_text("Written by podium publish, which empties this folder before it writes again.\n")
        (fresh / ".nojekyll").write_text("")  # GitHub Pages: serve the files as they are
        yield fresh
        folder.mkdir(exist_ok=True)
        for old in list(folder.iterdir()):  # not the folder itself: it may be a mount point
            if old.is_dir() and not old.is_symlink():
                shutil.rmtree(old)
            else:
                old.unlink()
        for new in list(fresh.iterdir()):
            shutil.move(new, folder / new.name)


def _lay_assets(folder):
    assets = folder / "assets"
    shutil.copytree(Path(__file__).parent / "assets", assets, copy_function=shutil.copyfile)
    for file, name in ((DIFF, "diff.js"), (DIFF_LICENSE, "diff.LICENSE.txt")):
        if not file.exists():
            raise document.Unreadable(f"{file} is missing: `scripts/setup --publish` installs node-diff")
        shutil.copyfile(file, assets / name)


def _write_all(site, folder, processes):
    global _pages
    _lay_assets(folder)
    _pages = Pages(site, folder)
    tasks = list(_pages.tasks())
    gc.freeze()  # the document stays, and need not be searched for garbage
    if processes < 2:
        for task in tasks:
            _write(task)
        return
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        for _ in pool.imap_unordered(_write, tasks, chunksize=4):
            pass


def build(path, folder, processes):
    _refuse_what_is_no_site(folder)
    site = document.load(path)
    with _replacing(folder.absolute()) as fresh:
        _write_all(site, fresh, processes)


def main():
    parser = argparse.ArgumentParser(prog="podium_site", description=__doc__)
    parser.add_argument("document", help="the JSON document that `podium publish` writes")
    parser.add_argument("--to", required=True, type=Path, metavar="DIR", help="folder of the site; emptied if it is one")
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)), help="default: one a processor")
    options = parser.parse_args()
    try:
        build(options.document, options.to, options.processes)
    except document.Unreadable as error:
        print(f"podium_site: {options.document}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"podium_site: {options.to}: cannot be written: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
