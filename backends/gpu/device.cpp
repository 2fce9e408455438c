// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A GPU as the judge sees it: one stream, private blocks, one shared arena.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "backends/gpu/block.hpp"
#include "backends/gpu/handles.hpp"
#include "backends/gpu/products.hpp"
#include "backends/gpu/program.hpp"
#include "backends/gpu/vendor.hpp"

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

// Clean lines in place of whatever the caches hold: what had yet to be written is in memory afterwards.
class CleanRead {
 public:
  CleanRead(int ordinal, std::size_t bytes) : memory_(ordinal, bytes, false) {
    api::Module module{};
    check(api::module_load_data(&module, own_kernels()));
    module_ = Module(module);
    check(api::module_get_function(&kernel_, module_, "podium_read"));
  }
  // Zeros, which nothing ever writes: a clean line has nothing to be written back.
  void zero(api::Stream stream) { check(api::memset_async(memory_.data(), 0, memory_.bytes(), stream)); }
  void enqueue(api::Stream stream, int groups) { enqueue(stream, groups, memory_.data(), memory_.bytes()); }
  // Reads any memory that holds zeros.
  void enqueue(api::Stream stream, int groups, std::byte* from, std::size_t bytes) {
    std::uint64_t packets = bytes / 16;
    std::uint32_t never = 1;  // no combination of zeros
    void* arguments[] = {static_cast<void*>(&from), &packets, &never};
    check(api::launch(kernel_, static_cast<unsigned>(groups), block_threads, stream, arguments));
  }

 private:
  Block memory_;
  Module module_;
  api::Function kernel_{};
};

// A stand-in for the vendor's runtime exports a name that no vendor's has, however it was reached.
device::Description described(int ordinal) {
  device::Description description = describe_device(ordinal);
  description.emulated = dlsym(RTLD_DEFAULT, "podium_emulator") != nullptr;
  return description;
}

// The device on which this process works unless somebody says otherwise: the one that was opened first.
int home = -1;

// Another one for a while, for what is enqueued there.
class On {
 public:
  explicit On(int ordinal) : elsewhere_(ordinal != home) {
    if (elsewhere_) check(api::set_device(ordinal));
  }
  On(const On&) = delete;
  On& operator=(const On&) = delete;
  ~On() {
    if (elsewhere_) ignore(api::set_device(home));
  }

 private:
  bool elsewhere_;
};

class Gpu : public device::Device {
 public:
  ~Gpu() override {
    const On here(ordinal_);
    ignore(api::stream_synchronise(stream_));
    if (ordinal_ == home) home = -1;
  }
  explicit Gpu(int ordinal)
      : ordinal_(ordinal),
        description_(described(ordinal)),
        stream_(non_blocking_stream()),
        written_(ordinal, description_.emulated ? block_unit : written_bytes(description_), false),
        timer_(timer_ticks_per_microsecond(ordinal)),
        sensors_(open_sensors(description_)) {
    Block::let_reach(ordinal);
    if (description_.emulated) return;  // it has no caches
    flush_.emplace(ordinal, flush_bytes(description_));
    flush_->zero(stream_);
  }

  const device::Description& description() const override { return description_; }

  std::unique_ptr<device::Memory> allocate(std::size_t bytes) override {
    const On here(ordinal_);
    auto memory = std::make_unique<PrivateMemory>(ordinal_, bytes);
    set(memory->data(), 0, bytes);
    return memory;
  }

  std::unique_ptr<device::Arena> share(std::size_t bytes) override {
    const On here(ordinal_);
    auto arena = std::make_unique<SharedArena>(ordinal_, bytes);
    set(arena->data(), 0, arena->bytes());
    synchronise();  // the worker's first sight of it
    return arena;
  }

  std::unique_ptr<device::Program> load(int object) override {
    return std::make_unique<CodeObject>(object, stream_);
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    const On here(ordinal_);
    if (bytes > 0) check(api::memcpy_async(to, from, bytes, api::any_direction, stream_));
  }
  void set(void* at, std::uint8_t value, std::size_t bytes) override {
    const On here(ordinal_);
    if (bytes > 0) check(api::memset_async(at, value, bytes, stream_));
  }

  void flush_caches() override {
    const On here(ordinal_);
    reset_persisting_cache();
    if (flush_) flush_->enqueue(stream_, reading_groups());
  }

  void leave_unwritten(std::size_t bytes) override {
    const On here(ordinal_);
    // A value that differs from the last one: no cache or memory controller finds the line unchanged.
    set(written_.data(), ++written_value_, std::min(bytes, written_.bytes()));
  }

  void synchronise() override { check(api::stream_synchronise(stream_)); }
  void mark() override {
    const On here(ordinal_);
    check(api::event_record(mark_, stream_));
  }
  void await_mark() override { check(api::event_synchronise(mark_)); }
  bool marked() override { return api::event_query(mark_) == api::success; }

