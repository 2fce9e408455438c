// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a run records of its contestants: kind, tier, and a hash of all that is theirs.
#include <gtest/gtest.h>

#include "suite/cli/describe.hpp"
#include "tests/compile/workshop.hpp"

namespace podium::cli {
namespace {

record::Provenance described(const compile::Workshop& shop) {
  const auto plan = contest::plan({.problems = shop.folder.path() / "kernels"}, "cuda");
  return describe(plan, {}, {}, shop.tools, {});
}

TEST(Describe, SealedContestantsAreOfTheirTier) {
  const compile::Workshop shop;
  const std::string list = "launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }] }\n";
  shop.folder.write("kernels/scale/a.cu", "// podium: { title: t }\n");
  shop.folder.write("kernels/scale/b.sealed.gpu.cpp", "// podium: { " + list);
  shop.folder.write("kernels/scale/c.sealed.yaml",
                    "podium: { code: [{ file: c.ptx, arch: sm_80+ }], " + list);
  shop.folder.write("kernels/scale/c.ptx", "one");
  const auto before = described(shop);
  ASSERT_EQ(before.contestants.size(), 3u);
  EXPECT_EQ(before.contestants[0].kind + ", " + before.contestants[0].tier, "cuda, native");
  EXPECT_EQ(before.contestants[1].kind + ", " + before.contestants[1].tier, "portable, sealed");
  EXPECT_EQ(before.contestants[2].kind + ", " + before.contestants[2].tier, "code objects, sealed");
  shop.folder.write("kernels/scale/c.ptx", "other");
  EXPECT_NE(described(shop).contestants[2].sha256, before.contestants[2].sha256) << "its code is its source";
}

// Boards are described again after each of them: the sources of those that are not built yet are not read
// again.
TEST(Describe, SourcesAreHashedByThePlan) {
  const compile::Workshop shop;
  shop.folder.write("kernels/scale/a.cu", "// podium: { title: t }\n");
  const auto plan = contest::plan({.problems = shop.folder.path() / "kernels"}, "cuda");
  const auto before = describe(plan, {}, {}, shop.tools, {});
  shop.folder.write("kernels/scale/a.cu", "// podium: { title: other }\n");
  EXPECT_EQ(describe(plan, {}, {}, shop.tools, {}).contestants.at(0).sha256, before.contestants.at(0).sha256);
}

}  // namespace
}  // namespace podium::cli
