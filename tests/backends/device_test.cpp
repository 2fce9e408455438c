// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What suite/device/device.hpp promises the judge, on every backend.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>

#include "suite/base/descriptor.hpp"
#include "tests/backends/opened.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

using Device = Opened;

template <class Call>
std::string sentence(const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::array<std::uint64_t, 3> words(const device::Memory& memory, std::uint64_t count,
                                   std::uint64_t factor = 0) {
  return {reinterpret_cast<std::uint64_t>(memory.data()), count, factor};
}

// CDNA's waves have 64 lanes. RDNA's have 32 where HIP starts them; the CPU's are single threads.
int lanes_of(const std::string& architecture) {
  if (architecture.starts_with("gfx9")) return 64;
  return architecture.starts_with("gfx") || architecture.starts_with("sm_") ? 32 : 1;
}

TEST_F(Device, DescribesItself) {
  const auto& d = device_->description();
  EXPECT_FALSE(d.backend.empty() || d.product.empty() || d.architecture.empty() || d.driver.empty());
  EXPECT_GT(d.memory, std::int64_t{256} << 20);
  EXPECT_GT(d.last_level_cache, 64 << 10);
  EXPECT_GE(d.multiprocessors, 1);
  EXPECT_EQ(d.warp, lanes_of(d.architecture)) << d.architecture;
  EXPECT_EQ(d.pci.empty(), d.backend == "host");
}

TEST_F(Device, MoreWorkTakesLongerByItsOwnClock) {
  const auto memory = device_->allocate(std::size_t{64} << 20);
  const auto time = [&](int repeats) {
    return device_->timed([&] {
      for (int i = 0; i < repeats; ++i) device_->set(memory->data(), 1, memory->bytes());
    });
  };
  // In turns, since others may use the machine for a while.
  double nothing = time(0), one = time(1), eight = time(8);
  for (int turn = 0; turn < 20; ++turn) {
    nothing = std::min(nothing, time(0));
    one = std::min(one, time(1));
    eight = std::min(eight, time(8));
  }
  EXPECT_GE(nothing, 0);
  EXPECT_LT(nothing, one);
  EXPECT_GT(eight, 3 * one);
}

TEST_F(Device, MappedMemoryIsTheHostsAndTheDevices) {
  const auto memory = device_->mapped(4096);
  ASSERT_EQ(memory->bytes(), 4096u);
  EXPECT_EQ(memory->data()[4095], std::byte{0});
  device_->set(memory->data() + 1, 0x5A, 4095);
  device_->synchronise();
  EXPECT_EQ(memory->data()[0], std::byte{0});  // read where the host reads
  for (std::size_t i = 1; i < 4096; ++i) ASSERT_EQ(memory->data()[i], std::byte{0x5A}) << i;
}

TEST_F(Device, OrdinalsThatDoNotExistAreRefused) {
  for (const int ordinal : {-1, 4711})
    EXPECT_THAT(sentence([&] { device::open(ordinal); }), HasSubstr("does not exist"));
}

TEST_F(Device, MemoryIsZeroedAlsoWhenItWasUsedBefore) {
  constexpr std::size_t bytes = (5 << 20) + 13;
  for (int turn = 0; turn < 3; ++turn) {
    const auto memory = device_->allocate(bytes);
    EXPECT_EQ(memory->bytes(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory->data()) % 256, 0u);
    EXPECT_TRUE(all(read(memory->data(), bytes), 0));
    device_->set(memory->data(), 0xAB, bytes);
    EXPECT_TRUE(all(read(memory->data(), bytes), 0xAB));
  }
}

TEST_F(Device, ArenaIsZeroedAndRoundedUp) {
  const auto arena = device_->share((std::size_t{2} << 20) + 1);
  EXPECT_EQ(arena->bytes(), std::size_t{4} << 20);
  EXPECT_TRUE(all(read(arena->data(), arena->bytes()), 0));
  EXPECT_GE(arena->handle().descriptor, 0);
  EXPECT_TRUE(fcntl(arena->handle().descriptor, F_GETFD) & FD_CLOEXEC);
}

TEST_F(Device, MoreThanThereIsIsRefusedWithBothNumbers) {
  for (const std::size_t bytes : {std::size_t{1} << 50, ~std::size_t{0}}) {
    EXPECT_THAT(sentence([&] { device_->allocate(bytes); }), HasSubstr("MiB"));
    EXPECT_THAT(sentence([&] { device_->share(bytes); }), HasSubstr("MiB"));
  }
  EXPECT_TRUE(all(read(device_->allocate(64)->data(), 64), 0));  // and nothing is broken afterwards
}

TEST_F(Device, CopyAndSetKeepToTheirBytes) {
  constexpr std::size_t room = (9 << 20) + 7;
  const auto from = device_->allocate(room), to = device_->allocate(room);
  std::vector<std::uint8_t> pattern(room);
  std::uint32_t state = 1;
  for (auto& p : pattern) p = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  device_->copy(from->data(), pattern.data(), room);
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{4095}, std::size_t{1} << 20,
        (std::size_t{1} << 20) + 1, (std::size_t{8} << 20) + 5}) {
    for (const std::size_t offset : {std::size_t{0}, std::size_t{1}, std::size_t{777}}) {
      device_->set(to->data(), 0x11, room);
      device_->copy(to->data() + offset, from->data() + offset, bytes);
      auto expected = std::vector<std::uint8_t>(room, 0x11);
      std::copy_n(pattern.begin() + static_cast<long>(offset), bytes,
                  expected.begin() + static_cast<long>(offset));
      ASSERT_EQ(read(to->data(), room), expected) << "copy of " << bytes << " at " << offset;
      device_->set(to->data() + offset, 0x22, bytes);
      std::fill_n(expected.begin() + static_cast<long>(offset), bytes, 0x22);
      ASSERT_EQ(read(to->data(), room), expected) << "set of " << bytes << " at " << offset;
    }
  }
}

