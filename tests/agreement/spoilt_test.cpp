// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The comparison of devices, tested without one: of a problem and a copy of it that is spoilt in known places
// it names these and nothing else; of the CPU's program and the GPU's, emulated, nothing at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agreement/agree.hpp"
#include "tests/judge/program_double.hpp"
#include "tests/paths.hpp"

namespace podium::agreement {
namespace {

namespace fs = std::filesystem;
using judge::DoubleDevice;
using judge::DoubleProgram;
using testing::UnorderedElementsAreArray;

// One problem on the CPU, on the first of its boards.
struct Cpu {
  problem::Problem problem;
  DoubleDevice device;
  std::unique_ptr<Side> side;

  Cpu(const std::string& name, const std::string& yaml, bool emulated = false)
      : problem(problem::parse(name, yaml, name + "/problem.yaml")), device(emulated) {
    const problem::Choice& choice = problem.choices.front();
    const problem::Plan plan(problem);
    std::string text = problem::judge_program(problem, choice) + judge::kinds_of(plan);
    if (emulated) text = judge::emulation_prologue + text + judge::emulation_epilogue;
    auto program = std::make_unique<DoubleProgram>(judge::compile_program(text));
    judge::Kinds kinds = static_cast<const char*>(program->symbol("podium_kinds"));
    side = std::make_unique<Side>(device, std::move(program), problem, choice, std::move(kinds));
  }
};

std::string text_of(const std::string& folder) {
  return judge::contents(fs::path(test::source_dir()) / folder / "problem.yaml");
}

struct Change {
  std::string from, to;
};
std::string changed(std::string text, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    const auto at = text.find(change.from);
    EXPECT_NE(at, std::string::npos) << change.from;
    EXPECT_EQ(text.find(change.from, at + 1), std::string::npos) << "twice: " << change.from;
    if (at != std::string::npos) text.replace(at, change.from.size(), change.to);
  }
  return text;
}

struct Spoilt {
  std::string folder;
  std::vector<Change> changes;
  std::vector<std::string> differing;  // references
};

class SpoiltCopy : public testing::TestWithParam<Spoilt> {};

TEST_P(SpoiltCopy, IsFoundWhereItIsSpoilt) {
  const auto& [folder, changes, differing] = GetParam();
  const std::string yaml = text_of(folder), name = fs::path(folder).filename();
  Cpu one(name, yaml), other(name, changed(yaml, changes));
  const Agreement found = compare(*one.side, *other.side, false);
  EXPECT_THAT(found.differing(), UnorderedElementsAreArray(differing)) << found.text();
}

const Spoilt copies[] = {
    // Each form a little, as far as its numbers can differ by little.
    {"tests/agreement/forms",
     {{R"y(scan: { along: j, op: sum, term: "x(i, j)")y",
       R"y(scan: { along: j, op: sum, term: "x(i, j) * 1.0000001")y"},
      {"exclusive: true", "exclusive: false"},
      {R"y("x(i, j) > 0")y", R"y("x(i, j) > 0.01")y"},
      {R"y(i: m, j: n }, at: { b: "k(i, j)" }, op: sum, term: "x(i, j)")y",
       R"y(i: m, j: n }, at: { b: "k(i, j)" }, op: sum, term: "x(i, j) + (j == 0 ? 1e-9 : 0)")y"},
      {"x(i, j) < 1\"", "x(i, j) < 0.9\""},
      {"% 7\", descending: true", "% 7\", descending: false"},
      {R"y(high: n } }, by: "x(i, j)")y", R"y(high: n } }, by: "-x(i, j)")y"},
      {"0.9 * state", "0.9000000001 * state"},
      {"0.25 * coupled", "0.2500000001 * coupled"},
      {"(e - j + 3)", "(e - j + 3.0000000001)"},
      {"i64 count = 0", "i64 count = j == 5"},
      {"% 1009", "% 1013"}},
     {"prefix", "before", "count", "mean", "peak", "rank", "few", "state", "coupled", "window", "steps",
      "walk"}},
    // An intermediate or a fill, and what reads it.
    {"tests/agreement/checks", {{"x(e) * z(", "1.0000000001 * x(e) * z("}}, {"zx", "checks.rows"}},
    {"tests/agreement/derived_fills",
     {{R"y("exp(w(i, j)) / total(i)")y", R"y("exp(w(i, j)) / total(i) * 1.0000000001")y"}},
     {"tensors.probability.fill", "y"}},
    {"kernels/top_k",
     {{R"y(by: "x(i, j)", descending: true)y", R"y(by: "x(i, j)")y"}},
     {"rank", "values", "checks.taken"}},
    {"kernels/prefix_sum", {{R"y(op: sum, term: "x(i)")y", R"y(op: sum, term: "x(i) * 1.00001")y"}}, {"y"}},
};
INSTANTIATE_TEST_SUITE_P(Problems, SpoiltCopy, testing::ValuesIn(copies),
                         [](const auto& one) { return fs::path(one.param.folder).filename().string(); });

TEST(HonestCopy, EmulatedGpuAgrees) {
  // Lines of one thread, of a group, of several groups; emulation is slow.
  const std::string yaml = changed(text_of("tests/agreement/forms"),
                                   {{"{ m: 3, n: 20000 }, { m: 3000, n: 17 }", "{ m: 2, n: 2100 }"}});
  Cpu cpu("forms", yaml), gpu("forms", yaml, true);
  const Agreement found = compare(*cpu.side, *gpu.side, false);
  EXPECT_EQ(found.text(), "");
  EXPECT_EQ(found.workloads, 6);  // three, in full and sampled
  for (std::size_t e = 0; e < found.references.elements.size(); ++e)
    EXPECT_GT(found.references.elements[e], 0u) << "evaluation " << e << " was never compared";
  EXPECT_GT(found.references.worst, 0) << "they do not even add in different orders";
}

}  // namespace
}  // namespace podium::agreement
