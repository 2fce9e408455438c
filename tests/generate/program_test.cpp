// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge's program of every problem that comes with Podium compiles for the CPU and, where NVRTC is there,
// for sm_90.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/problem/fills/fills.hpp"
#include "suite/problem/generate/plan.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/judge/program_double.hpp"
#include "tests/paths.hpp"
#include "tests/whole.hpp"

namespace podium::problem {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Of each problem, those of one choice of types, another one each day, or of all.
std::vector<std::pair<std::string, std::string>> programs(bool all_choices) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& entry : fs::directory_iterator(fs::path(test::source_dir()) / "kernels")) {
    if (!fs::exists(entry.path() / "problem.yaml")) continue;
    const Problem problem = load(entry.path() / "problem.yaml");
    const std::size_t today = test::part_of_today(problem.choices.size(), problem.name);
    for (const Choice& choice : problem.choices)
      if (all_choices || &choice == &problem.choices[today])
        all.emplace_back(problem.name + "." + choice.name, judge_program(problem, choice));
  }
  const Problem forms = load(fs::path(test::source_dir()) / "tests/agreement/forms/problem.yaml");
  all.emplace_back("forms", judge_program(forms, forms.choices[0]));
  return all;
}

TEST(Program, CompilesForTheCpuWithoutAWarning) {
  const auto all = programs(test::whole());
  EXPECT_GE(all.size(), 6u);
  for (const auto& [name, text] : all)
    EXPECT_NO_THROW(judge::compile_program(text, "-O1 -Wall -Wextra -Wpedantic -Werror")) << name;
}

#ifdef PODIUM_NVRTC
std::pair<std::string, int> nvrtc(const std::string& name, const std::string& text) {
  const fs::path in = fs::path(testing::TempDir()) / (name + std::to_string(getpid()) + ".cu"),
                 out = in.string() + "bin";
  std::ofstream(in) << text;
  const auto result = judge::shell(std::string(PODIUM_NVRTC) + " " + in.string() + " -o " + out.string() +
                                   " --arch sm_90 -I " + test::source_dir() + "/suite/problem/program");
  EXPECT_EQ(result.second == 0, fs::exists(out));
  fs::remove(in);
  fs::remove(out);
  return result;
}

TEST(Program, CompilesWithNvrtc) {
  for (const auto& [name, text] : programs(test::whole())) {
    const auto [log, status] = nvrtc(name, text);
    EXPECT_EQ(status, 0) << name << "\n" << log;
    EXPECT_EQ(log, "") << name;
  }
}

// Everything that fills by term may use, in every dtype that rounds in a way of its own.
TEST(Program, FillsByTermCompileWithNvrtc) {
  std::string yaml = R"y(podium: 1
title: t
axes: [m, n]
parameters: { p: f32 }
constants: { four: 4, half: 0.5 }
tensors:
)y";
  for (const std::string dtype : {"f64", "f32", "f16", "bf16", "i64", "i8", "u64", "bool"})
    yaml += "  in_" + dtype + ": { role: input, dtype: " + dtype +
            ", shape: [m, n], fill: { index: [i, j], value: \"i == j ? random(0) + normal(1, min(i, j), "
            "max(i, j)) * p "
            ": sqrt(floor(half) + ceil(p)) / four - ldexp(abs(i - j), -2) + ceil_div(i, 2) + random(2, i, j, "
            "n)\" } }\n"
            "  whole_" +
            dtype + ": { role: input, dtype: " + dtype +
            ", shape: [n], fill: { index: [i], value: \"i % 2 == 0 ? i : -i\" } }\n";
  yaml += R"y(  single: { role: input, dtype: f32, shape: [], fill: { index: [], value: "normal(3)" } }
  y: { role: output, dtype: i32, shape: [] }
reference: { y: { index: [], value: "1" } }
workloads: { test: [{ m: 1, n: 1, p: 1 }] }
)y";
  const Problem problem = parse("fills", yaml, "problem.yaml");
  const std::string text = judge_program(problem, problem.choices[0]);
  EXPECT_THAT(text, HasSubstr("PODIUM_KERNEL(podium_draw_in_f32_0)"));
  const auto [log, status] = nvrtc("fills", text);
  EXPECT_EQ(status, 0) << log;
  EXPECT_EQ(log, "");
  EXPECT_NO_THROW(judge::compile_program(text, "-O1 -Wall -Wextra -Wpedantic -Werror"));
}

