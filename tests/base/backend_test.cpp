// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table of backends holds what its readers rely on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "suite/base/backend.hpp"
#include "suite/base/error.hpp"

namespace podium {
namespace {

TEST(Backends, RowsAreWhole) {
  std::set<std::string> names, prefixes, sources;
  for (const auto& one : backends()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_EQ(find_backend(one.name), &one);
    EXPECT_FALSE(one.devices.empty() || one.source.empty() || one.program_flags.empty()) << one.name;
    EXPECT_EQ(one.gpu, !one.vendor.empty()) << one.name;
    if (!one.gpu) continue;
    EXPECT_TRUE(prefixes.insert(one.prefix).second) << one.name;
    EXPECT_TRUE(sources.insert(one.source).second)
        << one.name << ": its contestants have a suffix of their own";
    EXPECT_TRUE(one.warp && !one.architecture_flags.empty() && !one.device_code_flag.empty()) << one.name;
    EXPECT_EQ(one.emulator.architectures.empty(), one.emulator.programs.empty()) << one.name;
    for (const auto& architecture : one.emulator.architectures)
      EXPECT_EQ(backend_of(architecture), &one) << architecture;
  }
}

TEST(Backends, ArchitecturesAreOfOneVendorOrNone) {
  EXPECT_EQ(backend_of("sm_90a")->name, "cuda");
  EXPECT_EQ(backend_of("gfx942:sramecc+")->name, "hip");
  EXPECT_EQ(backend_of("x86-64-v3"), nullptr);
  EXPECT_EQ(backend_of(""), nullptr);
  EXPECT_FALSE(of_backend("", backend_named("host")));
}

TEST(Backends, AnUnknownOneIsASentence) {
  EXPECT_EQ(find_backend("cdua"), nullptr);
  try {
    backend_named("cdua");
    FAIL() << "found a backend";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "backend: found \"cdua\", expected one of cuda, hip, host (nearest: \"cuda\")");
  }
}

}  // namespace
}  // namespace podium
