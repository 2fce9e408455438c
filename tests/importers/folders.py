# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What tests of importers share: folders drawn up of fixtures, and their Python files run as Podium runs them."""

import functools
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent
IMPORTERS = HERE.parents[1] / "importers"
sys.path.insert(0, str(IMPORTERS))
SKIPPED = 77  # exit status
PODIUM = sys.argv.pop(1) if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).is_file() else None

try:
    import torch
except ImportError:
    print(f"{sys.executable} has no PyTorch")
    sys.exit(SKIPPED)


@functools.cache
def drawn(kind, source, *options):
    """Draws up every task of a source: name to folder, or to the sentence why it is not taken. In a process of its
    own, as `podium import` does: draw forks, and a child of a process that has computed waits for ever for PyTorch's
    threads, which it has not."""
    to = pathlib.Path(tempfile.mkdtemp())
    command = [sys.executable, "-m", "podium_import", "draw", kind.replace("_", "-"), source, "--to", to, "--limit", 300]
    environment = {**os.environ, "PYTHONPATH": str(IMPORTERS)}
    subprocess.run([str(word) for word in [*command, *options]], check=True, env=environment)
    report = json.loads((to / "report.json").read_text(encoding="utf-8"))
    return {row["name"]: to / row["name"] if row["state"] == "drawn" else row["why"] for row in report}


class Folder:
    """A problem's folder with its reference and adapter loaded, as the judge's process and a worker have them."""

    def __init__(self, path):
        self.path, self.loaded = path, set(sys.modules)
        self.added = [str(path), str(path / "support"), str(path / "origin")]

    def __enter__(self):
        sys.path[:0] = self.added
        importlib.invalidate_caches()
        self.reference = importlib.import_module("reference")
        self.adapter = importlib.import_module("adapter")
        return self

    def __exit__(self, *_):
        del sys.path[: len(self.added)]
        for name in set(sys.modules) - self.loaded:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(self.path)):
                del sys.modules[name]

    def run(self, contestant, name, seed=3):
        """The check's verdict on a contestant's file: None or a sentence. Raises what the contestant raises."""
        workload = types.SimpleNamespace(name=name, device="cpu")
        inputs = self.reference.inputs(workload, seed)
        shapes = self.reference.outputs(workload, clones(inputs))
        outputs = {at: torch.full_like(x, 77) for at, x in shapes.items()}
        module = types.ModuleType("contestant")
        exec(compile((self.path / contestant).read_text(encoding="utf-8"), contestant, "exec"), module.__dict__)
        own = getattr(module, "Contestant", None)
        run = own(workload).run if own else self.adapter.contestant(module, workload)
        run(**clones(inputs), **outputs)
        return self.reference.check(workload, clones(inputs), outputs)


def podium(*words, status=0):
    """What `podium` says to a command, on both outputs."""
    ended = subprocess.run([PODIUM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ended.returncode != status:
        raise AssertionError(f"podium {' '.join(map(str, words))} ended with {ended.returncode}:\n{ended.stdout}")
    return ended.stdout


def rows(said):
    """contestant: (verdict, text) of what `podium verify` says."""
    found = re.findall(r"^\S+/\S+ +(\w+) +(right|wrong|threw|not supported|missing library) +(.*)$", said, re.MULTILINE)
    return {name: (verdict, text) for name, verdict, text in found}


def clones(tensors):
    return {name: tensor.clone() for name, tensor in tensors.items()}


def origin(folder):
    return (folder / "origin/origin.yaml").read_text(encoding="utf-8")


def main():
    unittest.main(verbosity=1)


__all__ = ["HERE", "PODIUM", "Folder", "clones", "drawn", "json", "main", "origin", "podium", "rows", "torch", "unittest"]
