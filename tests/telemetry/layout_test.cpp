// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// That vendors' declarations were found, with which other tests compare Podium's.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace podium::telemetry {
namespace {

TEST(Layout, DeclarationsWereFound) {
  std::string missing;
#if !defined(AMDSMI_HEADER)
  missing += " amdsmi_wrapper.py";
#endif
#if !defined(NVML_HEADER)
  missing += " nvml.h";
#endif
#if !defined(ROCM_SMI_HEADER)
  missing += " rocm_smi/rocm_smi.h";
#endif
  if (missing.empty()) return;
  const std::string sentence =
      "not compared with, since CMake did not find them:" + missing + "; scripts/setup --numpy installs them";
  if (std::getenv("PODIUM_TEST_DECLARATIONS")) FAIL() << sentence;
  GTEST_SKIP() << sentence;
}

}  // namespace
}  // namespace podium::telemetry
