// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The sentences in which emulators report mistakes.
#include "emulators/common/report.hpp"

#include <gtest/gtest.h>

namespace podium::emulation {
namespace {

TEST(Report, NamesTheKernelThePlaceAndTheMistake) {
  EXPECT_EQ(sentence({.kernel = "add<float>",
                      .block = {{1, 2, 3}},
                      .thread = {{4, 5, 6}},
                      .source = "add.cu:12",
                      .code = "PTX line 87"},
                     "a load of 4 bytes at 0x10: no allocation is near"),
            "kernel add<float>, block (1,2,3), thread (4,5,6), add.cu:12 (PTX line 87): a load of 4 bytes at "
            "0x10: no allocation is near");
}

TEST(Report, LeavesOutWhatNobodyKnows) {
  EXPECT_EQ(sentence({.kernel = "k"}, "deadlock"), "kernel k: deadlock");
  EXPECT_EQ(sentence({.kernel = "k", .code = "PTX line 3"}, "trap"), "kernel k, PTX line 3: trap");
  EXPECT_EQ(sentence({.kernel = "k", .source = "k.cu:3"}, "trap"), "kernel k, k.cu:3: trap");
}

TEST(Report, ReadsMangledNames) {
  EXPECT_EQ(demangled("_Z3addIfEvPKT_S2_PS0_l"), "add<float>");
  EXPECT_EQ(demangled("_ZN12_GLOBAL__N_13addEPf"), "(anonymous namespace)::add");
  EXPECT_EQ(demangled("triton_kernel"), "triton_kernel");
}

TEST(Report, AFaultIsItsSentence) {
  EXPECT_STREQ(Fault({.kernel = "k"}, "deadlock").what(), "kernel k: deadlock");
}

}  // namespace
}  // namespace podium::emulation
