// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Generated text for every dtype and layout: contestants' views, and programs for the CPU and for NVRTC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/problem/parse/parse.hpp"
#include "tests/judge/program_double.hpp"
#include "tests/paths.hpp"

namespace podium::problem {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::string_view yaml = R"y(podium: 1
title: t
axes: [rows, cols]
types: { real: [e2m1, e4m3, e5m2, e4m3_fnuz, e5m2_fnuz, e8m0] }
tensors:
  x: { role: input, dtype: real, shape: [rows, cols], fill: ones }
  a: { role: input, dtype: real, shape: [rows, 2, cols], strides: [2 * cols, "2 * cols * rows", 1], fill: ones }
  s: { role: input, dtype: e4m3, shape: [rows, cols], layout: scales_128x4, fill: ones }
  b: { role: input, dtype: e8m0, shape: [2, rows, cols], layout: scales_128x4, fill: ones }
  y: { role: output, dtype: real, shape: [rows, cols], tolerance: { ulp: 1 } }
  z: { role: output, dtype: real, shape: [rows, cols], strides: [cols + 2, 1] }
  q: { role: output, dtype: bf16, shape: [rows, cols], layout: scales_128x4, tolerance: { ulp: 1 } }
reference:
  y: { index: [i, j], value: "x(i, j) * a(i, 1, j)" }
  q: { index: [i, j], reduce: { over: { k: cols }, op: sum, term: "s(i, k) * b(1, i, k) * x(i, j)" } }
checks: { up: { sorted: z }, same: { permutation: [z, x] } }
workloads: { test: [{ rows: 2, cols: 4 }], quick: [{ rows: 2, cols: 4 }], bench: [{ rows: 2, cols: 4 }] }
)y";
Problem all_layouts() { return parse("all", std::string(yaml), "kernels/all/problem.yaml"); }

std::string compiled_header(const Choice& choice, const std::string& use) {
  const Problem problem = all_layouts();
  const fs::path folder = fs::path(testing::TempDir()) / ("layout." + choice.name + std::to_string(getpid()));
  fs::create_directories(folder / "podium");
  std::ofstream(folder / "podium/all.hpp") << contestant_header(problem, choice);
  std::ofstream(folder / "use.cpp") << "#include <podium/all.hpp>\n#include <type_traits>\n" << use;
  const auto [output, status] =
      judge::shell("c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I" + folder.string() +
                   " -I" + test::source_dir() + "/sdk " + (folder / "use.cpp").string());
  fs::remove_all(folder);
  return status == 0 ? "" : output;
}

TEST(Layout, ContestantsSeePairsStridesAndTiles) {
  const Problem problem = all_layouts();
  for (const Choice& choice : problem.choices)
    EXPECT_EQ(compiled_header(choice, R"(
      template <class A, class B> constexpr bool same = std::is_same_v<A, B>;
      static_assert(same<decltype(problem::Arguments::x), podium::PackedTensor<const problem::real, 2>>);
      static_assert(same<decltype(problem::Arguments::a), podium::PackedTensor<const problem::real, 3>>);
      static_assert(same<decltype(problem::Arguments::s), podium::PackedTensor<const podium::e4m3, 5>>);
      static_assert(same<decltype(problem::Arguments::b), podium::PackedTensor<const podium::e8m0, 6>>);
      static_assert(same<decltype(problem::Arguments::q), podium::PackedTensor<podium::bf16, 5>>);
      podium::e4m3 scale(const problem::Arguments& p) { return podium::scale_at(p.s, 1, 2); })"),
              "")
        << choice.name;
  EXPECT_EQ(
      compiled_header(problem.choices[0], "static_assert(std::is_same_v<problem::real, podium::e2m1x2>);"),
      "");
  const std::string header = contestant_header(problem, problem.choices[0]);
  EXPECT_THAT(header, HasSubstr("x;  // [rows, cols]; seen in pairs: the last extent is half of this"));
  EXPECT_THAT(header, HasSubstr("z;  // [rows, cols], strides [cols + 2, 1]; seen in pairs: the last extent "
                                "and the strides are half of these"));
  EXPECT_THAT(header, HasSubstr("s;  // [rows, cols], seen as [rows / 128, columns / 4, 32, 4, 4]"));
}

TEST(Layout, IsPartOfTheInterface) {
  const Problem problem = all_layouts();
  std::string text(yaml);
  text.replace(text.find("[rows, cols], strides: [cols + 2, 1]"), 36, "[rows, cols]");
  const Problem dense = parse("all", text, "kernels/all/problem.yaml");
  EXPECT_NE(interface_hash(problem, problem.choices[0]), interface_hash(dense, dense.choices[0]));
}

TEST(Layout, ProgramsCompileWithoutAWarning) {
  const Problem problem = all_layouts();
  for (const Choice& choice : problem.choices)
    EXPECT_NO_THROW(
        judge::compile_program(judge_program(problem, choice), "-O1 -Wall -Wextra -Wpedantic -Werror"))
        << choice.name;
}

#ifdef PODIUM_NVRTC
TEST(Layout, ProgramsCompileWithNvrtc) {
  const Problem problem = all_layouts();
  for (const Choice& choice : {problem.choices[0], problem.choices[1], problem.choices[5]}) {
    const fs::path in =
        fs::path(testing::TempDir()) / ("layout." + choice.name + std::to_string(getpid()) + ".cu");
    const fs::path out = in.string() + "bin";
    std::ofstream(in) << judge_program(problem, choice);
    const auto [log, status] =
        judge::shell(std::string(PODIUM_NVRTC) + " " + in.string() + " -o " + out.string() +
                     " --arch sm_90 -I " + test::source_dir() + "/suite/problem/program");
    EXPECT_EQ(status, 0) << choice.name << "\n" << log;
    EXPECT_EQ(log, "") << choice.name;
    EXPECT_TRUE(fs::exists(out));
    fs::remove(in);
    fs::remove(out);
  }
}
#endif

}  // namespace
}  // namespace podium::problem