TEST_F(Device, FlushTouchesNobodysMemory) {
  const auto memory = device_->allocate(1 << 20);
  device_->set(memory->data(), 0x5A, memory->bytes());
  for (int i = 0; i < 3; ++i) device_->flush_caches();
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{1} << 20, std::size_t{1} << 40})
    device_->leave_unwritten(bytes);
  EXPECT_TRUE(all(read(memory->data(), memory->bytes()), 0x5A));
}

TEST_F(Device, ProgramsRunInOrderOverAnyNumberOfGroups) {
  const Descriptor file(open(PODIUM_TEST_PROGRAM, O_RDONLY | O_CLOEXEC));
  ASSERT_TRUE(file);
  const auto program = device_->load(file.get());
  for (const int groups : {1, 2, 7, 1000}) {
    for (const std::uint64_t count : {0, 1, 1000, 100003}) {
      const auto memory = device_->allocate(count * 4 + 4);
      program->run("multiples", words(*memory, count, 3), groups);
      program->run("increment", words(*memory, count), groups);
      std::vector<std::uint32_t> got(count + 1, 7), expected(count + 1, 0);
      for (std::uint32_t i = 0; i < count; ++i) expected[i] = 3 * i + 1;
      device_->copy(got.data(), memory->data(), got.size() * 4);
      device_->synchronise();
      ASSERT_EQ(got, expected) << groups << " groups, " << count << " elements";
    }
  }
}

TEST_F(Device, CountsItsClock) {
  const Descriptor file(open(PODIUM_TEST_PROGRAM, O_RDONLY | O_CLOEXEC));
  const auto program = device_->load(file.get());
  const auto memory = device_->allocate(3 * sizeof(std::uint64_t));
  for (int i = 0; i < 10; ++i) device_->flush_caches();  // an idle device first wakes up
  std::vector<double> clocks;
  for (int i = 0; i < 25; ++i) {
    std::array<std::uint64_t, 3> count{};
    device_->measure_clock(*program, reinterpret_cast<std::uint64_t*>(memory->data()));
    device_->copy(count.data(), memory->data(), sizeof count);
    device_->synchronise();
    ASSERT_GT(count[1], 0u);
    EXPECT_EQ(count[2], 0u) << "two words";
    clocks.push_back(static_cast<double>(count[0]) / static_cast<double>(count[1]) *
                     device_->clock_ticks_per_microsecond());
  }
  std::ranges::sort(clocks);
  std::printf("clock %.1f MHz, from %.1f to %.1f\n", clocks[12], clocks.front(), clocks.back());
  EXPECT_GT(clocks[12], 100) << "MHz";
  EXPECT_LT(clocks[12], 8000) << "MHz";
  EXPECT_LT(clocks[18] / clocks[6], 1.1) << "the middle half of measurements one after the other";
}

