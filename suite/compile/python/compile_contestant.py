# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""compile_contestant.py MANIFEST SOURCE OUTPUT: the program of a worker with a Python contestant, which is not run here.

MANIFEST is JSON: `hash` of the interface, `framework`, `types`, `axes`, `constants`, `parameters` ([name, whether whole]),
`structure` ([name, dtype, rank]) and `tensors` ([name, role, dtype, rank]), in the order of the wire.

OUTPUT begins with the interpreter, as scripts do; podium_worker.py follows, then both files as literals.
"""

import json
import os
import sys


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
    with open(output, "w", encoding="utf-8") as file:
        name = os.path.basename(source_file)
        file.write(f"#!{sys.executable}\n{worker}\n\nserve({ascii(manifest)}, {ascii(name)}, {ascii(source)})\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
