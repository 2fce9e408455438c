# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""`podium import flashinfer-bench`, of small definitions in the forms of FlashInfer-Bench and SOL-ExecBench."""

import importlib.util
import pathlib
import shutil
import struct
import tempfile
import types

from folders import HERE, PODIUM, Folder, clones, drawn, json, main, origin, podium, rows, torch, unittest

SET, SOL = HERE / "flashinfer_bench", HERE / "sol_execbench"


def safetensors(path, **tensors):
    header, body = {}, b""
    for name, tensor in tensors.items():
        raw = tensor.numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(body), len(body) + len(raw)]}
        body += raw
    text = json.dumps(header).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def with_blob():
    """The set with the file that its third workload names."""
    root = pathlib.Path(tempfile.mkdtemp()) / "set"
    shutil.copytree(SET, root)
    safetensors(root / "blob/scale.safetensors", scale=torch.arange(6.0))
    return root


class Import(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = drawn("flashinfer_bench", SET)
        cls.rows = cls.all["scaled_rows_w8"]

    def test_definition(self):
        text = (self.rows / "problem.yaml").read_text(encoding="utf-8")
        self.assertIn('title: "Each row times its scale"', text)
        self.assertIn("constants: { width: 8 }", text)
        self.assertIn("x: { role: input, dtype: f32, shape: [rows, width] }", text)
        self.assertIn('{ name: "rows=100", rows: 100 }', text)
        self.assertNotIn("offset", text)
        self.assertEqual((self.rows / "origin/definition.json").read_bytes(),
                         (SET / "definitions/toy/scaled_rows_w8.json").read_bytes())

    def test_says_what_it_left_out(self):
        text = origin(self.rows)
        self.assertIn("1 of 3 workloads: the file of its input scale is not in the folder", text)

    def test_refuses_inputs_of_unknown_meaning(self):
        self.assertIn("nothing says which values of meaning are valid", self.all["unknown_structure"])

    def test_references_pass_their_own_checks(self):
        for name in ("scaled_rows_w8", "top_k_sampling_v32", "gathered_pages"):
            self.assertRegex(origin(self.all[name]), "checked: .*(passes its own check|right)", name)

    def test_structure_by_constraints(self):
        with Folder(self.all["gathered_pages"]) as problem:
            workload = types.SimpleNamespace(name="small", device="cpu")
            drawn_inputs = problem.reference.inputs(workload, 1)
            indptr, pages = drawn_inputs["indptr"], drawn_inputs["page_indices"]
            self.assertEqual(int(indptr[0]), 0)
            self.assertEqual(int(indptr[-1]), len(pages))
            self.assertTrue(bool((indptr[1:] >= indptr[:-1]).all()))
            self.assertLess(int(pages.max()), len(drawn_inputs["cache"]))
        self.assertIn("sizes and structure are Podium's", origin(self.all["gathered_pages"]))

    @unittest.skipUnless(importlib.util.find_spec("tvm_ffi") and shutil.which("g++"), "needs apache-tvm-ffi and a compiler")
    def test_a_solution_bound_by_tvm_ffi(self):
        with Folder(self.rows) as problem:
            self.assertIsNone(problem.run("bound_by_ffi.py", "rows=4"))

    @unittest.skipIf(importlib.util.find_spec("tvm_ffi"), "has apache-tvm-ffi")
    def test_a_solution_bound_by_tvm_ffi_needs_its_package(self):
        with Folder(self.rows) as problem, self.assertRaisesRegex(ModuleNotFoundError, "tvm_ffi"):
            problem.run("bound_by_ffi.py", "rows=4")

    def test_solutions(self):
        with Folder(self.rows) as problem:
            for solution in ("model", "destination", "returning"):
                self.assertIsNone(problem.run(f"{solution}.py", "rows=4"), solution)
            self.assertRegex(
                problem.run("no_offset.py", "rows=100"),
                r"^output\[\d+, \d+\] is \S+, expected \S+ within 0.01 absolute or 0.01 relative; \S+ % of 800 elements "
                r"match, required are 100 %$",
            )

    def test_safetensors(self):
        folder = drawn("flashinfer_bench", with_blob())["scaled_rows_w8"]
        self.assertNotIn("1 of 3 workloads", origin(folder))
        with Folder(folder) as problem:
            inputs = problem.reference.inputs(types.SimpleNamespace(name="rows=6", device="cpu"), 1)
            self.assertEqual(inputs["scale"].tolist(), [0, 1, 2, 3, 4, 5])
            self.assertIsNone(problem.run("destination.py", "rows=6"))

    def test_a_pointer_of_lfs_is_no_file(self):
        root = with_blob()
        (root / "blob/scale.safetensors").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
        self.assertIn("pointer of Git LFS", origin(drawn("flashinfer_bench", root)["scaled_rows_w8"]))

    def test_writes_what_an_export_needs(self):
        known = json.loads((self.rows / "support/flashinfer_bench.json").read_text(encoding="utf-8"))
        self.assertEqual(known["definition"], "scaled_rows_w8")
        self.assertEqual(known["solutions"]["returning"], "returning")
        self.assertEqual(known["workloads"]["rows=4"]["uuid"], "00000000-aaaa")
        self.assertNotIn("small", known["workloads"])


class Sampling(unittest.TestCase):
    def verdict(self, sampler, rows=400):
        """The check's sentence on samples of 32 tokens with top_k 1 to 16."""
        with Folder(drawn("flashinfer_bench", SET)["top_k_sampling_v32"]) as problem:
            torch.manual_seed(7)
            inputs = {
                "probs": torch.softmax(torch.randn(rows, 32) * 2, dim=1),
                "top_k": torch.randint(4, 16, (rows,), dtype=torch.int32),
            }
            samples = sampler(**clones(inputs))
            return problem.reference.check(types.SimpleNamespace(name="small", device="cpu"), inputs, {"samples": samples})

    @staticmethod
    def kept(probs, top_k):
        values, tokens = torch.sort(probs, dim=1, descending=True)
        return values * (torch.arange(probs.shape[1]) < top_k[:, None]), tokens

    def right(self, probs, top_k):
        values, tokens = self.kept(probs, top_k)
        return tokens.gather(1, torch.multinomial(values, 1)).flatten()

    def test_right(self):
        for _ in range(20):
            self.assertIsNone(self.verdict(self.right))

    def test_the_most_likely_token(self):
        self.assertIn("do not follow the probabilities", self.verdict(lambda probs, top_k: probs.argmax(dim=1)))

    def test_uniform_over_what_top_k_keeps(self):
        def uniform(probs, top_k):
            values, tokens = self.kept(probs, top_k)
            return tokens.gather(1, torch.multinomial((values > 0).float(), 1)).flatten()

        self.assertIn("do not follow the probabilities", self.verdict(uniform))

    def test_one_random_number_for_all_rows(self):
        def shared(probs, top_k):
            values, tokens = self.kept(probs, top_k)
            sums = (values / values.sum(1, keepdim=True)).cumsum(1)
            return tokens.gather(1, (sums < 0.4).sum(1, keepdim=True)).flatten()

        self.assertIn("do not follow the probabilities", self.verdict(shared))

    def test_without_top_k(self):
        verdict = self.verdict(lambda probs, top_k: torch.multinomial(probs, 1).flatten())
        self.assertRegex(verdict, r"samples\[\d+\] is \d+, which top_k or top_p excludes")

    def test_out_of_range(self):
        self.assertIn("expected 0 to 31", self.verdict(lambda probs, top_k: torch.full((len(probs),), 32)))


class Superset(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = drawn("flashinfer_bench", SOL)["blend"]

    def fault(self, change):
        with Folder(self.folder) as problem:
            workload = types.SimpleNamespace(name="rows=100", device="cpu")
            inputs = problem.reference.inputs(workload, 1)
            outputs = clones(problem.reference.outputs(workload, inputs))
            change(outputs["y"].view(-1))
            return problem.reference.check(workload, inputs, outputs)

    def test_expression_axes_and_custom_inputs(self):
        text = (self.folder / "problem.yaml").read_text(encoding="utf-8")
        self.assertIn("axes: [rows, half]", text)
        self.assertIn('{ name: "rows=100", rows: 100, half: 8 }', text)
        with Folder(self.folder) as problem:
            self.assertIsNone(problem.run("lerp.py", "rows=100"))

    def test_matched_ratio(self):
        def some(share):
            def change(y):
                y[: int(share * len(y))] += 0.4

            return change

        self.assertIsNone(self.fault(some(0.09)))
        self.assertIn("match, required are 90 %", self.fault(some(0.12)))

    def test_error_cap(self):
        def change(y):
            y[0] += 0.6

        self.assertIn("differs by 0.6, and by 0.5 at most is allowed", self.fault(change))

    def test_zeros(self):
        self.assertIn("zero everywhere", self.fault(lambda y: y.zero_()))

    def test_not_finite(self):
        def change(y):
            y[3] = float("nan")

        self.assertIn("not finite in 1 of 800 elements", self.fault(change))


@unittest.skipUnless(PODIUM, "needs podium's path")
class ThroughPodium(unittest.TestCase):
    def setUp(self):
        self.to = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.to)

    def test_import_run_export(self):
        said = podium("import", "flashinfer-bench", SET, "--to", self.to / "problems", status=1)
        self.assertIn("4 read, 3 imported", said)
        where = ("--problems", self.to / "problems")
        said = podium("verify", "top_k_sampling_v32", "gathered_pages", *where, "--device", "host")
        self.assertIn("2 boards: 2 right", said)
        podium("run", "scaled_rows_w8", *where, "--device", "host", "--full", "--rounds", 2,
               "--results", self.to / "results", status=1)
        (run,) = (self.to / "results").glob("*/*/run.json")
        podium("export", "flashinfer-bench", run.parent, *where, "--to", self.to)
        lines = (self.to / "traces/toy/scaled_rows_w8.jsonl").read_text(encoding="utf-8").splitlines()
        status = {}
        for trace in map(json.loads, lines):
            status.setdefault(trace["solution"], []).append(trace["evaluation"]["status"])
        self.assertEqual(status, {
            "destination": ["PASSED"] * 2, "returning": ["PASSED"] * 2, "podium_model": ["PASSED"] * 2,
            "no_offset": ["INCORRECT_NUMERICAL"] * 2,
        })

    def test_a_definition_alone(self):
        root = with_blob()
        podium("import", "flashinfer-bench", root / "definitions/toy/scaled_rows_w8.json", "--to", self.to)
        said = podium("verify", "scaled_rows_w8", "--problems", self.to, "--device", "host",
                      "--contestant", "model", "destination", "returning")
        self.assertEqual({verdict for verdict, _ in rows(said).values()}, {"right"}, said)

    def test_superset(self):
        podium("import", "flashinfer-bench", SOL, "--to", self.to)
        said = podium("verify", "blend", "--problems", self.to, "--device", "host")
        self.assertEqual({name: verdict for name, (verdict, _) in rows(said).items()}, {"model": "right", "lerp": "right"})


if __name__ == "__main__":
    main()
