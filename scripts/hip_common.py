# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What hip-matrix and verdicts share: the podium that they run, and the commit that their documents name."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def built_podium(me: str, preset: str = "hip") -> pathlib.Path:
    """That of the preset, brought up to date."""
    build = ROOT / "build" / preset
    if not (build / "CMakeCache.txt").exists():
        sys.exit(f"{me}: build/{preset} is not configured; run cmake --preset {preset}, or name a podium with --podium")
    subprocess.run(["cmake", "--build", str(build), "--target", "podium_programs"], check=True, stdout=sys.stderr)
    return build / "bin/podium"


def git(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True)


def commit(me: str, paths: list[str]) -> str:
    """HEAD; with -dirty if one of these paths is not what HEAD has."""
    head = git("rev-parse", "--short=10", "HEAD")
    if head.returncode != 0:
        sys.exit(f"{me}: what was done is entered with its commit, and {ROOT} is no git checkout: {head.stderr.strip()}")
    return head.stdout.strip() + ("-dirty" if git("status", "--porcelain", "--", *paths).stdout else "")