TEST(Program, NvrtcNamesTheLineOfTheYaml) {
  Problem problem = load(fs::path(test::source_dir()) / "kernels/sum/problem.yaml");
  problem.references[0].term.text = "x(i) + bogus";
  const auto [log, status] = nvrtc("bogus", judge_program(problem, problem.choices[0]));
  EXPECT_NE(status, 0);
  EXPECT_THAT(log,
              HasSubstr("problem.yaml(" + std::to_string(problem.references[0].term.at.line) + "): error"));
}
#endif

constexpr std::string_view shared = R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  y: { role: output, dtype: f32, shape: [n, n], tolerance: { ulp: 1, scale: magnitude } }
  z: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1, scale: width } }
reference:
  width: { index: { i: n }, value: "x(i) * x(i)" }
  once: { index: { r: n }, value: "x(r)" }
  both: { index: { r: n, s: n }, value: "once(r) * x(s)" }
  y: { index: [i, j], value: "both(i, j) + both(i, j)" }
  z: { index: [i], reduce: { over: { k: n }, op: sum, term: "both(i, k)" } }
sample: { i: 3, j: 4 }
workloads: { test: [{ n: 41 }], quick: [{ n: 3 }], bench: [{ n: 3 }] }
)y";

TEST(Plan, EvaluatesEachDomainOnce) {
  const Problem problem = parse("trial", std::string(shared), "problem.yaml");
  const Plan plan(problem);
  ASSERT_EQ(plan.sets().size(), 2u);
  EXPECT_EQ(plan.sets()[0].index, "i");
  EXPECT_EQ(plan.sets()[0].outputs, 2);  // y and z share rows
  const auto domains = [&](const std::string& name) {
    std::vector<std::vector<int>> all;
    for (const std::size_t e : plan.evaluations_of(plan.reference_named(name)))
      all.push_back(plan.evaluations()[e].sets);
    return all;
  };
  using Domains = std::vector<std::vector<int>>;
  EXPECT_EQ(domains("once"), (Domains{{0}}));
  EXPECT_EQ(domains("width"), (Domains{{0}}));
  EXPECT_THAT(domains("both"),
              testing::UnorderedElementsAre(std::vector<int>{0, 1}, std::vector<int>{0, whole_range}));
  for (const Evaluation& evaluation : plan.evaluations()) {
    const std::string& name = problem.references[evaluation.reference].name;
    if (name == "y") {
      EXPECT_TRUE(evaluation.magnitude);
    }
    if (name == "z" || name == "width") {
      EXPECT_FALSE(evaluation.magnitude);
    }
  }
}

// What a row of a tile shares and what a column does make a tile worth its code.
TEST(Plan, TilesWhatSharesWhatItReads) {
  const auto is_tiled = [](const std::string& term, const std::string& over = "k: n") {
    const std::string yaml = R"y(podium: 1
title: t
axes: [n]
tensors:
  a: { role: input, dtype: f32, shape: [n, n], fill: normal }
  y: { role: output, dtype: f32, shape: [n, n], tolerance: { ulp: 1 } }
reference: { y: { index: [i, j], reduce: { over: { )y" +
                             over + R"y( }, op: sum, term: ")y" + term + R"y(" } } }
workloads: { test: [{ n: 3 }] }
)y";
    return tiled(parse("trial", yaml, "problem.yaml").references[0]);
  };
  EXPECT_TRUE(is_tiled("a(i, k) * a(k, j)"));
  EXPECT_TRUE(is_tiled("exp(a(i, k) - a(j / 2, k))"));
  EXPECT_TRUE(is_tiled("const auto l = j; return a(i, k) * a(l, k);"));  // locals: nobody looks that far
  EXPECT_FALSE(is_tiled("a(i, j + 0 * k)"));
  EXPECT_FALSE(is_tiled("a(i, k) * a(i + j - j, k)"));  // a matrix by a vector: only the rows share
  EXPECT_FALSE(is_tiled("a(i, k) * a(k, k)"));
  EXPECT_FALSE(is_tiled("a(i, k) * a(k, j)", "k: [i, n]"));
}

// Kinds of fills that no workload asks for are not compiled.
TEST(Program, KnowsTheFillsThatWorkloadsUse) {
  const Problem problem = parse("trial", R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  v: { role: input, dtype: i32, shape: [n], fill: { index: [i], value: "i" } }
  w: { role: input, dtype: i32, shape: [n], fill: permutation }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }
reference: { y: { index: [i], value: "x(i) + v(i) + w(i)" } }
workloads:
  test: [{ n: 1 }, { n: 2, fill: { x: ones, v: zeros } }, { n: 3, fill: { x: normal } }]
  quick: [{ n: 1, fill: { x: { uniform: { low: 0, high: 1 } } } }]
)y",
                                "problem.yaml");
  const auto kinds = [&](const char* name) { return fill_kinds(problem, *problem.tensor(name)); };
  EXPECT_EQ(kinds("x"),
            "podium::program::FillKind::normal, podium::program::FillKind::uniform, "
            "podium::program::FillKind::ones");
  EXPECT_EQ(kinds("v"), "podium::program::FillKind::zeros");
  EXPECT_EQ(kinds("w"), "podium::program::FillKind::permutation");
  const std::string text = judge_program(problem, problem.choices[0]);
  EXPECT_THAT(text, HasSubstr("podium::program::fill<podium::program::FillKind::zeros>(words"));
  EXPECT_THAT(text, HasSubstr("PODIUM_KERNEL(podium_draw_v_0)"));
}

