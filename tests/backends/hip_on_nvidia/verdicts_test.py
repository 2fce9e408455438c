#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""verdicts_test.py TREE TOOLCHAIN: in TREE, HIP's judge and worker for NVIDIA stand over the emulated CUDA runtime.
What is right must be right there, and one element that nobody writes be seen.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TREE, TOOLCHAIN = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
ROW = re.compile(r"^(\S+/\S+)  +(\S+)  +(.+?)  +(.*)$")


def toolchain() -> pathlib.Path:
    """Beside that of the build, to whose folder its paths are relative: TREE's compiler for hip, in a version of its
    own, so that no product of the other is taken for one of this, nor one of an older translator."""
    text = TOOLCHAIN.read_text(encoding="utf-8")
    translator = re.search(r"PTX translator [^\"]*", text)[0]
    head, section, rest = re.split(r"(?ms)^(  hip:\n.*?^    needs:)", text, maxsplit=1)
    section, compilers = re.subn(r'compiler: "[^"]*"', f'compiler: "{TREE}/bin/podium-hipcc-nvidia"', section)
    section, versions = re.subn(r'version: "', f'version: "{translator}; ', section)
    assert compilers == versions == 2, section
    new = TOOLCHAIN.with_name("toolchain.hip_on_nvidia.yaml")
    new.write_text(head + section + rest, encoding="utf-8")
    return new


def verify(*words: str) -> tuple[list[tuple[str, str, str]], str]:
    command = [TREE / "bin/podium", "verify", *words, "--device", "hip:0", "--quiet"]
    environment = os.environ | {"PODIUM_TOOLCHAIN": str(toolchain())}
    ended = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True)
    rows = [m.groups() for line in ended.stdout.splitlines() if (m := ROW.match(line))]
    return [(board, contestant, verdict) for board, contestant, verdict, _ in rows], ended.stdout + ended.stderr


class OverTheEmulatedRuntime(unittest.TestCase):
    def test_portable_contestants_are_right(self):
        rows, said = verify("vector_add", "sum", "--problems", str(ROOT / "kernels"), "--contestant", "naive", "vectorized", "two_stage")
        self.assertEqual({verdict for _, _, verdict in rows}, {"right"}, said)
        self.assertGreaterEqual(len(rows), 6, said)

    def test_one_forgotten_element_is_seen(self):
        source = (ROOT / "kernels/vector_add/naive.gpu.cpp").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder).chmod(0o755)
            forgets, found = re.subn(r"if \(i < size\) c\[i\]", "if (i < size && i != 3) c[i]", source)
            self.assertEqual(found, 1, source)
            file = pathlib.Path(folder) / "forgets.gpu.cpp"
            file.write_text(forgets, encoding="utf-8")
            rows, said = verify("vector_add", "--problems", str(ROOT / "kernels"), "--contestant", str(file))
        self.assertEqual({verdict for _, _, verdict in rows}, {"not written"}, said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
