# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Builds sites: of made-up documents, as `podium publish` calls the package, and of the results of this tree."""

import os
import shutil
import subprocess
import sys
import tarfile
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


def committed(parent, podium):
    """The folder of the site that `podium publish` makes of this tree's results, and the document behind it."""
    parent = Path(parent)
    results, folder, document = parent / "results", parent / "site", parent / "site.json"
    for archive in sorted((ROOT / "results").glob("*/runs.tar.xz")):
        device = results / archive.parent.name
        device.mkdir(parents=True)
        with tarfile.open(archive) as packed:
            packed.extractall(device, filter="data")
        calibration = archive.parent / "calibration.json"
        if calibration.exists():
            shutil.copy(calibration, device)
    command = [podium, "publish", results, "--to", folder, "--document", document, "--problems", ROOT / "kernels"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise AssertionError(ended.stderr)
    return folder, document
