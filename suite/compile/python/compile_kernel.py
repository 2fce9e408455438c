# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""compile_kernel.py REQUEST SOURCE OUTPUT: one kernel of a sealed contestant in Python, without a GPU.

REQUEST is JSON: `language` (with_NAME.py compiles it), `kernel` (the function's name), `target` ("sm_90", "gfx942"), `warp`,
`arguments` (a list; dtypes are Podium's: { "number": dtype, "divisible": true if divisible by 16 }, { "array": dtype,
"extents": [...], "strides": [...], "name": which memory }), `constants` and `options` (maps of names to numbers), and
`ptx`, which is true where PTX is wanted in place of machine code.

OUTPUT is a line of JSON, then the code: `symbol`, `threads` of a block, `shared` bytes of dynamic shared
memory, `trailing` addresses that the kernel takes besides, all null.
"""

import ast
import importlib
import importlib.util
import json
import sys
import tempfile

import harmless


class Refused(Exception):
    """What is wrong with the contestant, and in which line."""

    def __init__(self, line, sentence):
        super().__init__(sentence)
        self.line = line


def load(path, language, kernel):
    """The kernel's object, of a source that holds nothing but kernels."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        tree = ast.parse(text, path)
    except SyntaxError as error:
        raise Refused(error.lineno or 1, f"Python does not understand this: {error.msg}") from None
    harmless.check(tree, language, Refused)
    spec = importlib.util.spec_from_file_location("contestant", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kernels = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    if kernel not in kernels:
        raise Refused(1, f"found no function '{kernel}', expected one of {', '.join(kernels) or 'none'}")
    node = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == kernel)
    return getattr(module, kernel), node


def main(request_file, source, output):
    with open(request_file, encoding="utf-8") as file:
        request = json.load(file)
    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory() as scratch:
        tempfile.tempdir = scratch  # where compilers keep what they made
        compile_kernel = importlib.import_module(f"with_{request['language']}").compile_kernel
        line = 1
        try:
            kernel, node = load(source, request["language"], request["kernel"])
            line = node.lineno
            request["parameters"] = [argument.arg for argument in node.args.args]
            about, code = compile_kernel(kernel, request)
        except Refused as refused:
            sys.exit(f"{source}:{refused.line}: error: {refused}")
        except Exception as error:  # the compilers raise whatever they like
            sentence = " ".join(str(error).split()) or type(error).__name__
            sys.exit(f"{source}:{harmless.line_of(error, source, line)}: error: {request['language']}: {sentence}")
    with open(output, "wb") as file:
        file.write(json.dumps(about).encode() + b"\n" + code)


if __name__ == "__main__":
    main(*sys.argv[1:])
