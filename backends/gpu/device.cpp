// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A GPU as the judge sees it: one stream, private blocks, one shared arena.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "backends/gpu/block.hpp"
#include "backends/gpu/handles.hpp"
#include "backends/gpu/products.hpp"
#include "backends/gpu/program.hpp"
#include "backends/gpu/vendor.hpp"
#include "suite/device/emulated.hpp"

namespace podium::gpu {
namespace {

class PinnedMemory : public device::Memory {
 public:
  explicit PinnedMemory(std::size_t bytes) {
    void* at = nullptr;
    check(api::host_alloc(&at, bytes, api::host_alloc_default));
    pinned_ = Pinned(at);
    data_ = static_cast<std::byte*>(std::memset(at, 0, bytes));
    bytes_ = bytes;
  }

 private:
  Pinned pinned_;
};

class Gpu : public device::Device {
 public:
  explicit Gpu(int ordinal)
      : ordinal_(ordinal),
        description_(describe_device(ordinal)),
        stream_(non_blocking_stream()),
        // An emulated device has no caches: what is left is what canary() copies.
        flush_(ordinal, device::is_emulated(description_.product) ? block_unit : flush_bytes(description_),
               false),
        timer_(timer_ticks_per_microsecond(ordinal)),
        sensors_(open_sensors(description_)) {}

  const device::Description& description() const override { return description_; }

  std::unique_ptr<device::Memory> allocate(std::size_t bytes) override {
    auto memory = std::make_unique<PrivateMemory>(ordinal_, bytes);
    set(memory->data(), 0, bytes);
    return memory;
  }

  std::unique_ptr<device::Arena> share(std::size_t bytes) override {
    auto arena = std::make_unique<SharedArena>(ordinal_, bytes);
    set(arena->data(), 0, arena->bytes());
    synchronise();  // the worker's first sight of it
    return arena;
  }

  std::unique_ptr<device::Program> load(int object) override {
    return std::make_unique<CodeObject>(object, stream_);
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) check(api::memcpy_async(to, from, bytes, api::any_direction, stream_));
  }
  void set(void* at, std::uint8_t value, std::size_t bytes) override {
    if (bytes > 0) check(api::memset_async(at, value, bytes, stream_));
  }

  void flush_caches() override {
    reset_persisting_cache();
    // A value that differs from the last one: no cache or memory controller finds the line unchanged.
    set(flush_.data(), ++flush_value_, flush_.bytes());
  }

  void synchronise() override { check(api::stream_synchronise(stream_)); }
  void mark() override { check(api::event_record(mark_, stream_)); }
  void await_mark() override { check(api::event_synchronise(mark_)); }

  int groups_for(std::int64_t items) const override {
    constexpr std::int64_t resident =
        2048 / block_threads;  // blocks that fill a multiprocessor of either vendor
    // To begin a thread costs an emulated device as much as to do several items.
    const std::int64_t of_block = block_threads * (device::is_emulated(description_.product) ? 16 : 1);
    return static_cast<int>(std::clamp<std::int64_t>((items + of_block - 1) / of_block, 1,
                                                     resident * description_.multiprocessors));
  }

  bool spins() const override { return true; }

  // A copy by events: clocks, memory and whatever shares the device bear on it. Inside the memory that
  // flushes the caches, so that it needs none when a board has taken all.
  double canary() override {
    constexpr std::size_t most = std::size_t{32} << 20;
    const std::size_t bytes = std::min(most, flush_.bytes() / 2);
    const auto work = [&] { copy(flush_.data() + bytes, flush_.data(), bytes); };
    work();  // wakes clocks and pages
    return median_time(11, work);
  }

  std::int64_t memory_of_others() override {
    std::size_t free = 0, total = 0;
    check(api::memory_info(&free, &total));
    return static_cast<std::int64_t>(total) - static_cast<std::int64_t>(free) - Block::held();
  }

  double copy_rate() override {
    // 1 GiB each, far beyond any cache, or an eighth of what is free on a small device.
    std::size_t free = 0, total = 0;
    check(api::memory_info(&free, &total));
    const std::size_t bytes = std::min(std::size_t{1} << 30, free / 8 / block_unit * block_unit);
    const PrivateMemory from(ordinal_, bytes), to(ordinal_, bytes);
    set(from.data(), 1, bytes);
    set(to.data(), 2, bytes);
    copy(to.data(), from.data(), bytes);  // warms clocks and pages up
    const double time = median_time(11, [&] { copy(to.data(), from.data(), bytes); });
    return 2.0 * static_cast<double>(bytes) / (1e-6 * time);
  }

  void measure_clock(device::Program& program, std::uint64_t* at) override {
    constexpr double microseconds = 15;  // tens of thousands of cycles: a read of the timer is 0.1 % of them
    const std::uint64_t words[] = {reinterpret_cast<std::uint64_t>(at),
                                   static_cast<std::uint64_t>(microseconds * timer_)};
    program.run("podium_clock", words, 1);
  }
  double clock_ticks_per_microsecond() const override { return timer_; }
  device::Telemetry telemetry() override { return sensors_->read(); }
  double energy() override { return sensors_->energy(); }
  bool begin_counting() override { return sensors_->begin_counting(); }
  device::Counters counted() override { return sensors_->counted(); }
  std::string telemetry_source() override { return sensors_->source(); }

  double timed(const std::function<void()>& work) override {
    synchronise();
    check(api::event_record(start_, stream_));
    work();
    check(api::event_record(stop_, stream_));
    synchronise();
    return microseconds(start_, stop_);
  }

  std::unique_ptr<device::Memory> mapped(std::size_t bytes) override {
    return std::make_unique<PinnedMemory>(bytes);
  }

  std::unique_ptr<device::Products> products() override {
    return open_products(stream_, allocate(products_workspace));
  }

 private:
  // Microseconds, the middle one of `count`.
  double median_time(std::size_t count, const std::function<void()>& work) {
    std::vector<double> times(count);
    for (double& time : times) time = timed(work);
    std::ranges::sort(times);
    return times[times.size() / 2];
  }

  int ordinal_;
  device::Description description_;
  Stream stream_;
  Event start_ = timing_event(), stop_ = timing_event(), mark_ = timing_event();
  Block flush_;
  std::uint8_t flush_value_ = 0;
  double timer_;
  std::unique_ptr<device::Sensors> sensors_;
};

}  // namespace
}  // namespace podium::gpu

std::unique_ptr<podium::device::Device> podium::device::open(int ordinal) {
  gpu::choose_device(ordinal);
  return std::make_unique<gpu::Gpu>(ordinal);
}
