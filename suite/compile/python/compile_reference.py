# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""compile_reference.py MANIFEST SOURCE OUTPUT: the program of a problem's reference process, whose files are not run here.

MANIFEST is JSON: `file`, the name of SOURCE in the problem's folder; `framework`; `device`; and `sources`, the text of each
file of the problem by that name.
"""

import json
import os
import sys


def main(manifest_file, source_file, output):
    with open(manifest_file, encoding="utf-8") as file:
        manifest = json.load(file)
    for name, source in manifest["sources"].items():
        try:
            compile(source, name, "exec")
        except (SyntaxError, ValueError) as error:
            line, said = getattr(error, "lineno", None) or 1, getattr(error, "msg", None) or str(error)
            place = source_file if name == manifest["file"] else name
            sys.exit(f"{place}:{line}: error: Python does not understand this: {said}")
    texts = []
    for name in "podium_worker.py", "podium_reference.py":
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as file:
            texts.append(file.read())
    with open(output, "w", encoding="utf-8") as file:
        file.write(
            f"#!{sys.executable}\nimport sys, types\n\n"
            'sys.modules["podium_worker"] = types.ModuleType("podium_worker")\n'
            f'exec({ascii(texts[0])}, sys.modules["podium_worker"].__dict__)\n\n{texts[1]}\n\nserve({ascii(manifest)})\n'
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
