// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The limits that docs/problem.md states: a file that goes beyond one is refused with a sentence that has its
// number, and one that reaches it is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include "suite/base/error.hpp"
#include "suite/problem/generate/plan.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/docs/blocks.hpp"
#include "tests/paths.hpp"

namespace podium::docs {
namespace {

using testing::HasSubstr;

// A problem with one axis and one output; what is given is put into its sections.
struct Parts {
  std::string before, axes = "n", tensors, references, workload = "n: 1", workloads, structure, formula = "1",
                      title = "t";

  std::string yaml() const {
    return "podium: 1\ntitle: " + title + "\naxes: [" + axes + "]\n" + before +
           (structure.empty() ? "" : "structure:\n" + structure) + "tensors:\n" + tensors +
           "  y: { role: output, dtype: i64, shape: [\"" + formula + "\"] }\nreference:\n" + references +
           "  y: { index: [i], value: \"0\" }\nworkloads: { test: [{ " + workload + " }" + workloads +
           "] }\n";
  }
};

std::string refusal(const Parts& parts) {
  try {
    const auto problem = problem::parse("limits", parts.yaml(), "problem.yaml");
    for (const auto& workload : problem.workloads) instantiate(problem, problem.choices[0], workload, 7);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// `each` with @ replaced by 0 … count - 1.
std::string repeated(std::int64_t count, const std::string& each) {
  std::string text;
  for (std::int64_t k = 0; k < count; ++k) {
    std::string one = each;
    for (std::size_t at; (at = one.find('@')) != one.npos;) one.replace(at, 1, std::to_string(k));
    text += one;
  }
  return text;
}

// How a file has `count` of what a row of the table limits.
const std::map<std::string, std::function<void(Parts&, std::int64_t)>> limits{
    {"tensors",
     [](Parts& p, std::int64_t n) {
       p.tensors = repeated(n - 1, "  t@: { role: input, dtype: f32, shape: [], fill: zeros }\n");
     }},
    {"structures that contestants see",
     [](Parts& p, std::int64_t n) {
       p.structure = repeated(n, "  s@: { dtype: i32, shape: [], compute: \"out() = 1;\" }\n");
     }},
    {"axes",
     [](Parts& p, std::int64_t n) {
       p.axes += repeated(n - 1, ", a@");
       p.workload += repeated(n - 1, ", a@: 1");
     }},
    {"parameters",
     [](Parts& p, std::int64_t n) {
       p.before = "parameters: { " + repeated(n, "p@: f32, ") + "}\n";
       p.workload += repeated(n, ", p@: 1");
     }},
    {"constants",
     [](Parts& p, std::int64_t n) { p.before = "constants: { " + repeated(n, "c@: 1, ") + "}\n"; }},
    {"references",
     [](Parts& p, std::int64_t n) { p.references = repeated(n - 1, "  r@: { index: {}, value: \"0\" }\n"); }},
    {"choices of types",  // of the smallest dtypes first: pairs, 8 times as many
     [](Parts& p, std::int64_t n) {
       const std::string eight = "[f64, f32, f16, bf16, i64, i32, i16, i8";
       p.before = "types: { a: " + eight + (n % 8 ? ", u8" : "") + "], b: " + eight + "] }\n";
       p.tensors =
           "  ta: { role: input, dtype: a, shape: [], fill: ones }\n"
           "  tb: { role: input, dtype: b, shape: [], fill: ones }\n";
     }},
    {"workloads", [](Parts& p, std::int64_t n) { p.workloads = repeated(n - 1, ", { n: 1, name: w@ }"); }},
    {"axes of a tensor, indices of a reference",
     [](Parts& p, std::int64_t n) {
       p.tensors =
           "  t: { role: input, dtype: f32, shape: [n" + repeated(n - 1, ", 1") + "], fill: zeros }\n";
     }},
    {"letters of a name",
     [](Parts& p, std::int64_t n) {
       const std::string name(static_cast<std::size_t>(n), 'a');
       p.before = "constants: { " + name + ": 1 }\n";
     }},
    {"elements of one structure",
     [](Parts& p, std::int64_t n) {
       p.structure =
           "  s: { dtype: i8, shape: [\"" + std::to_string(n) + " * n\"], compute: \"out(0) = 1;\" }\n";
       p.workload = "n: 1";
     }},
    {"steps of one `compute` text",
     [](Parts& p, std::int64_t n) {
       p.structure = "  s: { dtype: i8, shape: [], compute: \"for (i : " + std::to_string(n) + ") ;\" }\n";
     }},
    {"characters of a formula",
     [](Parts& p, std::int64_t n) {
       p.formula = "1" + std::string(static_cast<std::size_t>(n) - 2, ' ') + "1";
     }},
    {"brackets of a term within each other",
     [](Parts& p, std::int64_t n) {
       const auto count = static_cast<std::size_t>(n);
       p.references =
           "  r: { index: {}, value: \"" + std::string(count, '(') + "1" + std::string(count, ')') + "\" }\n";
     }},
    {"bytes of a file",
     [](Parts& p, std::int64_t n) {
       const auto rest = static_cast<std::int64_t>(p.yaml().size());
       p.title += std::string(static_cast<std::size_t>(n - rest), 't');
     }},
};

TEST(Limits, AreThoseOfTheTable) {
  std::size_t rows = 0;
  for (const Row& row : read_document("docs/problem.md").rows) {
    if (row.heads.at(0) != "limit") continue;
    SCOPED_TRACE(row.cells.at(0));
    const auto limit = limits.find(row.cells.at(0));
    ASSERT_NE(limit, limits.end());
    ++rows;
    const std::int64_t most = std::stoll(row.cells.at(1));
    Parts beyond;
    limit->second(beyond, most + 1);
    EXPECT_THAT(refusal(beyond), HasSubstr(std::to_string(most)));
    if (most > 1'000'000 || row.cells[0] == "characters of a formula") continue;  // seconds, or no formula
    Parts within;
    limit->second(within, most);
    EXPECT_EQ(refusal(within), "");
  }
  EXPECT_EQ(rows, limits.size());
}

// The sentence below the table: numbers and words of the refusal are those of the text.
TEST(Limits, ArgumentsOfAKernelAreThoseOfTheText) {
  const auto plan = [](std::int64_t references) {
    Parts parts;
    parts.references =
        repeated(references, "  r@: { index: { a: n, b: n, c: n, d: n, e: n }, value: \"0\" }\n");
    return problem::Plan(problem::parse("limits", parts.yaml(), "problem.yaml")).words();
  };
  EXPECT_EQ(plan(49), 506);
  std::string refused;
  try {
    plan(50);
  } catch (const Error& error) {
    refused = error.what();
  }
  ASSERT_THAT(refused, HasSubstr("problem.yaml: "));
  refused.erase(0, refused.find(": ") + 2);
  std::ifstream file(std::filesystem::path(test::source_dir()) / "docs/problem.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("49 references of five indices still fit"));
  EXPECT_THAT(text, HasSubstr("“" + refused + "”"));
}

}  // namespace
}  // namespace podium::docs
