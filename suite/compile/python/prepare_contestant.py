# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""prepare_contestant.py MANIFEST SOURCE FOLDER: executes a contestant that compiles extensions, where no judge is.

What its compilers make goes to FOLDER, and from there into the program of its workers. The process has seen the
contestant's file and the problem's, and the numbers of one test workload: no inputs, no seeds, no other contestant.
"""

import json
import os
import sys
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import podium_worker  # noqa: E402


class Contestant(podium_worker.Contestant):
    """Without a judge and a device."""

    def __init__(self, manifest, name, source, folder):
        super().__init__({**manifest, "gpu": False}, name, source)
        self.folder = folder

    def take_kept(self, _):
        self.keep_in(self.folder)

    def construct(self):
        if self.calls_itself():
            return
        plain = self.manifest["prepare"]
        self.workload = types.SimpleNamespace(name=plain["name"], types=dict(self.manifest["types"]), **plain["numbers"])
        self.adapt()


def main(manifest_file, source_file, folder):
    with open(manifest_file, encoding="utf-8") as file:
        manifest = json.load(file)
    with open(source_file, encoding="utf-8-sig") as file:
        source = file.read()
    sys.argv = [source_file]
    contestant = Contestant(manifest, os.path.basename(source_file), source, folder)
    contestant.load()
    contestant.construct()


if __name__ == "__main__":
    main(*sys.argv[1:])
