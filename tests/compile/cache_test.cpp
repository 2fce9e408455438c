// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The cache's limit: the entries that were not asked for longest go, those in use stay.
#include "suite/compile/cache.hpp"

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <functional>
#include <random>

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

// Users and builds of another machine, whose locks this one need not see.
TEST_F(Limited, WhatAnotherMachineUsesStays) {
  const auto unused = entry('a', 3h), used = entry('b', 1h);
  const auto user = folder.write("users/0a1b2c3d.1", ""),
             build = folder.write("scratch/0a1b2c3d.1.x/lock", "");
  const auto ago = [](auto time) { return fs::file_time_type::clock::now() - time; };
  fs::last_write_time(user, ago(2h));
  fs::last_write_time(build.parent_path(), ago(2h));
  elsewhere([](const Cache& cache) { cache.trim(0); });
  EXPECT_FALSE(fs::exists(unused));
  EXPECT_TRUE(fs::exists(used));
  EXPECT_TRUE(fs::exists(user));
  {
    const Scratch another(folder.path());
  }
  EXPECT_TRUE(fs::exists(build));
  // No job takes that long.
  fs::last_write_time(user, ago(24h * 15));
  fs::last_write_time(build.parent_path(), ago(24h * 15));
  elsewhere([](const Cache& cache) { cache.trim(0); });
  EXPECT_FALSE(fs::exists(used));
  {
    const Scratch another(folder.path());
  }
  EXPECT_FALSE(fs::exists(build));
}

TEST_F(Limited, AProcessTakesItsEntryBack) {
  elsewhere([&](const Cache&) {
    EXPECT_EQ(files_in(folder.path() / "users"), 1);
    std::exit(testing::Test::HasFailure() ? 1 : 0);
  });
  EXPECT_EQ(files_in(folder.path() / "users"), 0);
}

// Processes of as many machines: each has the same process id, as far as the kernel permits that here.
void on_machines(int count, const std::function<void(int)>& act) {
  std::vector<pid_t> machines;
  for (int i = 0; i < count; ++i) {
    machines.push_back(::fork());
    if (machines.back() != 0) continue;
    if (::unshare(CLONE_NEWPID) != 0) static_cast<void>(::unshare(CLONE_NEWUSER | CLONE_NEWPID));
    const pid_t process = ::fork();
    if (process == 0) {
      try {
        act(i);
      } catch (const std::exception& e) {
        ADD_FAILURE() << "machine " << i << ": " << e.what();
      }
      ::_exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    ::waitpid(process, &status, 0);
    ::_exit(status == 0 ? 0 : 1);
  }
  for (const pid_t machine : machines) {
    int status = -1;
    ::waitpid(machine, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

constexpr int machines = 12, times = 40;

TEST(Shared, FilesAreWholeWhoeverWritesThem) {
  const Folder folder;
  const auto file = folder.path() / "file";
  on_machines(machines, [&](int number) {
    const std::string mine(std::size_t(1000 + 100 * number), char('a' + number));
    for (int i = 0; i < times; ++i) {
      write_private(file, mine);
      const auto found = text_of(file);
      ASSERT_FALSE(found.empty());
      ASSERT_EQ(found, std::string(std::size_t(1000 + 100 * (found[0] - 'a')), found[0]));
    }
  });
  EXPECT_EQ(files_in(folder.path()), 1);
}

// Compilers need not make the same bytes twice. Who finishes later takes what is there: a process that has
// mapped it would lose it on a network file system.
TEST(Shared, AProductIsPublishedOnce) {
  const Folder folder;
  const auto file = folder.path() / "product";
  on_machines(machines, [&](int number) {
    ino_t first = 0;
    for (int i = 0; i < times; ++i) {
      std::string part;
      {
        const auto to = part_of(file, part);
        const std::string bytes(std::size_t(5000 + number), char('a' + number));
        ASSERT_EQ(::write(to.get(), bytes.data(), bytes.size()), ssize_t(bytes.size()));
      }
      ASSERT_TRUE(publish(part, file));
      seal(file);
      ASSERT_TRUE(intact(file));
      struct stat status{};
      ASSERT_EQ(::stat(file.c_str(), &status), 0);
      if (i > 0) {
        ASSERT_EQ(status.st_ino, first);
      }
      first = status.st_ino;
    }
  });
  EXPECT_EQ(files_in(folder.path()), 2);
}

TEST(Shared, ADamagedProductIsReplaced) {
  const Folder folder;
  const auto file = folder.write("product", "whole");
  seal(file);
  EXPECT_TRUE(intact(file));
  folder.write("product", "damaged");
  EXPECT_FALSE(intact(file));
  ASSERT_TRUE(publish(folder.write("part", "anew"), file));
  seal(file);
  EXPECT_TRUE(intact(file));
  EXPECT_EQ(text_of(file), "anew");
}

// The same by builds of one contestant, with a compiler that never makes the same bytes twice.
TEST(Shared, ManyBuildersFillOneCache) {
  Workshop shop;
  shop.contestant("a.cpp", "\n// do: head -c 3000 /dev/urandom > $out\n");
  std::vector<pid_t> builders;
  for (int i = 0; i < machines; ++i) {
    builders.push_back(::fork());
    if (builders.back() != 0) continue;
    const auto products = shop.build();
    ::_exit(products.at(0).status == Product::Status::built && intact(products[0].file) ? 0 : 1);
  }
  for (const pid_t builder : builders) {
    int status = -1;
    ::waitpid(builder, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(shop.build().at(0).cached);
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
