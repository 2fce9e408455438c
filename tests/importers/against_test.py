# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""`podium check --against`: a problem with formulas, and an imported one that means the same, or does not."""

import pathlib
import shutil
import tempfile

from folders import HERE, PODIUM, main, podium, unittest

WEIGHTED = """podium: 1
title: Weighted sums of rows
axes: [rows, cols]
types: { real: [f32, f64] }
tensors:
  m: { role: input, dtype: real, shape: [rows, cols], fill: normal }
  w: { role: input, dtype: real, shape: [cols], fill: uniform }
  y: { role: output, dtype: real, shape: [rows], tolerance: { ulp: 1, growth: "1 + sqrt(cols)", scale: magnitude } }
reference: { y: { index: [i], reduce: { over: { j: cols }, op: sum, term: "FORMULA" } } }
workloads: { test: [{ rows: 2, cols: 5 }] }
baseline: { host: numpy }
"""
NUMPY = """# podium: { title: NumPy }
import numpy as np


def run(m, w, y):
    y[...] = TERM @ w
"""
OTHER = """podium: 1
title: Another
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n, n] }
  y: { role: output, dtype: f32, shape: [n] }
reference: { python: reference.py }
workloads: { test: [{ n: 3 }] }
"""
OTHERS_REFERENCE = """import numpy as np


def inputs(workload, seed):
    return {"x": np.random.default_rng(seed).standard_normal((workload.n, workload.n), dtype=np.float32)}


def outputs(workload, inputs):
    return {"y": inputs["x"].sum(1)}


def check(workload, inputs, outputs):
    return None
"""


@unittest.skipUnless(PODIUM, "needs podium's path")
class Against(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.to = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.to)
        podium("import", "gpumode", HERE / "gpumode/returned_py", "--to", cls.to / "imported")
        cls.write("other", {"problem.yaml": OTHER, "reference.py": OTHERS_REFERENCE})
        cls.own("weighted", "m(i, j) * w(j)", "m")
        cls.own("cubes", "m(i, j) * m(i, j) * m(i, j) * w(j)", "m**3")

    @classmethod
    def own(cls, name, formula, term):
        files = {"problem.yaml": WEIGHTED.replace("FORMULA", formula), "numpy.py": NUMPY.replace("TERM", term)}
        cls.write(name, files)

    @classmethod
    def write(cls, name, files):
        (cls.to / name).mkdir()
        for path, text in files.items():
            (cls.to / name / path).write_text(text)

    def against(self, own, other, status):
        return podium("check", self.to / own, "--against", self.to / other, status=status)

    def test_problems_that_agree(self):
        said = self.against("weighted", "imported/returned", 0)
        self.assertIn("weighted against returned: m = matrix, w = weights, y = sums; 3 workloads in common", said)
        for workload in ("rows=3,size=17,contention=10", "rows=1,size=64,contention=90"):
            self.assertRegex(
                said, rf"f32/{workload}: the answer of the reference of returned is right for weighted: largest error [\d.e-]+ of the limit at y\["
            )
            self.assertIn(f"{workload}: the answer of numpy of weighted is right for returned", said)
        self.assertIn("weighted and returned agree", said)

    def test_problems_that_differ(self):
        said = self.against("cubes", "imported/returned", 1)
        self.assertRegex(said, r"the answer of the reference of returned is wrong for cubes: y\[\d+\] is .*, expected .* within .* times the limit")
        self.assertRegex(said, r"the answer of numpy of cubes is wrong for returned: .*elements differ")
        self.assertIn("cubes and returned differ", said)

    def test_tensors_that_do_not_match(self):
        said = self.against("weighted", "other", 2)
        self.assertIn("weighted and other have different tensors, expected as many of each role and rank: input m[rows, cols] "
                      "real, input w[cols] real, output y[rows] real; input x[n, n] f32, output y[n] f32", said)

    def test_no_workload_in_common(self):
        own = WEIGHTED.replace("FORMULA", "m(i, j) * w(j)").replace(", cols: 5", "").replace("axes: [rows, cols]", "axes: { rows: null, cols: 3 * rows }")
        self.write("wide", {"problem.yaml": own, "numpy.py": NUMPY.replace("TERM", "m")})
        said = self.against("wide", "imported/returned", 2)
        self.assertIn("wide and returned have no workload in common: its workload rows=3,size=17,contention=10 has matrix[3, 17], "
                      "expected m[3, 9] by the shapes of wide", said)

    def test_needs_one_of_each_kind(self):
        self.assertIn("its reference is Python, expected formulas", self.against("other", "imported/returned", 2))
        self.assertIn("its reference is no Python", self.against("weighted", "cubes", 2))


if __name__ == "__main__":
    main()
