# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""compile_contestant.py MANIFEST SOURCE OUTPUT: the program of a worker with a Python contestant. It is run here only
where it compiles extensions that are kept: prepare_contestant.py.

MANIFEST is JSON: `hash` of the interface, `framework`, `types`, `axes`, `constants`, `parameters` ([name, whether whole]),
`structure` ([name, dtype, rank]) and `tensors` ([name, role, dtype, rank]), in the order of the wire.

OUTPUT begins with the interpreter, as scripts do; podium_worker.py follows, then both files as literals.
"""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib

MOST_KEPT = 32 << 20  # bytes of all files together; where there are more nothing is kept
PATIENCE = 300  # seconds
COMPILES = "cpp_extension", ".cpp", ".cu"  # words of a source that may compile extensions


def keeps(manifest, source):
    """Whether the problem's adapter brings what keeps extensions (`prepare`), and the contestant may have some."""
    return manifest.get("prepare") and any(word in source for word in COMPILES)


def prepared(manifest_file, source_file):
    """What the contestant's compilers make: name to compressed bytes. A contestant that fails here is compiled by its
    workers, and fails there or not."""
    folder = tempfile.mkdtemp()
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prepare_contestant.py")
    command = [sys.executable, "-I", "-B", program, manifest_file, source_file, folder]
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return {}
    found, left = {}, MOST_KEPT
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not re.fullmatch(r"[0-9a-f]{64}\.(so|json)", name) or os.path.islink(path) or not os.path.isfile(path):
            continue
        left -= os.path.getsize(path)
        if left < 0:
            return {}
        with open(path, "rb") as file:
            found[name] = base64.b85encode(zlib.compress(file.read()))
    return found


def main(manifest_file, source_file, output):
    with open(manifest_file, encoding="utf-8") as file:
        manifest = json.load(file)
    try:
        with open(source_file, encoding="utf-8-sig", newline="") as file:
            source = file.read().replace("\r\n", "\n")
        compile(source, source_file, "exec")
    except UnicodeDecodeError as error:
        sys.exit(f"{source_file}:1: error: found the byte 0x{error.object[error.start]:02x}, expected UTF-8")
    except (SyntaxError, ValueError) as error:
        line, said = getattr(error, "lineno", None) or 1, getattr(error, "msg", None) or str(error)
        sys.exit(f"{source_file}:{line}: error: Python does not understand this: {said}")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "podium_worker.py"), encoding="utf-8") as file:
        worker = file.read()
    kept = prepared(manifest_file, source_file) if keeps(manifest, source) else {}
    with open(output, "w", encoding="utf-8") as file:
        name = os.path.basename(source_file)
        file.write(f"#!{sys.executable}\n{worker}\n\n")
        file.write(f"serve({ascii(manifest)}, {ascii(name)}, {ascii(source)}, {ascii(kept)})\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