  int groups_for(std::int64_t items) const override {
    constexpr std::int64_t resident =
        2048 / block_threads;  // blocks that fill a multiprocessor of either vendor
    // To begin a thread costs an emulated device as much as to do several items.
    const std::int64_t of_block = block_threads * (description_.emulated ? 16 : 1);
    return static_cast<int>(std::clamp<std::int64_t>((items + of_block - 1) / of_block, 1,
                                                     resident * description_.multiprocessors));
  }

  bool spins() const override { return true; }

  // The next devices, as far as they and this one reach each other. What is emulated lies in the machine's
  // memory, which all processes on it share.
  bool is_whole_group() const override { return description_.emulated; }
  int most_ranks() const override {
    constexpr int emulated = 4;  // processes that compute on the CPU
    return description_.emulated ? emulated : 1 + static_cast<int>(others_of_group().size());
  }
  std::vector<std::string> others_of_group() const override {
    std::vector<std::string> others;
    if (description_.emulated) return others;
    int devices = 0;
    check(api::device_count(&devices));
    for (int other = ordinal_ + 1; other < devices; ++other) {
      int there = 0, back = 0;
      check(api::can_access_peer(&there, ordinal_, other));
      check(api::can_access_peer(&back, other, ordinal_));
      std::array<char, 32> at{};
      if (there == 0 || back == 0) break;
      check(api::pci_address(at.data(), static_cast<int>(at.size()), other));
      others.emplace_back(at.data());
    }
    return others;
  }

  double link_rate(device::Device& other) override {
    constexpr std::size_t bytes = std::size_t{256} << 20;
    const auto here = share(bytes), there = other.share(bytes);
    const auto work = [&] { copy(there->data(), here->data(), bytes); };
    work();  // wakes clocks and pages
    return static_cast<double>(bytes) / (1e-6 * median_time(11, work));
  }

  // A copy by events: clocks, memory and whatever shares the device bear on it. Its memory is there from the
  // beginning, so that it needs none when a board has taken all.
  double canary() override {
    constexpr std::size_t most = std::size_t{32} << 20;
    const std::size_t bytes = std::min(most, written_.bytes() / 2);
    const auto work = [&] { copy(written_.data() + bytes, written_.data(), bytes); };
    work();  // wakes clocks and pages
    return median_time(11, work);
  }

  std::int64_t memory_of_others() override {
    const On here(ordinal_);
    std::size_t free = 0, total = 0;
    check(api::memory_info(&free, &total));
    return static_cast<std::int64_t>(total) - static_cast<std::int64_t>(free) - Block::held(ordinal_);
  }

  device::MemoryRates memory_rates() override {
    // 1 GiB to either side, far beyond any cache, or an eighth of what is free on a small device.
    std::size_t free = 0, total = 0;
    check(api::memory_info(&free, &total));
    const std::size_t half = std::min(std::size_t{1} << 30, free / 8 / block_unit * block_unit);
    const PrivateMemory memory(ordinal_, 2 * half);
    std::byte* const from = memory.data();
    std::byte* const to = from + half;
    set(from, 1, half);
    set(to, 2, half);
    const auto rate = [&](const std::function<void()>& work) {
      work();  // warms clocks and pages up
      // Behind the same flush as a contestant's call.
      return static_cast<double>(memory.bytes()) / (1e-6 * median_time(11, work, [&] { flush_caches(); }));
    };
    device::MemoryRates rates{.copy = rate([&] { copy(to, from, half); })};
    rates.write = rate([&] { set(from, 0, 2 * half); });
    if (flush_)
      rates.read = rate([&] { flush_->enqueue(stream_, reading_groups(), from, 2 * half); });
    else
      rates.read = rates.copy;  // an emulated device, which is never timed
    return rates;
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
    const On here(ordinal_);
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
  // As many as are resident at a time.
  int reading_groups() const { return groups_for(std::numeric_limits<std::int64_t>::max() / 2); }

  // At least the last cache, so that all of it can hold what is yet to be written.
  static std::size_t written_bytes(const device::Description& description) {
    constexpr std::int64_t least = 64 << 20;
    return static_cast<std::size_t>(std::max(description.last_level_cache, least));
  }

  // Microseconds, the middle one of `count`, each with `before` untimed.
  double median_time(
      std::size_t count, const std::function<void()>& work, const std::function<void()>& before = [] {}) {
    std::vector<double> times(count);
    for (double& time : times) {
      before();
      time = timed(work);
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
  }

  int ordinal_;
  device::Description description_;
  Stream stream_;
  Event start_ = timing_event(), stop_ = timing_event(), mark_ = timing_event();
  std::optional<CleanRead> flush_;
  Block written_;
  std::uint8_t written_value_ = 0;
  double timer_;
  std::unique_ptr<device::Sensors> sensors_;
};

}  // namespace
}  // namespace podium::gpu

std::unique_ptr<podium::device::Device> podium::device::open(int ordinal) {
  gpu::choose_device(ordinal);
  const bool first = gpu::home < 0;
  if (first) gpu::home = ordinal;
  auto device = std::make_unique<gpu::Gpu>(ordinal);
  if (!first) gpu::choose_device(gpu::home);
  return device;
}