// What there is must be possible; what there is not must say why.
TEST_F(Device, TelemetryIsPossibleOrExplained) {
  const auto begin = std::chrono::steady_clock::now();
  const device::Telemetry is = device_->telemetry();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  const double joules = device_->energy();
  const std::string source = device_->telemetry_source();
  std::printf("telemetry by %s in %.2f ms: %.0f and %.0f MHz, %.0f degrees, %.0f W, %.0f J, throttled %u\n",
              source.c_str(), took.count(), is.sm_clock, is.memory_clock, is.temperature, is.power, joules,
              is.throttle);
  EXPECT_FALSE(source.empty());
  const auto within = [](double value, double low, double high) {
    return std::isnan(value) || (value >= low && value <= high);
  };
  EXPECT_TRUE(within(is.sm_clock, 10, 8000)) << is.sm_clock << " MHz";
  EXPECT_TRUE(within(is.memory_clock, 10, 20000)) << is.memory_clock << " MHz";
  EXPECT_TRUE(within(is.temperature, -50, 130)) << is.temperature << " degrees";
  EXPECT_TRUE(within(is.power, 0, 3000)) << is.power << " W";
  EXPECT_TRUE(within(joules, 0, 1e15)) << joules << " J";
  for (const double value : {is.sm_clock, is.memory_clock, is.temperature, is.power, joules})
    EXPECT_TRUE(std::isnan(value) || !source.starts_with("none: ")) << source;
}

TEST_F(Device, ProgramsThatAreNoneAreRefused) {
  const Descriptor file(open(PODIUM_TEST_PROGRAM, O_RDONLY | O_CLOEXEC));
  const auto memory = device_->allocate(64);
  EXPECT_THAT(sentence([&] { device_->load(file.get())->run("absent", words(*memory, 1), 1); }),
              HasSubstr("no kernel 'absent'"));
  const Descriptor garbage(memfd_create("garbage", MFD_CLOEXEC));
  EXPECT_THAT(sentence([&] { device_->load(garbage.get()); }), HasSubstr("program"));
  ASSERT_EQ(write(garbage.get(), "no program at all", 17), 17);
  EXPECT_THAT(sentence([&] { device_->load(garbage.get()); }), HasSubstr("program"));
  EXPECT_THAT(sentence([&] { device_->load(-1); }), HasSubstr("program"));
}

TEST_F(Device, GroupsFitTheWork) {
  EXPECT_EQ(device_->groups_for(0), 1);
  EXPECT_EQ(device_->groups_for(1), 1);
  const int most = device_->groups_for(std::int64_t{1} << 40);
  EXPECT_GE(most, device_->description().multiprocessors);
  EXPECT_LE(most, device_->description().multiprocessors * 64);
  for (std::int64_t items = 1; items < (1 << 30); items *= 3)
    EXPECT_LE(device_->groups_for(items), device_->groups_for(items * 3));
}

// Microseconds of all threads of this process on processors.
double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

TEST_F(Device, TheCanaryIsAlwaysTheSameWork) {
  // Its work is the processor time that it takes on the host, whatever else runs there, and the time of a
  // GPU.
  const bool host = device_->description().backend == "host";
  std::vector<double> times(9), work(9);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double before = processor_time();
    times[i] = device_->canary();
    work[i] = host ? processor_time() - before : times[i];
  }
  std::ranges::sort(times);
  std::ranges::sort(work);
  EXPECT_GT(times.front(), 1);    // microseconds: something is done
  EXPECT_LT(times.front(), 1e5);  // before each entry
  EXPECT_GT(work.front(), 1);
  EXPECT_LT(work[4], 10 * work.front());
}

// What the judge allocates itself is not others'.
TEST_F(Device, OwnMemoryIsNotThatOfOthers) {
  constexpr std::int64_t bytes = 256 << 20;
  const std::int64_t before = device_->memory_of_others();
  EXPECT_GE(before, 0);
  const auto mine = device_->allocate(bytes);
  EXPECT_LT(device_->memory_of_others(), before + bytes / 2);
}

TEST_F(Device, MemoryRatesArePlausible) {
  const device::MemoryRates rates = device_->memory_rates();
  for (const double rate : {rates.copy, rates.read, rates.write}) {
    EXPECT_GT(rate, 0.2e9);   // bytes a second; the slowest machine we know copies ten times as fast
    EXPECT_LT(rate, 100e12);  // no memory does
  }
  const auto& d = device_->description();
  RecordProperty("copy_rate", std::to_string(rates.copy));
  std::printf("%s, %s, %s: copies %.1f, reads %.1f, writes %.1f GB/s\n", d.product.c_str(),
              d.architecture.c_str(), d.driver.c_str(), rates.copy / 1e9, rates.read / 1e9,
              rates.write / 1e9);
}

}  // namespace
}  // namespace podium::test
