// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Machine code in files as NVIDIA's compiler writes them, a cubin and fatbins, launched by the worker on a
// GPU and timed: made by this test from CUDA source, so that no code object lies in the checkout. Skipped
// where PODIUM_TEST_DEVICE names no NVIDIA GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "suite/compile/toolchain.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

constexpr const char* kernel = R"(#include <cstdint>
extern "C" __global__ void __launch_bounds__(256) add(const float* a, const float* b, float* c, std::uint64_t n) {
  const std::uint64_t i = blockIdx.x * std::uint64_t(256) + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i] + MORE;
}
)";

// "sm_90"; empty: that device is not there.
std::string architecture() {
  const auto listed = podium({"list", "devices", "--format", "json"});
  if (listed.status != 0) return "";
  for (const auto& one : nlohmann::json::parse(listed.out))
    if (one.at("device") == device() && one.at("available").get<bool>())
      return one.at("architecture").get<std::string>();
  return "";
}

TEST(SealedObjects, OfEachKindAreLaunchedOnTheDevice) {
  if (!device().starts_with("cuda")) GTEST_SKIP() << "PODIUM_TEST_DEVICE=cuda:0 chooses an NVIDIA GPU";
  const std::string arch = architecture();
  if (arch.empty()) GTEST_SKIP() << "there is no " << device();
  const std::string number = arch.substr(arch.find('_') + 1);
  const std::string compiler = compile::read_toolchain(toolchain()).backends.at("cuda").compiler;
  const Scratch scratch;
  const auto source = scratch.write("add.cu", kernel);
  struct Form {
    std::string name, file, flags, more = "0";
    const char* verdict = "right";
  };
  const std::string both = "-gencode=arch=compute_" + number + ",code=[compute_" + number + "," + arch + "]";
  const std::vector<Form> forms{{"machine_code", "a.cubin", "-cubin -arch=" + arch},
                                {"several_codes", "b.fatbin", "-fatbin -no-compress " + both},
                                {"compressed_code", "c.fatbin", "-fatbin " + both},
                                {"wrong_code", "d.cubin", "-cubin -arch=" + arch, "1", "wrong"}};
  std::vector<std::string> arguments{
      "run",      "vector_add", "--device",    device(),    "--quick",
      "--rounds", "1",          "--cold-only", "--results", scratch.results().string()};
  for (const Form& form : forms) {
    const std::string command = "'" + compiler + "' " + form.flags + " -DMORE=" + form.more + " '" +
                                source.string() + "' -o '" + (scratch.path() / form.file).string() + "' 2>&1";
    // NOLINTNEXTLINE(bugprone-command-processor): the compiler of this build
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const auto manifest = scratch.write(
        form.name + ".sealed.yaml",
        "podium:\n  title: " + form.name + "\n  types: { real: [f32] }\n  code: [{ file: " + form.file +
            ", arch: " + arch +
            " }]\n  values: { elements: n * n }\n  launches:\n    - { kernel: add, grid: " +
            "[\"ceil_div(elements, 256)\"], block: [256], arguments: [a, b, c, u64(elements)] }\n");
    arguments.insert(arguments.end(), {"--contestant", manifest.string()});
  }
  const auto ended = podium(arguments);
  EXPECT_EQ(ended.status, 1) << "one of them is wrong\n" << ended.out << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ended.err;
  for (const Form& form : forms) {
    EXPECT_NE(find(runs[0], form.name, form.verdict), nullptr) << form.name << '\n' << ended.out;
    const bool timed = std::ranges::any_of(runs[0].entries, [&](const record::Entry& entry) {
      return entry.contestant == form.name && entry.round >= 0 && entry.verdict.word() == "right" &&
             entry.median.value > 0;
    });
    EXPECT_EQ(timed, form.verdict == std::string("right")) << form.name << '\n' << ended.out;
  }
}

}  // namespace
}  // namespace podium::test
