// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Structure in generated code: the contestants' header, its hash, and the judge's program for both compilers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/problem/generate/generate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/judge/program_double.hpp"
#include "tests/paths.hpp"

namespace podium::problem {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const std::string yaml = R"y(podium: 1
title: Rows of different lengths
axes: [n, most]
structure:
  length: { dtype: u8, shape: [n], private: true, compute: "for (b : n) out(b) = random.below(9);" }
  ptr: { dtype: i32, shape: [n + 1], compute: "for (b : n) out(b + 1) = out(b) + length(b);" }
  scale: { dtype: f32, shape: [n, 2], compute: "for (b : n) out(b, 0) = random.uniform();" }
tensors:
  x: { role: input, dtype: f32, shape: [most], used: "ptr(n)", fill: normal }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1, scale: magnitude } }
  z: { role: output, dtype: f32, shape: [most], used: "ptr(n)", tolerance: { ulp: 1 } }
reference:
  y: { index: [i], reduce: { over: { a: "length(i)", e: ["ptr(i) + a", "ptr(i + 1)"] }, op: sum, term: "x(e) * scale(i, 0)" } }
  z: { index: [e], value: "x(e) * segment(ptr, e)" }
sample: { i: 3 }
workloads: { test: [{ n: 7, most: 100 }] }
)y";

Problem parsed(const std::string& text = yaml) { return parse("rows", text, "kernels/rows/problem.yaml"); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Structure, IsInTheHeaderAsContestantsReadIt) {
  const Problem problem = parsed();
  const fs::path folder = fs::path(testing::TempDir()) / ("structure" + std::to_string(getpid()));
  fs::create_directories(folder / "podium");
  std::ofstream(folder / "podium/rows.hpp") << contestant_header(problem, problem.choices[0]);
  std::ofstream(folder / "use.cpp") << R"(#include <podium/rows.hpp>
    #include <type_traits>
    static_assert(std::is_same_v<decltype(problem::Workload::ptr), podium::Structure<std::int32_t, 1>>);
    static_assert(std::is_same_v<decltype(problem::Workload::scale), podium::Structure<float, 2>>);
    static_assert(std::is_same_v<decltype(problem::Workload::scale.host), podium::PackedTensor<const float, 2>>);
    int main() {
      const std::int64_t axes[] = {7, 100}, one[] = {8}, unit[] = {1}, two[] = {7, 2}, strides[] = {2, 1};
      std::int32_t host[8] = {}, device[8] = {};
      float scales[2][14] = {};
      host[7] = 5, scales[1][13] = 2.5f;
      const podium::wire::Tensor structure[] = {{device, host, one, unit}, {scales[0], scales[1], two, strides}};
      podium::wire::Workload plain{};
      plain.axes = axes, plain.structure = structure;
      const problem::Workload w = problem::workload(plain);
      return w.n == 7 && w.most == 100 && w.ptr.host(7) == 5 && w.ptr.device.data == device &&
             w.scale.host(6, 1) == 2.5f && w.ptr.host.extent(0) == 8 ? 0 : 1;
    })";
  const auto [output, status] =
      judge::shell("cd " + folder.string() + " && c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I. -I" +
                   test::source_dir() + "/sdk use.cpp -o use && ./use");
  EXPECT_EQ(status, 0) << output;
  fs::remove_all(folder);
  EXPECT_THAT(contestant_header(problem, problem.choices[0]), Not(HasSubstr("length;")));
}

TEST(Structure, IsPartOfTheInterface) {
  const auto hash = [](const std::string& text) {
    const Problem problem = parsed(text);
    return interface_hash(problem, problem.choices[0]);
  };
  EXPECT_NE(hash(yaml), hash(replaced(yaml, "dtype: i32", "dtype: i64")));
  EXPECT_NE(hash(yaml), hash(replaced(yaml, "private: true, ", "")));
  EXPECT_EQ(hash(yaml), hash(replaced(yaml, "below(9)", "below(8)")));
}

TEST(Structure, ProgramCompilesForTheCpu) {
  const Problem problem = parsed();
  EXPECT_NO_THROW(judge::compile_program(judge_program(problem, problem.choices[0]),
                                         "-O1 -Wall -Wextra -Wpedantic -Werror"));
}

TEST(Structure, CompilersNameTheLineOfARange) {
  const Problem problem = parsed(replaced(yaml, "\"ptr(i + 1)\"]", "\"ptr(i) + 0.5\"]"));
  try {
    judge::compile_program(judge_program(problem, problem.choices[0]));
    ADD_FAILURE() << "a range that is no whole number compiled";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("kernels/rows/problem.yaml#reference.y.reduce.over.e[1]:13:"));
  }
}

#ifdef PODIUM_NVRTC
TEST(Structure, ProgramCompilesWithNvrtc) {
  const Problem problem = parsed();
  const fs::path in = fs::path(testing::TempDir()) / ("structure" + std::to_string(getpid()) + ".cu"),
                 out = in.string() + "bin";
  std::ofstream(in) << judge_program(problem, problem.choices[0]);
  const auto [log, status] =
      judge::shell(std::string(PODIUM_NVRTC) + " " + in.string() + " -o " + out.string() +
                   " --arch sm_90 -I " + test::source_dir() + "/suite/problem/program");
  EXPECT_EQ(status, 0) << log;
  EXPECT_EQ(log, "");
  fs::remove(in);
  fs::remove(out);
}
#endif

}  // namespace
}  // namespace podium::problem
