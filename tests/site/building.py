# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Builds sites of made-up documents, as `podium publish` calls the package."""

import os
import subprocess
import sys
from pathlib import Path

import synthetic

ROOT = Path(__file__).parents[2]


def build(document, folder, *options):
    """The ended process."""
    command = [os.environ.get("PODIUM_SITE_PYTHON", sys.executable), "-s", "-m", "podium_site", str(document), "--to", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "site"), "PYTHONHASHSEED": "random"}
    return subprocess.run([*command, *options], env=environment, capture_output=True, text=True, check=False)


def made_up(parent, name, **sizes):
    """The folder of a site, made of a document beside it."""
    document, folder = Path(parent) / f"{name}.json", Path(parent) / name
    synthetic.write(document, **sizes)
    ended = build(document, folder)
    if ended.returncode:
        raise AssertionError(f"{name} was not built: {ended.stderr}")
    return folder
