// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Formulas of a launch list become the numbers that are worked out here by hand, workload by workload.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "suite/compile/sealed_resolve.hpp"
#include "tests/sealed/sealed_problem.hpp"

namespace podium::compile {
namespace {

using protocol::SealedProgram;
using testing::ElementsAre;
using testing::HasSubstr;
using Kind = SealedProgram::Argument::Kind;

class Resolve : public Sealed {
 protected:
  Resolved resolved(const std::string& launches, const std::string& file = "a.sealed.cu", int choice = 0,
                    const DeviceFacts& device = {.warp = 32, .multiprocessors = 132}) {
    const char* const marker = file.ends_with(".py") ? "# " : "// ";
    std::string text = std::string(marker) + "podium:\n";
    for (std::size_t at = 0; at < launches.size();) {
      const auto end = std::min(launches.find('\n', at), launches.size());
      text += marker + ("  " + launches.substr(at, end - at)) + "\n";
      at = end + 1;
    }
    contestants_.push_back(contestant(file, text));  // launches point into it
    const auto p = problem();
    return resolve(p, p.choices[static_cast<std::size_t>(choice)], contestants_.back(), "sm_90", device);
  }
  std::string refusal(const std::string& launches) {
    try {
      resolved(launches);
      return "not refused";
    } catch (const Error& e) {
      return e.what();
    }
  }
  std::vector<Contestant> contestants_;
};

TEST_F(Resolve, EveryNumberOfEveryWorkload) {
  const auto all = resolved(R"yaml(values: { blocks: "min(ceil_div(rows, 4), 8)", last: "max(blocks - 1, 0)" }
scratch: { s: { dtype: bf16, shape: [blocks, 3] }, t: { dtype: e2m1, shape: [3] } }
prepare: [{ kernel: init, grid: [1], block: [warp], arguments: [s, t] }]
launches:
  - { kernel: one, grid: [blocks, multiprocessors], block: [64, 2], shared: 4 * cols, arguments: [y, lengths, t, nil] }
  - { kernel: two, grid: [last], block: [32], arguments: [i32(-rows), i64(-1), u8(255), f32(alpha / 3), f64(alpha), bool(1), i8(-128)] }
)yaml");
  // rows 5, 0, 100, 1000: four lists, in the order of the problem.
  ASSERT_EQ(all.lists.size(), 4u);
  EXPECT_THAT(all.lists[0].axes, ElementsAre(5, 7));
  EXPECT_THAT(all.lists[2].axes, ElementsAre(100, 64));
  EXPECT_THAT(all.lists[2].parameters, ElementsAre(-2));
  EXPECT_THAT(all.lists[0].scratch, ElementsAre(2 * 3 * 2, 2));  // 2 blocks of 3 bf16; 3 halves of a byte
  EXPECT_THAT(all.lists[3].scratch, ElementsAre(8 * 3 * 2, 2));
  EXPECT_EQ(all.codes.size(), 1u);
  EXPECT_EQ(all.origins[3].workload, "bench workload rows=1000,cols=64,alpha=1");
  ASSERT_EQ(all.lists[2].prepare.size(), 1u);
  EXPECT_THAT(all.lists[2].prepare[0].block, ElementsAre(32, 1, 1));
  const auto& one = all.lists[2].launches.at(0);
  EXPECT_EQ(one.kernel, "one");
  EXPECT_THAT(one.grid, ElementsAre(8, 132, 1));
  EXPECT_THAT(one.block, ElementsAre(64, 2, 1));
  EXPECT_EQ(one.shared, 256u);
  EXPECT_EQ(one.arguments.at(0), (SealedProgram::Argument{.kind = Kind::tensor, .index = 1}));
  EXPECT_EQ(one.arguments.at(1), (SealedProgram::Argument{.kind = Kind::structure, .index = 0}));
  EXPECT_EQ(one.arguments.at(2), (SealedProgram::Argument{.kind = Kind::scratch, .index = 1}));
  EXPECT_EQ(one.arguments.at(3), (SealedProgram::Argument{.kind = Kind::number, .bytes = 8, .bits = 0}));
  const auto& two = all.lists[2].launches.at(1);
  EXPECT_THAT(two.grid, ElementsAre(7, 1, 1));
  const auto number = [&](std::size_t i) {
    return std::pair(two.arguments.at(i).bytes, two.arguments[i].bits);
  };
  EXPECT_EQ(number(0), std::pair(4, std::uint64_t{0xffffff9c}));  // -100
  EXPECT_EQ(number(1), std::pair(8, ~std::uint64_t{0}));          // -1
  EXPECT_EQ(number(2), std::pair(1, std::uint64_t{255}));
  EXPECT_EQ(number(3), std::pair(4, std::uint64_t{0xbf2aaaab}));          // -2/3, nearest
  EXPECT_EQ(number(4), std::pair(8, std::uint64_t{0xc000000000000000}));  // -2
  EXPECT_EQ(number(5), std::pair(1, std::uint64_t{1}));
  EXPECT_EQ(number(6), std::pair(1, std::uint64_t{0x80}));
}

TEST_F(Resolve, AnEmptyGridIsLeftOut) {
  const auto all = resolved(R"yaml(launches:
  - { kernel: one, grid: [rows], block: [32], arguments: [x] }
  - { kernel: two, grid: [1], block: [32], arguments: [x] }
)yaml");
  EXPECT_EQ(all.lists[0].launches.size(), 2u);
  ASSERT_EQ(all.lists[1].launches.size(), 1u);  // no rows
  EXPECT_EQ(all.lists[1].launches[0].kernel, "two");
  EXPECT_EQ(all.origins[1].launches.at(0)->kernel, "two");
}

TEST_F(Resolve, WhenLeavesWorkloadsOut) {
  const auto all =
      resolved("when: cols == 64\nlaunches: [{ kernel: k, grid: [1], block: [1], arguments: [] }]");
  ASSERT_EQ(all.lists.size(), 2u);
  EXPECT_THAT(all.lists[0].axes, ElementsAre(100, 64));
}

TEST_F(Resolve, EachSetOfMacrosIsOneCompilation) {
  const auto all = resolved(
      "define: { COLS: cols, SIZE: size(real) }\n"
      "launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }]",
      "a.sealed.cu", 1);
  ASSERT_EQ(all.codes.size(), 2u);
  EXPECT_EQ(all.codes[0].defines.at("COLS"), 7);
  EXPECT_EQ(all.codes[1].defines.at("COLS"), 64);
  EXPECT_EQ(all.codes[1].defines.at("SIZE"), 2);
  EXPECT_EQ(all.lists[0].launches[0].code, 0);
  EXPECT_EQ(all.lists[3].launches[0].code, 1);
}

TEST_F(Resolve, PythonIsAskedForWhatEachWorkloadNeeds) {
  const auto all = resolved(R"yaml(needs: [triton]
launches: [{ kernel: k, grid: [rows], arguments: [x, lengths, i32(cols), f32(alpha)], constants: { B: next_power_of_2(cols) }, options: { num_warps: warp / 8 } }]
)yaml",
                            "a.sealed.py", 1);
  ASSERT_EQ(all.codes.size(), 2u);  // without rows there is no launch, and 100 and 1000 rows are alike
  const auto request = nlohmann::json::parse(all.codes[0].request);
  EXPECT_EQ(request,
            nlohmann::json::parse(R"({"language": "triton", "kernel": "k", "target": "sm_90", "warp": 32,
    "arguments": [{"array": "bf16"}, {"array": "i32"}, {"number": "i32", "divisible": false},
                  {"number": "f32", "divisible": false}],
    "constants": {"B": 8.0}, "options": {"num_warps": 4.0}})"));
  EXPECT_EQ(nlohmann::json::parse(all.codes[1].request)["arguments"][2]["divisible"], true);  // 64 columns
}

TEST_F(Resolve, ArraysOfCutileBringTheirExtentsAndStrides) {
  const auto all = resolved(
      "needs: [cutile]\nlaunches: [{ kernel: k, grid: [rows], arguments: [x, i64(rows)] }]", "a.sealed.py");
  std::vector<std::pair<int, std::uint64_t>> passed;
  for (const auto& a : all.lists[0].launches.at(0).arguments) passed.emplace_back(a.bytes, a.bits);
  using P = std::pair<int, std::uint64_t>;
  EXPECT_THAT(passed, ElementsAre(P(8, 0), P(4, 5), P(4, 7), P(4, 7), P(4, 1), P(8, 5)));
}

TEST_F(Resolve, WithoutADeviceItsMultiprocessorsAreNotKnown) {
  const std::string launches =
      "launches: [{ kernel: k, grid: [multiprocessors], block: [warp], arguments: [] }]";
  EXPECT_FALSE(resolved(launches).lacks_device);
  EXPECT_TRUE(resolved(launches, "a.sealed.cu", 0, {.warp = 32}).lacks_device);
  EXPECT_EQ(warp_of("sm_90"), 32);
  EXPECT_EQ(warp_of("gfx90a"), 64);
  EXPECT_EQ(warp_of("gfx942:sramecc+:xnack-"), 64);
  EXPECT_EQ(warp_of("gfx1100"), 32);
  EXPECT_EQ(warp_of("gfx1201"), 32);
}

TEST_F(Resolve, SharedMemoryIsTheArchitectures) {
  const auto all =
      resolved("launches: [{ kernel: k, grid: [1], block: [1], shared: shared_memory / 2, arguments: [] }]");
  EXPECT_EQ(all.lists[0].launches.at(0).shared, 227 * 1024 / 2);
  EXPECT_EQ(shared_memory_of("sm_80"), 163 * 1024);
  EXPECT_EQ(shared_memory_of("sm_103a"), 227 * 1024);
  EXPECT_EQ(shared_memory_of("sm_120"), 99 * 1024);
  EXPECT_EQ(shared_memory_of("gfx942:sramecc+:xnack-"), 64 * 1024);
  EXPECT_EQ(shared_memory_of("gfx950"), 160 * 1024);
}

TEST_F(Resolve, OneCompilationServesBothTruths) {
  const auto all =
      resolved("needs: [triton]\nlaunches: [{ kernel: k, grid: [rows], arguments: [x, bool(cols == 64)] }]",
               "a.sealed.py");
  EXPECT_EQ(all.codes.size(), 1u);
}

TEST_F(Resolve, NumbersOutOfRangeNameTheWorkload) {
  const auto with = [](const std::string& grid, const std::string& block, const std::string& argument) {
    return "launches: [{ kernel: k, grid: [" + grid + "], block: [" + block + "], arguments: [" + argument +
           "] }]";
  };
  EXPECT_THAT(
      refusal(with("rows / 2", "1", "nil")),
      HasSubstr("a.sealed.cu:2: launches[0].grid[0]: in the test workload rows=5,cols=7,alpha=0.5 found 2.5, "
                "expected a number of blocks from 0 to 2147483647"));
  EXPECT_THAT(refusal(with("1, 70000", "1", "nil")), HasSubstr("from 0 to 65535"));
  EXPECT_THAT(refusal(with("1", "rows", "nil")),
              HasSubstr("found 0, expected a number of threads from 1 to 1024"));
  EXPECT_THAT(refusal(with("1", "64, 32", "nil")),
              HasSubstr("found a block of 2048 threads, expected at most 1024"));
  EXPECT_THAT(refusal(with("1", "1", "i8(2 * cols)")),
              HasSubstr("workload rows=100,cols=64,alpha=-2 found 128, expected a "
                        "whole number of i8 from -128 to 127"));
  EXPECT_THAT(refusal(with("1", "1", "u32(-1)")), HasSubstr("from 0 to 4294967295"));
  EXPECT_THAT(refusal(with("1", "1", "i32(cols / rows)")), HasSubstr("rows=0,cols=7,alpha=0.5 found inf"));
  EXPECT_EQ(refusal(with("1", "1", "i8(cols)")), "not refused");
}

}  // namespace
}  // namespace podium::compile
