# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""harmless_test.py PYTHON: files that are nothing but kernels pass the gate of the folder PYTHON; whatever would run on
the host is refused with its line."""

import ast
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path[:0] = [sys.argv.pop(1), os.path.join(os.path.dirname(os.path.abspath(__file__)), "languages")]
import harmless  # noqa: E402

HEAD = "import triton\nimport triton.language as tl\n"
KERNEL = HEAD + "@triton.jit\ndef k(x, y, B: tl.constexpr):\n    {}\n"


class Refused(Exception):
    def __init__(self, line, sentence):
        super().__init__(sentence)
        self.line = line


def verdict(text, language="triton"):
    try:
        harmless.check(ast.parse(text), language, Refused)
        return 0, "passes"
    except Refused as refused:
        return refused.line, str(refused)


class Gate(unittest.TestCase):
    def test_kernels_pass(self):
        for body in ("v = tl.load(x)", "for i in range(0, 4):\n        x += tl.load(x).to(tl.float32)",
                     "n = min(B, max(1, len((1, 2))))", "y = -float('inf') if B > LIMIT else helper(x)",
                     "a = triton.cdiv(B, 4)"):
            text = KERNEL.format(body).replace("@triton", "LIMIT = tl.constexpr(4)\n\n@triton.jit\ndef helper(x):\n"
                                               "    return x\n\n@triton", 1)
            self.assertEqual(verdict('"""What it does."""\n' + text), (0, "passes"), body)
        self.assertEqual(verdict("import cuda.tile as ct\n@ct.kernel\ndef k(x, T: ct.Constant):\n    y = x\n", "cutile"),
                         (0, "passes"))
        self.assertEqual(verdict("import cuda.tile as ct\n@ct.kernel(occupancy=2)\ndef k(x):\n    y = x\n", "cutile"),
                         (0, "passes"))

    def test_statements_of_the_host_are_refused(self):
        for text, what in (("import os\n", "import of os"), ("from os import system\n", "import of os.system"),
                           ("import triton.runtime\n", "import of triton.runtime"),
                           (HEAD + "print(1)\n", "statement that runs on the host"),
                           (HEAD + "if 1:\n    pass\n", "statement that runs on the host"),
                           (HEAD + "class A:\n    pass\n", "statement that runs on the host"),
                           (HEAD + "A = triton.cdiv(1, 2)\n", "call that runs on the host"),
                           (HEAD + "A = [c for c in ()]\n", "'c', an unknown name"),
                           (HEAD + "tl.load = 1\n", "statement that runs on the host"),
                           (HEAD + "def f():\n    pass\n", "function of the host"),
                           (HEAD + "@tl.load\ndef f():\n    pass\n", "another decorator"),
                           (HEAD + "@triton.jit(do=1)\ndef f():\n    pass\n", "another decorator"),
                           (HEAD + "@triton.jit\ndef f(x=triton.cdiv(1, 2)):\n    pass\n", "call that runs")):
            line, sentence = verdict(text)
            self.assertIn(what, sentence, text)
            self.assertEqual(line, 1 if "import of" in what else 4 if "f(x=" in text else 3, text)

    def test_ways_out_of_kernels_are_refused(self):
        for body, what in (("tl.os.system('id')", "triton.language.os.system"), ("tl.partial(x)", "triton.language.partial"),
                           ("triton.runtime.driver()", "triton.runtime"), ("triton.os.system('id')", "triton.os"),
                           ("x.__class__", "'.__class__'"), ("tl._load(x)", "'._load'"), ("'{0.a}'.format(x)", "literal"),
                           ("open('f')", "'open', a built-in"), ("eval('1')", "'eval', a built-in"),
                           ("getattr(x, 'y')", "'getattr', a built-in"), ("k.fn(x)", "literal or function"),
                           ("import os", "import in a kernel"), ("f = lambda: 1", "lambda in a kernel"),
                           ("global z", "global in a kernel"), ("with x:\n        pass", "with in a kernel"),
                           ("unknown(x)", "'unknown', an unknown name"), ("tl = x", "'tl' for a variable"),
                           ("f'{x.__dict__}'", "'.__dict__'"),
                           ("try:\n        pass\n    except tl.load:\n        pass", "try in a kernel")):
            line, sentence = verdict(KERNEL.format(body))
            self.assertIn(what, sentence, body)
            self.assertGreaterEqual(line, 4)
        self.assertIn("what the kernel language offers",
                      verdict("import cuda.tile as ct\n@ct.kernel\ndef k(x):\n    ct.os\n", "cutile")[1])


if __name__ == "__main__":
    unittest.main()
