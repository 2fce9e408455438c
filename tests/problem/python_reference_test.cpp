// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Problem files whose reference or adapter is a file in Python.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "suite/base/error.hpp"
#include "suite/problem/parse/parse.hpp"

namespace podium::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string file(const std::string& reference, const std::string& more = "",
                 const std::string& tolerance = "") {
  return "podium: 1\ntitle: x\naxes: [n]\ntensors:\n  x: { role: input, dtype: f32, shape: [n] }\n"
         "  k: { role: inout, dtype: i32, shape: [n, 2] }\n"
         "  y: { role: output, dtype: f32, shape: [n]" +
         tolerance + " }\nreference: " + reference + "\n" + more + "workloads: { test: [{ n: 4 }] }\n";
}

std::string mistakes(const std::string& text) {
  try {
    parse("p", text, "p.yaml");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PythonFiles, AreRead) {
  const Problem problem =
      parse("p",
            file("{ python: reference.py, framework: torch, modules: [origin/task.py, utils.py] }",
                 "adapter: { python: adapter.py }\n"),
            "p.yaml");
  ASSERT_TRUE(problem.python && problem.adapter);
  EXPECT_EQ(problem.python->file, "reference.py");
  EXPECT_EQ(problem.python->framework, "torch");
  EXPECT_THAT(problem.python->modules, ElementsAre("origin/task.py", "utils.py"));
  EXPECT_EQ(problem.python->at.line, 8);
  EXPECT_EQ(problem.adapter->framework, "numpy");
}

// Outputs of a stated tolerance and integers; others are left to its check.
TEST(PythonFiles, ExpectedValuesHavePrivateTensors) {
  const Problem without = parse("p", file("{ python: reference.py }"), "p.yaml");
  ASSERT_EQ(without.tensors.size(), 4u);
  EXPECT_EQ(without.tensors[3].answers, "k");
  EXPECT_EQ(without.tensors[3].type, "i64");
  EXPECT_FALSE(without.tensors[3].visible);
  ASSERT_EQ(without.references.size(), 1u);
  EXPECT_EQ(without.references[0].name, "k");
  EXPECT_EQ(without.references[0].term.text, "podium_answer_k(podium_i0, podium_i1)");
  const Problem with = parse("p", file("{ python: reference.py }", "", ", tolerance: { ulp: 1 }"), "p.yaml");
  ASSERT_EQ(with.tensors.size(), 5u);
  EXPECT_EQ(with.tensors[4].type, "f64");
  EXPECT_EQ(with.references.size(), 2u);
  for (const Tensor& tensor : with.tensors)
    if (tensor.role != Role::output) {
      EXPECT_EQ(tensor.fill.kind, Fill::Kind::python) << tensor.name;
    }
}

TEST(PythonFiles, FormulasNeedFillsAndTolerances) {
  EXPECT_THAT(
      mistakes(file("{ k: { index: [i, j], value: 1 }, y: { index: [i], value: x(i) } }")),
      testing::AllOf(HasSubstr("tensors.x.fill: found nothing"), HasSubstr("tensors.k.fill: found nothing")));
}

TEST(PythonFiles, MistakesAreSentences) {
  EXPECT_EQ(mistakes(file("{ python: reference.py }")), "accepted");
  for (const char* path : {"/reference.py", "../reference.py", "reference.txt", "a-b.py", "a/../../b.py"})
    EXPECT_THAT(mistakes(file(std::string("{ python: ") + path + " }")),
                HasSubstr("p.yaml:8: reference.python: found \""))
        << path;
  EXPECT_THAT(mistakes(file("{ python: reference.py, framework: jax }")),
              HasSubstr("p.yaml:8: reference.framework: found \"jax\", expected one of numpy, torch"));
  EXPECT_THAT(mistakes(file("{ python: reference.py, module: [a.py] }")),
              HasSubstr("p.yaml:8: reference: unknown key: found \"module\""));
  EXPECT_THAT(mistakes(file("{ python: reference.py, modules: [a/b.py, b.py] }")),
              HasSubstr("found b.py beside a/b.py, expected names that differ"));
  EXPECT_THAT(mistakes(file("{ python: reference.py }", "adapter: adapter.py\n")),
              HasSubstr("p.yaml:9: adapter: found \"adapter.py\", expected a map"));
  EXPECT_THAT(mistakes(file("{ python: reference.py }", "adapter: { framework: torch }\n")),
              HasSubstr("p.yaml:9: adapter.python: found nothing"));
  EXPECT_THAT(mistakes(file("{ python: reference.py }", "sample: { i: 4 }\n")),
              HasSubstr("p.yaml:9: sample: found sample beside a reference in Python, expected none"));
  EXPECT_THAT(mistakes(file("{ python: reference.py }", "ranks: [2]\n")),
              HasSubstr("found a reference in Python beside ranks"));
}

}  // namespace
}  // namespace podium::problem
