// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Device memory as pages of a file: two mappings see the same bytes, and nothing lies beside them.
#include "emulators/common/shared_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace podium::emulation {
namespace {

TEST(SharedFile, IsSeenByBothWhoMapIt) {
  constexpr std::size_t bytes = 10000;  // no whole number of pages
  const int file = make_shared_file(bytes);
  ASSERT_GE(file, 0);
  std::byte *one = map_file(file, bytes), *other = map_file(file, bytes);
  ASSERT_TRUE(one && other);
  EXPECT_NE(one, other);
  EXPECT_EQ(other[bytes - 1], std::byte{0});
  one[bytes - 1] = std::byte{7};
  EXPECT_EQ(other[bytes - 1], std::byte{7});
  unmap(one, bytes);
  EXPECT_EQ(other[bytes - 1], std::byte{7});
  unmap(other, bytes);
  close(file);
}

TEST(SharedFile, HasNothingBesideIt) {
  constexpr std::size_t page = 4096;
  std::byte* at = map_private(page);
  ASSERT_TRUE(at);
  at[page - 1] = std::byte{1};
  EXPECT_DEATH(at[-1] = std::byte{1}, "");
  EXPECT_DEATH(at[sysconf(_SC_PAGESIZE)] = std::byte{1}, "");
  unmap(at, page);
}

}  // namespace
}  // namespace podium::emulation
