// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants in Python, whose worker is an interpreter: what a row says where one fails, and what becomes of
// interpreters that cannot be used. docs/python.md holds the plain cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "suite/compile/toolchain.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/end_to_end/copy_problem.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string right = "def run(x, y):\n    y[...] = x\n";

struct Python : testing::Test {
  const Scratch scratch;

  void SetUp() override {
    const auto tools = compile::read_toolchain(toolchain());
    if (!tools.backends.at("host").needs.at("python").found && !std::getenv("PODIUM_TEST_PYTHON"))
      GTEST_SKIP() << "no interpreter: run scripts/setup --python and cmake";
    scratch.write("kernels/copy/problem.yaml", copy_problem(1000));
  }
  void write(const std::string& name, const std::string& text) const {
    scratch.write("kernels/copy/" + name + ".py", "# podium: { title: x }\n" + text);
  }
  Ended command(const std::string& what, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{
        what, "copy", "--device", "host", "--setup-timeout", "60", "--problems", scratch.path() / "kernels"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return podium(arguments);
  }
  // The row of a contestant of that text.
  std::string row(const std::string& text, std::vector<std::string> more = {}) const {
    write("mine", text);
    const auto ended = command("verify", std::move(more));
    const auto at = ended.out.find("copy/fixed  mine");
    return at == std::string::npos ? ended.out + ended.err
                                   : ended.out.substr(at, ended.out.find('\n', at) - at);
  }
};

TEST_F(Python, ExceptionsAreToldByTheLastLineOfTheContestants) {
  EXPECT_THAT(row("import json\n\ndef run(x, y):\n    json.loads('{')\n"),
              AllOf(HasSubstr("threw"), HasSubstr("mine.py:5, in run: JSONDecodeError: Expecting property")));
  EXPECT_THAT(row("1 / 0\n"), HasSubstr("mine.py:2: ZeroDivisionError: division by zero"));
  EXPECT_THAT(row("import sys\nsys.exit('over')\n"), HasSubstr("mine.py:3: SystemExit: over"));
  EXPECT_THAT(
      row("class Contestant:\n    def __init__(self, w):\n        w.nothing\n    def run(self): pass\n"),
      HasSubstr("mine.py:4, in __init__: AttributeError: "));
  EXPECT_THAT(row("x = 1\n"), HasSubstr("mine.py: found neither a function `run` nor a class `Contestant`"));
  EXPECT_THAT(row("raise ValueError('a\\nb\\x1b[2J' + 'c' * 5000)\n"), HasSubstr("ValueError: a b"));
}

TEST_F(Python, TracebacksAreInTheRecord) {
  write("mine", "def inner(x):\n    raise KeyError(x.shape)\n\ndef run(x, y):\n    inner(x)\n");
  const auto ended = command("run", {"--quick", "--results", scratch.results()});
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ended.err;
  const auto* entry = find(runs[0], "mine", "threw");
  ASSERT_TRUE(entry) << ended.out;
  EXPECT_THAT(entry->printed, AllOf(HasSubstr("line 6, in run\n    inner(x)"), HasSubstr("KeyError: (10,)")));
  EXPECT_EQ(entry->text.find('\n'), std::string::npos) << entry->text;
}

TEST_F(Python, WhatIsMissingOrDeclinedIsNoFailure) {
  EXPECT_THAT(row("def run(x, y):\n    import no_such.part\n"),
              AllOf(HasSubstr("missing library"), HasSubstr("mine.py:3, in run: needs the package no_such"),
                    HasSubstr("-m pip install no_such")));
  EXPECT_THAT(row("def run(x, y):\n    raise NotImplementedError('not on Mondays')\n"),
              AllOf(HasSubstr("not supported"), HasSubstr("not on Mondays")));
}

TEST_F(Python, WhatIsNoPythonDoesNotCompile) {
  EXPECT_THAT(row("def run(x, y):\n    y = = x\n"),
              AllOf(HasSubstr("did not compile"), HasSubstr("mine.py:3: Python does not understand this:")));
  EXPECT_THAT(row("\xff\n"), HasSubstr("mine.py"));
}

TEST_F(Python, SlowPhasesAreNamed) {
  const std::vector<std::string> soon{"--setup-timeout", "10"};
  const std::string sleep = "import time\n";
  EXPECT_THAT(row(sleep + "time.sleep(1000)\n", soon), HasSubstr("constructor: no answer in 10 s"));
  EXPECT_THAT(row(sleep + "def run(x, y):\n    time.sleep(1000)\n", soon),
              HasSubstr("warm-up call: no answer in 10 s"));
}

// Eight seconds of compilation, as of a just-in-time compiler, cost none of the budget for samples.
TEST_F(Python, CompilingInTheFirstCallCostsNoSamples) {
  write("mine",
        "import time\nfirst = []\n\ndef run(x, y):\n    if not first:\n        time.sleep(8)\n        "
        "first.append(1)\n    y[...] = x\n");
  const auto ended =
      command("run", {"--quick", "--rounds", "1", "--timeout", "5", "--results", scratch.results()});
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  for (const auto& entry : runs[0].entries)
    if (entry.round >= 0) {
      EXPECT_GE(entry.microseconds.size(), 5u) << entry.text;
    }
}

TEST_F(Python, AnInterpreterThatCannotBeUsedIsASentence) {
  write("mine", right);
  const std::string python = scratch.write("python3", "#!/bin/sh\necho no\n");
  setenv("PODIUM_PYTHON", python.c_str(), 1);
  const auto broken = command("verify");
  setenv("PODIUM_PYTHON", "/nowhere/python3", 1);
  const auto absent = command("verify");
  unsetenv("PODIUM_PYTHON");
  for (const auto& ended : {broken, absent})
    EXPECT_THAT(ended.out,
                AllOf(HasSubstr("missing library"), HasSubstr("python3 is not a Python 3.10 or later")));
}

TEST_F(Python, ModulesComeFromTheInterpreterAlone) {
  scratch.write("modules/numpy.py", "raise SystemExit('not that one')\n");
  setenv("PYTHONPATH", (scratch.path() / "modules").c_str(), 1);
  const std::string said =
      row("import sys\nassert sys.flags.isolated and sys.flags.dont_write_bytecode\n" + right);
  unsetenv("PYTHONPATH");
  EXPECT_THAT(said, AllOf(HasSubstr("right"), Not(HasSubstr("threw"))));
}

TEST_F(Python, ANewContestantRunsAndWritesNothing) {
  const auto made = podium({"new", "contestant", "copy", "mine", "--kind", "py", "--problems",
                            (scratch.path() / "kernels").string()});
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(command("verify").out, HasSubstr("not written"));
}

}  // namespace
}  // namespace podium::test
