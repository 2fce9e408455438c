// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Problems whose reference is Python: what it lets pass and what not, what is said where it fails itself, and
// what a run records of it. docs/python_reference.md holds the plain cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "suite/compile/toolchain.hpp"
#include "suite/record/provenance.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string draws = R"(import numpy as np


def inputs(workload, seed):
    return {"x": np.random.default_rng(seed).standard_normal(workload.n, dtype=np.float32)}
)";
const std::string doubles = "\n\ndef outputs(workload, inputs):\n    return {\"y\": 2.0 * inputs[\"x\"]}\n";

struct PythonReference : testing::Test {
  const Scratch scratch;

  void SetUp() override {
    const auto tools = compile::read_toolchain(toolchain());
    if (!tools.backends.at("host").needs.at("python").found && !std::getenv("PODIUM_TEST_PYTHON"))
      GTEST_SKIP() << "no interpreter: run scripts/setup --python and cmake";
    problem(", tolerance: { ulp: 1 }");
    contestant("good", "def run(x, y):\n    y[...] = 2 * x\n");
  }
  void problem(const std::string& tolerance, const std::string& more = "",
               const std::string& fill = "") const {
    scratch.write("kernels/twice/problem.yaml",
                  "podium: 1\ntitle: Twice\naxes: [n]\ntensors:\n  x: { role: input, dtype: f32, shape: [n]" +
                      fill + " }\n  y: { role: output, dtype: f32, shape: [n]" + tolerance +
                      " }\nreference: { python: reference.py" + more +
                      " }\nworkloads: { test: [{ n: 10 }, { name: empty, n: 0 }], quick: [{ n: 1000 }] }\n");
  }
  void reference(const std::string& text) const { scratch.write("kernels/twice/reference.py", text); }
  void contestant(const std::string& name, const std::string& text) const {
    scratch.write("kernels/twice/" + name + ".py", "# podium: { title: x }\n" + text);
  }
  Ended command(const std::string& what, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{what,   "twice",      "--device",
                                       "host", "--problems", scratch.path() / "kernels"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return podium(arguments);
  }
  Ended verify(const std::vector<std::string>& more = {}) const { return command("verify", more); }
  // What is said of a reference of that text, which is at fault.
  std::string fault(const std::string& text, const std::vector<std::string>& more = {}) const {
    reference(text);
    const auto ended = verify(more);
    EXPECT_EQ(ended.status, 2) << ended.out << ended.err;
    EXPECT_THAT(ended.out, Not(HasSubstr("right on")));
    return ended.out + ended.err;
  }
};

TEST_F(PythonReference, RanksContestantsAndRecordsWhatItRan) {
  reference(draws + doubles +
            "\n\ndef exact(workload, inputs):\n    return {\"y\": 2 * inputs[\"x\"].astype(np.float64)}\n");
  contestant("also", "import numpy as np\ndef run(x, y):\n    np.add(x, x, out=y)\n");
  contestant("wrong", "def run(x, y):\n    y[...] = 2 * x\n    y[-1:] += 1\n");
  contestant("lazy", "def run(x, y):\n    pass\n");
  contestant("changes", "def run(x, y):\n    y[...] = 2 * x\n    x[:1] = 0\n");
  const auto ended = command("run", {"--quick", "--rounds", "2", "--results", scratch.results()});
  EXPECT_THAT(ended.out, AllOf(HasSubstr("fp64 err"), HasSubstr("not written"), HasSubstr("input changed"),
                               HasSubstr("expected ")))
      << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ended.out << ended.err;
  for (const char* name : {"good", "also"}) {
    const auto* entry = find(runs[0], name, "right");
    ASSERT_TRUE(entry) << ended.out;
    EXPECT_EQ(entry->exact, 0) << "2 x is exact";
    EXPECT_THAT(entry->text, HasSubstr("error against fp64 0 of the largest magnitude"));
  }
  EXPECT_TRUE(find(runs[0], "wrong", "wrong"));
  EXPECT_TRUE(find(runs[0], "lazy", "not written"));
  EXPECT_TRUE(find(runs[0], "changes", "input changed"));
  int timed = 0;
  for (const auto& entry : runs[0].entries) timed += entry.round >= 0 && entry.verdict == Verdict::right;
  EXPECT_EQ(timed, 4) << "two contestants, two rounds";
  const auto provenance = record::provenance_from(runs[0].provenance);
  ASSERT_EQ(provenance.boards.at(0).files.count("reference.py"), 1u);
  EXPECT_TRUE(fs::exists(runs[0].folder / "sources" / provenance.boards.at(0).files.at("reference.py")));
}

TEST_F(PythonReference, PublishesItsFileInPlaceOfFormulas) {
  reference(draws + doubles);
  const auto ended = command("run", {"--quick", "--rounds", "2", "--results", scratch.results()});
  ASSERT_EQ(scratch.runs().size(), 1u) << ended.out << ended.err;
  const auto published = podium({"publish", scratch.results(), "--problems", scratch.path() / "kernels",
                                 "--document", scratch.path() / "document.json"});
  EXPECT_EQ(published.status, 0) << published.err;
  std::ifstream file(scratch.path() / "document.json");
  const std::string document(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(document, AllOf(HasSubstr("Python, reference.py"), HasSubstr("2.0 * inputs["),
                              Not(HasSubstr("podium_answer"))));
}

TEST_F(PythonReference, IsShownInPlaceOfFormulas) {
  reference(draws + doubles);
  const auto shown = podium({"show", "problem", "twice", "--problems", scratch.path() / "kernels"});
  EXPECT_THAT(shown.out,
              AllOf(HasSubstr("reference\n  Python, reference.py, numpy\n"), Not(HasSubstr("answer"))));
}

// Its check decides, whatever is finite: what it is given are the outputs and the inputs of before the call.
TEST_F(PythonReference, ChecksMayAllowWhatIsNotFinite) {
  problem("");
  reference(draws + R"(

def check(workload, inputs, outputs):
    expected = 2 * inputs["x"]
    expected[:1] = np.nan
    inputs["x"][...] = 0
    if not np.array_equal(outputs["y"], expected, equal_nan=True):
        return f"y is not\ntwice x at {(outputs['y'] != expected).argmax()}"
)");
  contestant("good", "def run(x, y):\n    y[...] = 2 * x\n    y[:1] = float('nan')\n");
  contestant("finite", "def run(x, y):\n    y[...] = 2 * x\n");
  contestant("lazy", "def run(x, y):\n    pass\n");
  const auto ended = verify();
  EXPECT_THAT(ended.out, AllOf(HasSubstr("good    right"), HasSubstr("n=10: y is not twice x at 0"),
                               HasSubstr("lazy    not written")))
      << ended.err;
}

TEST_F(PythonReference, ACheckThatLooksAtNothingLetsNothingUnwrittenPass) {
  problem("");
  reference(draws + "\n\ndef check(workload, inputs, outputs):\n    return None\n");
  contestant("lazy", "def run(x, y):\n    pass\n");
  EXPECT_THAT(verify().out,
              AllOf(HasSubstr("not written  n=10: y was not written"), HasSubstr("good  right")));
  const auto checked = podium({"check", scratch.path() / "kernels/twice"});
  EXPECT_EQ(checked.status, 2) << checked.out;
  EXPECT_THAT(checked.err, HasSubstr("zeros"));
}

const std::string twofold = "\n\ndef outputs(workload, inputs):\n    return {\"y\": 2 * inputs[\"x\"]}\n";

TEST_F(PythonReference, ExceptionsOfACheckAreTheContestantsIfItAcceptsItsOwnAnswer) {
  problem("");
  const std::string raises =
      "\n\ndef check(workload, inputs, outputs):\n    return [None, None][int(outputs['y'].sum() // 1e30)]\n";
  contestant("huge", "def run(x, y):\n    y[...] = 3e37\n");
  reference(draws + raises + twofold);
  EXPECT_THAT(
      verify().out,
      AllOf(HasSubstr("huge  wrong  n=10: reference.py: check() rejects it: reference.py:9, in check: "),
            HasSubstr("good  right")));
  reference(draws + raises);
  EXPECT_THAT(
      verify().out,
      AllOf(HasSubstr("huge  no verdict  n=10: reference.py: check() raised an exception, and there is "
                      "no outputs() to show that it can do otherwise: reference.py:9, in check: "),
            HasSubstr("good  right")));
}

// Such outputs cost their row; the next contestant meets another process.
TEST_F(PythonReference, OutputsThatEndACheckEndNoBoard) {
  problem("");
  const std::string ends = R"(

def check(workload, inputs, outputs):
    import os
    first = outputs["y"][0] if workload.n else 0
    while first == 7:
        pass
    if first == 8:
        os.abort()
    if not np.array_equal(outputs["y"], 2 * inputs["x"]):
        return "y is not twice x"
)";
  contestant("a", "def run(x, y):\n    y[...] = 7\n");
  contestant("b", "def run(x, y):\n    y[...] = 8\n");
  contestant("c", "def run(x, y):\n    y[...] = 9\n");
  reference(draws + ends + twofold);
  const auto ended = verify({"--setup-timeout", "12"});
  EXPECT_THAT(
      ended.out,
      AllOf(
          HasSubstr("a     wrong  n=10: reference.py: no answer in 10 s in check(), on these outputs\n"),
          HasSubstr(
              "b     wrong  n=10: reference.py: its process ended in check(), on these outputs; it crashed: "
              "SIGABRT"),
          HasSubstr("c     wrong  n=10: y is not twice x"), HasSubstr("good  right")))
      << ended.err;
  reference(draws + ends);
  const auto unproven = verify({"--setup-timeout", "12"});
  EXPECT_THAT(unproven.out,
              AllOf(HasSubstr("a     no verdict  n=10: reference.py: no answer in 12 s in check()"),
                    HasSubstr("b     no verdict"), HasSubstr("c     wrong"), HasSubstr("good  right")))
      << unproven.err;
}

TEST_F(PythonReference, WhatIsWrongWithItIsOneSentence) {
  EXPECT_THAT(fault("1 / 0\n"), HasSubstr("twice/reference.py:1: ZeroDivisionError: division by zero"));
  EXPECT_THAT(fault("def outputs(w, i):\n    y = = 1\n"), HasSubstr("reference.py:2: "));
  EXPECT_THAT(fault("import no_such.part\n"), AllOf(HasSubstr("reference.py:1: needs the package no_such"),
                                                    HasSubstr("-m pip install no_such")));
  EXPECT_THAT(fault("x = 1\n"),
              HasSubstr("reference.py: found neither outputs() nor check(), expected one of them"));
  EXPECT_THAT(fault(doubles), HasSubstr("reference.py: found no inputs(), expected it to draw x"));
  EXPECT_THAT(fault(draws + "\n\ndef outputs(workload, inputs):\n    return inputs['z']\n"),
              HasSubstr("reference.py:9, in outputs: KeyError: 'z'"));
  EXPECT_THAT(
      fault(draws + "\n\ndef outputs(workload, inputs):\n    return {'y': inputs['x'][1:]}\n"),
      HasSubstr("reference.py:8: outputs() returned y as float32[9], expected numbers of shape [10]"));
  EXPECT_THAT(fault(draws + "\n\ndef outputs(workload, inputs):\n    return {}\n"),
              HasSubstr("reference.py:8: outputs() returned no y, expected y"));
  EXPECT_THAT(fault(draws + "\n\ndef outputs(workload, inputs):\n    return {'y': 'twice'}\n"),
              HasSubstr("outputs() returned y as str, expected numbers"));
  EXPECT_THAT(
      fault("import numpy as np\n\ndef inputs(workload, seed):\n    return {'x': np.ones(workload.n)}\n" +
            doubles),
      HasSubstr("reference.py:3: inputs() returned x as float64[10], expected float32[10]"));
  EXPECT_THAT(fault("import numpy as np\n\ndef inputs(workload, seed):\n    return {'x': np.ones(workload.n, "
                    "np.float32)}\n" +
                    doubles),
              HasSubstr("reference.py: inputs() drew the same inputs from 64 seeds"));
  EXPECT_THAT(fault("import os\nimport numpy as np\n\ndef inputs(workload, seed):\n    return {'x': "
                    "np.frombuffer(os.urandom(4 * workload.n), "
                    "np.int32).astype(np.float32)}\n" +
                    doubles),
              HasSubstr("reference.py: inputs() drew different inputs from one seed"));
}

TEST_F(PythonReference, WhatEndsItsProcessIsSaid) {
  const std::string out = "\n\nimport os, sys, time\n\ndef outputs(workload, inputs):\n    ";
  EXPECT_THAT(
      fault(draws + out + "print('over', flush=True); os._exit(3)\n"),
      HasSubstr("reference.py: its process ended in outputs(); it exited with status 3; last words: over"));
  EXPECT_THAT(fault(draws + out + "os.abort()\n"),
              HasSubstr("its process ended in outputs(); it crashed: SIGABRT"));
  EXPECT_THAT(fault(draws + out + "sys.exit('over')\n"),
              HasSubstr("reference.py:11, in outputs: SystemExit: over"));
  EXPECT_THAT(fault(draws + out + "time.sleep(1000)\n", {"--setup-timeout", "4"}),
              HasSubstr("reference.py: no answer in 4 s in outputs()"));
}

// Its user id has neither a name nor a home, which packages ask for.
TEST_F(PythonReference, HasANameAndAHome) {
  reference(draws + R"(

import getpass, os

def outputs(workload, inputs):
    with open(os.path.join(os.path.expanduser("~"), getpass.getuser()), "w"):
        return {"y": 2 * inputs["x"]}
)");
  const auto ended = verify({});
  EXPECT_THAT(ended.out, HasSubstr("good  right")) << ended.err;
}

// A check that takes longer than a contestant may, and is quick until then: its time is not the contestant's.
TEST_F(PythonReference, ItsTimeIsNoContestants) {
  problem("");
  reference(draws + R"(

import time

def check(workload, inputs, outputs):
    print("x" * 10**7)
    if not np.array_equal(outputs["y"], 2 * inputs["x"]):
        return "y is not twice x"
    if workload.n:
        time.sleep(4)
)");
  const auto ended = verify({"--timeout", "1", "--setup-timeout", "60"});
  EXPECT_THAT(ended.out, HasSubstr("good  right")) << ended.err;
}

TEST_F(PythonReference, OneThatFailsCostsItsBoardAlone) {
  reference("1 / 0\n");
  scratch.write("kernels/copy/problem.yaml",
                "podium: 1\ntitle: Copy\naxes: [n]\ntensors:\n  x: { role: input, dtype: f32, shape: [n], "
                "fill: normal }\n"
                "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 0 } }\n"
                "reference: { y: { index: [i], value: x(i) } }\nworkloads: { test: [{ n: 10 }] }\n");
  scratch.write("kernels/copy/copies.py", "# podium: { title: x }\ndef run(x, y):\n    y[...] = x\n");
  const auto ended = podium({"verify", "--device", "host", "--problems", scratch.path() / "kernels"});
  EXPECT_THAT(ended.out, HasSubstr("copies  right"));
  EXPECT_THAT(ended.out + ended.err, HasSubstr("reference.py:1: ZeroDivisionError"));
}

// Where Debian's PyTorch is installed; its arrays in both processes, of a type that NumPy lacks.
TEST_F(PythonReference, TakesPyTorchsTensors) {
  constexpr const char* python = "/usr/bin/python3";
  if (std::system((std::string(python) + " -I -c 'import torch' 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << python << " has no PyTorch";
  scratch.write(
      "kernels/twice/problem.yaml",
      "podium: 1\ntitle: Twice\naxes: [n]\ntypes: { real: [f32, bf16] }\ntensors:\n"
      "  x: { role: input, dtype: real, shape: [n] }\n  y: { role: output, dtype: real, shape: [n] }\n"
      "reference: { python: reference.py, framework: torch }\nworkloads: { test: [{ n: 10 }] }\n");
  reference(R"(import torch

def inputs(workload, seed):
    return {"x": torch.randn(workload.n).to(torch.bfloat16 if workload.types["real"] == "bf16" else torch.float32)}

def outputs(workload, inputs):
    return {"y": 2 * inputs["x"]}

def check(workload, inputs, outputs):
    expected = 2 * inputs["x"]
    if outputs["y"].dtype != expected.dtype or not torch.equal(outputs["y"], expected):
        return f"y is not twice x, but {outputs['y']}"

def exact(workload, inputs):
    return {"y": 2 * inputs["x"].double()}
)");
  scratch.write("kernels/twice/good.py",
                "# podium: { title: x, framework: torch }\ndef run(x, y):\n    y.copy_(2 * x)\n");
  scratch.write("kernels/twice/wrong.py",
                "# podium: { title: x, framework: torch }\ndef run(x, y):\n    y.copy_(3 * x)\n");
  setenv("PODIUM_PYTHON", python, 1);
  const auto ended = verify();
  unsetenv("PODIUM_PYTHON");
  for (const char* board : {"twice/f32   ", "twice/bf16  "})
    EXPECT_THAT(ended.out, AllOf(HasSubstr(std::string(board) + "good   right"),
                                 HasSubstr(std::string(board) + "wrong  wrong")))
        << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("y is not twice x, but tensor("));
}

// Neither by its files nor by its process: a contestant finds no other process, and no reference beside it.
TEST_F(PythonReference, ContestantsDoNotReachIt) {
  reference(draws + doubles);
  contestant("good", R"(import glob, os

def run(x, y):
    for path in glob.glob("/proc/[0-9]*/mem"):
        if int(path.split("/")[2]) == os.getpid():
            continue
        try:
            open(path, "rb")
        except OSError:
            continue
        raise SystemExit(f"{path} is open to me")
    y[...] = 2 * x
)");
  EXPECT_THAT(verify().out, HasSubstr("good  right"));
}

TEST_F(PythonReference, AdaptersCallWhatHasNoRun) {
  problem(", tolerance: { ulp: 1 }",
          ", modules: [origin/factors.py] }\nadapter: { python: adapter.py, modules: [origin/factors.py]",
          ", fill: normal");
  scratch.write("kernels/twice/origin/factors.py", "FACTOR = 2.0\n");
  reference(
      "from factors import FACTOR\n\ndef outputs(workload, inputs):\n    return {'y': FACTOR * "
      "inputs['x']}\n");
  scratch.write(
      "kernels/twice/adapter.py",
      "import factors\n\ndef contestant(module, workload):\n    assert workload.name in ('n=10', 'empty')\n"
      "    def run(**tensors):\n        tensors['y'][...] = module.solve(tensors['x'], factors.FACTOR)\n    "
      "return run\n");
  scratch.write("kernels/twice/plain.py", "def solve(x, factor):\n    return x * factor\n");
  scratch.write("kernels/twice/wrong.py", "def solve(x, factor):\n    return x * 3\n");
  scratch.write("kernels/twice/raises.py", "def solve(x, factor):\n    return x[100]\n");
  const auto ended = verify();
  EXPECT_THAT(ended.out, AllOf(HasSubstr("plain   right"), HasSubstr("good    right"),
                               HasSubstr("wrong   wrong"), HasSubstr("raises.py:2, in solve: IndexError")))
      << ended.err;
  EXPECT_THAT(ended.out, AllOf(Not(HasSubstr("adapter ")), Not(HasSubstr("reference "))));
}

}  // namespace
}  // namespace podium::test
