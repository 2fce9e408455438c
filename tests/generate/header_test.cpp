// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants' headers and the hash of their interface, for every problem that comes with Podium.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "suite/problem/generate/generate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/judge/program_double.hpp"
#include "tests/paths.hpp"

namespace podium::problem {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path source = test::source_dir();

std::vector<Problem> problems() {
  std::vector<Problem> all;
  for (const auto& entry : fs::directory_iterator(source / "kernels"))
    if (fs::exists(entry.path() / "problem.yaml")) all.push_back(load(entry.path() / "problem.yaml"));
  return all;
}

constexpr std::string_view yaml = R"y(podium: 1
title: Scaled rows */ and \
description: "y = s x"
axes: { rows:, cols:, all: rows * cols }
parameters: { s: f32, t: f64 }
constants: { width: 3, slope: 0.1 }
types: { real: [f16, bf16], whole: [i32] }
tensors:
  x: { role: input, dtype: real, shape: [rows, cols], fill: normal }
  k: { role: input, dtype: whole, shape: [width], fill: zeros }
  y: { role: output, dtype: real, shape: [rows, cols], tolerance: { ulp: 1 } }
  z: { role: output, dtype: f64, shape: [], tolerance: { ulp: 1 } }
reference:
  y: { index: [i, j], value: "s * x(i, j)" }
  z: { index: [], value: "t" }
workloads:
  test: [{ rows: 3, cols: 4, s: 1, t: 2 }]
  quick: [{ rows: 3, cols: 4, s: 1, t: 2 }]
  bench: [{ rows: 3, cols: 4, s: 1, t: 2 }]
)y";

fs::path write(const fs::path& folder, const Problem& problem, const Choice& choice) {
  fs::create_directories(folder / "podium");
  std::ofstream(folder / "podium" / (problem.name + ".hpp")) << contestant_header(problem, choice);
  return folder;
}

// Compiles `#include <podium/NAME.hpp>` and `use`; the compiler's output if it fails.
std::string compiled(const Problem& problem, const Choice& choice, const std::string& use) {
  const fs::path folder = fs::path(testing::TempDir()) /
                          ("header." + problem.name + "." + choice.name + std::to_string(getpid()));
  write(folder, problem, choice);
  std::ofstream(folder / "use.cpp") << "#include <podium/" << problem.name << ".hpp>\n" << use;
  const auto [output, status] =
      judge::shell("c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I" + folder.string() +
                   " -I" + (source / "sdk").string() + " " + (folder / "use.cpp").string());
  fs::remove_all(folder);
  return status == 0 ? "" : output;
}

TEST(Header, DeclaresWhatTheProblemStates) {
  const Problem problem = parse("rows", std::string(yaml), "kernels/rows/problem.yaml");
  const Choice& bf16 = problem.choices.at(1);
  EXPECT_EQ(compiled(problem, bf16, R"(
    #include <type_traits>
    static_assert(std::is_same_v<problem::real, podium::bf16> && std::is_same_v<problem::whole, std::int32_t>);
    static_assert(problem::width == 3 && problem::slope == 0.1);
    static_assert(std::is_same_v<decltype(problem::Workload::rows), std::int64_t>);
    static_assert(std::is_same_v<decltype(problem::Workload::all), std::int64_t>);
    static_assert(std::is_same_v<decltype(problem::Workload::s), float> && std::is_same_v<decltype(problem::Workload::t), double>);
    static_assert(std::is_same_v<decltype(problem::Arguments::x), podium::PackedTensor<const problem::real, 2>>);
    static_assert(std::is_same_v<decltype(problem::Arguments::k), podium::PackedTensor<const problem::whole, 1>>);
    static_assert(std::is_same_v<decltype(problem::Arguments::y), podium::PackedTensor<problem::real, 2>>);
    static_assert(std::is_same_v<decltype(problem::Arguments::z), podium::PackedTensor<double, 0>>);
    static_assert(std::is_base_of_v<problem::Workload, problem::Arguments>);
  )"),
            "");
  EXPECT_NE(compiled(problem, bf16, "static_assert(problem::width == 4);"), "");
}

TEST(Header, ArgumentsComeInTheOrderOfTheFile) {
  const Problem problem = parse("rows", std::string(yaml), "kernels/rows/problem.yaml");
  const fs::path folder =
      write(fs::path(testing::TempDir()) / ("order" + std::to_string(getpid())), problem, problem.choices[0]);
  std::ofstream(folder / "use.cpp") << R"(#include <podium/rows.hpp>
    int main() {
      const std::int64_t axes[] = {3, 4, 12}, shape[] = {3, 4}, strides[] = {4, 1};
      const double parameters[] = {0.5, 0.25};
      podium::wire::Workload plain{};
      plain.axes = axes, plain.parameters = parameters;
      podium::wire::Tensor t[4]{};
      float memory[4];
      for (int k = 0; k < 4; ++k) t[k].data = memory + k, t[k].extents = shape, t[k].strides = k == 1 ? strides + 1 : strides;
      const problem::Arguments a = problem::arguments(plain, t);
      const bool right = a.rows == 3 && a.cols == 4 && a.all == 12 && a.s == 0.5f && a.t == 0.25 &&
                         (const void*)a.x.data == memory && (const void*)a.k.data == memory + 1 &&
                         (void*)a.y.data == memory + 2 && (void*)a.z.data == memory + 3 && a.y.extent(1) == 4;
      return right ? 0 : 1;
    })";
  const auto [output, status] = judge::shell("cd " + folder.string() + " && c++ -std=c++17 -I. -I" +
                                             (source / "sdk").string() + " use.cpp -o use && ./use");
  EXPECT_EQ(status, 0) << output;
  fs::remove_all(folder);
}

TEST(Header, EveryProblemsHeaderCompiles) {
  for (const Problem& problem : problems())
    for (const Choice& choice : problem.choices)
      EXPECT_EQ(
          compiled(problem, choice, "problem::Arguments use(const problem::Arguments& a) { return a; }\n"),
          "")
          << problem.name << " " << choice.name;
}

TEST(Hash, ChangesWithTheInterfaceAndOnlyWithIt) {
  const Problem problem = parse("rows", std::string(yaml), "kernels/rows/problem.yaml");
  const std::string hash = interface_hash(problem, problem.choices[0]);
  EXPECT_THAT(hash, HasSubstr("rows-f16-i32-"));
  EXPECT_LE(hash.size(), 60u);
  EXPECT_THAT(contestant_header(problem, problem.choices[0]), HasSubstr("\"" + hash + "\""));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text(yaml);
    text.replace(text.find(from), from.size(), to);
    const Problem other = parse("rows", text, "kernels/rows/problem.yaml");
    return interface_hash(other, other.choices[0]) != hash;
  };
  EXPECT_TRUE(changed("width: 3", "width: 4"));
  EXPECT_TRUE(changed("slope: 0.1", "slope: 0.2"));
  EXPECT_TRUE(changed("s: f32", "s: f64"));
  EXPECT_TRUE(changed("k: {", "kk: {"));
  EXPECT_TRUE(changed("all: rows", "every: rows"));
  EXPECT_FALSE(changed("ulp: 1", "ulp: 2"));
  EXPECT_FALSE(changed("s * x(i, j)", "2 * s * x(i, j)"));
  std::set<std::string> hashes;
  for (const Choice& choice : problem.choices) hashes.insert(interface_hash(problem, choice));
  EXPECT_EQ(hashes.size(), problem.choices.size());
}

}  // namespace
}  // namespace podium::problem
