// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A GPU as the worker uses it: a stream that the judge's gate holds.
#include "suite/device/lane.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "backends/gpu/block.hpp"
#include "backends/gpu/gate.hpp"
#include "backends/gpu/graph.hpp"
#include "backends/gpu/handles.hpp"
#include "backends/gpu/kernels.hpp"
#include "backends/gpu/vendor.hpp"
#include "suite/base/cpu_relax.hpp"
#include "suite/base/error.hpp"

namespace podium::gpu {
namespace {

// Any of those that the driver has to give: where in memory a stream has its queue moves a short call's time
// by up to 1 %, which shall not follow a process, and so one contestant, through a whole run.
Stream some_stream() {
  constexpr unsigned most_skipped = 7;
  std::array<Stream, most_skipped> skipped;
  for (unsigned left = std::random_device()() % (most_skipped + 1); left > 0; --left)
    skipped[left - 1] = non_blocking_stream();
  return non_blocking_stream();
}

// What allocations in the order of a stream are cut from. As the driver sets it up, freed memory goes back to
// it at the next synchronisation: after a call by its events, before the judge hears of its end. So the
// process keeps it while the contestant lives.
class Pool {
 public:
  explicit Pool(int ordinal) {
    if (api::default_pool(&pool_, ordinal) != api::success) {  // a device without such pools
      static_cast<void>(api::last_error());
      pool_ = {};
      return;
    }
    auto all = std::numeric_limits<std::uint64_t>::max();
    check(api::pool_set_attribute(pool_, api::pool_release_threshold, &all));
  }
  void trim() const {
    if (pool_) check(api::pool_trim(pool_, 0));
  }

 private:
  api::Pool pool_{};
};

// The page as the device sees it.
class RegisteredPage {
 public:
  explicit RegisteredPage(device::Page& page) : page_(page) {
    constexpr std::size_t bytes = 4096;  // memory is registered in whole pages
    check(api::host_register(&page_, bytes, api::host_register_mapped));
    void* at = nullptr;
    check(api::host_get_device_pointer(&at, &page_, 0));
    gate_ = static_cast<std::byte*>(at) + offsetof(device::Page, gate);
  }
  RegisteredPage(const RegisteredPage&) = delete;
  RegisteredPage& operator=(const RegisteredPage&) = delete;
  ~RegisteredPage() { ignore(api::host_unregister(&page_)); }
  std::byte* gate() const { return gate_; }

 private:
  device::Page& page_;
  std::byte* gate_ = nullptr;
};

class GpuLane : public device::Lane {
 public:
  GpuLane(int ordinal, device::Page& page)
      : ordinal_(ordinal),
        pool_(ordinal),
        page_(page),
        stream_(some_stream()),
        start_(timing_event()),
        stop_(timing_event()),
        gate_(stream_, page_.gate(), page.gate) {
    synchronise();
  }

  void open_arena(const device::Handle& handle, std::size_t bytes) override {
    arena_.emplace(ordinal_, bytes, kept(handle, "the arena"));
  }
  std::byte* arena() const override { return arena_ ? arena_->data() : nullptr; }
  std::byte* open_symmetric(const device::Handle& handle, std::size_t bytes) override {
    const Descriptor file = kept(handle, "symmetric memory");
    return symmetric_.emplace_back(std::make_unique<Block>(ordinal_, bytes, file))->data();
  }
  void* stream() const override { return static_cast<api::Stream>(stream_); }

  void* allocate(bool pinned, std::size_t bytes) override {
    void* at = nullptr;
    const std::size_t size = bytes == 0 ? 1 : bytes;
    const auto status = pinned ? api::host_alloc(&at, size, api::host_alloc_default) : api::malloc(&at, size);
    if (status == api::out_of_memory) {
      static_cast<void>(api::last_error());
      return nullptr;
    }
    check(status);
    if (pinned) {
      pinned_.emplace_back(at);
      return std::memset(at, 0, size);
    }
    scratch_.emplace_back(at);
    check(api::memset_async(at, 0, size, stream_));
    check(api::stream_synchronise(stream_));
    return at;
  }

  void release() override {
    kernels_.clear();
    scratch_.clear();
    pinned_.clear();
    stream_ = some_stream();
    pool_.trim();
  }

  device::Kernels& load(const std::string& code) override {
    return *kernels_.emplace_back(std::make_unique<LaneKernels>(code, *this));
  }

  double gated(device::Page&, std::uint32_t ticket, const std::function<void()>& run,
               const std::function<void()>& armed) override {
    gate_.hold(stream_, ticket);
    check(api::event_record(start_, stream_));
    run();
    check(api::event_record(stop_, stream_));
    armed();
    if (!symmetric_.empty()) note_begin();
    synchronise();
    return microseconds(start_, stop_);
  }
  double began() const override { return began_; }

  double whole(const std::function<void()>& run) override {
    // The judge's work ran last: the switch between two processes' work, 150 µs on an H200, is not the
    // call's.
    if (!touched_) touched_ = DeviceMemory(allocated(sizeof(int)));
    check(api::memset_async(touched_, 0, sizeof(int), stream_));
    synchronise();
    const auto start = std::chrono::steady_clock::now();
    run();
    synchronise();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  }

  void capture(const std::function<void()>& run) override {
    graph_ = GraphExec();
    graph_ = captured(stream_, run);
  }
  void drop_graph() override { graph_ = GraphExec(); }
  void replay() override { check(api::graph_launch(graph_, stream_)); }

  void synchronise() override { check(api::device_synchronise()); }

 private:
  // By the host's clock, which ranks on one host share.
  void note_begin() {
    while (api::event_query(start_) == api::not_ready) cpu_relax();
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    began_ = std::chrono::duration<double, std::micro>(now).count();
  }

  static Descriptor kept(const device::Handle& handle, const char* of) {
    Descriptor file(fcntl(handle.descriptor, F_DUPFD_CLOEXEC, 0));
    if (!file) throw Error(fmt::format("the judge sent no descriptor of {}; the protocol promises one", of));
    return file;
  }

  static void* allocated(std::size_t bytes) {
    void* at = nullptr;
    check(api::malloc(&at, bytes));
    return at;
  }

  int ordinal_;
  Pool pool_;
  RegisteredPage page_;
  Stream stream_;
  Event start_, stop_;
  Gate gate_;
  std::optional<Block> arena_;
  std::vector<std::unique_ptr<Block>> symmetric_;  // of all ranks, if there are several
  double began_ = device::unknown;
  std::vector<DeviceMemory> scratch_;
  std::vector<Pinned> pinned_;
  std::vector<std::unique_ptr<LaneKernels>> kernels_;
  GraphExec graph_;
  DeviceMemory touched_;
};

}  // namespace
}  // namespace podium::gpu

int podium::device::visible_devices() {
  int count = 0;
  return gpu::api::device_count(&count) == gpu::api::success ? count : 0;
}

int podium::device::ordinal_at(const std::string& pci) {
  for (int ordinal = 0; ordinal < visible_devices(); ++ordinal) {
    std::array<char, 32> at{};
    if (gpu::api::pci_address(at.data(), static_cast<int>(at.size()), ordinal) == gpu::api::success &&
        pci == at.data())
      return ordinal;
  }
  return -1;
}

std::unique_ptr<podium::device::Lane> podium::device::open_lane(int ordinal, Page& page) {
  gpu::choose_device(ordinal);
  return std::make_unique<gpu::GpuLane>(ordinal, page);
}
