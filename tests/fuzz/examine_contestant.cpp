// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/examine_contestant.hpp"

#include "suite/base/error.hpp"
#include "suite/compile/metadata.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/fuzz/promises.hpp"

namespace podium::fuzz {
namespace {

// A problem with something for every key to refer to.
constexpr char problem_text[] =
    "{ podium: 1, title: t, axes: [rows, cols], types: { real: [f32, bf16] }, tensors: { x: { role: input, "
    "dtype: real, shape: [rows, cols], fill: zeros }, y: { role: output, dtype: real, shape: [rows], "
    "tolerance: { ulp: 1 } } }, reference: { y: { index: [i], value: \"x(i, 0)\" } }, workloads: { test: [{ "
    "rows: 4, cols: 5 }] } }";

const problem::Problem& the_problem() {
  static const problem::Problem problem = problem::parse("thing", problem_text, "problem.yaml");
  return problem;
}

}  // namespace

bool examine_contestant(const std::string& source) try {
  const problem::Problem& problem = the_problem();
  const auto block = compile::find_block(source, "//", "p.yaml");
  if (!block) return false;
  compile::Contestant contestant;
  contestant.file = "p.yaml";
  contestant.language = compile::language_of("a.gpu.cpp");
  contestant.backends = {"host", "cuda"};
  read_metadata(*block, problem, contestant);
  for (const auto& choice : problem.choices) serves(contestant, choice);
  if (!contestant.when.text.empty())
    evaluate(problem, instantiate(problem, problem.choices[0], problem.workloads[0]), contestant.when);
  return true;
} catch (const Error& error) {
  expect_sentences(error.what(), source);
  return false;
}

}  // namespace podium::fuzz