// A form that runs along an index is evaluated along all of it, on the lines that the sample needs.
TEST(Plan, WidensWhatAFormRunsAlong) {
  const Problem problem = parse("trial", R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  a: { role: output, dtype: f32, shape: [n, n], tolerance: { ulp: 1 } }
  b: { role: output, dtype: f32, shape: [n, n], tolerance: { ulp: 1 } }
  c: { role: output, dtype: f32, shape: [n, n], tolerance: { ulp: 1 } }
  d: { role: output, dtype: i32, shape: [n, n] }
  e: { role: output, dtype: f32, shape: [n, n], tolerance: { ulp: 1 } }
reference:
  a: { index: [i, j], scan: { along: j, op: sum, term: "x(j) * x(i)" } }
  b: { index: [i, j], recur: { along: i, first: "x(j)", next: "b(i - 1, j)" } }
  c: { index: [i, j], recur: { along: i, first: "x(j)", next: "c(i - 1, n - 1 - j)" } }
  key: { index: { p: n, q: n }, value: "x(p) * q" }
  d: { index: [i, j], order: { along: { q: n }, by: "key(i, q)" } }
  e: { index: [i, j], scatter: { over: { q: n }, at: { i: "q" }, op: sum, term: "key(q, j)" } }
sample: { i: 3, j: 4 }
workloads: { test: [{ n: 41 }], quick: [{ n: 3 }], bench: [{ n: 3 }] }
)y",
                                "problem.yaml");
  const Plan plan(problem);
  const auto domains = [&](const std::string& name) {
    std::vector<std::vector<int>> all;
    for (const std::size_t e : plan.evaluations_of(plan.reference_named(name)))
      all.push_back(plan.evaluations()[e].sets);
    return all;
  };
  using Domains = std::vector<std::vector<int>>;
  EXPECT_EQ(domains("a"), (Domains{{0, whole_range}}));
  EXPECT_EQ(domains("b"), (Domains{{whole_range, 1}}));
  EXPECT_EQ(domains("c"), (Domains{{whole_range, whole_range}}));
  EXPECT_EQ(domains("d"), (Domains{{0, 1}}));
  EXPECT_EQ(domains("e"), (Domains{{whole_range, 1}}));
  EXPECT_THAT(domains("key"), testing::UnorderedElementsAre(std::vector<int>{0, whole_range},
                                                            std::vector<int>{whole_range, 1}));
}

TEST(Plan, RefusesMoreWordsThanAKernelTakes) {
  std::string yaml =
      "podium: 1\ntitle: t\naxes: [n]\ntensors:\n  x: { role: input, dtype: f32, shape: [n], fill: normal }\n"
      "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }\nreference:\n";
  std::string sum = "x(i)";
  for (int k = 0; k < 60; ++k) {
    yaml += "  part" + std::to_string(k) + ": { index: { a: n, b: n, c: n, d: n }, value: \"a\" }\n";
    sum += " + part" + std::to_string(k) + "(i, i, i, i)";
  }
  yaml += "  y: { index: [i], value: \"" + sum +
          "\" }\nworkloads: { test: [{ n: 1 }], quick: [{ n: 1 }], bench: [{ n: 1 }] }\n";
  const Problem problem = parse("trial", yaml, "kernels/trial/problem.yaml");
  EXPECT_THROW(Plan{problem}, Error);
}

}  // namespace
}  // namespace podium::problem
