// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The CPU as the judge sees it. Everything is done when it returns: there is no stream.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <vector>

#include "backends/host/clock.hpp"
#include "backends/host/machine.hpp"
#include "backends/host/mapping.hpp"
#include "backends/host/pool.hpp"
#include "backends/host/program.hpp"
#include "backends/telemetry/processor.hpp"
#include "suite/base/error.hpp"

namespace podium::host {
namespace {

// Three times the last level leaves next to nothing else in it, by loads alone. At least 64 MiB, since small
// caches are often understated to virtual machines; at most 384 MiB, since those also hear of the whole
// host's cache, and a flush is part of every sample.
std::size_t flush_bytes(std::int64_t cache) {
  constexpr std::int64_t least = 64 << 20, most = 384 << 20;
  return static_cast<std::size_t>(std::clamp(3 * cache, least, most));
}

constexpr std::size_t chunk = std::size_t{1} << 20;  // bytes worth waking a thread for

// Steps that each need the one before (xorshift, Marsaglia 2003).
std::uint64_t fixed_work(std::uint64_t number) {
  constexpr int steps = 100'000;  // some 0.2 ms
  number += 88172645463325252;
  for (int step = 0; step < steps; ++step) {
    number ^= number << 13;
    number ^= number >> 7;
    number ^= number << 17;
  }
  return number;
}

class Cpu : public device::Device {
 public:
  Cpu() : pool_(threads()), sensors_(telemetry::open_processor()) {
    description_ = {.backend = "host",
                    .product = product(),
                    .architecture = architecture(),
                    .driver = kernel(),
                    .pci = "",
                    .memory = memory(),
                    .last_level_cache = last_level_cache(),
                    .multiprocessors = pool_.threads(),
                    .warp = 1};
    flush_ = Mapping(flush_bytes(description_.last_level_cache));
    flush_.prefer_large_pages();
    set(flush_.data(), 1, flush_.bytes());  // memory of its own: what was never written is one page of zeros
  }

  const device::Description& description() const override { return description_; }
  std::unique_ptr<device::Memory> allocate(std::size_t bytes) override {
    return std::make_unique<PrivateMemory>(bytes);
  }
  std::unique_ptr<device::Arena> share(std::size_t bytes) override {
    return std::make_unique<SharedArena>(bytes);
  }
  std::unique_ptr<device::Program> load(int object) override {
    return std::make_unique<SharedObject>(object, pool_);
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    in_chunks(bytes, [&](std::size_t at, std::size_t size) {
      std::memcpy(static_cast<std::byte*>(to) + at, static_cast<const std::byte*>(from) + at, size);
    });
  }

  void set(void* at, std::uint8_t value, std::size_t bytes) override {
    in_chunks(bytes, [&](std::size_t start, std::size_t size) {
      std::memset(static_cast<std::byte*>(at) + start, value, size);
    });
  }

  // By loads: stores may bypass the caches, and leave them as they were.
  void flush_caches() override {
    in_chunks(flush_.bytes(), [&](std::size_t start, std::size_t size) {
      constexpr std::size_t line = 64;
      for (std::size_t i = start; i < start + size; i += line)
        static_cast<void>(*static_cast<volatile std::byte*>(flush_.data() + i));
    });
  }

  void synchronise() override {}

  int groups_for(std::int64_t items) const override {
    constexpr std::int64_t items_per_group = 1024,
                           groups_per_thread = 8;  // the latter evens out unequal groups
    return static_cast<int>(std::clamp<std::int64_t>((items + items_per_group - 1) / items_per_group, 1,
                                                     groups_per_thread * pool_.threads()));
  }

  bool spins() const override { return false; }
  int most_ranks() const override { return std::max(2, pool_.threads()); }
  bool is_whole_group() const override { return true; }
  double link_rate(device::Device&) override {
    return memory_rates().copy / 2;
  }  // a byte is read and written

  // Arithmetic on every thread at once: whatever takes a core from it makes it late.
  double canary() override {
    std::array<double, 7> times;
    for (double& time : times) {
      const auto start = std::chrono::steady_clock::now();
      pool_.run(pool_.threads(),
                [this](int thread) { canary_ += fixed_work(static_cast<std::uint64_t>(thread)); });
      time = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
  }

  device::MemoryRates memory_rates() override {
    // Each twice what the caches hold, and little enough to be had anywhere: virtual machines hear of the
    // whole host's cache, and memory that is touched for the first time can take them a second a GiB.
    const std::int64_t wanted =
        std::clamp<std::int64_t>(2 * description_.last_level_cache, 128 << 20, 512 << 20);
    const auto bytes = static_cast<std::size_t>(std::min(wanted, available() / 4));
    const PrivateMemory from(bytes), to(bytes);
    set(from.data(), 1, bytes);
    set(to.data(), 2, bytes);
    const auto rate = [&](const std::function<void()>& work) {
      double best = timed(work);  // other work on the machine only ever makes it slower
      for (int times = 1; times < 7; ++times) best = std::min(best, timed(work));
      return 2.0 * static_cast<double>(bytes) / (1e-6 * best);
    };
    return {.copy = rate([&] { copy(to.data(), from.data(), bytes); }),
            .read = rate([&] { read(from.data(), bytes), read(to.data(), bytes); }),
            .write = rate([&] { set(from.data(), 3, bytes), set(to.data(), 4, bytes); })};
  }

  void measure_clock(device::Program&, std::uint64_t* at) override {
    const ClockCount count = count_clock();
    at[0] = count.cycles;
    at[1] = count.nanoseconds;
  }
  double clock_ticks_per_microsecond() const override { return 1000; }
  device::Telemetry telemetry() override { return sensors_->read(); }
  double energy() override { return sensors_->energy(); }
  std::string telemetry_source() override { return sensors_->source(); }
  double timed(const std::function<void()>& work) override {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  }

  std::unique_ptr<device::Memory> mapped(std::size_t bytes) override { return allocate(bytes); }

  std::unique_ptr<device::Products> products() override {
    throw Error("the CPU has no vendor's library of matrix products");
  }

 private:
  // Every byte, at the rate of vector loads.
  void read(const std::byte* from, std::size_t bytes) {
    in_chunks(bytes, [&](std::size_t at, std::size_t size) {
      std::uint64_t sum = 0;
      for (std::size_t i = at; i + sizeof sum <= at + size; i += sizeof sum) {
        std::uint64_t word;
        std::memcpy(&word, from + i, sizeof word);
        sum += word;
      }
      canary_ += sum;
    });
  }

  template <class Work>
  void in_chunks(std::size_t bytes, const Work& work) {
    const auto groups = std::max<std::size_t>(1, std::min(bytes / chunk, std::size_t(pool_.threads()) * 4));
    const std::size_t each = (bytes + groups - 1) / groups;
    pool_.run(static_cast<int>(groups), [&](int group) {
      const std::size_t at = std::min(bytes, static_cast<std::size_t>(group) * each);
      if (at < bytes) work(at, std::min(each, bytes - at));
    });
  }

  Pool pool_;
  device::Description description_;
  Mapping flush_;
  std::atomic<std::uint64_t> canary_{
      0};  // results of work whose results nobody needs, lest the compiler leaves it out
  std::unique_ptr<device::Sensors> sensors_;
};

}  // namespace
}  // namespace podium::host

std::unique_ptr<podium::device::Device> podium::device::open(int ordinal) {
  if (ordinal != 0)
    throw Error(fmt::format("host:{} does not exist: the processor is one device, host:0", ordinal),
                Fault::device);
  return std::make_unique<host::Cpu>();
}
