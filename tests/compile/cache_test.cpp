// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The cache's limit: the entries that were not asked for longest go, those in use stay.
#include "suite/compile/cache.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <chrono>

#include "suite/base/error.hpp"
#include "suite/compile/amount.hpp"
#include "tests/compile/workshop.hpp"

namespace podium::compile {
namespace {

using namespace std::chrono_literals;

class Limited : public testing::Test {
 protected:
  // Of 1000 bytes in two files, last asked for that long ago.
  fs::path entry(char digit, std::chrono::seconds ago) {
    const auto base = "sum/a.f32.host." + std::string(32, digit);
    for (const auto& [suffix, bytes] : {std::pair{".plugin", 900}, std::pair{".plugin.sha256", 100}})
      fs::last_write_time(folder.write(base + suffix, std::string(std::size_t(bytes), 'x')),
                          fs::file_time_type::clock::now() - ago);
    return folder.path() / (base + ".plugin");
  }
  // In a process of its own: this one would be a user of the cache until its end.
  template <class Do>
  void elsewhere(const Do& act) {
    const pid_t child = ::fork();
    if (child == 0) {
      act(Cache(folder.path()));
      ::_exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  Folder folder;
};

TEST_F(Limited, TheLeastRecentlyUsedGo) {
  const auto oldest = entry('a', 3h), middle = entry('b', 2h), newest = entry('c', 1h);
  folder.write("sum/readme", std::string(5000, 'x'));  // not the cache's
  elsewhere([&](const Cache& cache) {
    Cache::use(oldest);
    EXPECT_EQ(cache.contents().entries, 3);
    EXPECT_EQ(cache.contents().bytes, 3000);
    const auto removed = cache.trim(2500);
    EXPECT_EQ(removed.entries, 1);
    EXPECT_EQ(removed.bytes, 1000);
  });
  EXPECT_TRUE(fs::exists(oldest));
  EXPECT_FALSE(fs::exists(middle));
  EXPECT_FALSE(fs::exists(middle.string() + ".sha256"));
  EXPECT_TRUE(fs::exists(newest));
  EXPECT_TRUE(fs::exists(folder.path() / "sum/readme"));
}

TEST_F(Limited, WhatALivingProcessUsesStays) {
  const auto unused = entry('a', 1h), used = entry('b', 1h);
  const Cache mine(folder.path());
  Cache::use(used);
  elsewhere([](const Cache& cache) { cache.trim(0); });
  EXPECT_TRUE(fs::exists(used));
  EXPECT_FALSE(fs::exists(unused));
}

TEST_F(Limited, BuildsKeepTheLimit) {
  Workshop shop;
  shop.contestant("a.cpp", "\n// do: head -c 2000000 /dev/zero > $out\n");
  elsewhere([&](const Cache&) { EXPECT_EQ(shop.build().at(0).status, Product::Status::built); });
  const auto first = fs::directory_iterator(shop.cache() / "scale")->path();
  for (const auto& file : fs::directory_iterator(shop.cache() / "scale"))
    fs::last_write_time(file, fs::file_time_type::clock::now() - 1h);
  ::setenv("PODIUM_CACHE_LIMIT", "3MiB", 1);
  shop.contestant("a.cpp", "\n// do: head -c 2000001 /dev/zero > $out\n");
  elsewhere([&](const Cache&) { EXPECT_TRUE(fs::exists(shop.build().at(0).file)); });
  ::unsetenv("PODIUM_CACHE_LIMIT");
  EXPECT_FALSE(fs::exists(first));
}

TEST_F(Limited, TheLimitIsKeptAndOverridden) {
  const Cache cache(folder.path());
  EXPECT_EQ(cache.limit(), std::int64_t{20} << 30);
  cache.set_limit(5000);
  EXPECT_EQ(cache.limit(), 5000);
  ::setenv("PODIUM_CACHE_LIMIT", "1.5G", 1);
  EXPECT_EQ(cache.limit(), (std::int64_t{3} << 30) / 2);
  ::setenv("PODIUM_CACHE_LIMIT", "much", 1);
  EXPECT_THROW(static_cast<void>(cache.limit()), Error);
  ::unsetenv("PODIUM_CACHE_LIMIT");
}

TEST(Amounts, AreReadAndWritten) {
  EXPECT_EQ(amount(std::int64_t{2} << 30), "2 GiB");
  EXPECT_EQ(amount(1536), "1.5 KiB");
  EXPECT_EQ(amount(12), "12 bytes");
  EXPECT_EQ(parse_amount("20GiB"), std::int64_t{20} << 30);
  EXPECT_EQ(parse_amount("512 MiB"), 512 << 20);
  EXPECT_EQ(parse_amount("4096"), 4096);
  for (const char* wrong : {"", "GiB", "-1", "1 parsec", "nan", "1e30"})
    EXPECT_FALSE(parse_amount(wrong)) << wrong;
}

TEST(LimitsOfCompilation, AreSetByTheEnvironment) {
  ::setenv("PODIUM_COMPILE_LIMITS", "seconds=7,memory=3GiB,disk=1MiB", 1);
  const auto limits = limits_of_compilation();
  EXPECT_EQ(limits.seconds, 7);
  EXPECT_EQ(limits.bytes, std::int64_t{3} << 30);
  EXPECT_EQ(limits.disk, 1 << 20);
  ::setenv("PODIUM_COMPILE_LIMITS", "second=7", 1);
  EXPECT_THROW(limits_of_compilation(), Error);
  ::unsetenv("PODIUM_COMPILE_LIMITS");
}

}  // namespace
}  // namespace podium::compile
