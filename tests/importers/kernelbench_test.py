# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""`podium import kernelbench`, of small tasks in KernelBench's form: what is taken, what is refused, what competes."""

import pathlib
import shutil
import tempfile

from folders import HERE, PODIUM, Folder, drawn, main, origin, podium, rows, torch, unittest

TASKS = HERE / "kernelbench"
SOLUTIONS = TASKS / "solutions"


def one(file, *options):
    return next(iter(drawn("kernelbench", TASKS / file, *options).values()))


class Import(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = drawn("kernelbench", TASKS)

    def text(self, name):
        return (self.all[name] / "problem.yaml").read_text(encoding="utf-8")

    def test_takes_what_has_an_answer(self):
        refused = {name: why for name, why in self.all.items() if isinstance(why, str)}
        self.assertEqual(set(refused), {"kb_5_counts_calls", "kb_7_no_inputs"})
        self.assertIn("another answer the second time", refused["kb_5_counts_calls"])
        self.assertIn("does not define get_inputs", refused["kb_7_no_inputs"])

    def test_shapes_have_the_names_of_the_constants(self):
        text = self.text("kb_1_shifted_product")
        self.assertIn("title: \"The product of two matrices, shifted\"", text)
        self.assertIn("left: { role: input, dtype: f32, shape: [rows, rows] }", text)
        self.assertIn("right: { role: input, dtype: f32, shape: [rows, cols] }", text)
        self.assertIn("{ name: own, rows: 1024, cols: 512 }", text)
        self.assertIn("{ name: reduced, rows: 64, cols: 32 }", text)

    def test_outputs_of_a_tuple(self):
        text = self.text("kb_2_mean_and_deviation")
        self.assertIn("output0: { role: output, dtype: f32, shape: [rows] }", text)
        self.assertIn("output1: { role: output, dtype: f32, shape: [rows] }", text)

    def test_a_random_answer_is_taken_in_eval_mode_alone(self):
        self.assertIn("mode: eval", origin(self.all["kb_4_dropout"]))
        self.assertIn("why_eval:", origin(self.all["kb_4_dropout"]))
        self.assertIn("another answer the second time", one("4_Dropout.py", "--mode", "train"))
        self.assertIn("mode: train", origin(self.all["kb_3_convolution"]))

    def test_a_constant_that_a_class_reads_stays(self):
        text = self.text("kb_6_a_number_among_inputs")
        self.assertNotIn("reduced", text)
        self.assertNotIn("factor", text)

    def test_keeps_the_original(self):
        kept = self.all["kb_3_convolution"] / "origin/kernelbench_task.py"
        self.assertEqual(kept.read_bytes(), (TASKS / "3_Convolution.py").read_bytes())

    def test_own_sizes_alone(self):
        text = (one("1_Shifted_product.py", "--sizes", "own") / "problem.yaml").read_text(encoding="utf-8")
        self.assertNotIn("reduced", text)

    def test_every_reference_passes_its_own_check(self):
        for name, folder in self.all.items():
            if not isinstance(folder, str):
                with self.subTest(name):
                    self.assertIn("reference passes its own check", origin(folder))
                    with Folder(folder) as problem:
                        small = "own" if "6_" in name else "reduced"
                        self.assertIsNone(problem.run("model.py", small))

    def test_fp64(self):
        with Folder(self.all["kb_3_convolution"]) as problem:
            workload = type("Workload", (), {"name": "reduced", "device": "cpu"})
            inputs = problem.reference.inputs(workload, 1)
            exact = problem.reference.exact(workload, inputs)["output"]
            self.assertEqual(exact.dtype, torch.float64)
            self.assertLess((exact - problem.reference.outputs(workload, inputs)["output"]).abs().max(), 1e-5)

    def test_inputs_follow_the_seed(self):
        with Folder(self.all["kb_1_shifted_product"]) as problem:
            workload = type("Workload", (), {"name": "reduced", "device": "cpu"})
            a, b, c = (problem.reference.inputs(workload, seed)["left"] for seed in (2**62, 2**62, 5))
            self.assertTrue(torch.equal(a, b))
            self.assertFalse(torch.equal(a, c))


class RobustKbench(unittest.TestCase):
    def test_settings(self):
        folder = drawn("kernelbench", HERE / "robust_kbench", "--solution", SOLUTIONS / "replaced.py")["rkb_scaled"]
        text = (folder / "problem.yaml").read_text(encoding="utf-8")
        self.assertEqual(folder.name, "rkb_scaled")
        self.assertEqual(text.count("{ name: multi"), 3)
        with Folder(folder) as problem:
            for workload in ("single1", "multi1", "multi3"):
                self.assertIsNone(problem.run("model.py", workload))
                self.assertIsNone(problem.run("replaced.py", workload))


    def test_backward(self):
        solutions = [word for name in ("gradients", "gradient_of_a_square") for word in ("--solution", SOLUTIONS / f"{name}.py")]
        folder = drawn("kernelbench", HERE / "robust_kbench", *solutions)["rkb_scaled_backward"]
        text = (folder / "problem.yaml").read_text(encoding="utf-8")
        for line in (
            "x: { role: input, dtype: f32, shape: [x_0, x_1] }",
            "saved2: { role: input, dtype: f32, shape: [x_1] }",
            "grad_output: { role: input, dtype: f32, shape: [x_0, x_1] }",
            "grad_x: { role: output, dtype: f32, shape: [x_0, x_1] }",
            "grad_weight: { role: output, dtype: f32, shape: [x_1] }",
        ):
            self.assertIn(line, text)
        self.assertIn("reference passes its own check", origin(folder))
        with Folder(folder) as problem:
            for workload in ("single1", "multi1"):
                self.assertIsNone(problem.run("model.py", workload))
                self.assertIsNone(problem.run("gradients.py", workload))
            self.assertIsNone(problem.run("gradient_of_a_square.py", "single1"))
            self.assertIn("grad_weight[", problem.run("gradient_of_a_square.py", "multi1"))

    def test_backward_needs_what_forward_saves(self):
        with tempfile.TemporaryDirectory() as place:
            shutil.copytree(HERE / "robust_kbench/scaled", pathlib.Path(place) / "scaled")
            task = pathlib.Path(place) / "scaled/func_backward.py"
            task.write_text(task.read_text().replace("ctx.save_for_backward(x, weight, scale)", "ctx.scale = scale"))
            found = drawn("kernelbench", place)
        self.assertIn("its forward leaves the tensor ctx.scale", found["rkb_scaled_backward"])


class Contestants(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        names = ("fused", "unshifted", "broadcast", "nothing", "inline", "as_argument")
        options = [word for name in names for word in ("--solution", SOLUTIONS / f"{name}.py")]
        cls.folder = one("1_Shifted_product.py", *options)

    def verdict(self, name):
        with Folder(self.folder) as problem:
            return problem.run(f"{name}.py", "reduced")

    def test_right(self):
        self.assertIsNone(self.verdict("fused"))
        self.assertIsNone(self.verdict("as_argument"))

    def test_wrong(self):
        self.assertRegex(
            self.verdict("unshifted"),
            r"^output\[0, 0\] is [\d.]+, expected [\d.]+ within 0.0001 absolute and relative; 2048 of 2048 elements wrong$",
        )

    def test_a_smaller_answer_is_not_broadcast(self):
        with self.assertRaisesRegex(ValueError, r"output is torch.float32 of shape \(1, 32\), expected .* \(64, 32\)"):
            self.verdict("broadcast")

    def test_no_model(self):
        with self.assertRaisesRegex(AttributeError, "neither ModelNew nor Model"):
            self.verdict("nothing")

    @unittest.skipUnless(shutil.which("ninja") and shutil.which("g++"), "needs ninja and g++")
    def test_inline_extension(self):
        self.assertIsNone(self.verdict("inline"))

    def test_weights_are_alike(self):
        folder = one("3_Convolution.py")
        (folder / "twice.py").write_text(
            "from torch import nn\nfrom kernelbench_task import Model\n\n\n"
            "class ModelNew(Model):\n    def forward(self, x):\n        return super().forward(x)\n"
        )
        with Folder(folder) as problem:
            self.assertIsNone(problem.run("twice.py", "reduced"))

    def test_a_kernel_in_cuda(self):
        with tempfile.TemporaryDirectory() as place:
            kernel = pathlib.Path(place) / "tiled-2.cu"
            kernel.write_text("// \\n in a string\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n")
            folder = one("1_Shifted_product.py", "--solution", kernel)
        text = (folder / "tiled_2.py").read_text(encoding="utf-8")
        self.assertIn('# podium: { title: tiled_2, framework: torch, backends: [cuda] }', text)
        self.assertIn("// \\n in a string\nPYBIND11_MODULE", text)
        compile(text, "tiled_2.py", "exec")


@unittest.skipUnless(PODIUM, "needs podium's path")
class ThroughPodium(unittest.TestCase):
    """Imported, judged and timed as a user does it: in sandboxes, with a judge and a worker."""

    def setUp(self):
        self.to = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.to)

    def test_published_kernels_compete(self):
        names = ["fused", "unshifted", "broadcast", "nothing", "as_argument"]
        names += ["inline"] if shutil.which("g++") else []
        solutions = [word for name in names for word in ("--solution", SOLUTIONS / f"{name}.py")]
        podium("import", "kernelbench", TASKS / "1_Shifted_product.py", "--to", self.to, *solutions)
        problem = "kb_1_shifted_product"
        said = podium("verify", problem, "--problems", self.to, "--device", "host",
                      "--contestant", "model", *names, status=1)
        found = rows(said)
        for name in {"model", "fused", "as_argument", "inline"} & {"model", *names}:
            self.assertEqual(found[name][0], "right", said)
        self.assertEqual(found["unshifted"][0], "wrong")
        self.assertIn("2048 of 2048 elements wrong", found["unshifted"][1])
        self.assertEqual(found["broadcast"][0], "threw")
        self.assertIn("of shape (1, 32), expected", found["broadcast"][1])
        self.assertEqual(found["nothing"][0], "threw")
        self.assertIn("neither ModelNew nor Model", found["nothing"][1])

    def test_importing_again(self):
        first = podium("import", "kernelbench", TASKS, "--to", self.to, status=1)
        self.assertIn("7 read, 5 imported", first)
        again = podium("import", "kernelbench", TASKS, "--to", self.to, status=1)
        self.assertEqual(again.count("unchanged"), 5, again)

    def test_options_of_others(self):
        said = podium("import", "flashinfer-bench", TASKS, "--to", self.to, "--mode", "eval", status=2)
        self.assertIn("--mode: is an option of kernelbench, not of flashinfer-bench", said)


if __name__ == "__main__":
    main()
